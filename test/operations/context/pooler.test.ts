/** PgBouncer in transaction mode, the real program: what works through it, and what goes past it. */
import ava, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { openDatabase, type Role } from '../../../db/connection/database.ts';
import { addressesOf } from '../../../db/connection/pooler.ts';
import { refuseAPowerfulLogin } from '../../../db/connection/logins.ts';
import { fetched, inSnapshot } from '../../../db/connection/snapshot.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { lockLife, writeNote } from '../../../db/queries/billing/notes.ts';
import { atWork, isAtWork } from '../../../providers/gateway/sandbox/rows.ts';
import { testDatabase } from '../../support/database.ts';
import { hasPgbouncer, startPgbouncer, withDirect } from '../../support/pgbouncer.ts';
import { makeTenant } from '../../support/tenants.ts';
import { openBooks } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

ava('direct= in the address names PostgreSQL behind a pooler', (t) => {
  const plain = 'postgres://me:it%2Fs@bouncer:6432/sundial?sslmode=disable';
  t.deepEqual(addressesOf(plain), { poolUrl: plain, directUrl: plain, isPooled: false });
  t.deepEqual(addressesOf(`${plain}&direct=10.0.0.5:5432`), {
    poolUrl: plain,
    directUrl: plain.replace('bouncer:6432', '10.0.0.5:5432'),
    isPooled: true,
  });
});

// A machine without the program leaves the rest out.
const test = hasPgbouncer ? ava : ava.skip;

async function opened(t: ExecutionContext) {
  const { loginUrl, ownerUrl, name } = await testDatabase(t);
  const pooledUrl = await startPgbouncer(t, loginUrl);
  const url = withDirect(pooledUrl, loginUrl);
  const open = async (role: Role) => {
    const options = { poolMax: 6, statementTimeoutMs: 20_000, lockTimeoutMs: 3_000, name: 'test' };
    const db = await openDatabase({ ...options, url, role });
    t.teardown(() => db.close());
    return db;
  };
  return {
    app: await open('sundial_app'),
    relay: await open('sundial_relay'),
    loginUrl,
    ownerUrl,
    pooledUrl,
    name,
  };
}

const times = 40;

test('transactions keep their tenant, role and limits, though their sessions are shared', async (t) => {
  const { app, relay } = await opened(t);
  await refuseAPowerfulLogin(app.pool, { mayOwn: false });
  const dependencies = { db: app, realNow: Date.now };
  const made = [await makeTenant(dependencies), await makeTenant(dependencies)];
  const seen = await Promise.all(
    Array.from({ length: times }, async (_, index) => {
      const id = made[index % made.length]?.id ?? 0;
      return inTenant(app, id, async (tx) => {
        // By a name, as what runs often: no session knows it.
        const tenants = await tx.query<{ id: number }>(
          'select id from tenant',
          [],
          'pooled-tenant',
        );
        const [set] = await tx.query(
          `select current_user::text as role, current_setting('statement_timeout') as statement,
             current_setting('lock_timeout') as lock, current_setting('timezone') as zone,
             current_setting('idle_in_transaction_session_timeout') as idle`,
        );
        t.deepEqual(set, {
          role: 'sundial_app',
          statement: '20s',
          lock: '3s',
          zone: 'UTC',
          idle: '10s',
        });
        return tenants.map((tenant) => tenant.id - id);
      });
    }),
  );
  t.deepEqual(
    seen,
    Array.from({ length: times }, () => [0]),
  );
  // Outside a tenant's transaction, by each role: nothing is left of what others have set.
  const bare = await Promise.all(
    Array.from({ length: times }, (_, index) =>
      (index % 2 === 0 ? app : relay).ask<{ role: string; tenants: number }>({
        name: 'pooled-bare',
        text: 'select current_user::text as role, (select count(*)::int from tenant) as tenants',
      }),
    ),
  );
  for (const [index, rows] of bare.entries()) {
    t.deepEqual(rows, [
      index % 2 === 0
        ? { role: 'sundial_app', tenants: 0 }
        : { role: 'sundial_relay', tenants: made.length },
    ]);
  }
  // What fails undoes itself, and leaves the session fit for others.
  await t.throwsAsync(app.pool.query('select 1 / 0'), { message: /division by zero/ });
  await t.throwsAsync(
    inTenant(app, 1, (tx) => tx.query('select 1 / 0')),
    { message: /division/ },
  );
  await t.throwsAsync(relay.pool.query('select * from customer'), { message: /permission denied/ });
  t.deepEqual((await app.pool.query('select 1 as one')).rows, [{ one: 1 }]);
});

test('orders are billed, read and exported through it', async (t) => {
  const { app, relay, ownerUrl, loginUrl, name } = await opened(t);
  const books = await openBooks(
    { app, relay, ownerUrl, loginUrl, name },
    { today: '2027-01-15', plans: [recurring('P', 10, prepaid)] },
  );
  const customerIds = await Promise.all([books.customer(), books.customer(), books.customer()]);
  for (const customerId of customerIds) {
    await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  }
  const numbers = await books.read((tx) =>
    tx.query<{ number: string }>('select invoice_number as number from invoice order by 1'),
  );
  t.is(numbers.length, customerIds.length);
  const rows: unknown[] = [];
  const statement = { text: 'select id from invoice order by id', values: [] };
  for await (const some of inSnapshot(app, books.tenantId, (reader) =>
    fetched(reader, statement),
  )) {
    rows.push(...some);
  }
  t.is(rows.length, customerIds.length);
});

test('what a session holds goes past it: the lock of a life, that of a key, the notes of a batch', async (t) => {
  const { app } = await opened(t);
  const { id: tenantId } = await makeTenant({ db: app, realNow: Date.now });
  const life = await app.openBeside();
  t.true(await lockLife(life, 77));
  await writeNote(life, { tenantId, processId: 77, customerIds: [] });
  const another = await app.openBeside();
  t.false(await lockLife(another, 77));
  const key = { tenantId, key: 'K' };
  const maker = await atWork(app, key);
  t.truthy(maker);
  t.is(await atWork(app, key), undefined);
  // The pool asks by a lock of its transaction, which a pooler does not disturb.
  t.true(await inTenant(app, tenantId, (tx) => isAtWork(tx, 'K')));
  await maker?.release();
  t.false(await inTenant(app, tenantId, (tx) => isAtWork(tx, 'K')));
});

test('an address that does not say what is behind it is refused at start', async (t) => {
  const { loginUrl, pooledUrl } = await opened(t);
  const options = {
    role: 'sundial_app',
    poolMax: 1,
    statementTimeoutMs: 5_000,
    name: 'test',
  } as const;
  await t.throwsAsync(openDatabase({ ...options, url: pooledUrl }), {
    message: /unsupported startup parameter/,
  });
  const dropping = await startPgbouncer(t, loginUrl, { ignore_startup_parameters: 'options' });
  await t.throwsAsync(openDatabase({ ...options, url: dropping }), {
    message: /in place of sundial_app: .*\?direct=HOST:PORT/,
  });
  // As a client that uses it, a session's lock is gone with its transaction, or is somebody else's.
  const client = new Client({ connectionString: pooledUrl });
  await client.connect();
  t.teardown(() => client.end());
  t.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
});
