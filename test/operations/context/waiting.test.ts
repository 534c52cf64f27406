/** Transactions that wait for the lock of one customer: how many at once, and what the others do. */
import test from 'ava';
import { Client } from 'pg';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { isTransient } from '../../../db/connection/faults.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { testDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';

const CONNECTIONS = 4;
const MAY_WAIT = 2;

const { ownerUrl } = await testDatabase();
const open = (lockTimeoutMs: number): Promise<Database> =>
  openDatabase({
    url: ownerUrl,
    role: 'sundial_app',
    poolMax: CONNECTIONS,
    statementTimeoutMs: 30_000,
    lockTimeoutMs,
    name: 'test',
  });
const [patient, hasty] = [await open(30_000), await open(100)];
const { id: tenantId } = await makeTenant({ db: patient, realNow: Date.now });
const owner = new Client({ connectionString: ownerUrl });
await owner.connect();
test.after.always(() => Promise.all([patient.close(), hasty.close(), owner.end()]));

/** A customer whose lock a transaction holds until `release`. */
async function lockedCustomer(db: Database) {
  const id = await inTenant(db, tenantId, async (tx) => {
    const [made] = await tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       values ($1, 'Ada', 'Active', 'USD', now(), now()) returning id`,
      [tx.tenantId],
    );
    return made?.id ?? 0;
  });
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = inTenant(db, tenantId, async (tx) => {
    await lockCustomer(tx, { id });
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const release = async (): Promise<void> => {
    released.resolve();
    await holder;
  };
  return { id, release };
}

const rowsOf = (db: Database, text: string, ...values: unknown[]) =>
  inTenant(db, tenantId, (tx) => tx.query<{ sku: string }>(text, values), { readOnly: true });

/** Only the owner sees what other sessions wait for. */
async function waiting(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

test.serial(
  'of five that need a locked customer two wait in the database; the others are undone and repeated',
  async (t) => {
    const { id, release } = await lockedCustomer(patient);
    const calls = Array.from({ length: 5 }, () => 0);
    const writes = calls.map((_, index) =>
      inTenant(patient, tenantId, async (tx) => {
        calls[index] = (calls[index] ?? 0) + 1;
        tx.send('insert into product_offering (tenant_id, sku, name) values ($1, $2, $2)', [
          tx.tenantId,
          `W${index}`,
        ]);
        await lockCustomer(tx, { id });
      }),
    );
    await until('all have tried', async () => calls.every((count) => count === 1));
    await until('two wait', async () => (await waiting()) === MAY_WAIT);
    t.deepEqual(calls, [1, 1, 1, 1, 1]);
    await release();
    await Promise.all(writes);
    t.is(calls.filter((count) => count === 1).length, MAY_WAIT);
    t.is(calls.filter((count) => count === 2).length, 3);
    const made = await rowsOf(
      patient,
      `select sku from product_offering where sku like 'W%' order by sku`,
    );
    t.deepEqual(
      made.map(({ sku }) => sku),
      ['W0', 'W1', 'W2', 'W3', 'W4'],
    );
  },
);

test.serial(
  'if the lock does not come in time all fail, change nothing, and free their connections',
  async (t) => {
    const { id, release } = await lockedCustomer(hasty);
    const failures = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        inTenant(hasty, tenantId, async (tx) => {
          tx.send('insert into product_offering (tenant_id, sku, name) values ($1, $2, $2)', [
            tx.tenantId,
            `F${index}`,
          ]);
          await lockCustomer(tx, { id });
        }).then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const failure of failures) t.true(isTransient(failure), String(failure));
    await release();
    t.deepEqual(await rowsOf(hasty, `select sku from product_offering where sku like 'F%'`), []);
    await inTenant(hasty, tenantId, (tx) => lockCustomer(tx, { id }));
  },
);

test.serial('an unknown customer is refused at once, however many wait for another', async (t) => {
  const { id, release } = await lockedCustomer(patient);
  const writes = [1, 2, 3].map(() => inTenant(patient, tenantId, (tx) => lockCustomer(tx, { id })));
  await until('two wait', async () => (await waiting()) === MAY_WAIT);
  const unknown = inTenant(patient, tenantId, (tx) => lockCustomer(tx, { id: id + 1_000_000 }));
  await t.throwsAsync(unknown, { message: /there is no customer with id/ });
  await release();
  await Promise.all(writes);
});
