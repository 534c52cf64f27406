/**
 * Two workers share the run of one tenant in lanes, and one of them is killed with SIGKILL while both have
 * customers in open transactions. The other one finishes: every order has exactly one invoice, and no
 * number is missing.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { Client } from 'pg';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { patientSession } from '../../support/database.ts';
import { suffix } from '../../support/temporal.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAt } from './gate.ts';
import { startParts } from './parts.ts';

const customers = 96;
const pool = { poolMax: 4, ...patientSession, name: 'test' };
const hook = pathToFileURL(join(import.meta.dirname, 'lanes-early.ts')).href;
const parts = await startParts({ NODE_OPTIONS: `--import ${hook}` });
const db = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_app' });
const relayDb = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_relay' });
const dependencies = { db, realNow: Date.now };
const watch = new Client({ connectionString: parts.ownerUrl });
await watch.connect();
const gate = await gateAt('period', parts.ownerUrl);

test.after.always(async () => {
  await gate.open();
  await gate.end();
  await watch.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

async function openShop() {
  const plans = [recurring('P', 10, prepaid)];
  const { id } = await makeTenant(dependencies, { label: `lanes-${suffix()}`, plans });
  const read = <Row extends object>(sql: string) =>
    inTenant(db, id, (tx) => tx.query<Row & Record<string, unknown>>(sql), { readOnly: true });
  const isRun = async () =>
    (await read('select from billing_run where finished_at is not null')).length > 0;
  const none = { generateInvoice: false, forceInvoiceGeneration: false };
  for (let made = 1; made <= customers; made += 1) {
    await inOperation(dependencies, id, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
           updated_at)
         values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
        [id, `C-${made}`],
      );
      const customerId = customer?.id ?? 0;
      raise(work, [{ type: 'customer.created', customerId, objectId: customerId }]);
      await createOrder(dependencies, work, { customerId, contractCode: 'P' }, none);
    });
  }
  return {
    id,
    read,
    isRun,
    /** As if it were the next day, once the run that a new tenant gets is over. */
    async runNow(): Promise<void> {
      await until('the run of the new tenant is over', isRun);
      await inOperation(dependencies, id, async (work) => {
        await work.tx.query('update subscription_order set bill_on = $1', [work.time.today]);
        await work.tx.query('delete from billing_run');
        enqueue(work, [{ kind: 'billing', objectId: null }]);
      });
    },
  };
}

/** The processes of workers that have inserted charges, and wait at the gate. */
async function atTheGate(): Promise<number[]> {
  const { rows } = await watch.query<{ pid: string }>(
    `select distinct substring(application_name from ' ([0-9]+)@') as pid from pg_stat_activity
     where datname = current_database() and application_name like 'worker %'
       and wait_event_type = 'Lock' and wait_event = 'advisory' and xact_start is not null
       and query like '%invoice_charge%'`,
  );
  return rows.map(({ pid }) => Number(pid)).toSorted((a, b) => a - b);
}

test.serial('one of two workers that share a run dies: the other one bills the rest', async (t) => {
  t.timeout(300_000);
  const shop = await openShop();
  await parts.another.start();
  const pids = [parts.worker.pid(), parts.another.pid()].toSorted((a, b) => a - b);
  await gate.close();
  await shop.runNow();
  await until('both have a share', async () => (await atTheGate()).join() === pids.join());
  const killed = parts.another.pid();
  await parts.another.kill();
  await endConnections(parts, 'worker', killed);
  t.deepEqual(await atTheGate(), [parts.worker.pid()]);
  await gate.open();
  await until('the run is over', shop.isRun);
  const [billed] = await shop.read(
    `select count(*) as invoices, count(distinct l.order_id) as orders,
       min(number_value) as least, max(number_value) as greatest
     from invoice i join invoice_line l on l.invoice_id = i.id`,
  );
  t.deepEqual(billed, {
    invoices: customers,
    orders: customers,
    least: 1001,
    greatest: 1000 + customers,
  });
  // Those whom the killed one had in its transactions are billed apart, beside the run.
  const [run] = await shop.read<{ invoices: number; held: number }>(
    'select invoices, held from billing_run',
  );
  t.is(run?.held, 0);
  t.true(run !== undefined && run.invoices > 0 && run.invoices <= customers);
  await until('nobody is suspected', async () => {
    const left = await shop.read(
      'select customer_id from billing_suspect union select id from billing_note',
    );
    return left.length === 0;
  });
  await auditIsClean(t, parts, { db, relayDb });
});
