/** Many at once: numbers without gaps, each order billed once, one bad customer stops nobody. */

import test from 'ava';
import { inTenant } from '../../db/tenancy.ts';
import { billCustomers } from '../../operations/billing.ts';
import { createCustomer } from '../../operations/customer-write.ts';
import { billHerd } from '../../operations/herd.ts';
import { createOrder } from '../../operations/order-create.ts';
import { openBooks, sharedDatabase } from './books.ts';
import type { Books } from './books.ts';
import { prepaid, recurring } from './plans.ts';
import { refused } from './refused.ts';

const db = await sharedDatabase();
const closed = { pricingType: 'TieredPricing', price: undefined };
const until10 = { ...closed, tiers: [{ unitsFrom: 0, unitsTo: 10, price: 1 }] };
const plans = [
  recurring('P', 10, prepaid),
  recurring('DEAR', 9999, prepaid),
  recurring('TIERS', 0, { ...prepaid, ...until10 }),
];

/** So many customers with an order each, due at the next 00:00. */
async function withOrders(count: number, contractCode = 'P') {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customers: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const customerId = await books.customer({ ref: `C-${made}` });
    await books.order({ customerId, contractCode });
    customers.push(customerId);
  }
  return { books, customers };
}

const invoicesEach = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ customer_id: number; count: number }>(
      'select customer_id, count(*) from invoice group by 1 order by 1',
    );
    return rows.map((row) => [row.customer_id, row.count]);
  });

test('numbers that a failed order took are given to the next', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const how = { generateInvoice: true, forceInvoiceGeneration: false };
  const failing = books.work(async (work) => {
    await createOrder(books.services, work, { customerId, contractCode: 'P' }, how);
    const taken = await work.tx.query('select kind, next from counter order by kind desc');
    t.deepEqual(taken, [
      { kind: 'order', next: 1002 },
      { kind: 'invoice', next: 1002 },
    ]);
    throw new Error('after the numbers were taken');
  });
  await t.throwsAsync(failing, { message: 'after the numbers were taken' });
  t.deepEqual(await books.counters(), { order: 1001, invoice: 1001 });
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  t.deepEqual(await books.counters(), { order: 1002, invoice: 1002 });
  t.deepEqual((await books.audit()).faults, []);
});

test('orders made at once, some of them wrong, leave no gap in either sequence', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customers = [await books.customer(), await books.customer(), await books.customer()];
  const attempts = Array.from({ length: 24 }, (_, index) => {
    const customerId = customers[index % 3] ?? 0;
    // Every fourth fails: half of them before, half after the order's number was taken.
    const orderLineItems = index % 4 === 3 ? [{ priceCode: 'TIERS', quantity: '11' }] : null;
    const contractCode = orderLineItems ? 'TIERS' : 'P';
    const startDate = index % 8 === 5 ? '1990-01-01' : null;
    return books.order(
      { customerId, contractCode, orderLineItems, startDate },
      { generateInvoice: index % 2 === 0 },
    );
  });
  const settled = await Promise.allSettled(attempts);
  const failed = settled.filter(({ status }) => status === 'rejected').length;
  // 6 with a quantity beyond the tiers; the old start has 445 months, and is no mistake.
  t.is(failed, 6);
  t.deepEqual((await books.counters())['order'], 1001 + 18);
  await books.advance('2027-01-16');
  t.deepEqual((await books.audit()).faults, []);
});

test('two billers at once bill each order once', async (t) => {
  const { books, customers } = await withOrders(30);
  books.tomorrow();
  const { services, tenantId } = books;
  const lanes = { lanes: 2, mayGoOn: () => true, onBatch: () => {} };
  await Promise.all([
    billCustomers(services, tenantId, customers, { wait: true }),
    billHerd(services, tenantId, lanes),
    ...customers.slice(0, 5).map((id) => billCustomers(services, tenantId, [id], { wait: true })),
    billCustomers(services, tenantId, customers.toReversed(), { wait: false }),
  ]);
  t.deepEqual(
    await invoicesEach(books),
    customers.map((id) => [id, 1]),
  );
  t.deepEqual(await books.counters(), { order: 1031, invoice: 1031 });
  t.deepEqual((await books.audit()).faults, []);
});

test('a customer that someone has locked is skipped or waited for, as asked', async (t) => {
  const { books, customers } = await withOrders(2);
  const [locked = 0, free = 0] = customers;
  books.tomorrow();
  const { services, tenantId } = books;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holder = inTenant(db.app, tenantId, async (tx) => {
    await tx.query('select from customer where id = $1 for no key update', [locked]);
    hold();
    await released;
  });
  await held;
  const batch = await billCustomers(services, tenantId, customers, { wait: false });
  t.like(batch, { customers: 1, invoices: 1, skipped: [locked], held: [] });
  t.deepEqual(await invoicesEach(books), [[free, 1]]);
  const waiting = billCustomers(services, tenantId, customers, { wait: true });
  release();
  await holder;
  t.like(await waiting, { invoices: 1, skipped: [] });
  t.deepEqual((await books.audit()).faults, []);
});

test('a child row that is being written does not make billing skip its customer', async (t) => {
  const { books, customers } = await withOrders(1);
  books.tomorrow();
  const { services, tenantId } = books;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const writer = inTenant(db.app, tenantId, async (tx) => {
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind) values ($1, $2, 'billing')`,
      [tenantId, customers[0]],
    );
    wrote();
    await released;
  });
  await written;
  const batch = await billCustomers(services, tenantId, customers, { wait: false });
  release();
  await writer;
  t.like(batch, { invoices: 1, skipped: [] });
});

test('a customer that cannot be rated is held, the others are billed', async (t) => {
  const { books, customers } = await withOrders(5, 'TIERS');
  const [, bad = 0] = customers;
  // Nothing of the interface can do this: a quantity beyond the last tier.
  await books.work(({ tx }) =>
    tx.query(
      `update order_line l set quantity = 11 from subscription_order o
       where o.id = l.order_id and o.customer_id = $1`,
      [bad],
    ),
  );
  books.tomorrow();
  t.deepEqual(await books.run(), [{ customerId: bad, code: 'quantity.outOfRange' }]);
  const others = customers.filter((id) => id !== bad).map((id) => [id, 1]);
  t.deepEqual(await invoicesEach(books), others);
  const audit = await books.audit();
  t.deepEqual(audit.faults, []);
  t.deepEqual(audit.held, [
    { customerId: bad, extCustomerRef: 'C-1', code: 'quantity.outOfRange' },
  ]);
  // Held until someone resumes it, then billed for all that it missed.
  await books.advance('2027-02-20');
  t.is((await books.invoices(bad)).length, 0);
  await books.work(({ tx }) =>
    tx.query(
      `with mended as (update order_line l set quantity = 1 from subscription_order o
         where o.id = l.order_id and o.customer_id = $1)
       update customer set billing_held_at = null, billing_held_code = null where id = $1`,
      [bad],
    ),
  );
  await books.run();
  t.deepEqual(
    (await books.invoices(bad)).map((text) => text.slice(5)),
    [
      'on 2027-02-20 due 2027-03-22 Outstanding 2.00: ' +
        'TIERS 2027-01-15 2027-02-14 1.00, TIERS 2027-02-15 2027-03-14 1.00',
    ],
  );
  t.deepEqual((await books.audit()).faults, []);
});

test('a database error halves the batch down to the one at fault', async (t) => {
  const { books, customers } = await withOrders(9, 'DEAR');
  const bad = customers[6] ?? 0;
  // 9999.00 x 1e13 units fit in no amount: the statement that writes the batch fails.
  await books.work(({ tx }) =>
    tx.query(
      `update order_line l set quantity = 10000000000000
       from subscription_order o where o.id = l.order_id and o.customer_id = $1`,
      [bad],
    ),
  );
  books.tomorrow();
  const { services, tenantId } = books;
  const batch = await billCustomers(services, tenantId, customers, { wait: true });
  t.like(batch, { customers: 8, invoices: 8, skipped: [] });
  t.deepEqual(batch.held, [{ customerId: bad, code: 'database.22003' }]);
  t.deepEqual(
    await invoicesEach(books),
    customers.filter((id) => id !== bad).map((id) => [id, 1]),
  );
  t.deepEqual((await books.counters())['invoice'], 1009);
  t.deepEqual((await books.audit()).faults, []);
});

test('of two customers with one extCustomerRef at once, one is made and one refused', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const billing = { first_name: 'Ada', last_name: 'Field' };
  const make = () =>
    books.work((work) =>
      createCustomer(work, { extCustomerRef: 'SAME' }, { billing, sales: null }),
    );
  const settled = await Promise.allSettled([make(), make()]);
  const lost = settled.find((each) => each.status === 'rejected');
  t.is(settled.filter((each) => each.status === 'fulfilled').length, 1);
  await refused(t, Promise.reject(lost?.reason), 'customer.refTaken', 'customer/extCustomerRef');
  const rows = await books.read((tx) => tx.query('select ext_customer_ref from customer'));
  t.deepEqual(rows, [{ ext_customer_ref: 'SAME' }]);
});
