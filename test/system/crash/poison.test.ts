/**
 * A customer whose rating ends the process, in a system as `npm start` runs it. The worker dies of
 * it once, and so does the API; then the customer is held, and everybody else is billed on time.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { call, done, type RestTarget } from '../../../cli/rest.ts';
import { openDatabase, type Database } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { readEndpoints } from '../../../providers/embedded/endpoints.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { testFolder } from '../../support/folder.ts';
import { startProcess } from '../../support/start-process.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { lives, pidsAt } from './processes.ts';
import { patientSession } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const pool = { poolMax: 4, ...patientSession, name: 'test' };
const plans = [recurring('P', 10, prepaid)];
const hook = pathToFileURL(join(import.meta.dirname, 'poison.ts')).href;

async function startSystem(t: ExecutionContext) {
  const folder = testFolder(t);
  const start = startProcess(t, folder, { env: { NODE_OPTIONS: `--import ${hook}` } });
  await start.said(/^ {2}(curl .*)$/m);
  const { databaseUrl = '', apiUrl = '' } = readEndpoints(folder) ?? {};
  const db = await openDatabase({ ...pool, url: databaseUrl, role: 'sundial_app' });
  const relayDb = await openDatabase({ ...pool, url: databaseUrl, role: 'sundial_relay' });
  for (const opened of [db, relayDb]) {
    opened.pool.on('error', () => undefined);
    t.teardown(() => opened.close());
  }
  return { folder, start, db, relayDb, apiUrl };
}

type System = Awaited<ReturnType<typeof startSystem>>;

/** A tenant with customers that each have an order, which is due at the next 00:00. */
async function openShop({ db, apiUrl }: System, testClock?: string) {
  const dependencies = { db, realNow: Date.now };
  const clock = testClock === undefined ? {} : { testClock };
  const { id, label } = await makeTenant(dependencies, { label: `p-${suffix()}`, plans, ...clock });
  const target: RestTarget = {
    apiUrl,
    hostName: `${label}.localhost`,
    username: 'api@test',
    password: PASSWORD,
  };
  return {
    id,
    label,
    target,
    read: <Row extends object>(sql: string, ...values: unknown[]) =>
      readOf<Row>(db, id, sql, values),
    async order(ref: string, notes: string): Promise<void> {
      await done(
        target,
        'POST',
        '/rest/customers',
        `<customer><name>${ref}</name><extCustomerRef>${ref}</extCustomerRef>` +
          '<billingContact><firstName>A</firstName><lastName>B</lastName></billingContact></customer>',
      );
      await done(target, 'POST', `/rest/orders?extCustomerRef=${ref}`, orderXml(notes));
    },
    /**
     * Starts its billing run in real time, as if it were the next day. The run that a new tenant
     * gets must be over: it would finish the day without the orders that are due from now on.
     */
    async runNow(): Promise<void> {
      await until('the run of the new tenant is over', async () => {
        const finished = 'select from billing_run where finished_at is not null';
        return (await readOf(db, id, finished, [])).length > 0;
      });
      await inOperation(dependencies, id, async (work) => {
        await work.tx.query('update subscription_order set bill_on = $1', [work.time.today]);
        await work.tx.query('delete from billing_run');
        enqueue(work, [{ kind: 'billing', objectId: null }]);
      });
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

function readOf<Row extends object>(db: Database, id: number, sql: string, values: unknown[]) {
  return inTenant(db, id, (tx) => tx.query<Row & Record<string, unknown>>(sql, values), {
    readOnly: true,
  });
}

const orderXml = (notes: string): string =>
  `<subscriptionOrder><contractCode>P</contractCode><invoiceNotes>${notes}</invoiceNotes>` +
  '</subscriptionOrder>';

const billed = (shop: Shop) =>
  shop.read(
    `select c.ext_customer_ref as ref, c.billing_held_code as held, count(i.id) as invoices
     from customer c left join invoice i on i.customer_id = c.id
     group by 1, 2 order by 1`,
  );

const deathsOf = (system: System, name: string): number =>
  system.start.output().split(`${name} ended unexpectedly`).length - 1;

const customers = 12;

async function fill(shop: Shop, poison: string): Promise<void> {
  for (let made = 1; made <= customers; made += 1) {
    await shop.order(`C-${String(made).padStart(2, '0')}`, made === 5 ? poison : 'healthy');
  }
}

const allButOne = Array.from({ length: customers }, (_, index) => ({
  ref: `C-${String(index + 1).padStart(2, '0')}`,
  held: index === 4 ? 'billing.crashed' : null,
  invoices: index === 4 ? 0 : 1,
}));

test.serial('a poisoned customer is held; all others, of every tenant, are billed', async (t) => {
  const system = await startSystem(t);
  const clocked = await openShop(system, '2027-01-01T12:00:00Z');
  const real = await openShop(system);
  const other = await openShop(system, '2027-01-01T12:00:00Z');
  await fill(clocked, 'poison: heap');
  await fill(real, 'poison: loop');
  await fill(other, 'healthy');
  const suspectsOf = (shop: Shop) => shop.read('select customer_id from billing_suspect');

  for (const { target } of [clocked, other]) {
    await done(target, 'POST', '/rest/testClock?advanceTo=2027-01-02');
  }
  await real.runNow();
  for (const { label, target } of [clocked, other]) {
    await until(`the clock of ${label} is Ready`, async () => {
      const { body } = await call(target, 'GET', '/rest/testClock');
      return body.includes('<status>Ready<');
    });
  }
  const isRun = async () =>
    (await real.read('select from billing_run where finished_at is not null')).length > 0;
  await until('the run is over', isRun);
  await until('nobody is suspected but the held ones', async () => {
    const left = await Promise.all([clocked, real, other].map(suspectsOf));
    return left.map(({ length }) => length).join() === '1,1,0';
  });
  t.deepEqual(await billed(clocked), allButOne);
  t.deepEqual(await billed(real), allButOne);
  t.deepEqual(
    await billed(other),
    allButOne.map((each) => ({ ...each, held: null, invoices: 1 })),
  );
  // At most one crash for each customer: then they were known.
  const deaths = deathsOf(system, 'worker');
  t.true(deaths === 1 || deaths === 2, `${deaths} deaths`);
  t.false(system.start.output().includes('giving up'));

  // The API rates no suspect, held or released, but accepts its orders.
  const path = '/rest/orders?extCustomerRef=C-05';
  const { status, body } = await call(
    clocked.target,
    'POST',
    `${path}&generateInvoice=true`,
    orderXml('x'),
  );
  t.is(status, 409);
  t.regex(body, /customer\.held/);
  await done(clocked.target, 'POST', path, orderXml('healthy'));
  const released = await done(
    clocked.target,
    'POST',
    '/rest/customer?extCustomerRef=C-05&actionName=activate',
  );
  t.regex(JSON.stringify(released), /no longer held from billing \(billing\.crashed\)/);
  const refused = await call(clocked.target, 'POST', `${path}&generateInvoice=true`, orderXml('x'));
  t.is(refused.status, 503);
  t.regex(refused.body, /customer\.billedApart/);
  t.is(deathsOf(system, 'api'), 0);

  // After the repair it is billed at the next 00:00, and is no longer a suspect.
  await inTenant(system.db, clocked.id, (tx) =>
    tx.query(`update subscription_order set invoice_notes = 'healthy'`),
  );
  await done(clocked.target, 'POST', '/rest/testClock?advanceTo=2027-01-03');
  await until('it is billed', async () => (await suspectsOf(clocked)).length === 0);
  t.deepEqual(
    (
      await clocked.read(
        'select from invoice i join customer c on c.id = i.customer_id where c.ext_customer_ref = $1',
        'C-05',
      )
    ).length,
    1,
  );
  await until('the clock is Ready', async () => {
    const { body: clock } = await call(clocked.target, 'GET', '/rest/testClock');
    return clock.includes('<status>Ready<');
  });
  const report = await audit(
    { db: system.db, realNow: Date.now },
    { relayDb: system.relayDb, engine: null, only: clocked.label },
  );
  t.deepEqual(report.tenants[0]?.faults, []);

  // Through the API first: it dies once, and then the customer is a suspect.
  await other.order('C-99', 'poison: abort');
  const own = '/rest/orders?extCustomerRef=C-99&generateInvoice=true';
  await t.throwsAsync(call(other.target, 'POST', own, orderXml('healthy')));
  await until('it died of it', () => Promise.resolve(deathsOf(system, 'api') === 1));
  await until('the API answers again, and rates it no more', async () => {
    const again = await call(other.target, 'POST', own, orderXml('healthy')).catch(() => undefined);
    return again !== undefined && /customer\.(held|billedApart)/.test(again.body);
  });
  t.is(deathsOf(system, 'api'), 1);
  await until('it was tried apart, and is held', async () => {
    const rows = await other.read(
      `select from customer where billing_held_code = 'billing.crashed'`,
    );
    return rows.length === 1;
  });
  t.is(deathsOf(system, 'worker'), deaths);
});

test.serial(
  'kill -9 of a worker that rates blames nobody, and ends its process for suspects',
  async (t) => {
    const system = await startSystem(t);
    const gate = join(testFolder(t), 'gate');
    const shop = await openShop(system, '2027-01-01T12:00:00Z');
    await fill(shop, `poison: gate ${gate}`);
    await done(shop.target, 'POST', '/rest/testClock?advanceTo=2027-01-02');
    const first = (await pidsAt(gate, 1))[0] ?? 0;
    t.is(first, workerOf(system));
    process.kill(first, 'SIGKILL');
    // The next worker has suspects and bills them in a separate process, which dies with it.
    const apart = (await pidsAt(gate, 2))[1] ?? 0;
    const worker = workerOf(system);
    t.not(apart, first);
    t.not(apart, worker);
    process.kill(worker, 'SIGKILL');
    await until('it goes with its worker', () => Promise.resolve(!lives(apart)));
    writeFileSync(`${gate}.open`, '');
    await until('the clock is Ready', async () => {
      const { body } = await call(shop.target, 'GET', '/rest/testClock');
      return body.includes('<status>Ready<');
    });
    t.deepEqual(
      await billed(shop),
      allButOne.map((each) => ({ ...each, held: null, invoices: 1 })),
    );
    const rest = async () =>
      (await shop.read('select customer_id from billing_suspect union select id from billing_note'))
        .length;
    await until('nobody is suspected', async () => (await rest()) === 0);
  },
);

const workerOf = ({ folder }: System): number =>
  readEndpoints(folder)?.processes['worker']?.pid ?? 0;
