/** A write's one transaction: key, version, operation, answer, audit, or all of it undone. */
import { inTenant } from '../db/tenancy.ts';
import type { Tx } from '../db/tenancy.ts';
import { writeAudit } from '../operations/audit-log.ts';
import { keepAnswer, takeKey } from '../operations/idempotency.ts';
import type { KeptAnswer, KeyedRequest } from '../operations/idempotency.ts';
import type { Nudge } from '../operations/outbox.ts';
import { workOf } from '../operations/services.ts';
import type { TenantInfo, Work } from '../operations/services.ts';
import { assertVersion } from '../operations/versions.ts';
import type { Versioned } from '../operations/versions.ts';
import { XML_TYPE, acceptedVersions } from './answer.ts';
import type { Answer } from './answer.ts';
import { refusalAnswer, refusalOf } from './refusals.ts';
import type { RawCall } from './route.ts';
import type { ApiServices } from './routes/services.ts';

/** What became of a call, beside its answer. */
export interface Performed {
  /** The answer is kept under its key, or is none to be kept. */
  isKept: boolean;
}

export interface Writing {
  readonly services: ApiServices;
  readonly raw: RawCall;
  readonly keyed: KeyedRequest | undefined;
  readonly performed: Performed;
  readonly target: Versioned | undefined;
  readonly clock: 'share' | 'none';
  /** Of success. */
  readonly status: number;
  readonly operation: (work: Work) => Promise<Answer>;
}

export async function writeOnce(writing: Writing): Promise<Answer> {
  const { services, raw, keyed, performed } = writing;
  const nudges: Nudge[] = [];
  const { answer, error } = await inTenant<Outcome>(services.db, raw.tenant.id, (tx) =>
    keyed === undefined ? once(writing, tx, nudges) : onceByKey(writing, keyed, tx, nudges),
  ).catch((failure: unknown) => {
    // A refusal by the key itself is not the request's own answer.
    if (keyed !== undefined && isOfKey(failure)) performed.isKept = true;
    throw failure;
  });
  performed.isKept = keyed !== undefined;
  if (error !== undefined) throw error;
  if (nudges.length > 0) services.deliverSoon(raw.tenant.id, nudges);
  return answer;
}

interface Outcome {
  readonly answer: Answer;
  /** The refusal that is kept in place of an answer. */
  readonly error?: Error;
}

async function onceByKey(
  writing: Writing,
  keyed: KeyedRequest,
  tx: Tx,
  nudges: Nudge[],
): Promise<Outcome> {
  const kept = await takeKey(tx, keyed);
  if (kept !== undefined) return { answer: replay(kept) };
  let outcome: Outcome;
  try {
    outcome = await tx.attempt(() => once(writing, tx, nudges));
  } catch (error) {
    if (!(error instanceof Error) || !isKeepable(error)) throw error;
    nudges.length = 0;
    outcome = { answer: refusalAnswer(refusalOf(error)), error };
  }
  keepAnswer(tx, keyed, storable(outcome.answer));
  return outcome;
}

async function once(writing: Writing, tx: Tx, nudges: Nudge[]): Promise<Outcome> {
  const { services, raw, target, clock } = writing;
  const work = await workOf(services, raw.tenant, tx, clock);
  const versions = acceptedVersions(raw.header('if-match'));
  if (versions !== undefined && target !== undefined) await assertVersion(tx, target, versions);
  writeAudit(tx, {
    action: 'write',
    userId: raw.user.id,
    username: raw.user.username,
    method: raw.method,
    path: raw.path,
    status: writing.status,
    address: raw.address,
    requestId: raw.requestId,
  });
  // Under a key the answer is yet to be kept; else nothing follows what it is made of.
  const last = writing.keyed === undefined ? { query: tx.finish } : tx;
  const answer = await writing.operation({ ...work, last });
  nudges.push(...work.nudges);
  return { answer };
}

/** Keeps a refusal that came before the write's own transaction, or answers what is kept. */
export async function keepRefusal(
  services: ApiServices,
  tenant: TenantInfo,
  keyed: KeyedRequest,
  error: unknown,
): Promise<Answer> {
  if (!isKeepable(error)) throw error;
  const kept = await inTenant(services.db, tenant.id, async (tx) => {
    const before = await takeKey(tx, keyed);
    if (before === undefined) {
      keepAnswer(tx, keyed, storable(refusalAnswer(refusalOf(error))));
    }
    return before;
  });
  if (kept === undefined) throw error;
  return replay(kept);
}

function isKeepable(error: unknown): boolean {
  return refusalOf(error).status < 500;
}

function isOfKey(error: unknown): boolean {
  return refusalOf(error).errors.some(({ code }) => code.startsWith('idempotency.'));
}

function storable({ status, headers, body }: Answer): KeptAnswer {
  return { status, headers, body: String(body) };
}

function replay({ status, headers, body }: KeptAnswer): Answer {
  return {
    status,
    type: XML_TYPE,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    body,
  };
}
