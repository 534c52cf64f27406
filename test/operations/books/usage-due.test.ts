/** When unbilled usage is a fault: its order must have a bill day, unless it bills nothing. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { metered, used } from '../support/usage.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

async function story() {
  const books = await openBooks(db, { today: '2027-03-01', plans: [metered] });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, contractCode: 'METERED' });
  return { books, customerId, orderId };
}

/** Cancelled on 12 March, billed on the 13th: the order has no bill day any more. */
async function ended() {
  const { books, orderId, ...rest } = await story();
  await books.advance('2027-03-12');
  await books.put(orderId, { orderStatus: 'Canceled' });
  await books.advance('2027-03-15');
  return { books, orderId, ...rest };
}

async function found(books: Books): Promise<string[]> {
  return (await books.audit()).faults.map(
    ({ check, object, detail }) => `${check}: ${object}: ${detail}`,
  );
}

/** The fault of a window that ended on 31 March and is left behind by the dates of its order. */
const left =
  'usage.due: order 1001: line 1, usage of period 0 is due on 2027-04-01, but the order bills on 2027-06-01';

/** Nobody billed March, and the pointer and the dates of the order are past it. */
async function leftBehind() {
  const { books, orderId, ...rest } = await story();
  await used(books, orderId, [{ on: '2027-03-06', period: 0, quantity: '50' }]);
  books.jump('2027-04-10');
  await corrupt(books, [
    `update order_line set next_period_index = 2 where ${own}`,
    `update subscription_order set next_billable_date = '2027-06-01', bill_on = '2027-06-01' where ${own}`,
  ]);
  return { books, orderId, ...rest };
}

test('usage that the dates of its order leave behind is a fault', async (t) => {
  const { books } = await leftBehind();
  t.deepEqual(await found(books), [left]);
});

const reasons: readonly [reason: string, statement: string][] = [
  ['its customer is held', `update customer set billing_held_at = now() where ${own}`],
  ['its line is inactive', `update order_line set is_active = false where ${own}`],
  [
    'its order bills nothing more',
    `update subscription_order set status = 'Canceled', bills_nothing_more = true,
       ended_on = '2027-04-09' where ${own}`,
  ],
  [
    'its order is suspended',
    `insert into service_pause (tenant_id, customer_id, order_id, suspended_on)
     select tenant_id, customer_id, id, '2027-03-20' from subscription_order where ${own};
     update subscription_order set status = 'Suspended' where ${own}`,
  ],
  ['its customer is suspended', `update customer set status = 'Suspended' where ${own}`],
  [
    'its customer waits for taxes',
    `update subscription_order set bill_on = '2027-04-10' where ${own};
     insert into tax_wait (tenant_id, customer_id, since, tries, next_try_at, code)
     select tenant_id, id, now(), 1, now(), 'tax.unavailable' from customer where ${own}`,
  ],
];

for (const [reason, statement] of reasons) {
  test(`usage is no fault while ${reason}`, async (t) => {
    const { books } = await leftBehind();
    await corrupt(books, [statement]);
    const { faults } = await books.audit();
    t.deepEqual(
      faults.filter(({ check }) => check === 'usage.due'),
      [],
    );
  });
}

test('usage is no fault while a run bills it', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-03-06', period: 0, quantity: '50' }]);
  books.jump('2027-04-01');
  t.like(await books.audit(59_000), { underWay: 1, faults: [] });
  const { faults } = await books.audit(60_000);
  t.deepEqual(
    faults.map(({ check }) => check),
    ['order.unbilled', 'usage.due'],
  );
});

test('late usage of an ended order without a bill day is a fault, until it has one', async (t) => {
  const { books, orderId } = await ended();
  await used(books, orderId, [{ on: '2027-03-10', period: 1, quantity: '10' }]);
  const [dates, usage] = await found(books);
  // An upload gives the order its bill day.
  t.is(
    dates,
    'order.dates: order 1001: nextBillableDate null, should be 2027-03-13; billOn null, should be 2027-03-16',
  );
  t.is(
    usage,
    'usage.due: order 1001: line 1, usage of period 1 is due on 2027-03-13, but the order has no bill day',
  );
  await corrupt(books, [
    `update subscription_order set next_billable_date = '2027-03-13', bill_on = '2027-03-16' where ${own}`,
  ]);
  t.deepEqual(await found(books), []);
  await books.advance('2027-03-16');
  t.deepEqual(await found(books), []);
});

test('usage dated after the end of its line is never billed, and no fault', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-03-20', period: 0, quantity: '10' },
    { on: '2027-05-20', period: 2, quantity: '10' },
  ]);
  await books.advance('2027-03-12');
  await books.put(orderId, { orderStatus: 'Canceled' });
  t.deepEqual(await found(books), []);
  await books.advance('2027-03-14');
  t.deepEqual(await found(books), []);
});

test('usage that was rolled back is no fault before the next 00:00', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-03-06', period: 0, quantity: '50' }]);
  await books.advance('2027-04-05');
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  t.is(await books.orderNow(orderId), 'Active next 2027-04-01 bills 2027-04-06');
  t.deepEqual(await found(books), []);
  await books.advance('2027-04-06');
  t.deepEqual(await found(books), []);
});

test('usage of a pause is no fault before its service is resumed', async (t) => {
  const { books, orderId, customerId } = await story();
  await used(books, orderId, [{ on: '2027-03-06', period: 0, quantity: '50' }]);
  await books.suspend(orderId);
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-04-05');
  t.deepEqual(await found(books), []);
  await books.activate(orderId);
  await books.customerAction(customerId, 'activate');
  t.deepEqual(await found(books), []);
  await books.advance('2027-04-06');
  t.is((await books.invoices()).length, 1);
  t.deepEqual(await found(books), []);
});

test('a window that closed without records before its last day is a fault of an open order', async (t) => {
  const { books } = await story();
  await books.advance('2027-04-10');
  t.deepEqual(await found(books), []);
  // What a new startDate once left behind: March and May closed, as if they were of the year before.
  await corrupt(books, [
    `insert into usage_window (tenant_id, order_line_id, period_index, closed_at)
     select tenant_id, order_line_id, 2, closed_at from usage_window where ${own}`,
  ]);
  t.deepEqual(await found(books), [
    'usage.due: order 1001: line 1, usage of 2027-05-01 to 2027-05-31 is billed by no invoice: ' +
      'its window was closed on 2027-04-01',
  ]);
});
