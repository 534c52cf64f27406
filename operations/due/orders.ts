/** Processes everything due of orders, in batches: status, term, billing. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { dueCustomers } from '../../db/queries/billing/due-customers.ts';
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

/** After the run the workflows of orders wake by themselves, and then see a hold. */
export function runOrders({ dependencies, tenant, ...options }: RunSlice): Emptied {
  return billAllDue(dependencies, tenant.id, options);
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

/** How many are read at once; customers billed meanwhile are not due at the next read. */
const DUE_CUSTOMERS_MAX = 10_000;

interface BillAllDueOptions {
  /** Simultaneous batches. */
  readonly lanes: number;
  /** Asked before each batch. */
  readonly mayContinue: () => boolean;
  readonly onBatch: (batch: BilledBatch) => void;
}

/**
 * Passes over the due customers and skips locked ones; it waits for locks if a pass billed none.
 * Suspects come after all others, one at a time in a separate process. Returns true if only
 * customers are left that wait for their tax provider, and suspects whose attempt did not finish;
 * false if it had to stop.
 */
export async function billAllDue(
  dependencies: BillingDependencies,
  tenantId: number,
  options: BillAllDueOptions,
): Promise<boolean> {
  let wait = false;
  const postponed = new Set<number>();
  for (;;) {
    const due = (await readDue(dependencies, tenantId)).filter((id) => !postponed.has(id));
    if (due.length === 0) return true;
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
    // After waiting for their locks the customers are still due: billing and the list of due
    // customers disagree.
    if (wait && moved === 0 && (await sameAreDue(dependencies, tenantId, due, postponed))) {
      throw new Error(`customers of tenant ${tenantId} stay due after billing`);
    }
    wait = moved === 0;
  }
}

async function readDue(dependencies: BillingDependencies, tenantId: number): Promise<number[]> {
  const tenant = await tenantInfo(dependencies, tenantId);
  return inTenant(
    dependencies.db,
    tenantId,
    async (tx) => {
      const { today } = await tenantTimeOf(dependencies, tenant, tx, 'none');
      const waitingAt = tenant.taxProvider === null ? null : new Date(dependencies.realNow());
      return dueCustomers(tx, { today, limit: DUE_CUSTOMERS_MAX, waitingAt });
    },
    { readOnly: true },
  );
}

async function sameAreDue(
  dependencies: BillingDependencies,
  tenantId: number,
  due: readonly number[],
  postponed: ReadonlySet<number>,
): Promise<boolean> {
  const still = new Set(await readDue(dependencies, tenantId));
  return due.every((id) => still.has(id) && !postponed.has(id));
}

/** Each lane takes the next batch until none is left; false if it had to stop. */
async function billAll(
  dependencies: BillingDependencies,
  tenantId: number,
  customerIds: readonly number[],
  options: BillAllDueOptions & { readonly wait: boolean },
): Promise<boolean> {
  const { wait, lanes, mayContinue, onBatch } = options;
  const bill = async (batch: readonly number[]): Promise<void> =>
    onBatch(await billCustomers(dependencies, tenantId, batch, { wait }));
  return inLanes(batchesOf(customerIds, BATCH_CUSTOMERS_MAX), bill, { lanes, mayContinue });
}
