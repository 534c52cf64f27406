/** The result of billing some customers. */
import { addAmounts, type Amounts } from '../../domain/money/amounts.ts';
import type { HeldCustomer } from '../../domain/billing/by-answers.ts';

export interface BilledBatch {
  readonly customers: number;
  readonly orders: number;
  readonly invoices: number;
  /** The sums of the invoices. */
  readonly amounts: Amounts;
  /** Still due: locked by others (without `wait`), or more than one transaction bills. */
  readonly skipped: readonly number[];
  /** Not rated in this process, because one of them may have crashed another. */
  readonly suspects: readonly number[];
  /** Held from billing, each with the reason; the others were billed. */
  readonly held: readonly HeldCustomer[];
  /** Not billed, because the tax provider did not answer. */
  readonly waiting: readonly number[];
  /** Not billed, because the tax provider was not asked about what would be billed. */
  readonly unasked: readonly number[];
}

export const nothingBilled: BilledBatch = {
  customers: 0,
  orders: 0,
  invoices: 0,
  amounts: {},
  skipped: [],
  suspects: [],
  held: [],
  waiting: [],
  unasked: [],
};

export function addBatches(left: BilledBatch, right: BilledBatch): BilledBatch {
  return {
    customers: left.customers + right.customers,
    orders: left.orders + right.orders,
    invoices: left.invoices + right.invoices,
    amounts: addAmounts(left.amounts, right.amounts),
    skipped: [...left.skipped, ...right.skipped],
    suspects: [...left.suspects, ...right.suspects],
    held: [...left.held, ...right.held],
    waiting: [...left.waiting, ...right.waiting],
    unasked: [...left.unasked, ...right.unasked],
  };
}
