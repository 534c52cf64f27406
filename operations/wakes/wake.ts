/**
 * The wake of a workflow that lives by one object, whatever its kind: looks at the object, pays and
 * does what is due of it, and returns what comes next.
 */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { readRunState } from '../../db/queries/due/billing-runs.ts';
import { noteSeen } from '../../db/queries/clock/workflows-seen.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import type { ClaimedAutopay, ClaimedPayment } from '../collection/autopay.ts';
import {
  inOperation,
  tenantInfo,
  tenantTimeOf,
  type Dependencies,
  type OperationContext,
  type TenantInfo,
} from '../context/context.ts';
import { kinds, type AwaitedName } from '../context/kinds.ts';
import { payAtOnce } from '../gateway-calls/pay-at-once.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { wakePace, yieldMsOf, type WakePace } from '../outbox/wake-pace.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';

/** Pay, do, pay what that has made: usually nothing is due after that. */
const ROUNDS_MAX = 5;

export interface WakeHooks {
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
}

/** What the results of all kinds have in common. */
export interface Wake {
  /** What the wake did or found, in a few words. */
  readonly did: string;
  readonly next: { readonly at: number } | null;
  /** How long to sleep, in milliseconds; null means until a nudge. */
  readonly waitMs: number | null;
  /** The wake left what is due to the run of the day. */
  readonly yielded?: boolean;
  readonly ended: boolean;
}

export interface Moment {
  readonly tenant: TenantInfo;
  readonly today: IsoDate;
  readonly nowMs: number;
}

/** The object as a look found it. */
export interface Look<Row> extends Moment {
  readonly row: Row;
}

/** What an act did, and what there is to wait for; without it the wake looks again. */
export interface Done<Result extends Wake> {
  readonly did: string;
  readonly rest?: Partial<Result>;
}

/** What a kind of objects has of its own. */
export interface WakeParts<Row extends { readonly customerId: number }, Result extends Wake> {
  readonly kind: AwaitedName;
  readonly objectId: number;
  /** How often in a row what was due was left to the run of the day. */
  readonly yields: number;
  /** What a look says that it did, if nothing was due. */
  readonly looked: string;
  readonly read: (tx: Tx, moment: Moment) => Promise<Row | undefined>;
  /** The state of the row for the workflow; the wake adds what it did and how long to wait. */
  readonly describe: (look: Look<Row>) => Result;
  /** The row is not there any more. */
  readonly gone: (tx: Tx, moment: Moment) => Result | Promise<Result>;
  readonly pays: Paying<Row>;
  /** What it waits for although its time has come, or is near. */
  readonly rests?: (look: Look<Row>, found: Result, wakeAt: number) => Partial<Result> | null;
  /** What is due besides its payments; absent if there is nothing. */
  readonly acts?: Acting<Row, Result>;
}

interface Paying<Row> {
  /** Before anything else, also on a test clock, or at the time of its next step. */
  readonly when: 'first' | 'inItsTurn';
  readonly isDue: (look: Look<Row>) => boolean;
  readonly claim: (context: OperationContext) => Promise<ClaimedAutopay>;
  /** Says what it did. */
  readonly did: (payments: readonly ClaimedPayment[], today: IsoDate) => string;
}

interface Acting<Row, Result extends Wake> {
  /** The day from which the run of the day does it as well. */
  readonly dueOn: (row: Row) => IsoDate | null;
  /** The run has looked at it, and left it to this workflow. */
  readonly isLeftToIt?: (row: Row) => boolean;
  readonly yieldsTo: string;
  readonly act: (look: Look<Row>, yieldMs: number) => Promise<Done<Result>>;
}

export async function wake<Row extends { readonly customerId: number }, Result extends Wake>(
  dependencies: Dependencies,
  tenantId: number,
  parts: WakeParts<Row, Result>,
  hooks: WakeHooks,
): Promise<Result> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const { kind, objectId, pays, acts } = parts;
  const pace = await wakePace(dependencies, tenantId);
  let did = parts.looked;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const read = await lookAt(dependencies, tenant, parts);
    if ('gone' in read) return read.gone;
    const { look, run } = read;
    const { row } = look;
    if (pays.when === 'first' && pays.isDue(look)) {
      did = await pay(dependencies, look, pays, hooks);
      continue;
    }
    const found = { ...parts.describe(look), did };
    const rest = restOf(look, found, parts, pace);
    if (rest) return { ...found, ...rest };
    if (pays.when === 'inItsTurn' && pays.isDue(look)) {
      did = await pay(dependencies, look, pays, hooks);
      continue;
    }
    if (!acts) continue;
    const yieldMs = yieldMsOf(row.customerId);
    const mayBeRun = run === 'running' || (run === 'none' && parts.yields === 0);
    if (mayBeRun && acts.isLeftToIt?.(row) !== true) {
      return { ...found, did: `left it to ${acts.yieldsTo}`, waitMs: yieldMs, yielded: true };
    }
    const done = await acts.act(look, yieldMs);
    if (done.rest) return { ...found, ...done.rest, did: done.did };
    ({ did } = done);
  }
  throw new Error(`${kind} ${objectId} stays due`);
}

type Read<Row, Result> =
  | {
      readonly look: Look<Row>;
      /** The state of the tenant's run of today; read only if something is due. */
      readonly run: Awaited<ReturnType<typeof readRunState>>;
    }
  | { readonly gone: Result };

function lookAt<Row extends { readonly customerId: number }, Result extends Wake>(
  dependencies: Dependencies,
  tenant: TenantInfo,
  parts: WakeParts<Row, Result>,
): Promise<Read<Row, Result>> {
  const { kind: name, objectId } = parts;
  return inTenant(
    dependencies.db,
    tenant.id,
    async (tx) => {
      // Only a test clock waits until workflows have seen their objects.
      if (tenant.hasTestClock) noteSeen(tx, { name, table: kinds[name].table }, objectId);
      const { now, today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const moment = { tenant, today, nowMs: now.getTime() };
      const row = await parts.read(tx, moment);
      if (row === undefined) return { gone: await parts.gone(tx, moment) };
      const dueOn = parts.acts?.dueOn(row) ?? null;
      const isDue = dueOn !== null && dueOn <= today && !tenant.hasTestClock;
      return { look: { ...moment, row }, run: isDue ? await readRunState(tx, today) : 'none' };
    },
    tenant.hasTestClock ? { isForgettable: true } : { readOnly: true },
  );
}

/** What to wait for before something is due; null if it is. */
export function restOf<Row extends { readonly customerId: number }, Result extends Wake>(
  look: Look<Row>,
  found: Result,
  parts: WakeParts<Row, Result>,
  pace: WakePace,
): Partial<Wake> | null {
  const { tenant, row, nowMs } = look;
  if (found.ended || tenant.hasTestClock || found.next === null) return {};
  const wakeAt = found.next.at + pace(row.customerId);
  const own = parts.rests?.(look, found, wakeAt) ?? null;
  if (own !== null || parts.acts?.isLeftToIt?.(row) === true) return own;
  return nowMs < wakeAt ? { waitMs: wakeAt - nowMs } : null;
}

async function pay<Row>(
  dependencies: Dependencies,
  { tenant, today }: Look<Row>,
  { claim, did }: Paying<Row>,
  { dispatch, gateways }: WakeHooks,
): Promise<string> {
  const { payments } = await inOperation(dependencies, tenant.id, claim);
  const options = { dispatch, lanes: 1, mayContinue: () => true };
  await payAtOnce(dependencies, gateways, tenant.id, payments, options);
  return did(payments, today);
}
