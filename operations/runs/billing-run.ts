/** A tenant's billing run: when it is due, the billing of its day, left-over payments. */
import { addDays } from '../../domain/calendar/calendar.ts';
import type { IsoDate } from '../../domain/model.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import { beatRun, finishRun, readRunState } from '../../db/queries/runs/billing-runs.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { BillingRunPlan, BillingRunProgress } from '../../workflows/contract.ts';
import { makeBeat } from './billing-beat.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { billAllDue } from './bill-all-due.ts';
import { claimAutopay } from '../payments/autopay.ts';
import { settleDue } from '../payments/settle-due.ts';
import type { Gateways } from '../../providers/gateway/gateway.ts';
import { tenantTimeOf, tenantInfo, inOperation } from '../context/context.ts';
import type { Dependencies } from '../context/context.ts';

/** The length of a slice, after which the workflow shows the progress. */
const SLICE_MS = 10_000;
const BEAT_MS = 1_000;
/** How many the workflow's details show; the audit lists all. */
const HELD_SHOWN_MAX = 20;
/** A batch is one transaction, which locks its customers. */
const PAID_AT_ONCE_MAX = 200;

/** Today's run is due until it is finished, even if it never began, so no day is missed. */
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
      const due = (await readRunState(tx, today)) !== 'finished';
      if (due) return { ended: false, due, runOn: today, waitMs: 0 };
      const runOn = addDays(today, 1);
      const waitMs = Math.max(0, startOfDay(tenant.timezone, runOn) - now.getTime());
      return { ended: false, due, runOn, waitMs };
    },
    { readOnly: true },
  );
}

export interface RunSlice {
  readonly runOn: IsoDate;
  readonly lanes: number;
  /** Called every second as a heartbeat of the slice. */
  readonly onProgress: () => void;
  /** Ends the slice between two batches. */
  readonly signal: AbortSignal;
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
  readonly gateways: Gateways;
}

/**
 * Bills for some seconds. The run is done once only held customers are due, and the only payable
 * autopay invoices are those of today that an order's workflow pays.
 */
export async function billTenant(
  dependencies: Dependencies,
  tenantId: number,
  slice: RunSlice,
): Promise<BillingRunProgress> {
  const began = performance.now();
  let invoices = 0;
  const beat = makeBeat((more) =>
    inTenant(dependencies.db, tenantId, (tx) => beatRun(tx, slice.runOn, more)),
  );
  const timer = setInterval(() => {
    slice.onProgress();
    beat.beat();
  }, BEAT_MS);
  const mayGoOn = (): boolean => !slice.signal.aborted && performance.now() - began < SLICE_MS;
  let done: boolean;
  try {
    await beat.flush();
    // If a gateway does not answer now, the next slice and the payment's workflow ask again.
    const settling = { today: slice.runOn, dispatch: slice.dispatch, mayGoOn };
    await settleDue(dependencies, slice.gateways, tenantId, settling);
    done = await billAllDue(dependencies, tenantId, {
      lanes: slice.lanes,
      mayGoOn,
      onBatch: (batch) => {
        beat.add(batch);
        invoices += batch.invoices;
      },
    });
    done &&= await payLeftOver(dependencies, tenantId, slice, mayGoOn);
  } catch (error) {
    // Earlier slices count.
    await beat.flush().catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
  const total = await beat.flush();
  const ended = done
    ? await inTenant(dependencies.db, tenantId, (tx) => finishRun(tx, slice.runOn, HELD_SHOWN_MAX))
    : { held: 0, heldCustomers: [] };
  const seconds = (performance.now() - began) / 1_000;
  return { done, ...total, ...ended, invoicesPerSecond: Math.round(invoices / seconds) };
}

/** Invoices made by hand, and those whose workflow missed its day. */
async function payLeftOver(
  dependencies: Dependencies,
  tenantId: number,
  { runOn, dispatch }: RunSlice,
  mayGoOn: () => boolean,
): Promise<boolean> {
  for (let more = true; more;) {
    if (!mayGoOn()) return false;
    const choice = { limit: PAID_AT_ONCE_MAX, before: runOn };
    const claimed = await inOperation(dependencies, tenantId, async (work) => ({
      ...(await claimAutopay(work, choice)),
      nudges: work.nudges,
    }));
    dispatch(tenantId, claimed.nudges);
    ({ more } = claimed);
  }
  return true;
}
