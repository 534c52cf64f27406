/** What an error says about a change when the connection breaks: never more than is true. */
import test, { type ExecutionContext } from 'ava';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { inTenant, type Tx } from '../../../db/connection/tenancy.ts';
import {
  afterCommit,
  beforeCommit,
  startProxy,
  type Cut,
  type Proxy,
} from '../../support/proxy.ts';
import { administer } from '../../support/template.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';

const direct = await sharedDatabase();
const { tenantId } = await openBooks(direct, { today: '2027-01-15' });

interface Behind {
  readonly proxy: Proxy;
  readonly db: Database;
}

async function behindProxy(t: ExecutionContext): Promise<Behind> {
  const proxy = await startProxy(direct.ownerUrl);
  const db = await openDatabase({
    url: proxy.url,
    role: 'sundial_app',
    poolMax: 2,
    statementTimeoutMs: 30_000,
    name: 'behind a proxy',
  });
  t.teardown(async () => {
    await db.close();
    proxy.stop();
  });
  return { proxy, db };
}

const insert = 'insert into product_offering (tenant_id, sku, name) values ($1, $2, $2)';

async function isThere(sku: string): Promise<boolean> {
  const rows = await inTenant(direct.app, tenantId, (tx) =>
    tx.query('select from product_offering where sku = $1', [sku]),
  );
  return rows.length > 0;
}

type Way = (tx: Tx, sku: string) => Promise<unknown>;

const ways: readonly (readonly [name: string, way: Way])[] = [
  ['asked', (tx, sku) => tx.query(insert, [tenantId, sku])],
  ['sent', async (tx, sku) => tx.send(insert, [tenantId, sku])],
  ['with the commit', (tx, sku) => tx.finish(insert, [tenantId, sku])],
];

const cuts: readonly (readonly [name: string, cut: () => Cut, isDone: boolean])[] = [
  ['its answer is lost', afterCommit, true],
  ['it does not arrive', beforeCommit, false],
];

for (const [name, way] of ways) {
  for (const [what, cut, isDone] of cuts) {
    const sku = `${name}, ${what}`;
    test(`COMMIT was sent and ${what}: the outcome is unknown (${name})`, async (t) => {
      const { proxy, db } = await behindProxy(t);
      proxy.cutOnce(cut());
      const made = inTenant(db, tenantId, (tx) => way(tx, sku));
      await t.throwsAsync(made, { name: 'OutcomeUnknownError' });
      t.is(await isThere(sku), isDone);
      await inTenant(db, tenantId, (tx) => way(tx, `${sku}, then`));
      t.true(await isThere(`${sku}, then`));
    });
  }
}

test('a read that loses its commit is unavailable, because it changed nothing', async (t) => {
  const { proxy, db } = await behindProxy(t);
  for (const options of [{ readOnly: true }, { readOnly: true, single: true }]) {
    proxy.cutOnce(afterCommit());
    const read = inTenant(db, tenantId, (tx) => tx.query('select 1'), options);
    await t.throwsAsync(read, { name: 'UnavailableError' });
  }
});

test('a session that the server ends before COMMIT is sent has changed nothing', async (t) => {
  const { db } = await behindProxy(t);
  const endedBy = async (sku: string, end: (pid: number) => Promise<unknown>) => {
    const work = inTenant(db, tenantId, async (tx) => {
      await tx.query(insert, [tenantId, sku]);
      const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await end(own?.pid ?? 0);
    });
    await t.throwsAsync(work, { name: 'UnavailableError' });
    t.false(await isThere(sku));
  };
  // 57P01 arrives while no statement runs: the driver knows before it sends COMMIT.
  await endedBy('terminated', async (pid) => {
    await administer(direct.ownerUrl, `select pg_terminate_backend(${pid}, 30000)`);
    await untilHeard(db);
  });
  // 25P03 as well.
  const idle = inTenant(db, tenantId, async (tx) => {
    await tx.query(insert, [tenantId, 'idle']);
    await tx.query(`set local idle_in_transaction_session_timeout = 1`);
    await untilHeard(db);
  });
  await t.throwsAsync(idle, { name: 'UnavailableError' });
  t.false(await isThere('idle'));
});

/** The driver knows that its one connection is broken. */
async function untilHeard({ pool }: Database): Promise<void> {
  const clients = (pool as unknown as { _clients: readonly { _queryable: boolean }[] })._clients;
  while (clients.every((client) => client._queryable)) await new Promise(setImmediate);
}

test('a session that the server ends during a statement has changed nothing', async (t) => {
  const { db } = await behindProxy(t);
  const work = inTenant(db, tenantId, async (tx) => {
    await tx.query(insert, [tenantId, 'ends itself']);
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    const running = tx.query('select pg_sleep(600)');
    await Promise.all([
      running,
      administer(direct.ownerUrl, `select pg_terminate_backend(${own?.pid}, 30000)`),
    ]);
  });
  await t.throwsAsync(work, { name: 'UnavailableError' });
  t.false(await isThere('ends itself'));
});

test('an error of the server keeps its code, even if COMMIT was sent with the statement', async (t) => {
  const { db } = await behindProxy(t);
  await inTenant(db, tenantId, (tx) => tx.query(insert, [tenantId, 'twice']));
  const unique = { code: '23505' };
  for (const [name, way] of ways) {
    await t.throwsAsync(
      inTenant(db, tenantId, (tx) => way(tx, 'twice')),
      unique,
      name,
    );
  }
});

test('a failure after the commit does not claim that nothing was changed', async (t) => {
  const { db } = await behindProxy(t);
  const work = inTenant(db, tenantId, async (tx) => {
    await tx.finish(insert, [tenantId, 'done']);
    throw new RangeError('while the answer is written');
  });
  const error = await t.throwsAsync(work, { name: 'FailedAfterCommitError' });
  t.true(error?.cause instanceof RangeError);
  t.true(await isThere('done'));
});

test('a billing run whose commit is lost holds nobody, and bills once when it is retried', async (t) => {
  for (const cut of [afterCommit, beforeCommit]) {
    const { proxy, db } = await behindProxy(t);
    const its = await openBooks({ ...direct, app: db }, { today: '2027-01-15' });
    const customerId = await its.customer();
    await its.order({ customerId, contractCode: 'GOLD' });
    its.tomorrow();
    proxy.cutOnce(cut('invoice_charge'));
    await t.throwsAsync(its.run(), { name: 'OutcomeUnknownError' });
    t.deepEqual(await its.run(), []);
    t.deepEqual((await its.invoices()).length, 1);
    t.deepEqual(its.bugs, []);
    t.deepEqual((await its.audit()).faults, []);
  }
});

test('where nobody listens a transaction is unavailable, and so is a single statement', async (t) => {
  const { proxy, db } = await behindProxy(t);
  // The one idle connection breaks, and no other is opened.
  proxy.stop();
  for (let n = 0; n < 3; n += 1) {
    await t.throwsAsync(
      inTenant(db, tenantId, (tx) => tx.query('select 1')),
      { name: 'UnavailableError' },
    );
  }
  await t.throwsAsync(db.ask({ text: 'select 1' }), { name: 'UnavailableError' });
});

test('waiting for a connection is limited in time and number', async (t) => {
  const db = await openDatabase({
    url: direct.ownerUrl,
    role: 'sundial_app',
    poolMax: 1,
    waitingMax: 2,
    tenantWaitingMax: 1,
    waitMs: 1,
    statementTimeoutMs: 30_000,
    name: 'a pool of one',
  });
  t.teardown(db.close);
  const unavailable = { name: 'UnavailableError' };
  const read = () => inTenant(db, tenantId, (tx) => tx.query('select 1'));
  await inTenant(db, tenantId, async () => {
    await t.throwsAsync(read(), { ...unavailable, message: /within 1 ms/ });
    const [waits, refused, ofOther, beyond] = await Promise.allSettled([
      read(),
      read(),
      db.ask({ text: 'select 1' }),
      db.ask({ text: 'select 1' }, 'another'),
    ]);
    t.regex(reasonOf(waits), /within 1 ms/);
    t.regex(reasonOf(refused), /is full/);
    t.regex(reasonOf(ofOther), /within 1 ms/);
    t.regex(reasonOf(beyond), /is full/);
  });
  await read();
  t.is(db.pool.waitingCount, 0);
});

function reasonOf(result: PromiseSettledResult<unknown> | undefined): string {
  return result?.status === 'rejected' ? String(result.reason) : 'it was done';
}
