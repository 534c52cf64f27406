/** A rehearsal whose process is killed leaves nothing half written, and the next one does all of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { childEnvironment } from '../../../config.ts';
import { OPERATOR } from '../../support/tenant-command.ts';
import { until } from '../../support/until.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const db = await ownDatabase();
const entry = join(import.meta.dirname, '../../../cli/rehearse.ts');
const env = childEnvironment({ DATABASE_URL: db.ownerUrl, OPERATOR });

const start = (label: string) =>
  spawn(process.execPath, [entry, label, 'tomorrow', '--hold', '--amount', '1', '--ratio', '2'], {
    env,
    stdio: 'ignore',
  });

/** More customers than one transaction holds, each billed for the first time by the run of tomorrow. */
const CUSTOMERS = 210;

async function eve(): Promise<Books> {
  const today = new Date().toISOString().slice(0, 10);
  const books = await openBooks(db, {
    today,
    timezone: 'UTC',
    plans: [recurring('P', 10, prepaid)],
  });
  await books.work(({ tx }) =>
    tx.query(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'A customer', 'Active', 'USD', now(), now() from generate_series(1, ${CUSTOMERS})`,
      [tx.tenantId],
    ),
  );
  const ids = await books.read((tx) => tx.query<{ id: number }>('select id from customer'));
  for (const { id } of ids) await books.order({ customerId: id, contractCode: 'P' });
  return books;
}

interface Kept {
  readonly rehearsals: number;
  readonly outliers: number;
  readonly noted: number;
  readonly held: number;
}

const keptOf = async ({ read }: Books): Promise<Kept | undefined> => {
  const [row] = await read((tx) =>
    tx.query<Kept & Record<string, unknown>>(
      `select (select count(*)::int from rehearsal) as rehearsals,
         (select count(*)::int from rehearsal_outlier) as outliers,
         (select count(*)::int from rehearsal_outlier where held_at is not null) as noted,
         (select count(*)::int from customer where billing_held_at is not null) as held`,
    ),
  );
  return row;
};

/** Kills the command while it waits for a lock that this test holds. */
async function killedAt(t: ExecutionContext, { label }: Books, lock: string): Promise<void> {
  const client = new Client({ connectionString: db.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(lock);
  const child = start(label);
  const ended = once(child, 'exit');
  await until('it waits for the lock', async () => {
    // Not by the client, whose transaction sees the sessions as at its first look.
    const { rowCount } = await db.owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  });
  child.kill('SIGKILL');
  t.deepEqual(await ended, [null, 'SIGKILL']);
  await client.query('rollback');
  await client.end();
  await until('its session has ended', async () => {
    const rows = await db.owner.query(
      `select from pg_stat_activity where datname = current_database() and state <> 'idle'
         and pid <> pg_backend_pid()`,
    );
    return rows.rowCount === 0;
  });
}

test('a rehearsal that is killed leaves nothing half written', async (t) => {
  const books = await eve();
  // All is found, and nothing stored.
  await killedAt(t, books, 'lock table rehearsal in exclusive mode');
  t.deepEqual(await keptOf(books), { rehearsals: 0, outliers: 0, noted: 0, held: 0 });
  // The figures are stored; the outliers would follow in the same transaction.
  await killedAt(t, books, 'lock table rehearsal_outlier in exclusive mode');
  t.deepEqual(await keptOf(books), { rehearsals: 0, outliers: 0, noted: 0, held: 0 });
  // The first transaction of holds is done; the second one waits for the last customer.
  await killedAt(
    t,
    books,
    `select from customer where tenant_id = ${books.tenantId} order by id desc limit 1 for no key update`,
  );
  t.deepEqual(await keptOf(books), {
    rehearsals: 1,
    outliers: CUSTOMERS,
    noted: 200,
    held: 200,
  });
  const last = start(books.label);
  t.deepEqual(await once(last, 'exit'), [1, null]);
  t.like(await keptOf(books), { rehearsals: 2, held: CUSTOMERS });
});
