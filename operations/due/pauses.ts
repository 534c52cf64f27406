/** Ends the pauses whose day has come, before changes and billing, in batches of customers. */
import { duePausesOf, pausedCustomers } from '../../db/queries/due/pauses.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { resumeBySelf as resumeCustomer } from '../customers/status.ts';
import { resumeBySelf as resumeOrder } from '../orders/actions.ts';
import { inBatches, type Alone, type BatchSlice } from './in-batches.ts';
import type { Emptied } from './slice.ts';

/** A resumption takes several statements. */
const BATCH_CUSTOMERS_MAX = 50;

/**
 * A customer whose pauses cannot be ended delays no other, and the next run tries it again; a test
 * clock does not move without it.
 */
export function endAllPauses(slice: BatchSlice): Emptied {
  const { dependencies, tenant } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the pauses of customer ${customerId} cannot be ended`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  return inBatches(slice, pausedCustomers, {
    batchMax: BATCH_CUSTOMERS_MAX,
    work: endPauses,
    alone,
  });
}

/** Those of orders first: what the customer then resumes is as its orders are. */
async function endPauses(
  context: OperationContext,
  customerIds: readonly number[],
  options: { readonly wait: boolean },
): Promise<{ readonly skipped: readonly number[] }> {
  const { tx, time } = context;
  const locked = (await lockCustomers(tx, customerIds, options)).map(({ id }) => id);
  // Those that another transaction has ended, or moved, meanwhile are not among them.
  for (const { customerId, orderId, until } of await duePausesOf(tx, locked, time.today)) {
    if (orderId === null) await resumeCustomer(context, customerId, until);
    else await resumeOrder(context, orderId, until);
  }
  const mine = new Set(locked);
  return { skipped: customerIds.filter((id) => !mine.has(id)) };
}
