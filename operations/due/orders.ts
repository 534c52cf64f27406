/** Processes everything due of orders, in batches: status, term, billing. */
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type CustomerRange,
  type DueCustomersChoice,
  type DuePage,
  dueCustomers,
  dueInRange,
  rangesOfDue,
} from '../../db/queries/billing/due-customers.ts';
import { openOrdersOf } from '../../db/queries/orders/wake.ts';
import type { BillingDependencies } from '../billing/apart.ts';
import type { BilledBatch } from '../billing/batch.ts';
import { BATCH_CUSTOMERS_MAX, billCustomers } from '../billing/bill-customers.ts';
import { tenantTimeOf, tenantInfo } from '../context/context.ts';
import { batchesOf, inLanes } from '../context/lanes.ts';
import { nudgeObjects } from '../outbox/deliver.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';
import { currentWaits } from './tax-waits.ts';

export async function emptyOrders(slice: DueSlice): Emptied {
  const { dependencies, tenant, lanes, mayContinue } = slice;
  const stopped: number[] = [];
  const isEmpty = await billAllDue(dependencies, tenant.id, {
    lanes,
    mayContinue,
    onBatch: (batch) => {
      stopped.push(...batch.held.map((each) => each.customerId), ...batch.waiting);
      slice.onBatch(batch);
    },
  });
  await wakeStopped(slice, stopped);
  if (!isEmpty) return false;
  // The clock stands still until the tax provider has answered about all customers of the instant.
  return (await currentWaits(dependencies, tenant, slice.today)).customers === 0;
}

/**
 * After the run the workflows of orders wake by themselves, and then see a hold. Stops at once if so
 * much is due that lanes are to bill it.
 */
export async function runOrders({ dependencies, tenant, ...options }: RunSlice): Emptied {
  const { callLanes, today } = options;
  const first = await readDue(dependencies, tenant.id);
  if (callLanes === undefined || first.ids.length < callLanes.from)
    return billAllDue(dependencies, tenant.id, { ...options, first });
  const ranges = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => rangesOfDue(tx, { today, count: RUN_LANES_MAX }),
    { readOnly: true },
  );
  callLanes.call(ranges);
  return false;
}

/**
 * A hold, and a wait for the tax provider, change the customer and not its orders: their workflows
 * learn of it only from us.
 */
async function wakeStopped(
  { dependencies, engine, tenant }: DueSlice,
  customerIds: readonly number[],
): Promise<void> {
  if (customerIds.length === 0) return;
  const orderIds = await inTenant(
    dependencies.db,
    tenant.id,
    (tx) => openOrdersOf(tx, customerIds),
    { readOnly: true },
  );
  await nudgeObjects(dependencies, engine, tenant, 'order', orderIds);
}

/* Bills all due customers of a tenant in set-based batches, several at once. */

/** How many are read at once, and from how many on a run is billed in lanes. */
export const DUE_CUSTOMERS_MAX = 10_000;
/** The lanes of a run, which workers share. */
const RUN_LANES_MAX = 8;
/** A lane that is stopped begins its page again. */
const LANE_PAGE_MAX = 2_000;
const ID_MAX = Number.MAX_SAFE_INTEGER;

interface BillingOptions {
  /** Simultaneous batches. */
  readonly lanes: number;
  /** Asked before each batch. */
  readonly mayContinue: () => boolean;
  readonly onBatch: (batch: BilledBatch) => void;
}

interface BillAllDueOptions extends BillingOptions {
  /** What was read already. */
  readonly first?: DuePage;
  /** How many are read at once. */
  readonly pageMax?: number;
}

/**
 * Passes over the due customers, page by page, and skips locked ones; it waits for locks if a page
 * billed none. Suspects come after all others of a page, one at a time in a separate process. Returns
 * true if only customers are left that wait for their tax provider, and suspects whose attempt did not
 * finish; false if it had to stop.
 */
export async function billAllDue(
  dependencies: BillingDependencies,
  tenantId: number,
  options: BillAllDueOptions,
): Promise<boolean> {
  const { pageMax: limit = DUE_CUSTOMERS_MAX } = options;
  let { first } = options;
  let wait = false;
  let after = 0;
  const postponed = new Set<number>();
  const readOn = (): Promise<DuePage> =>
    readDue(
      dependencies,
      tenantId,
      after === 0 ? { limit } : { limit, range: { after, until: ID_MAX } },
    );
  for (;;) {
    const page = first ?? (await readOn());
    first = undefined;
    const due = page.ids.filter((id) => !postponed.has(id));
    if (due.length === 0) {
      if (after === 0) return true;
      // The next pass finds what this one has skipped.
      after = 0;
      continue;
    }
    let moved = 0;
    const suspects: number[] = [];
    const onBatch = (batch: BilledBatch): void => {
      moved += batch.orders + batch.held.length + batch.waiting.length;
      suspects.push(...batch.suspects);
      options.onBatch(batch);
    };
    const counted = { ...options, wait, onBatch };
    if (!(await billAll(dependencies, tenantId, due, counted))) return false;
    for (const id of suspects) {
      if (!options.mayContinue()) return false;
      const batch = await dependencies.apart?.bill(tenantId, id);
      if (batch) onBatch(batch);
      else postponed.add(id);
    }
    if (moved > 0) {
      wait = false;
      after = page.last ?? 0;
      continue;
    }
    // After waiting for their locks the customers are still due: billing and the list of due
    // customers disagree.
    if (wait && areAll(due, (await readOn()).ids, postponed)) {
      throw new Error(`customers of tenant ${tenantId} stay due after billing`);
    }
    wait = true;
  }
}

/**
 * Bills the due customers of a range once, page by page. Those that are locked, suspects, and those with
 * more than one transaction bills are left to the run. Returns after which customer the rest begins;
 * null if there is none.
 */
export async function billRange(
  dependencies: BillingDependencies,
  tenantId: number,
  { range, ...options }: BillingOptions & { readonly range: CustomerRange },
): Promise<number | null> {
  const { until } = range;
  for (let { after } = range; ;) {
    const page = await readDue(dependencies, tenantId, {
      range: { after, until },
      limit: LANE_PAGE_MAX,
    });
    if (page.last === null) return null;
    if (!(await billAll(dependencies, tenantId, page.ids, { ...options, wait: false }))) {
      return after;
    }
    after = page.last;
  }
}

interface Reading {
  readonly range?: CustomerRange;
  readonly limit?: number;
}

async function readDue(
  dependencies: BillingDependencies,
  tenantId: number,
  { range, limit = DUE_CUSTOMERS_MAX }: Reading = {},
): Promise<DuePage> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const waitingAt = tenant.taxProvider === null ? null : new Date(dependencies.realNow());
      const choice: DueCustomersChoice = { today, limit, waitingAt };
      if (range !== undefined) return dueInRange(tx, range, choice);
      const ids = await dueCustomers(tx, choice);
      return { ids, last: ids.length < limit ? null : (ids.at(-1) ?? null) };
    },
    { readOnly: true },
  );
}

function areAll(
  due: readonly number[],
  stillDue: readonly number[],
  postponed: ReadonlySet<number>,
): boolean {
  const still = new Set(stillDue);
  return due.every((id) => still.has(id) && !postponed.has(id));
}

/** Each lane takes the next batch until none is left; false if it had to stop. */
async function billAll(
  dependencies: BillingDependencies,
  tenantId: number,
  customerIds: readonly number[],
  options: BillingOptions & { readonly wait: boolean },
): Promise<boolean> {
  const { wait, lanes, mayContinue, onBatch } = options;
  const bill = async (batch: readonly number[]): Promise<void> =>
    onBatch(await billCustomers(dependencies, tenantId, batch, { wait }));
  return inLanes(batchesOf(customerIds, BATCH_CUSTOMERS_MAX), bill, { lanes, mayContinue });
}
