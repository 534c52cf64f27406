/** Numbers without gaps and unique references, after failures and with simultaneous calls. */

import test from 'ava';
import { createCustomer } from '../../../operations/customers/write.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const closed = { pricingType: 'TieredPricing', price: undefined };
const until10 = { ...closed, tiers: [{ unitsFrom: 0, unitsTo: 10, price: 1 }] };
const plans = [recurring('P', 10, prepaid), recurring('TIERS', 0, { ...prepaid, ...until10 })];

test('numbers of a failed order are given to the next one', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const how = { generateInvoice: true, forceInvoiceGeneration: false };
  const failing = books.work(async (work) => {
    await createOrder(books.dependencies, work, { customerId, contractCode: 'P' }, how);
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

test('simultaneous orders, some of them wrong, leave no gap in either sequence', async (t) => {
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
  // 6 orders have a quantity beyond the tiers; the old start has 445 months, and is valid.
  t.is(failed, 6);
  t.deepEqual((await books.counters())['order'], 1001 + 18);
  await books.advance('2027-01-16');
  t.deepEqual((await books.audit()).faults, []);
});

test('of two simultaneous customers with one extCustomerRef one is refused', async (t) => {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const billing = { firstName: 'Ada', lastName: 'Field' };
  const make = () =>
    books.work((work) =>
      createCustomer(work, { extCustomerRef: 'SAME' }, { billing, sales: null }),
    );
  const settled = await Promise.allSettled([make(), make()]);
  const lost = settled.find((each) => each.status === 'rejected');
  t.is(settled.filter((each) => each.status === 'fulfilled').length, 1);
  await refused(t, Promise.reject(lost?.reason), 'customer.refTaken', 'customer/extCustomerRef');
  const rows = await books.read((tx) => tx.query('select ext_customer_ref from customer'));
  t.deepEqual(rows, [{ extCustomerRef: 'SAME' }]);
});
