/** The places of jobs that are begun at the same moment. */
import test from 'ava';
import { firstInQueue } from '../../../db/queries/imports/jobs.ts';
import { jobBefore } from '../../../operations/imports/finalize.ts';
import { createCarryOver } from '../../../operations/imports/carry-over-create.ts';
import { until } from '../../support/until.ts';
import { beginInit, nothing } from '../support/batch-init.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';

const db = await sharedDatabase();

test('of two jobs that are begun at once, the one that is stored first has the first place', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const began = Promise.withResolvers<number>();
  const held = Promise.withResolvers<void>();
  const first = books.work(async (context) => {
    const id = await createCarryOver(context, { ...nothing, jobId: 'first' });
    const [own] = await context.tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    began.resolve(own?.pid ?? 0);
    await held.promise;
    return id;
  });
  const pid = await began.promise;
  const second = beginInit(books, { jobId: 'second' });
  await until('the second one waits', async () => {
    const { rows } = await db.relay.pool.query(
      'select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))',
      [pid],
    );
    return rows.length > 0;
  });
  held.resolve();
  const [firstId, secondId] = await Promise.all([first, second]);
  const head = await books.read((tx) => firstInQueue(tx));
  t.is(head?.id, firstId);
  const before = (id: number) => jobBefore(books.dependencies, books.tenantId, id);
  t.deepEqual([await before(firstId), await before(secondId)], [null, firstId]);
});
