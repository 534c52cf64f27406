/** Earns the date-based commissions of the day, in batches of customers. */
import { dueCommissionCustomers } from '../../db/queries/commissions/due.ts';
import { earnDueCommissions } from '../commissions/due.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { inBatches, type Alone, type BatchSlice, type Work } from './in-batches.ts';
import type { Emptied } from './slice.ts';

const BATCH_CUSTOMERS_MAX = 200;

/**
 * A customer whose commissions cannot be earned delays no other, and the next run tries it again; a
 * test clock does not move without it.
 */
export async function earnAllCommissions(slice: BatchSlice): Emptied {
  const { dependencies, tenant } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the commissions of customer ${customerId} cannot be earned`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  for (let isMore = true; isMore;) {
    isMore = false;
    const work: Work = async (context, customerIds, options) => {
      const { skipped, staysDue } = await earnCommissions(context, customerIds, options);
      isMore ||= staysDue;
      return { skipped };
    };
    const part = { batchMax: BATCH_CUSTOMERS_MAX, work, alone };
    if (!(await inBatches(slice, dueCommissionCustomers, part))) return false;
  }
  return true;
}

async function earnCommissions(
  context: OperationContext,
  customerIds: readonly number[],
  options: { readonly wait: boolean },
): Promise<{ readonly skipped: readonly number[]; readonly staysDue: boolean }> {
  const locked = (await lockCustomers(context.tx, customerIds, options)).map(({ id }) => id);
  const mine = new Set(locked);
  const staysDue = locked.length > 0 && (await earnDueCommissions(context, locked));
  return { skipped: customerIds.filter((id) => !mine.has(id)), staysDue };
}
