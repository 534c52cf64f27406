/** The result of billing some customers. */
import { type Amounts, addAmounts } from '../../domain/money/amounts.ts';
import type { HeldCustomer } from '../../domain/billing/rate/by-answers.ts';
import { handleWhen, retry } from 'cockatiel';
import { sqlStateOf } from '../../db/connection/faults.ts';
import { holdCodeOf, isCollision } from './faults.ts';

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

/* Finds the items at fault in a batch that fails, and repeats what collides with others. */

const RETRIES_MAX = 4;

export interface Halving<Item, Result> {
  /** Processes a batch in one transaction. */
  readonly work: (items: readonly Item[]) => Promise<Result>;
  /** Called with the item at fault, how its work failed, and the code to hold it with. */
  readonly alone: (item: Item, error: unknown, code: string) => Promise<Result>;
  /** False once a failure is to be thrown. */
  readonly mayHalve?: () => boolean;
}

/**
 * Processes a batch of customers, or of other items. If it fails because of one, halves it down to
 * those at fault. Returns the results of the parts in their order.
 */
export async function inHalves<Item, Result>(
  batch: readonly Item[],
  halving: Halving<Item, Result>,
): Promise<readonly Result[]> {
  try {
    return [await halving.work(batch)];
  } catch (error) {
    const code = holdCodeOf(error);
    if (code === null || halving.mayHalve?.() === false) throw error;
    const [only, ...others] = batch;
    if (only === undefined) throw error;
    if (others.length === 0) return [await halving.alone(only, error, code)];
    const middle = Math.ceil(batch.length / 2);
    const first = await inHalves(batch.slice(0, middle), halving);
    return [...first, ...(await inHalves(batch.slice(middle), halving))];
  }
}

export interface Retrying {
  readonly onRetry?: (attempt: number, code: string | null) => void;
  /** Whether the operation would find out at its next attempt what others have done. */
  readonly isCollision?: (error: unknown) => boolean;
}

/** Retries an operation that collides with others. */
export function retried<Result>(
  operation: () => Promise<Result>,
  { onRetry, isCollision: collides = isCollision }: Retrying = {},
): Promise<Result> {
  const policy = retry(handleWhen(collides), { maxAttempts: RETRIES_MAX });
  policy.onRetry((failed) => {
    onRetry?.(failed.attempt, 'error' in failed ? (sqlStateOf(failed.error) ?? null) : null);
  });
  return policy.execute(operation);
}
