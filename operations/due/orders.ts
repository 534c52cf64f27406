/** Processes everything due of orders, in batches: status, term, billing. */
import { openOrdersOf } from '../../db/queries/orders/wake.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { nudgeObjects } from '../outbox/deliver.ts';
import { billAllDue } from './bill-all-due.ts';
import { currentWaits } from './tax-waits.ts';
import type { DueSlice, Emptied, RunSlice } from './slice.ts';

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
  await tellStopped(slice, stopped);
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
async function tellStopped(
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
