/** Writes that wait for one locked customer leave half of the connections to the tenant's reads. */
import test from 'ava';
import { locksCustomers, overheard, type Said } from '../../operations/support/overheard.ts';
import { until } from '../../support/until.ts';
import { startTenantApi, valueOf } from '../tenant-api.ts';

/** The pool of the test's API. */
const CONNECTIONS = 4;
const MAY_WAIT = 2;
const WRITES = 12;

const said: Said[] = [];
const api = await startTenantApi({ ownDatabase: true, overhear: (db) => overheard(db, said) });

test('while twelve writes wait for one locked customer, reads and other customers do not', async (t) => {
  const made = async (ref: string) => {
    const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
    const body = `<customer><extCustomerRef>${ref}</extCustomerRef>${contact}</customer>`;
    return valueOf((await api.post('/customers', body)).body, 'customer@id');
  };
  const [locked, other] = [await made('LOCKED'), await made('OTHER')];
  const holder = await api.db.openBeside();
  await holder.query(`begin; select set_config('app.tenant', '${api.tenantId}', true)`);
  await holder.query(`select from customer where id = ${locked} for no key update`);
  const waiting = async () => {
    const [row] = await api.asOwner<{ count: number }>(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };

  said.length = 0;
  const writes = Array.from({ length: WRITES }, (_, index) =>
    api.put(`/customer/${locked}`, `<customer><name>Name ${index}</name></customer>`),
  );
  const tries = () => said.filter(({ text }) => locksCustomers.test(text)).length;
  await until('each write has tried, or they hold all connections', async () => {
    const count = await waiting();
    return count === CONNECTIONS || (count === MAY_WAIT && tries() >= WRITES + MAY_WAIT);
  });
  for (const path of ['/plans', `/customer/${locked}`, '/orders', `/customer/${other}`]) {
    const read = await api.get(path);
    t.is(read.status, 200, `${path} ${read.body}`);
  }
  const elsewhere = await api.put(`/customer/${other}`, '<customer><name>Else</name></customer>');
  t.is(elsewhere.status, 200, elsewhere.body);
  t.is(await waiting(), MAY_WAIT);

  await holder.query('rollback');
  for (const write of await Promise.all(writes)) t.is(write.status, 200, write.body);
  t.regex(String(valueOf((await api.get(`/customer/${locked}`)).body, 'name')), /^Name \d+$/);
});
