/**
 * A tenant's test clock: it advances to a target through every instant at which something is due.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { readTaxWaits } from '../../db/queries/billing/tax-waits.ts';
import { readClock, writeClock, type ClockRow } from '../../db/queries/clock/test-clock.ts';
import { objectsBehind, stillBehind } from '../../db/queries/clock/workflows-seen.ts';
import { nextOnAgenda } from '../../db/queries/due/agenda.ts';
import {
  type ClockRun,
  countHeldCustomers,
  noteClockRun,
} from '../../db/queries/due/billing-runs.ts';
import { countOpenOrders } from '../../db/queries/orders/wake.ts';
import { addMonths, isDate, type IsoDate } from '../../domain/calendar/calendar.ts';
import { dateIn, startOfDay } from '../../domain/calendar/zone.ts';
import { DomainError } from '../../domain/errors.ts';
import { amountTexts } from '../../domain/money/amounts.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import type { ClockProgress } from '../../workflows/contract/contract.ts';
import { addBatches, nothingBilled, type BilledBatch } from '../billing/batch.ts';
import {
  tenantInfo,
  type Dependencies,
  type TenantInfo,
  type OperationContext,
} from '../context/context.ts';
import type { AwaitedKind } from '../context/kinds.ts';
import { countUnderWay, emptyDue, awaitedWorkflows } from '../due/due.ts';
import { waitsOf, type Waits } from '../due/tax-waits.ts';
import { nudgeObjects } from '../outbox/deliver.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import type { Engine } from '../outbox/engine.ts';
import { enqueue } from '../outbox/enqueue.ts';

const ADVANCE_YEARS_MAX = 5;
/** Up to this many open orders, workflows wake at every instant; beyond it, only at the target. */
const WAKE_EACH_INSTANT_ORDERS_MAX = 1_000;
/** The length of a slice, after which the workflow shows the clock's progress. */
const SLICE_MS = 10_000;
const BEAT_MS = 1_000;
/** The most days that the clock's workflow shows. */
const DAYS_TOLD_MAX = 3;

export interface TestClockView {
  readonly now: Date;
  readonly target: IsoDate | null;
  readonly status: 'Ready' | 'Advancing';
  /** Customers held from billing by an error; they do not stop the clock. */
  readonly held: number;
  /** Customers that wait for the tax provider, and with them the clock. */
  readonly waiting: number;
}

/** Throws testClock.unknown for a tenant that lives in real time. */
export async function readTestClock(
  dependencies: Dependencies,
  tenantId: number,
): Promise<TestClockView> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(dependencies.db, tenantId, (tx) => view(tenant, tx), { readOnly: true });
}

async function view(tenant: TenantInfo, tx: Tx): Promise<TestClockView> {
  const clock = required(tenant, await readClock(tx, 'none'));
  const { customers: waiting } = await readTaxWaits(tx);
  return { ...clock, held: await countHeldCustomers(tx), waiting };
}

function required(tenant: TenantInfo, clock: ClockRow | undefined): ClockRow {
  if (clock) return clock;
  throw new DomainError('testClock.unknown', `tenant ${tenant.label} lives in real time`);
}

/**
 * Advances the clock to 00:00 of a day; for the present day it is Ready at once. The transaction
 * must not have locked the clock shared, or two of them could deadlock.
 */
export async function advance(context: OperationContext, to: IsoDate): Promise<TestClockView> {
  const { tx, tenant } = context;
  const clock = required(tenant, await readClock(tx, 'update'));
  if (clock.status === 'Advancing') {
    throw new DomainError('testClock.advancing', `the clock is advancing to ${clock.target}`);
  }
  if (assertTarget(dateIn(tenant.timezone, clock.now.getTime()), to) === 'ahead') {
    await writeClock(tx, { now: clock.now, target: to, status: 'Advancing' });
    enqueue(context, [{ kind: 'clock', objectId: null }]);
  }
  return view(tenant, tx);
}

function assertTarget(today: IsoDate, to: IsoDate): 'reached' | 'ahead' {
  const where = { path: 'advanceTo', value: to };
  if (!isDate(to)) throw new DomainError('field.invalid', `${to} is not a date`, where);
  if (to < today) {
    throw new DomainError('testClock.backwards', `the clock is already at ${today}`, where);
  }
  if (to > addMonths(today, 12 * ADVANCE_YEARS_MAX)) {
    const text = `the clock advances by ${ADVANCE_YEARS_MAX} years at most, from ${today}`;
    throw new DomainError('testClock.tooFar', text, where);
  }
  return to === today ? 'reached' : 'ahead';
}

export interface ClockSlice {
  readonly lanes: number;
  /** Called every second as a heartbeat of the slice. */
  readonly onProgress: () => void;
  /** Ends the slice at a point from which another slice can continue. */
  readonly signal: AbortSignal;
  readonly gateways: Gateways;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

/**
 * Advances the clock for some seconds: processes everything due at an instant, waits until the
 * workflows have seen it, and moves to the next instant. After each step any other process can
 * continue from the rows.
 */
export async function advanceClock(
  dependencies: Dependencies,
  engine: Engine,
  tenantId: number,
  slice: ClockSlice,
): Promise<ClockProgress> {
  const tenant = await tenantInfo(dependencies, tenantId);
  const began = performance.now();
  const mayContinue = (): boolean => !slice.signal.aborted && performance.now() - began < SLICE_MS;
  const timer = setInterval(slice.onProgress, BEAT_MS);
  const billed = new Map<IsoDate, BilledBatch>();
  try {
    let behind = 0;
    while (mayContinue()) {
      const clock = await inTenant(dependencies.db, tenantId, (tx) => readClock(tx, 'none'));
      if (!clock || clock.target === null) break;
      const { lanes, gateways, dispatch } = slice;
      const today = dateIn(tenant.timezone, clock.now.getTime());
      const batches: BilledBatch[] = [];
      const onBatch = (batch: BilledBatch): void => void batches.push(batch);
      const by = { dependencies, engine, gateways, dispatch };
      const startedAt = new Date(dependencies.realNow());
      const isEmpty = await emptyDue({ ...by, tenant, today, lanes, mayContinue, onBatch });
      const did = batches.reduce(addBatches, nothingBilled);
      billed.set(today, addBatches(billed.get(today) ?? nothingBilled, did));
      await noteRun(dependencies, tenantId, { runOn: today, startedAt, ...did });
      if (!isEmpty) break;
      if (await wakesEachInstant(dependencies, tenant, clock)) {
        behind = await catchUpWorkflows(dependencies, engine, tenant, { mayContinue });
        if (behind > 0) break;
      }
      await inTenant(dependencies.db, tenantId, (tx) => move(tenant, tx));
    }
    const reached = await inTenant(dependencies.db, tenantId, async (tx) => ({
      clock: await readClock(tx, 'none'),
      underWay: await countUnderWay(tx),
      waits: await waitsOf(dependencies, tenant, tx),
    }));
    const waits = { behind, paying: reached.underWay, ...shownWaits(reached.waits) };
    return { ...progressOf(reached.clock, waits), happened: wordsOf(billed) };
  } finally {
    clearInterval(timer);
  }
}

/** Of a day on which something was due. */
async function noteRun(
  { db, realNow }: Dependencies,
  tenantId: number,
  run: Omit<ClockRun, 'finishedAt'>,
): Promise<void> {
  if (run.customers === 0) return;
  const finishedAt = new Date(realNow());
  await inTenant(db, tenantId, async (tx) => noteClockRun(tx, { ...run, finishedAt }));
}

function progressOf(
  clock: ClockRow | undefined,
  waits: Pick<ClockProgress, 'behind' | 'paying' | 'waiting' | 'waitMs'>,
): ClockProgress {
  return {
    done: !clock || clock.target === null,
    now: clock?.now.toISOString() ?? null,
    target: clock?.target ?? null,
    ...waits,
  };
}

/** The workflow waits for the next try, while nothing else can happen. */
function shownWaits({ customers, nextTryMs }: Waits): Pick<ClockProgress, 'waiting' | 'waitMs'> {
  return nextTryMs === null ? {} : { waiting: customers, waitMs: nextTryMs };
}

/** `2027-02-10: 3 invoices of 89.85 USD`, the last days with invoices or holds. */
function wordsOf(billed: ReadonlyMap<IsoDate, BilledBatch>): string[] {
  return [...billed]
    .filter(([, { invoices, held }]) => invoices > 0 || held.length > 0)
    .slice(-DAYS_TOLD_MAX)
    .map(([day, { invoices, amounts, held }]) => {
      const sums = invoices === 0 ? '' : ` of ${amountTexts(amounts).join(', ')}`;
      const holds = held.length === 0 ? '' : `, held customers: ${held.length}`;
      return `${day}: ${invoices} ${invoices === 1 ? 'invoice' : 'invoices'}${sums}${holds}`;
    });
}

async function wakesEachInstant(
  dependencies: Dependencies,
  tenant: TenantInfo,
  { now, target }: ClockRow,
): Promise<boolean> {
  if (target === null || now.getTime() >= startOfDay(tenant.timezone, target)) return true;
  const orders = await inTenant(dependencies.db, tenant.id, countOpenOrders, { readOnly: true });
  return orders <= WAKE_EACH_INSTANT_ORDERS_MAX;
}

/** Moves to the next instant with something due, then to the target, then to Ready. */
async function move(tenant: TenantInfo, tx: Tx): Promise<void> {
  const clock = await readClock(tx, 'update');
  if (!clock || clock.target === null) return;
  const { target } = clock;
  const nowMs = clock.now.getTime();
  const next = await nextOnAgenda(tx, target);
  const goal = startOfDay(tenant.timezone, next ?? target);
  // Something became due meanwhile: bill it before moving.
  if (next !== null && goal <= nowMs) return;
  if (next === null && goal <= nowMs) {
    // Requested just now: no writer has run since the clock was locked.
    if ((await countUnderWay(tx)) > 0) return;
    await writeClock(tx, { now: clock.now, target: null, status: 'Ready' });
    return;
  }
  await writeClock(tx, { now: new Date(goal), target, status: 'Advancing' });
}

/* Wakes the workflows that a test clock awaits, and waits until they have seen the instant. */

/** More would evict each other from the workers' caches. */
const WAKES_AT_ONCE_MAX = 500;
const LOOK_MS_MIN = 20;
const LOOK_MS_MAX = 1_000;
/** Polling many workflows more often would slow down the engine. */
const LOOK_MS_MANY = 100;
const MANY = 50;

interface CatchUpOptions {
  readonly mayContinue: () => boolean;
}

/** Kind by kind; returns how many of one were still behind if it had to stop. */
async function catchUpWorkflows(
  dependencies: Dependencies,
  engine: Engine,
  tenant: TenantInfo,
  options: CatchUpOptions,
): Promise<number> {
  for (const kind of awaitedWorkflows) {
    const behind = await catchUp({ dependencies, engine, tenant }, kind, options);
    if (behind > 0) return behind;
  }
  return 0;
}

interface Place {
  readonly dependencies: Dependencies;
  readonly engine: Engine;
  readonly tenant: TenantInfo;
}

async function catchUp(
  { dependencies, engine, tenant }: Place,
  kind: AwaitedKind,
  { mayContinue }: CatchUpOptions,
): Promise<number> {
  const ask = <Result>(query: (tx: Tx) => Promise<Result>) =>
    inTenant(dependencies.db, tenant.id, query, { readOnly: true });
  let awaited: number[] = [];
  let after = 0;
  let lookMs = LOOK_MS_MIN;
  for (;;) {
    const limit = WAKES_AT_ONCE_MAX - awaited.length;
    const range = { after, limit };
    const more = limit > 0 ? await ask((tx) => objectsBehind(tx, kind, range)) : [];
    if (more.length > 0) {
      await nudgeObjects(dependencies, engine, tenant, kind.name, more);
      after = more.at(-1) ?? after;
      awaited.push(...more);
    }
    if (awaited.length === 0) return 0;
    // The next slice nudges again, so a nudge that a crashed server lost does not block the clock.
    if (!mayContinue()) return awaited.length;
    await sleep(lookMs);
    const behind = await ask((tx) => stillBehind(tx, kind, awaited));
    const soonest = behind.length > MANY ? LOOK_MS_MANY : LOOK_MS_MIN;
    lookMs = behind.length < awaited.length ? soonest : Math.min(lookMs * 1.5, LOOK_MS_MAX);
    awaited = behind;
  }
}
