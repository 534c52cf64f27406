/** Finds the items at fault in a batch that fails, and repeats what collides with others. */
import { handleWhen, retry } from 'cockatiel';
import { sqlStateOf } from '../../db/connection/faults.ts';
import { holdCodeOf, isCollision } from './faults.ts';

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
