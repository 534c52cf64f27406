/** Orders beyond the limits are refused; the charges of the largest ones are billed in slices. */
import test from 'ava';
import { administer } from '../../support/template.ts';
import { billAllDue } from '../../../operations/due/orders.ts';
import type { OrderInput, OrderLineInput } from '../../../domain/orders/input.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await ownDatabase();

const plans = [
  recurring('MONTHLY', 2.5, prepaid),
  recurring('DAILY', 0.25, prepaid, { billingPeriod: 'Daily' }),
  recurring(
    'TIERS',
    0,
    {
      isPrepaid: true,
      pricingType: 'TieredPricing',
      price: undefined,
      tiers: [
        { unitsFrom: 0, unitsTo: 10, price: 1 },
        { unitsFrom: 10, unitsTo: 20, price: 2 },
        { unitsFrom: 20, price: 3 },
      ],
    },
    { billingPeriod: 'Daily' },
  ),
];

const linesOf = (count: number, line: OrderLineInput): OrderLineInput[] =>
  Array.from({ length: count }, () => line);
const monthly = (count: number) => linesOf(count, { priceCode: 'MONTHLY' });
const daily = (count: number) => linesOf(count, { priceCode: 'DAILY' });

/** Of the whole tenant, to show that a refusal left nothing. */
function stored(books: Books): Promise<object[]> {
  return books.read((tx) =>
    tx.query(
      `select (select count(*) from subscription_order) as orders,
              (select count(*) from order_line) as lines,
              (select count(*) from invoice) as invoices,
              (select count(*) from billed_period) as periods`,
    ),
  );
}

/** `1001 1000.00: 4000 charges from 2027-01-01 to 2027-01-08` of each invoice. */
async function billed(books: Books, customerId: number): Promise<string[]> {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select i.number_value || ' ' || round(i.current_amount_due, 2) || ': ' || count(c.id)
                || ' charges from ' || min(c.billing_start_date) || ' to '
                || max(c.billing_end_date) as text
       from invoice i
       join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
       join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
       where i.customer_id = $1 group by i.tenant_id, i.id order by i.number_value`,
      [customerId],
    ),
  );
  return rows.map((row) => row.text);
}

async function billedTwice(books: Books): Promise<number> {
  const [row] = await books.read((tx) =>
    tx.query<{ count: number }>(
      `select count(*) filter (where b.billed_from <= b.before) as count from (
         select billed_from, lag(billed_to) over (
           partition by order_line_id order by billed_from) as before
         from billed_period where voided_at is null) b`,
    ),
  );
  return row?.count ?? -1;
}

test('an order that would bill too much at once is refused, and leaves nothing', async (t) => {
  const books = await openBooks(db, { today: '2027-01-10', plans });
  const customerId = await books.customer();
  const since1945 = { customerId, contractCode: 'MONTHLY', startDate: '1945-01-01' };
  const tooMuch: [what: string, input: OrderInput][] = [
    ['500 lines of 985 months', { ...since1945, orderLineItems: monthly(500) }],
    ['300 lines of 985 months', { ...since1945, orderLineItems: monthly(300) }],
    ['one line of 1,201 months', { ...since1945, startDate: '1927-01-10' }],
    [
      '500 lines of 11 days',
      { customerId, contractCode: 'DAILY', startDate: '2026-12-31', orderLineItems: daily(500) },
    ],
    [
      '167 lines of 10 days in three tiers',
      {
        customerId,
        contractCode: 'TIERS',
        startDate: '2027-01-01',
        orderLineItems: linesOf(167, { priceCode: 'TIERS', quantity: '21' }),
      },
    ],
  ];
  for (const [what, input] of tooMuch) {
    t.log(what);
    const at = 'subscriptionOrder/startDate';
    await refused(t, books.order(input, { generateInvoice: true }), 'order.tooManyPeriods', at);
    await refused(t, books.order(input), 'order.tooManyPeriods', at);
  }
  const nothing = [{ orders: 0, lines: 0, invoices: 0, periods: 0 }];
  t.deepEqual(await stored(books), nothing);
  const wide = { ...since1945, orderLineItems: monthly(1_500) };
  const at = 'subscriptionOrder/orderLineItems';
  await refused(t, books.order(wide, { generateInvoice: true }), 'field.invalid', at);
  await refused(
    t,
    books.order({ ...wide, startDate: '2027-01-10', orderLineItems: monthly(501) }),
    'field.invalid',
    at,
  );
  // The lines are counted before the plan is read.
  await refused(t, books.order({ ...wide, contractCode: 'NO' }), 'field.invalid', at);
  t.deepEqual(await stored(books), nothing);
  t.deepEqual(await books.counters(), { order: 1001, invoice: 1001 });
});

test('a change that makes too much due is refused, and the order stays as it was', async (t) => {
  const books = await openBooks(db, { today: '2027-01-10', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'DAILY', startDate: '2027-01-01' };
  const id = await books.order({ ...order, orderLineItems: daily(500) });
  const before = await books.orderNow(id);
  const start = 'subscriptionOrder/startDate';
  await refused(t, books.put(id, { startDate: '2026-12-31' }), 'order.tooManyPeriods', start);
  await refused(
    t,
    books.put(id, { orderLineItems: daily(501) }),
    'field.invalid',
    'subscriptionOrder/orderLineItems',
  );
  t.is(await books.orderNow(id), before);
  const small = await books.order({ ...order, startDate: '2026-12-20' });
  await refused(
    t,
    books.put(small, { orderLineItems: daily(300) }),
    'order.tooManyPeriods',
    'subscriptionOrder/startDate',
  );
  // A Draft bills nothing; the limit applies when it is activated.
  const draft = await books.order({ ...order, startDate: '1945-01-01', orderStatus: 'Draft' });
  await refused(t, books.activate(draft), 'order.tooManyPeriods', start);
  await refused(t, books.put(draft, { orderStatus: 'Active' }), 'order.tooManyPeriods', start);
  t.is(await books.orderNow(draft), 'Draft');
  // While suspended nothing is due, so the limit applies to what a resumption would bill.
  const held = await books.order({ ...order, orderLineItems: daily(1) });
  await books.suspend(held);
  await refused(t, books.put(held, { startDate: '1945-01-01' }), 'order.tooManyPeriods', start);
  await books.activate(held);
  const suspended = await books.customer({ status: 'Suspended1' });
  await refused(
    t,
    books.order({ ...order, customerId: suspended, startDate: '1945-01-01' }),
    'order.tooManyPeriods',
    start,
  );
});

test('the largest order is billed in one transaction', async (t) => {
  const books = await openBooks(db, { today: '2027-01-10', plans });
  const customerId = await books.customer();
  // 500 lines of ten days at 0.25: 1,250.00.
  const order = { customerId, contractCode: 'DAILY', startDate: '2027-01-01' };
  const how = { generateInvoice: true };
  const id = await books.order({ ...order, orderLineItems: daily(500) }, how);
  t.deepEqual(await billed(books, customerId), [
    '1001 1250.00: 5000 charges from 2027-01-01 to 2027-01-10',
  ]);
  t.is(await books.orderNow(id), 'Active next 2027-01-11 bills 2027-01-11');
  await books.advance('2027-01-12');
  t.deepEqual(await billed(books, customerId), [
    '1001 1250.00: 5000 charges from 2027-01-01 to 2027-01-10',
    '1002 125.00: 500 charges from 2027-01-11 to 2027-01-11',
    '1003 125.00: 500 charges from 2027-01-12 to 2027-01-12',
  ]);
  t.is(await billedTwice(books), 0);
  t.deepEqual((await books.audit()).faults, []);
});

/** 12,000 daily charges: 3 orders of 400 lines, made on the 10th, from the 1st. */
async function twelveThousand(books: Books): Promise<number> {
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'DAILY', startDate: '2027-01-01' };
  for (let count = 0; count < 3; count += 1) {
    await books.order({ ...order, orderLineItems: daily(400) });
  }
  return customerId;
}

test('12,000 charges of one customer are three invoices of a run, the oldest first', async (t) => {
  const books = await openBooks(db, { today: '2027-01-09', plans });
  const customerId = await twelveThousand(books);
  const another = await books.customer();
  await books.order({ customerId: another, contractCode: 'DAILY' });
  await books.advance('2027-01-10');
  // Each day has 1,200 charges: four days are 4,800, and 200 of the fifth fill the first invoice.
  const expected = [
    '1250.00: 5000 charges from 2027-01-01 to 2027-01-05',
    '1250.00: 5000 charges from 2027-01-05 to 2027-01-09',
    '500.00: 2000 charges from 2027-01-09 to 2027-01-10',
  ];
  const invoices = await billed(books, customerId);
  t.deepEqual(
    invoices.map((invoice) => invoice.replace(/^\d+ /, '')),
    expected,
  );
  t.is((await billed(books, another)).length, 1);
  const cascade = await books.read((tx) =>
    tx.query(
      `select round(previous_balance, 2)::text as previous, round(total_due, 2)::text as total
       from invoice where customer_id = $1 order by number_value`,
      [customerId],
    ),
  );
  t.deepEqual(cascade, [
    { previous: '0.00', total: '1250.00' },
    { previous: '1250.00', total: '2500.00' },
    { previous: '2500.00', total: '3000.00' },
  ]);
  t.is(await billedTwice(books), 0);
  t.deepEqual((await books.audit()).faults, []);
});

test('generateInvoice bills the first 5,000 charges, the next 00:00 the rest', async (t) => {
  const books = await openBooks(db, { today: '2027-01-10', plans });
  const customerId = await twelveThousand(books);
  const id = await books.order(
    { customerId, contractCode: 'DAILY', startDate: '2027-01-10' },
    { generateInvoice: true },
  );
  const first = '1001 1250.00: 5000 charges from 2027-01-01 to 2027-01-05';
  t.deepEqual(await billed(books, customerId), [first]);
  // The new order's one day is billed last.
  t.is(await books.orderNow(id), 'Active next 2027-01-10 bills 2027-01-11');
  t.deepEqual((await books.audit()).faults, []);
  const second = '1002 1250.00: 5000 charges from 2027-01-05 to 2027-01-09';
  t.is(await books.generate(id), 1);
  t.deepEqual(await billed(books, customerId), [first, second]);
  await books.advance('2027-01-11');
  // 2,000 of the old orders, 1 of the new one, and the 11th: 1,201.
  t.deepEqual(await billed(books, customerId), [
    first,
    second,
    '1003 800.50: 3202 charges from 2027-01-09 to 2027-01-11',
  ]);
  t.is(await billedTwice(books), 0);
  t.deepEqual((await books.audit()).faults, []);
});

test('if a customer has more lines than one read, the oldest charges come first', async (t) => {
  const books = await openBooks(db, { today: '2027-01-04', plans });
  const customerId = await books.customer();
  // 14 orders of 400 lines, begun on the 1st, the 2nd, the 3rd, the 4th, the 5th, the 1st, ...
  for (let count = 0; count < 14; count += 1) {
    const startDate = `2027-01-0${1 + (count % 5)}`;
    await books.order({ customerId, contractCode: 'DAILY', startDate, orderLineItems: daily(400) });
  }
  await books.advance('2027-01-05');
  const invoices = await books.read((tx) =>
    tx.query<{ charges: number; amount: string; first: string; last: string }>(
      `select count(*) as charges, round(i.current_amount_due, 2)::text as amount,
         min(c.billing_start_date) as first, max(c.billing_start_date) as last
       from invoice i
       join invoice_line l on l.tenant_id = i.tenant_id and l.invoice_id = i.id
       join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
       group by i.tenant_id, i.id order by i.number_value`,
    ),
  );
  // 3 x 5 + 3 x 4 + 3 x 3 + 3 x 2 + 2 x 1 days of 400 lines at 0.25.
  const total = invoices.reduce((sum, { amount }) => sum + Number(amount), 0);
  t.is(total, 44 * 400 * 0.25);
  for (const [index, { charges, first }] of invoices.entries()) {
    t.true(charges <= 5_000);
    t.true(first >= (invoices[index - 1]?.last ?? ''), `invoice ${index + 1} begins at ${first}`);
  }
  t.is(await billedTwice(books), 0);
  t.deepEqual((await books.audit()).faults, []);
});

test('the run, and so the test clock, continues from slice to slice until nothing is due', async (t) => {
  const books = await openBooks(db, { today: '2027-01-09', plans });
  const customerId = await twelveThousand(books);
  const another = await books.customer();
  await books.order({ customerId: another, contractCode: 'DAILY' });
  books.tomorrow();
  const made: number[] = [];
  const emptied = await billAllDue(books.dependencies, books.tenantId, {
    lanes: 2,
    mayContinue: () => true,
    onBatch: ({ invoices }) => made.push(invoices),
  });
  t.true(emptied);
  t.is(
    made.reduce((sum, invoices) => sum + invoices, 0),
    4,
  );
  t.deepEqual(
    (await billed(books, customerId)).map((invoice) => invoice.split(' ').slice(2, 4).join(' ')),
    ['5000 charges', '5000 charges', '2000 charges'],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test("the audit of a tenant that grew since PostgreSQL's last statistics is as fast", async (t) => {
  const small = await openBooks(db, { today: '2027-01-09', plans });
  const lines = { contractCode: 'DAILY', startDate: '2027-01-01', orderLineItems: daily(90) };
  await small.order({ customerId: await small.customer(), ...lines });
  await small.advance('2027-01-10');
  await administer(db.ownerUrl, 'analyze');
  const books = await openBooks(db, { today: '2027-01-09', plans });
  for (let count = 0; count < 2; count += 1) await twelveThousand(books);
  await books.advance('2027-01-10');
  // Row by row it would take minutes, beyond the time limit of a statement.
  t.deepEqual((await books.audit()).faults, []);
});
