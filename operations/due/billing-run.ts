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
import { inTenant } from '../../db/connection/tenancy.ts';
import type { BillingRunPlan, BillingRunProgress } from '../../workflows/contract/contract.ts';
import { amountTexts, addAmounts } from '../../domain/money/amounts.ts';
import { shownReference } from '../workflow-kinds/shown-reference.ts';
import { runDue } from './due.ts';
import { currentWaits, waitsOf } from './tax-waits.ts';
import type { RunSlice } from './slice.ts';
import type { BillingDependencies } from '../billing/apart.ts';
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

export interface RunSliceOptions extends Pick<RunSlice, 'lanes' | 'dispatch' | 'gateways'> {
  readonly runOn: IsoDate;
  /** Called every second as a heartbeat of the slice. */
  readonly onProgress: () => void;
  /** Ends the slice between two batches. */
  readonly signal: AbortSignal;
}

/**
 * Processes what is due for some seconds, in the order of its kinds. The run is done once only held
 * customers are due, and the only payable autopay invoices are those of today that an order's
 * workflow pays.
 */
export async function billTenant(
  dependencies: BillingDependencies,
  tenantId: number,
  { runOn, onProgress, signal, lanes, dispatch, gateways }: RunSliceOptions,
): Promise<BillingRunProgress> {
  const began = performance.now();
  const tenant = await tenantInfo(dependencies, tenantId);
  let invoices = 0;
  const beat = makeBeat((more) =>
    inTenant(dependencies.db, tenantId, (tx) => beatRun(tx, runOn, more)),
  );
  const timer = setInterval(() => {
    onProgress();
    beat.beat();
  }, BEAT_MS);
  const mayContinue = (): boolean => !signal.aborted && performance.now() - began < SLICE_MS;
  let done: boolean;
  try {
    await beat.flush();
    const due = { dependencies, gateways, tenant, today: runOn, lanes, dispatch, mayContinue };
    done = await runDue({
      ...due,
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
  const total = await beat.flush();
  const ended: HeldCustomers = done
    ? await inTenant(dependencies.db, tenantId, (tx) => finishRun(tx, runOn, HELD_SHOWN_MAX))
    : { held: 0, heldCustomers: [] };
  const { customers: waiting } = await currentWaits(dependencies, tenant, runOn);
  const seconds = (performance.now() - began) / 1_000;
  return {
    ...total,
    done,
    amounts: amountTexts(total.amounts ?? {}),
    held: ended.held,
    heldCustomers: ended.heldCustomers.map(shown),
    invoicesPerSecond: Math.round(invoices / seconds),
    ...(waiting === 0 ? {} : { waiting }),
  };
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
