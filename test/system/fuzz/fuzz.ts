/** Sends hostile calls to every route, and finds what fails, hangs, grows, or is stored by a refused call. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { customerRows, invoiceRows, lineRows } from '../../../api/resources/imports/rows.ts';
import { routeKey } from '../../../api/calls/route-types.ts';
import { finishImport } from '../../../operations/imports/finish.ts';
import { prepareImport } from '../../../operations/imports/prepare.ts';
import { importSlice } from '../../../operations/imports/slice.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';
import { maskCardNumbers } from '../../../domain/payments/card-masking.ts';
import { send } from '../../api/support.ts';
import { valueOf } from '../../api/tenant-api.ts';
import { createDice, seedOf, type Dice } from '../../support/dice.ts';
import { casesOf, someCsv, type MakeCase } from './cases.ts';
import {
  bytesOf,
  exchange,
  hasMore,
  isWhole,
  Hanging,
  type Answer,
  type Request,
} from './exchange.ts';
import type { SeenRows } from './seen-rows.ts';
import type { World, Worlds } from './world.ts';

export interface Fuzzing {
  readonly seed: number;
  readonly worlds: Worlds;
  readonly seen: SeenRows;
  readonly storage: FileStorage;
  /** What the interface has logged as a failure since the last call. */
  readonly failures: () => readonly string[];
  /** Resolves when the interface has logged the request of that id as done. */
  readonly logged: (requestId: string) => Promise<void>;
}

export interface Tally {
  readonly cases: number;
  /** How many were answered so, by the first digit: `2xx`; `none` had no answer, and needed none. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** By the key of the route. */
  readonly byRoute: ReadonlyMap<string, number>;
  /** What is wrong, each with the call that shows it; empty if nothing is. */
  readonly findings: readonly string[];
  /** Bytes of the heap that stayed, for each case of the second half. */
  readonly grownBytes: number;
}

export interface FuzzLimits {
  /** Asked after each case. */
  readonly goesOn: (cases: number) => boolean;
  /** The number of the first case: a run goes on where another of its seed has ended. */
  readonly from?: number;
}

/** Objects are used up, and sessions end. */
const WORLD_CASES = 3_000;
/** A file is imported for each so many calls. */
const IMPORT_EVERY = 100;
/** More would only repeat the first. */
const FINDINGS_MAX = 10;
/** What is remembered for a minute, or compiled at first use, is there by then. */
const SETTLED_CASES = 2_000;
const SHOWN_BYTES = 1_200;

export async function fuzz(fuzzing: Fuzzing, { goesOn, from = 0 }: FuzzLimits): Promise<Tally> {
  const { seed, worlds, seen, storage } = fuzzing;
  const { routes, api } = worlds;
  let world = await worlds.next();
  await seen.taken();
  const makers = routes.map((route) => [routeKey(route), casesOf(route)] as const);
  const findings: string[] = [];
  const byStatus: Record<string, number> = {};
  const byRoute = new Map<string, number>();
  let cases = 0;
  let settledAt: Heap | undefined;
  for (; goesOn(cases) && findings.length < FINDINGS_MAX; cases += 1) {
    if (cases > 0 && cases % WORLD_CASES === 0) {
      world = await worlds.next();
      await seen.taken();
    }
    if (cases === SETTLED_CASES) settledAt = { cases, bytes: heapBytes() };
    const nth = from + cases;
    const [key, make] = makers[nth % makers.length] as (typeof makers)[number];
    const dice = createDice(seedOf(seed, nth));
    const where = `seed ${seed}, case ${nth}, ${key}`;
    if (cases % IMPORT_EVERY === IMPORT_EVERY - 1) {
      findings.push(
        ...(await importOne(world, { dice, seen, storage, nth })).map(
          (what) => `${where}: ${what}`,
        ),
      );
      await seen.taken();
    }
    const { status, found } = await callOne(world, { ...fuzzing, make, dice, nth });
    if (found !== undefined) findings.push(`${where}: ${found}`);
    const kind = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
    byStatus[kind] = (byStatus[kind] ?? 0) + 1;
    byRoute.set(key, (byRoute.get(key) ?? 0) + 1);
    (api.nudges as unknown[]).length = 0;
  }
  findings.push(...filesLeft(storage));
  return { cases, byStatus, byRoute, findings, grownBytes: growth(settledAt, cases) };
}

interface Heap {
  readonly cases: number;
  readonly bytes: number;
}

const growth = (settled: Heap | undefined, cases: number): number =>
  settled === undefined || cases === settled.cases
    ? 0
    : (heapBytes() - settled.bytes) / (cases - settled.cases);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Uploads are written aside until they are complete. */
function filesLeft({ place }: FileStorage): string[] {
  const folder = join(place.replace(/^folder /, ''), 'parts');
  return readdirSync(folder).map((name) => `a file was left behind: ${name}`);
}

interface OneCall extends Pick<Fuzzing, 'seen' | 'failures' | 'logged'> {
  readonly make: MakeCase;
  readonly dice: Dice;
  readonly nth: number;
}

async function callOne(
  world: World,
  { make, dice, seen, failures, logged, nth }: OneCall,
): Promise<{ readonly status: number; readonly found?: string }> {
  const { api, foreignIds } = world;
  const made = make(dice, world);
  // The call of a sender who breaks off goes on after its connection.
  const breaksOff = made.announcedBytes !== undefined;
  const requestId = `fuzz-${nth}`;
  const headers = breaksOff ? { ...made.headers, 'x-request-id': requestId } : made.headers;
  const request = { ...made, headers };
  try {
    const answer = await exchange(api.port, request);
    if (breaksOff) await logged(requestId);
    // Refused logins are noted after their answer.
    await api.guarded();
    const stored = await seen.taken();
    const failed = failures();
    const wrong = judge(request, answer, { stored, failed, foreignIds });
    if (isOfAccess(answer)) await forget(world);
    return {
      status: answer.status,
      ...(wrong !== undefined && { found: shown(wrong, request, answer) }),
    };
  } catch (error) {
    if (!(error instanceof Hanging)) throw error;
    return { status: 0, found: shown(error.message, request) };
  }
}

/** The walls against guesses are tried elsewhere, and would refuse all that follows. */
const forget = ({ api }: World): Promise<unknown> =>
  api.asOwner('delete from attempt_window; delete from foreign_attempt; delete from seen_row');

interface Judged {
  readonly stored: readonly string[];
  readonly failed: readonly string[];
  readonly foreignIds: readonly string[];
}

const isOfAccess = ({ status, body }: Answer): boolean =>
  [401, 403, 429].includes(status) || body.includes('code="auth.');

/** What is wrong with the answer; undefined if nothing is. */
function judge(
  request: Request,
  answer: Answer,
  { stored, failed, foreignIds }: Judged,
): string | undefined {
  const { status, head } = answer;
  if (failed.length > 0) return `it failed: ${failed.join('\n')}`;
  if (status === 0)
    return isWhole(request) ? 'the connection ended without an answer' : storedBy(stored);
  // A machine that stands still may make a call wait for its turn.
  if (status === 503 && /^retry-after: \d+/im.test(head)) return storedBy(stored);
  if (status >= 500) return `it is answered with ${status}`;
  // The page asks the gateway, and records what that says.
  if (request.target.startsWith('/action/')) return undefined;
  // With more bytes than it announces, it is a call and then something else, which may have the only answer.
  if (status < 400 || hasMore(request)) return undefined;
  const text = request.target + request.body.toString('latin1');
  const mayStore = [
    ...(isOfAccess(answer) || foreignIds.some((id) => text.includes(id)) ? ['audit_log'] : []),
    // The same call again gets the same refusal.
    ...(request.headers['idempotency-key'] === undefined ? [] : ['idempotency_key']),
  ];
  return storedBy(stored.filter((table) => !mayStore.includes(table)));
}

const storedBy = (tables: readonly string[]): string | undefined =>
  tables.length === 0 ? undefined : `it is refused, and changed rows of ${tables.join(', ')}`;

const shown = (what: string, request: Request, answer?: Answer): string =>
  maskCardNumbers(
    [
      what,
      bytesOf(request).subarray(0, SHOWN_BYTES).toString(),
      ...(answer === undefined ? [] : [answer.head, answer.body.slice(0, SHOWN_BYTES)]),
    ].join('\n'),
  );

/* Files of customers, which the worker reads after their upload. */

interface OneImport {
  readonly dice: Dice;
  readonly seen: SeenRows;
  readonly storage: FileStorage;
  readonly nth: number;
}

const job = (inner: string): string => `<batchProcess>${inner}</batchProcess>`;
const hooks = { onProgress: () => undefined, signal: new AbortController().signal };
/** What says how an import went. */
const OF_JOBS = ['batch', 'import_row', 'event', 'outbox'];

async function importOne(
  { api }: World,
  { dice, seen, storage, nth }: OneImport,
): Promise<string[]> {
  const draft = await api.post(
    '/batchProcess?mode=StorageFileUpload',
    job(
      '<inputType>API</inputType><operation>eBill-Import</operation><subOperation>Customer</subOperation>',
    ),
  );
  const { pathname, search } = new URL(valueOf(draft.body, 'uploadUrl') ?? '');
  const body = someCsv(dice, `I-${nth}`);
  await send(api.port, {
    method: 'PUT',
    path: pathname + search,
    body,
    host: `${api.label}.localhost`,
    auth: null,
  });
  const id = Number(valueOf(draft.body, 'id'));
  const queued = await api.put('/batchProcess?mode=BatchFinalize', job(`<id>${id}</id>`));
  if (queued.status !== 200) return [];
  await seen.taken();
  const options = {
    dependencies: { db: api.db, realNow: Date.now, storage },
    tenantId: api.tenantId,
    readers: { customers: customerRows, invoices: invoiceRows, lines: lineRows },
    seal: (password: string) => `sealed ${password.length}`,
  };
  try {
    const prepared = await prepareImport(options, id, hooks);
    if (prepared?.rowCount === 0) {
      const stored = (await seen.taken()).filter((table) => !OF_JOBS.includes(table));
      if (stored.length > 0) return [`a refused file changed rows of ${stored.join(', ')}`];
    } else {
      while (!(await importSlice(options, id, hooks)).isDone);
    }
    await finishImport(options, id, hooks);
    const [row] = await api.asOwner<{ status: string }>(
      `select status from batch where id = ${id}`,
    );
    if (row?.status !== 'Queued') return [];
    return [`a file is not done with:\n${body.toString()}`];
  } catch (error) {
    return [`a file failed: ${String(error)}\n${body.toString()}`];
  }
}
