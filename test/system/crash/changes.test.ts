/**
 * Kills the worker and the API with SIGKILL in the middle of 200 changes of orders: 100 pending ones
 * that the run of their day carries out, and 100 at once by the interface, each with its key. The
 * test makes sure that it is the middle: it keeps half of the customers locked, and a gate holds
 * processes that have written credits, but not committed them. Afterwards every pair is billed
 * exactly what changed.ts says, every credit stands once, and no number is missing.
 */
import test from 'ava';
import { Client } from 'pg';
import { all, parse, text } from '../../../cli/rest.ts';
import type { Xml } from '../../../cli/rest.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { changeOrder } from '../../../operations/orders/change.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { raise } from '../../../operations/events/raise.ts';
import type { Received } from '../../api/support.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import {
  CUSTOMERS,
  FIRST_DAY,
  HUNDRED,
  IMMEDIATE_DAY,
  PENDING_DAY,
  billedOn,
  expected,
  file,
  plans,
  sortOf,
  sumsOfInvoices,
} from './changed.ts';
import { gateAt } from './gate.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const dependencies = { db, realNow: Date.now };
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  testClock: `${FIRST_DAY}T12:00:00Z`,
  plans,
  file,
});
const { tenantId, read } = till;
const gate = await gateAt('credit', parts.ownerUrl);

test.after.always(async () => {
  await gate.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

test.afterEach.always(() => gate.open());

/** The ids of the current orders, in the order of their numbers. */
const orders: number[] = [];
const customers: number[] = [];

/** 200 customers with a billed order each; the orders of the first hundred await their change. */
test.serial.before(async () => {
  const now = { generateInvoice: true, forceInvoiceGeneration: false };
  for (let nth = 1; nth <= CUSTOMERS; nth += 1) {
    const { name, state, coupon: couponCode, next } = sortOf(nth);
    const id = await inOperation(dependencies, tenantId, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
         values ($1, $2, 'Active', 'USD', now(), now()) returning id`,
        [tenantId, name],
      );
      const customerId = customer?.id ?? 0;
      await work.tx.query(
        `insert into contact (tenant_id, customer_id, kind, country_code, state)
         values ($1, $2, 'billing', 'US', $3)`,
        [tenantId, customerId, state],
      );
      raise(work, [{ type: 'customer.created', customerId, objectId: customerId }]);
      customers.push(customerId);
      const order = { customerId, contractCode: 'GOLD', couponCode };
      return createOrder(dependencies, work, order, now);
    });
    orders.push(id);
    if (nth > HUNDRED) continue;
    const { contractCode, couponCode: kept, quantity } = next;
    const orderLineItems = quantity === undefined ? undefined : [{ priceCode: 'FEE', quantity }];
    const request = {
      input: { contractCode, couponCode: kept, orderLineItems },
      effectiveDate: PENDING_DAY,
      deletesCurrent: false,
      bills: false,
      named: { path: 'currentOrderId', value: String(id) },
    };
    await inOperation(dependencies, tenantId, (work) =>
      changeOrder(dependencies, work, { id }, request),
    );
  }
});

async function changed(): Promise<number> {
  const [row] = await read<{ n: number }>(
    `select count(*) as n from subscription_order where status = 'Superseded'`,
  );
  return row?.n ?? 0;
}

/** Locks customers until it is called back, like a long write. */
async function lock(ids: readonly number[]): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: parts.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `select from customer where tenant_id = $1 and id = any($2) order by id for no key update`,
    [tenantId, ids],
  );
  return () => client.end();
}

async function advance(to: string): Promise<void> {
  const { status, body } = await till.call('POST', `/testClock?advanceTo=${to}`);
  if (status > 299) throw new Error(body);
}

const arrived = () =>
  until('the clock is Ready', async () => {
    return (await read(`select from test_clock where status = 'Ready'`)).length === 1;
  });

test.serial(
  'the worker dies twice amid the changes of a day: the next one completes them',
  async (t) => {
    const letGo = await lock(customers.slice(HUNDRED / 2, HUNDRED));
    t.teardown(letGo);
    await advance(PENDING_DAY);
    await until('half of the orders are changed', async () => (await changed()) === HUNDRED / 2);
    await gate.close();
    await letGo();
    // First in the run, then in the process for those whom the killed worker was about to bill.
    for (let died = 0; died < 2; died += 1) {
      await gate.reached();
      await parts.worker.kill();
      await endConnections(parts, 'worker');
      t.is(await changed(), HUNDRED / 2);
      await parts.worker.start();
    }
    await gate.open();
    await arrived();
    t.is(await changed(), HUNDRED);
    t.deepEqual(await billedOn(till, PENDING_DAY), expected('pending'));
  },
);

/** With the same key each time. */
function change(nth: number): Promise<Received> {
  const { contractCode, couponCode, quantity } = sortOf(nth).next;
  const coupon = couponCode === undefined ? '' : `<couponCode>${couponCode}</couponCode>`;
  const lines =
    quantity === undefined
      ? ''
      : '<orderLineItems><orderLineItem><priceCode>FEE</priceCode>' +
        `<quantity>${quantity}</quantity></orderLineItem></orderLineItems>`;
  return till.call(
    'POST',
    `/changeOrder?currentOrderId=${orders[nth - 1]}&generateInvoice=true`,
    `<subscriptionOrder><contractCode>${contractCode}</contractCode>${coupon}${lines}` +
      '</subscriptionOrder>',
    `change ${nth}`,
  );
}

/** So many changes are answered when the API dies. */
const ANSWERED_BEFORE: readonly number[] = [10, 50];

test.serial(
  'the API dies twice amid changes at once: a retry with the same key changes once',
  async (t) => {
    await advance(IMMEDIATE_DAY);
    await arrived();
    const answered = new Map<number, string>();
    const lanes = [1, 2, 3, 4].map(async (lane) => {
      for (let nth = HUNDRED + lane; nth <= CUSTOMERS; nth += 4) {
        await until(`change ${nth} is answered`, async () => {
          const answer = await change(nth).catch(() => undefined);
          // 503: the worker first bills whom the killed API was about to bill.
          if (answer === undefined || answer.status === 503) return false;
          if (answer.status !== 201) throw new Error(answer.body);
          answered.set(nth, answer.body);
          if (ANSWERED_BEFORE.includes(answered.size)) await gate.close();
          return true;
        });
      }
    });
    const done = Promise.all(lanes);
    for (const before of ANSWERED_BEFORE) {
      await Promise.race([gate.reached(), done]);
      await parts.api.kill();
      await endConnections(parts, 'api');
      await gate.open();
      t.true(answered.size >= before && answered.size < HUNDRED);
      await parts.api.start();
    }
    await done;
    // Whoever asks again, as if the answer had been lost, gets the same order.
    for (const [nth, body] of answered) {
      const again = await change(nth);
      t.is(again.headers['idempotency-replayed'], 'true');
      t.is(again.body, body);
      t.is(text(parse(body), 'previousOrder', '@id'), String(orders[nth - 1]));
    }
    t.is(answered.size, HUNDRED);
    t.is(await changed(), CUSTOMERS);
    t.deepEqual(await billedOn(till, IMMEDIATE_DAY), expected('immediate'));
  },
);

test.serial(
  'afterwards every order has one successor, and every credited charge one credit',
  async (t) => {
    const pairs = await read(
      `select a.end_date as "to", b.status, b.start_date as "from", count(*) as pairs
     from subscription_order a left join subscription_order b on b.previous_order_id = a.id
     where a.status = 'Superseded' group by 1, 2, 3 order by 1`,
    );
    t.deepEqual(pairs, [
      { to: '2027-01-31', status: 'Active', from: PENDING_DAY, pairs: HUNDRED },
      { to: '2027-02-09', status: 'Active', from: IMMEDIATE_DAY, pairs: HUNDRED },
    ]);
    // Of each hundred: one of 34 orders, three of 66.
    const credits = 2 * (34 + 3 * 66);
    const standing = await read(
      `select count(*) as credits, count(distinct invoice_charge_id) as charges,
            count(distinct credit_charge_id) as carriers
     from charge_credit where voided_at is null`,
    );
    t.deepEqual(standing, [{ credits, charges: credits, carriers: credits }]);
    t.deepEqual(await read('select from customer where billing_held_code is not null'), []);
    t.deepEqual(await billedOn(till, FIRST_DAY), expected('first'));
    await auditIsClean(t, parts, { db, relayDb });
  },
);

test.serial('the interface shows every pair and every invoice once, without a gap', async (t) => {
  const numbersOf = (list: readonly Xml[], name: string) =>
    list.map((each) => Number(text(each, name))).toSorted((one, other) => one - other);
  const numbers = Array.from({ length: 2 * CUSTOMERS }, (_, n) => 1001 + n);

  const invoices = all(parse((await till.call('GET', '/invoices?max=1000')).body), 'invoice');
  t.deepEqual(numbersOf(invoices, 'invoiceNumber'), numbers);
  const sums: Record<string, number> = {};
  for (const invoice of invoices) {
    const sum = text(invoice, 'currentAmountDue');
    sums[sum] = (sums[sum] ?? 0) + 1;
  }
  t.deepEqual(sums, sumsOfInvoices);

  const list = all(parse((await till.call('GET', '/orders?max=1000')).body), 'subscriptionOrder');
  t.deepEqual(numbersOf(list, 'orderNumber'), numbers);
  const byId = new Map(list.map((each) => [text(each, '@id'), each]));
  for (const id of orders) {
    const current = byId.get(String(id)) ?? '';
    const next = byId.get(text(current, 'nextOrder', '@id')) ?? '';
    t.is(text(current, 'orderStatus'), 'Superseded');
    t.is(text(next, 'orderStatus'), 'Active');
    t.is(text(next, 'previousOrder', '@id'), String(id));
  }
});
