/**
 * Kills each part with SIGKILL in the middle of a renewal of 200 orders. The test makes sure that
 * it is the middle: it keeps half of the customers locked, so exactly the other half is billed when
 * the part dies. Afterwards every order has exactly its invoices, and no number is missing.
 */

import test from 'ava';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { call, done, text } from '../../../cli/rest.ts';
import type { RestTarget } from '../../../cli/rest.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { raise } from '../../../operations/events/raise.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { startParts } from './parts.ts';
import type { Mortal } from './parts.ts';
import { until } from '../../support/until.ts';

const orders = 200;
const pool = { poolMax: 4, statementTimeoutMs: 30_000, name: 'test' };
const parts = await startParts();
const db = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_app' });
const relayDb = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_relay' });
const dependencies = { db, realNow: Date.now };
const { id: tenantId, label } = await makeTenant(dependencies, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid)],
});
const target: RestTarget = {
  apiUrl: parts.apiUrl,
  hostName: `${label}.localhost`,
  username: 'api@test',
  password: PASSWORD,
};

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** 200 customers with an order each, all billed on 1 January; their next day is 1 February. */
test.serial.before(async () => {
  const now = { generateInvoice: true, forceInvoiceGeneration: false };
  for (let made = 1; made <= orders; made += 1) {
    await inOperation(dependencies, tenantId, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
           updated_at)
         values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
        [tenantId, `C-${made}`],
      );
      const id = customer?.id ?? 0;
      raise(work, [{ type: 'customer.created', customerId: id, objectId: id }]);
      const order = { customerId: id, contractCode: 'P' };
      await createOrder(dependencies, work, order, now);
    });
  }
});

const read = <Row extends object>(sql: string, ...values: unknown[]) =>
  inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(sql, values), {
    readOnly: true,
  });

async function count(invoiceDate: string): Promise<number> {
  const rows = await read<{ n: number }>(
    'select count(*) as n from invoice where invoice_date = $1',
    invoiceDate,
  );
  return rows[0]?.n ?? 0;
}

/** Locks every second customer until the test releases them, like a long write. */
async function lockHalf(t: ExecutionContext): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: parts.ownerUrl });
  await client.connect();
  // Closing its connection releases its locks, so that a failed test does not block the next one.
  let letGo = () => client.end();
  t.teardown(() => letGo());
  await client.query('begin');
  await client.query(`select set_config('app.tenant', $1, true)`, [String(tenantId)]);
  await client.query(
    `select from customer where tenant_id = $1 and id in (
       select customer_id from subscription_order
       where tenant_id = $1 and order_number <= 1000 + ${orders} and order_number % 2 = 0)
     order by id for no key update`,
    [tenantId],
  );
  return async () => {
    await letGo();
    letGo = () => Promise.resolve();
  };
}

async function advance(to: string): Promise<void> {
  await done(target, 'POST', `/rest/testClock?advanceTo=${to}`);
}

const isReady = async () => {
  const rows = await read<{ status: string }>('select status from test_clock');
  return rows[0]?.status === 'Ready';
};

/** Advances to a day on which 200 orders renew, and returns when half of them are billed. */
async function halfRenewed(t: ExecutionContext, to: string): Promise<() => Promise<void>> {
  const letGo = await lockHalf(t);
  await advance(to);
  await until('half of the orders are billed', async () => (await count(to)) === orders / 2);
  t.false(await isReady());
  return letGo;
}

/** Every order renewed exactly once in that month, for exactly its period. */
async function allRenewedOnce(t: ExecutionContext, on: string, ends: string): Promise<void> {
  await until('the clock is Ready', isReady);
  const periods = await read(
    `select b.billed_from as "from", b.billed_to as "to", count(*) as times,
            count(distinct l.order_id) as orders
     from billed_period b join order_line l on l.id = b.order_line_id
     join subscription_order o on o.id = l.order_id
     where b.billed_from = $1 and o.order_number <= 1000 + ${orders} group by 1, 2`,
    on,
  );
  t.deepEqual(periods, [{ from: on, to: ends, times: orders, orders }]);
  const report = await audit(dependencies, { relayDb, engine: parts.engine, only: label });
  t.deepEqual(report.tenants[0]?.faults, []);
  t.is(report.tenants[0]?.held.length, 0);
  t.true(report.clean);
}

async function killed(part: Mortal, letGo: () => Promise<void>): Promise<void> {
  await part.kill();
  await letGo();
  await part.start();
}

test.serial('the worker dies: the next worker completes the renewal', async (t) => {
  const letGo = await halfRenewed(t, '2027-02-01');
  await killed(parts.worker, letGo);
  await allRenewedOnce(t, '2027-02-01', '2027-02-28');
});

test.serial(
  'the API dies while it creates orders: all answered orders exist, without a gap',
  async (t) => {
    const letGo = await halfRenewed(t, '2027-03-01');
    const before = await read<{ next: number }>(`select next from counter where kind = 'order'`);
    const answered: string[] = [];
    let isDead = false;
    const lanes = [1, 3, 5, 7].map(async (lane) => {
      for (let made = 0; !isDead; made += 1) {
        const ref = `C-${lane + 8 * (made % 20)}`;
        const path = `/rest/orders?extCustomerRef=${ref}&generateInvoice=true`;
        const body = '<subscriptionOrder><contractCode>P</contractCode></subscriptionOrder>';
        const answer = await call(target, 'POST', path, body).catch(() => undefined);
        const number = /<orderNumber>(\d+)</.exec(answer?.body ?? '')?.[1];
        if (answer?.status === 201 && number !== undefined) answered.push(number);
        if (answer === undefined) return;
      }
    });
    await until('some orders are answered', () => Promise.resolve(answered.length >= 8));
    await parts.api.kill();
    isDead = true;
    await Promise.all(lanes);
    await letGo();
    await parts.api.start();
    const stored = await read<{ n: string }>(
      'select order_number::text as n from subscription_order where order_number >= $1',
      before[0]?.next ?? 0,
    );
    const numbers = new Set(stored.map(({ n }) => n));
    t.deepEqual(
      answered.filter((number) => !numbers.has(number)),
      [],
    );
    await allRenewedOnce(t, '2027-03-01', '2027-03-31');
  },
);

test.serial(
  'Temporal dies: orders are accepted meanwhile, and billed once it is back',
  async (t) => {
    const letGo = await halfRenewed(t, '2027-04-01');
    await parts.temporal.kill();
    const body = '<subscriptionOrder><contractCode>P</contractCode></subscriptionOrder>';
    const made = await done(target, 'POST', '/rest/orders?extCustomerRef=C-1', body);
    const id = text(made, '@id');
    t.is(text(made, 'orderStatus'), 'Active');
    await letGo();
    await parts.temporal.start();
    await allRenewedOnce(t, '2027-04-01', '2027-04-30');
    await advance('2027-04-02');
    await until('the clock is Ready', isReady);
    const lines = await read(
      `select i.invoice_date, round(l.line_amount_total, 2) as amount
     from invoice_line l join invoice i on i.id = l.invoice_id where l.order_id = $1`,
      Number(id),
    );
    t.deepEqual(lines, [{ invoice_date: '2027-04-02', amount: '10.00' }]);
    const report = await audit(dependencies, { relayDb, engine: parts.engine, only: label });
    t.deepEqual(report.tenants[0]?.faults, []);
    t.true(report.clean);
  },
);
