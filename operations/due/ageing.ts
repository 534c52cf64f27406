/** Opens dunnings and moves statuses by age, in batches, after the day's payments. */
import { dueSteps, newDebtors, noteDebtsOpened } from '../../db/queries/ageing/due.ts';
import { noteAged } from '../../db/queries/ageing/rules.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { AGED_AT_ONCE_MAX, ageCustomers, openDebts } from '../dunning/age.ts';
import { holdFailed } from '../dunning/change.ts';
import { inBatches, type Alone, type BatchSlice } from './in-batches.ts';
import type { Emptied } from './slice.ts';

const aging = { batchMax: AGED_AT_ONCE_MAX };

/**
 * Opens a dunning for each customer that owes something overdue and has none. One that cannot be
 * opened delays no other, and the next run tries it again; a test clock does not move without it.
 */
export async function openAllDebts(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause) => {
    if (tenant.hasTestClock) return Promise.reject(cause);
    const message = `the dunning of customer ${customerId} cannot be opened`;
    dependencies.onBug?.(new Error(message, { cause }));
    return Promise.resolve();
  };
  if (!(await inBatches(slice, newDebtors, { ...aging, work: openDebts, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteDebtsOpened(tx, today));
  return true;
}

/**
 * Takes all steps that are due. Customers that wait for a payment, which on a test clock none does
 * at this stage, are left to their own workflow: it looks again an hour after 00:00 at the latest.
 */
export async function ageAll(slice: BatchSlice): Emptied {
  const { dependencies, tenant, today } = slice;
  const alone: Alone = (customerId, cause, code) => {
    dependencies.onBug?.(new Error(`the dunning of customer ${customerId} is held`, { cause }));
    return holdFailed(dependencies, tenant.id, { customerId, code });
  };
  if (!(await inBatches(slice, dueSteps, { ...aging, work: ageCustomers, alone }))) return false;
  await inTenant(dependencies.db, tenant.id, (tx) => noteAged(tx, today));
  return true;
}
