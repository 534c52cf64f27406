/** A transaction that a test holds open once it has done its work. */
import type { OperationContext } from '../../../operations/context/context.ts';
import { until } from '../../support/until.ts';
import type { Books } from './books.ts';

export interface Held {
  /** Resolves when another transaction waits for this one. */
  readonly waitedFor: () => Promise<void>;
  readonly commit: () => Promise<void>;
}

/** A transaction that has done its work, and commits when the test says so. */
export async function held(
  books: Books,
  operation: (its: OperationContext) => Promise<unknown>,
): Promise<Held> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: done, resolve: isDone, reject } = Promise.withResolvers<number>();
  const ending = books.work(async (its) => {
    await operation(its);
    // What it has sent has been carried out by then.
    const [own] = await its.tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    isDone(own?.pid ?? 0);
    await released;
  });
  ending.catch(reject);
  const pid = await done;
  return {
    waitedFor: () =>
      until('another transaction waits', async () => {
        const { rows } = await books.db.relay.pool.query(
          'select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))',
          [pid],
        );
        return rows.length > 0;
      }),
    async commit() {
      release();
      await ending;
    },
  };
}
