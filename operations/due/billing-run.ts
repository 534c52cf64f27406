/** A tenant's billing run: when it is due, and what it processes in which order. */
import { addDays, type IsoDate } from '../../domain/calendar/calendar.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import {
  beatRun,
  finishRun,
  readRunState,
  type HeldCustomers,
  type HeldShown,
  type RunCounts,
} from '../../db/queries/due/billing-runs.ts';
import type { CustomerRange } from '../../db/queries/billing/due-customers.ts';
import { BusyError } from '../../db/connection/faults.ts';
import { takePlace } from '../../db/connection/places.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type {
  BillingLane,
  BillingLaneProgress,
  BillingRunPlan,
  BillingRunProgress,
} from '../../workflows/contract/billing-run.ts';
import { amountTexts, addAmounts } from '../../domain/money/amounts.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { runDue } from './due.ts';
import { billRange } from './orders.ts';
import { currentWaits, waitsOf } from './tax-waits.ts';
import type { RunSlice } from './slice.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import type { BilledBatch } from '../billing/batch.ts';
import { tenantTimeOf, tenantInfo, type Dependencies } from '../context/context.ts';

/** The length of a slice, after which the workflow shows the progress. */
const SLICE_MS = 10_000;
const BEAT_MS = 1_000;
/** How many the workflow's details show; the audit lists all. */
const HELD_SHOWN_MAX = 20;

/**
 * Today's run is due until it is finished, even if it never began, so no day is missed. It is due
 * again for customers that wait for their tax provider.
 */
export async function planBillingRun(
  dependencies: Dependencies,
  tenantId: number,
): Promise<BillingRunPlan> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const { now, today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      if (tenant.hasTestClock) return { ended: true, due: false, runOn: today, waitMs: 0 };
      const isFinished = (await readRunState(tx, today)) === 'finished';
      const waits = await waitsOf(dependencies, tenant, tx);
      const shown = waits.customers === 0 ? {} : { waiting: waits.customers };
      if (!isFinished || waits.nextTryMs === 0) {
        const at = startOfDay(tenant.timezone, today);
        return { ended: false, due: true, runOn: today, waitMs: 0, at, ...shown };
      }
      const tomorrow = addDays(today, 1);
      const midnight = startOfDay(tenant.timezone, tomorrow);
      const midnightMs = Math.max(0, midnight - now.getTime());
      const triesFirst = waits.nextTryMs !== null && waits.nextTryMs < midnightMs;
      const waitMs = triesFirst ? (waits.nextTryMs ?? 0) : midnightMs;
      const runOn = triesFirst ? today : tomorrow;
      return { ended: false, due: false, runOn, waitMs, at: now.getTime() + waitMs, ...shown };
    },
    { readOnly: true },
  );
}

interface SliceOptions extends Pick<RunSlice, 'lanes'> {
  readonly runOn: IsoDate;
  /** Called every second as a heartbeat of the slice. */
  readonly onProgress: () => void;
  /** Ends the slice between two batches. */
  readonly signal: AbortSignal;
}

export interface RunSliceOptions extends SliceOptions, Pick<RunSlice, 'dispatch' | 'gateways'> {
  /** With so many due customers it bills no orders, and returns lanes; without it, it bills all. */
  readonly lanesFrom?: number | undefined;
}

/**
 * Processes what is due for some seconds, in the order of its kinds. The run is done once only held
 * customers are due, and the only payable autopay invoices are those of today that an order's
 * workflow pays.
 */
export async function billTenant(
  dependencies: BillingDependencies,
  tenantId: number,
  { dispatch, gateways, lanesFrom, ...options }: RunSliceOptions,
): Promise<BillingRunProgress> {
  const { runOn: today, lanes } = options;
  const tenant = await tenantInfo(dependencies, tenantId);
  let ranges: readonly CustomerRange[] = [];
  const callLanes =
    lanesFrom === undefined
      ? undefined
      : { from: lanesFrom, call: (called: typeof ranges) => void (ranges = called) };
  const slice = { ...options, sliceMs: SLICE_MS };
  const { result: done, counts } = await counting(dependencies, tenantId, slice, (hooks) =>
    runDue({ dependencies, gateways, tenant, today, lanes, dispatch, callLanes, ...hooks }),
  );
  const ended: HeldCustomers = done
    ? await inTenant(dependencies.db, tenantId, (tx) => finishRun(tx, today, HELD_SHOWN_MAX))
    : { held: 0, heldCustomers: [] };
  const { customers: waiting } = await currentWaits(dependencies, tenant, today);
  return {
    ...counts,
    done,
    held: ended.held,
    heldCustomers: ended.heldCustomers.map(shown),
    ...(waiting === 0 ? {} : { waiting }),
    ...(ranges.length === 0 ? {} : { lanes: ranges.map(laneOf) }),
  };
}

const laneOf = ({ after, until }: CustomerRange): BillingLane => ({
  after: String(after),
  until: String(until),
});

/* Lanes of a run, which workers share. */

/** They are shared by the large tenants alone, so a turn may take longer than that of a tenant. */
const LANE_SLICE_MS = 30_000;
/** Of all tenants, in all processes: each takes most of a core of PostgreSQL. */
export const lanePlaces = { of: 'billing lanes', count: 16, waitMs: 10_000 } as const;

/**
 * Bills the due customers of a lane for some seconds, up to the end of the lane. What is locked by others,
 * and suspects, stay due for the run itself. Throws a BusyError if all places are taken.
 */
export async function billLane(
  dependencies: BillingDependencies,
  tenantId: number,
  { lane, ...options }: SliceOptions & { readonly lane: BillingLane },
): Promise<BillingLaneProgress> {
  const { lanes } = options;
  const range = { after: Number(lane.after), until: Number(lane.until) };
  const slice = { ...options, sliceMs: LANE_SLICE_MS };
  const { result: restAfter, counts } = await counting(dependencies, tenantId, slice, (hooks) =>
    inItsPlace(dependencies, () => billRange(dependencies, tenantId, { range, lanes, ...hooks })),
  );
  return { ...counts, rest: restAfter === null ? null : laneOf({ ...range, after: restAfter }) };
}

async function inItsPlace<Result>(
  { db }: BillingDependencies,
  work: () => Promise<Result>,
): Promise<Result> {
  const session = await db.openBeside();
  try {
    if (!(await takePlace(session, lanePlaces))) throw new BusyError('all billing lanes are taken');
    return await work();
  } finally {
    await session.end();
  }
}

/* A slice, whose heartbeat counts what it bills. */

interface SliceHooks {
  readonly mayContinue: () => boolean;
  readonly onBatch: (batch: BilledBatch) => void;
}

type Counts = Pick<
  BillingRunProgress,
  'customers' | 'orders' | 'invoices' | 'amounts' | 'invoicesPerSecond'
>;

async function counting<Result>(
  { db }: BillingDependencies,
  tenantId: number,
  { runOn, onProgress, signal, sliceMs }: SliceOptions & { readonly sliceMs: number },
  work: (hooks: SliceHooks) => Promise<Result>,
): Promise<{ readonly result: Result; readonly counts: Counts }> {
  const began = performance.now();
  let invoices = 0;
  const beat = makeBeat((more) => inTenant(db, tenantId, (tx) => beatRun(tx, runOn, more)));
  const timer = setInterval(() => {
    onProgress();
    beat.beat();
  }, BEAT_MS);
  let result: Result;
  try {
    await beat.flush();
    result = await work({
      mayContinue: () => !signal.aborted && performance.now() - began < sliceMs,
      onBatch: (batch) => {
        beat.add(batch);
        invoices += batch.invoices;
      },
    });
  } catch (error) {
    // Earlier slices count.
    await beat.flush().catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
  const { amounts = {}, ...total } = await beat.flush();
  const invoicesPerSecond = Math.round((invoices * 1_000) / (performance.now() - began));
  return { result, counts: { ...total, amounts: amountTexts(amounts), invoicesPerSecond } };
}

function shown({ customerRef, ...held }: HeldShown): HeldShown {
  return { ...held, customerRef: shownReference(customerRef) };
}

/* The heartbeat of a billing run, which adds its progress to the day's counts. */

const nothing: RunCounts = { customers: 0, orders: 0, invoices: 0, amounts: {} };

interface Beat {
  /** The next successful write adds these counts. */
  readonly add: (more: RunCounts) => void;
  /** Writes in the background, unless a write is in progress. */
  readonly beat: () => void;
  /** Writes the rest after the write in progress; returns the day's sums. */
  readonly flush: () => Promise<RunCounts>;
}

/** @param write adds to the day's counts, and returns their sums */
export function makeBeat(write: (more: RunCounts) => Promise<RunCounts>): Beat {
  let pending = nothing;
  let writing: Promise<unknown> | undefined;
  async function writePending(): Promise<RunCounts> {
    const more = pending;
    const total = await write(more);
    // Subtract only now, so that the next write adds what a failed one did not.
    pending = combined(pending, more, -1);
    return total;
  }
  function begin(): Promise<RunCounts> {
    const written = writePending();
    writing = written
      .catch(() => undefined)
      .finally(() => {
        writing = undefined;
      });
    return written;
  }
  return {
    add: (more) => {
      pending = combined(pending, more, 1);
    },
    beat: () => {
      // A failed write is followed by another; a lasting failure also fails the batches.
      if (!writing) begin().catch(() => undefined);
    },
    async flush() {
      while (writing) await writing;
      return begin();
    },
  };
}

function combined(left: RunCounts, right: RunCounts, sign: 1 | -1): RunCounts {
  return {
    customers: left.customers + sign * right.customers,
    orders: left.orders + sign * right.orders,
    invoices: left.invoices + sign * right.invoices,
    amounts: addAmounts(left.amounts ?? {}, right.amounts ?? {}, sign),
  };
}
