/**
 * Kills each part with SIGKILL in the middle of a renewal of 96 discounted and taxed orders. The
 * test makes sure that it is the middle: it keeps half of the customers locked, so exactly the other
 * half is billed when the part dies, and a gate holds processes that have written the discounts of
 * others, but not committed them. Afterwards every order has exactly its invoices with its discounts
 * and taxes (discounted.ts), and no number is missing.
 */

import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { call, done, text, type RestTarget } from '../../../cli/rest.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { raise } from '../../../operations/events/raise.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { endConnections } from './aftermath.ts';
import { billedOn, expected, file, kindOf, orders, plan } from './discounted.ts';
import { gateAt } from './gate.ts';
import { startParts } from './parts.ts';
import { patientSession } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const first = 1001;
const last = 1000 + orders;
const pool = { poolMax: 4, ...patientSession, name: 'test' };
const parts = await startParts();
const db = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_app' });
const relayDb = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_relay' });
const dependencies = { db, realNow: Date.now };
const { id: tenantId, label } = await makeTenant(dependencies, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [plan],
  file,
});
const target: RestTarget = {
  apiUrl: parts.apiUrl,
  hostName: `${label}.localhost`,
  username: 'api@test',
  password: PASSWORD,
};

const gate = await gateAt('discount', parts.ownerUrl);

test.after.always(async () => {
  await gate.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

test.afterEach.always(() => gate.open());

/** 96 customers with an order each, all billed on 1 January; their next day is 1 February. */
test.serial.before(async () => {
  const now = { generateInvoice: true, forceInvoiceGeneration: false };
  for (let made = 1; made <= orders; made += 1) {
    const { coupon: couponCode, state } = kindOf(made);
    await inOperation(dependencies, tenantId, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
           updated_at)
         values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
        [tenantId, `C-${made}`],
      );
      const id = customer?.id ?? 0;
      await work.tx.query(
        `insert into contact (tenant_id, customer_id, kind, country_code, state)
         values ($1, $2, 'billing', 'CA', $3)`,
        [tenantId, id, state],
      );
      raise(work, [{ type: 'customer.created', customerId: id, objectId: id }]);
      const order = { customerId: id, contractCode: 'P', couponCode };
      await createOrder(dependencies, work, order, now);
    });
  }
});

const read = <Row extends object>(sql: string, ...values: unknown[]) =>
  inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(sql, values), {
    readOnly: true,
  });

/** Those of the 96 orders that are billed on a day. */
async function count(invoiceDate: string): Promise<number> {
  const rows = await read<{ n: number }>(
    `select count(distinct o.id) as n from invoice i join invoice_line l on l.invoice_id = i.id
     join subscription_order o on o.id = l.order_id
     where i.invoice_date = $1 and o.order_number <= ${last}`,
    invoiceDate,
  );
  return rows[0]?.n ?? 0;
}

/** Locks the second half of the customers until the test releases them, like a long write. */
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
       where tenant_id = $1 and order_number between ${first + orders / 2} and ${last})
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

/** Advances to a day on which 96 orders renew, and returns when half of them are billed. */
async function halfRenewed(t: ExecutionContext, to: string): Promise<() => Promise<void>> {
  const letGo = await lockHalf(t);
  await advance(to);
  await until('half of the orders are billed', async () => (await count(to)) === orders / 2);
  t.false(await isReady());
  return letGo;
}

/** What the orders with these numbers were billed on a day. */
const billed = (day: string, range: readonly [number, number]) =>
  inTenant(db, tenantId, (tx) => billedOn(tx, day, range), { readOnly: true });

interface Month {
  readonly on: string;
  readonly ends: string;
  readonly is: Parameters<typeof expected>[0];
}

/** Every order renewed exactly once in that month, for exactly its period, with its discounts. */
async function allRenewedOnce(t: ExecutionContext, { on, ends, is }: Month): Promise<void> {
  await until('the clock is Ready', isReady);
  t.deepEqual(await billed('2027-01-01', [first, last]), expected('first'));
  t.deepEqual(await billed(on, [first, last]), expected(is));
  const periods = await read(
    `select b.billed_from as "from", b.billed_to as "to", count(*) as times,
            count(distinct l.order_id) as orders
     from billed_period b join order_line l on l.id = b.order_line_id
     join subscription_order o on o.id = l.order_id
     join plan_charge c on c.id = b.charge_id
     where b.billed_from = $1 and c.price_code in ('FEE', 'MEDIA') and o.order_number <= ${last}
     group by 1, 2`,
    on,
  );
  t.deepEqual(periods, [{ from: on, to: ends, times: 2 * orders, orders }]);
  const [numbers] = await read<{ invoices: number }>(
    `select min(number_value) as least, max(number_value) - min(number_value) + 1 as span,
            count(distinct number_value) as numbers, count(*) as invoices from invoice`,
  );
  const invoices = numbers?.invoices;
  t.deepEqual(numbers, { least: 1001, span: invoices, numbers: invoices, invoices });
  const report = await audit(dependencies, { relayDb, engine: parts.engine, only: label });
  t.deepEqual(report.tenants[0]?.faults, []);
  t.is(report.tenants[0]?.held.length, 0);
  t.true(report.clean);
}

test.serial('the worker dies amid its writes: the next worker completes the renewal', async (t) => {
  const letGo = await halfRenewed(t, '2027-02-01');
  await gate.close();
  await letGo();
  await gate.reached();
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await gate.open();
  t.is(await count('2027-02-01'), orders / 2);
  await parts.worker.start();
  await allRenewedOnce(t, { on: '2027-02-01', ends: '2027-02-28', is: 'later' });
});

test.serial(
  'the API dies while it creates and bills orders: all answered orders exist, without a gap',
  async (t) => {
    const letGo = await halfRenewed(t, '2027-03-01');
    const before = await read<{ next: number }>(`select next from counter where kind = 'order'`);
    const answered: string[] = [];
    let isDead = false;
    const body =
      '<subscriptionOrder><contractCode>P</contractCode><couponCode>TEN</couponCode>' +
      '</subscriptionOrder>';
    const lanes = [1, 3, 5, 7].map(async (lane) => {
      for (let made = 0; !isDead; made += 1) {
        const ref = `C-${lane + 8 * (made % 6)}`;
        const path = `/rest/orders?extCustomerRef=${ref}&generateInvoice=true`;
        const answer = await call(target, 'POST', path, body).catch(() => undefined);
        const number = /<orderNumber>(\d+)</.exec(answer?.body ?? '')?.[1];
        if (answer?.status === 201 && number !== undefined) answered.push(number);
        if (answer === undefined) return;
      }
    });
    await until('some orders are answered', () => Promise.resolve(answered.length >= 8));
    await gate.close();
    await gate.reached();
    await parts.api.kill();
    isDead = true;
    await Promise.all(lanes);
    await endConnections(parts, 'api');
    await gate.open();
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
    await allRenewedOnce(t, { on: '2027-03-01', ends: '2027-03-31', is: 'later' });
    // The customers of these lanes are all in Quebec.
    const { coupon, state, first: invoices } = kindOf(1);
    t.deepEqual(await billed('2027-03-01', [last + 1, Number.MAX_SAFE_INTEGER]), [
      { coupon, state, invoices, orders: stored.length },
    ]);
  },
);

test.serial(
  'Temporal dies: orders are accepted meanwhile, and billed once it is back',
  async (t) => {
    const letGo = await halfRenewed(t, '2027-04-01');
    await parts.temporal.kill();
    const body = '<subscriptionOrder><contractCode>P</contractCode></subscriptionOrder>';
    const made = await done(target, 'POST', '/rest/orders?extCustomerRef=C-1', body);
    t.is(text(made, 'orderStatus'), 'Active');
    await letGo();
    await parts.temporal.start();
    await allRenewedOnce(t, { on: '2027-04-01', ends: '2027-04-30', is: 'fourth' });
    await advance('2027-04-02');
    await until('the clock is Ready', isReady);
    // Both invoices at the full price, because the order has no coupon.
    const [number, { state }] = [Number(text(made, 'orderNumber')), kindOf(1)];
    const invoices = '49.00 40.00 2.00 3.99 | 12.00 0.60 1.20';
    t.deepEqual(await billed('2027-04-02', [number, number]), [
      { coupon: null, state, invoices, orders: 1 },
    ]);
    const report = await audit(dependencies, { relayDb, engine: parts.engine, only: label });
    t.deepEqual(report.tenants[0]?.faults, []);
    t.true(report.clean);
  },
);

test.serial(
  'the worker and the API are told to stop: what they have begun is done, and nothing is lost',
  async (t) => {
    const letGo = await halfRenewed(t, '2027-05-01');
    await gate.close();
    await letGo();
    await gate.reached();
    const body =
      '<subscriptionOrder><contractCode>P</contractCode><couponCode>TEN</couponCode>' +
      '</subscriptionOrder>';
    const path = '/rest/orders?extCustomerRef=C-1&generateInvoice=true';
    const underWay = call(target, 'POST', path, body);
    await until('both wait at the gate', async () => {
      const waiting = await read(
        `select from pg_locks where locktype = 'advisory' and not granted`,
      );
      return waiting.length >= 2;
    });
    const ends = [parts.worker.end(), parts.api.end()];
    await until('the API takes no more', async () => {
      const answer = await call(target, 'GET', '/rest/plans').catch(() => undefined);
      return answer === undefined;
    });
    await gate.open();
    t.is((await underWay).status, 201);
    t.deepEqual(await Promise.all(ends), ['exit code 0', 'exit code 0']);
    await parts.worker.start();
    await parts.api.start();
    await allRenewedOnce(t, { on: '2027-05-01', ends: '2027-05-31', is: 'fourth' });
  },
);
