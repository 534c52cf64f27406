/** When usage is billed, and what becomes of its records: examples for `docs/rules/usage.md`. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { rescheduleOrders } from '../../../operations/standing/reschedule-orders.ts';
import { openBooks, sharedDatabase, type Books, type BooksOptions } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { metered, recordsOf, used } from '../support/usage.ts';

const db = await sharedDatabase();

async function story(options: Partial<BooksOptions> = {}, order: object = {}) {
  const books = await openBooks(db, { today: '2027-01-01', plans: [metered], ...options });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const orderId = await books.order({ customerId, contractCode: 'METERED', ...order });
  return { books, customerId, orderId };
}

/** The number, the day and the amounts of each invoice. */
const sums = async (books: Books) =>
  (await books.invoices()).map((text) => {
    const [head = '', charges = ''] = text.split(': ');
    const amounts = charges.split(', ').map((each) => each.split(' ').at(-1));
    return `${head.slice(0, 18)} ${amounts.join(' ')}`;
  });
const grace = (usageGraceDays: number) => ({ file: { settings: { usageGraceDays } } });
const isClean = async (books: Books) => (await books.audit()).faults;

test('usage is billed the day after its period, and its records share the amount', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '70' },
    { on: '2027-01-20', period: 0, quantity: '110' },
  ]);
  t.is(await books.orderNow(orderId), 'Active next 2027-02-01 bills 2027-02-01');
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-02-01 due 2027-03-03 Outstanding 16.40: MINUTES 2027-01-01 2027-01-31 10.00, ' +
      'MINUTES 2027-01-01 2027-01-31 6.40, MINUTES 2027-01-01 2027-01-31 16.40',
  ]);
  const [window] = await books.read((tx) =>
    tx.query('select * from usage_window where closed_at is not null'),
  );
  t.like(window, { sharedQuantity: '180', sharedAmount: '16.4000', lastAmount: '10.0200' });
  t.deepEqual(await recordsOf(books), ['2027-01-06 70 1001', '2027-01-20 110 1001']);
  t.is(await books.orderNow(orderId), 'Active next 2027-03-01 bills 2027-03-01');
  t.deepEqual(await isClean(books), []);
});

test('a period without records makes no invoice, and takes no more records', async (t) => {
  const { books, orderId } = await story();
  await books.advance('2027-02-01');
  t.deepEqual(await books.invoices(), []);
  const closed = await books.read((tx) =>
    tx.query('select period_index, invoice_id from usage_window where closed_at is not null'),
  );
  t.deepEqual(closed, [{ periodIndex: 0, invoiceId: null }]);
  t.is(await books.orderNow(orderId), 'Active next 2027-03-01 bills 2027-03-01');
  t.deepEqual(await isClean(books), []);
});

test('with two days of grace a record that comes on 2 February is billed on the 3rd', async (t) => {
  const { books, orderId } = await story(grace(2));
  await books.advance('2027-02-02');
  t.is(await books.orderNow(orderId), 'Active next 2027-02-03 bills 2027-02-03');
  await used(books, orderId, [{ on: '2027-01-30', period: 0, quantity: '50' }]);
  await books.advance('2027-02-05');
  t.deepEqual(await sums(books), ['1001 on 2027-02-03 5.00 5.00']);
  // The next one is late, so an upload puts it in the window of February.
  await used(books, orderId, [{ on: '2027-01-30', period: 1, quantity: '20' }]);
  await books.advance('2027-03-03');
  t.deepEqual(await sums(books), ['1001 on 2027-02-03 5.00 5.00', '1002 on 2027-03-03 2.00 2.00']);
  t.deepEqual(await isClean(books), []);
});

test('supplied amounts, prices of records and usage without a price are on one invoice', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '100' },
    { on: '2027-01-07', period: 0, quantity: '5', amount: '7.00' },
  ]);
  await books.advance('2027-02-01');
  t.deepEqual(await sums(books), ['1001 on 2027-02-01 10.00 7.00 17.00']);
  t.deepEqual(await isClean(books), []);
});

test('a coupon and a tax take their part of usage, not of the subtotal', async (t) => {
  const rates = [{ country: 'US', state: 'NY', percent: 10, taxCode: 'STANDARD', name: 'Tax' }];
  const coupons = [{ code: 'TEN', percent: 10 }];
  const [minutes] = metered.charges;
  const taxed = { ...metered, charges: [{ ...minutes, taxCodes: ['STANDARD'] }] };
  const file = { tax: { type: 'table', rates }, coupons };
  const { books, orderId } = await story({ plans: [taxed], file }, { couponCode: 'TEN' });
  await used(books, orderId, [{ on: '2027-01-06', period: 0, quantity: '180' }]);
  await books.advance('2027-02-01');
  // 16.40 less 1.00 and 0.64, rounded once for the window, and 10 percent of 14.76.
  t.deepEqual(await sums(books), ['1001 on 2027-02-01 10.00 6.40 -1.64 16.40 1.48']);
  t.deepEqual(await isClean(books), []);
});

test('a Canceled order bills its last window at once, and late records on the day after', async (t) => {
  const { books, orderId } = await story({ today: '2027-03-01' });
  await used(books, orderId, [
    { on: '2027-03-05', period: 0, quantity: '40' },
    { on: '2027-03-20', period: 0, quantity: '900' },
    { on: '2027-04-02', period: 1, quantity: '900' },
  ]);
  await books.advance('2027-03-12');
  await books.put(orderId, { orderStatus: 'Canceled' });
  t.is(await books.orderNow(orderId), 'Canceled ends 2027-03-12 next 2027-03-13 bills 2027-03-13');
  await books.advance('2027-03-15');
  t.deepEqual(await sums(books), ['1001 on 2027-03-13 4.00 4.00']);
  // What is dated after the end stays Unbilled for ever.
  t.deepEqual(await recordsOf(books), [
    '2027-03-05 40 1001',
    '2027-03-20 900 Unbilled in no window',
    '2027-04-02 900 Unbilled in no window',
  ]);
  t.is(await books.orderNow(orderId), 'Canceled ends 2027-03-12');
  // The window of April was closed with the last one, so an upload opens the next.
  await used(books, orderId, [{ on: '2027-03-10', period: 2, quantity: '10' }]);
  await books.work((its) => rescheduleOrders(its, { orderIds: [orderId] }));
  t.is(await books.orderNow(orderId), 'Canceled ends 2027-03-12 next 2027-03-13 bills 2027-03-16');
  await books.advance('2027-03-16');
  t.deepEqual(await sums(books), ['1001 on 2027-03-13 4.00 4.00', '1002 on 2027-03-16 1.00 1.00']);
  t.deepEqual(await isClean(books), []);
});

test('a change bills the usage before it, with records that are dated after it', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '100' },
    { on: '2027-01-20', period: 0, quantity: '10' },
    { on: '2027-02-02', period: 1, quantity: '10' },
  ]);
  await books.advance('2027-01-16');
  const next = await books.change(orderId, { contractCode: 'METERED' }, { bills: true });
  await used(books, next, [{ on: '2027-01-17', period: 0, quantity: '50' }]);
  t.deepEqual(await sums(books), ['1001 on 2027-01-16 10.00 1.60 11.60']);
  await books.advance('2027-02-01');
  t.deepEqual((await sums(books)).slice(1), ['1002 on 2027-02-01 5.00 5.00']);
  t.deepEqual(await recordsOf(books), [
    '2027-01-06 100 1001',
    '2027-01-17 50 1002',
    '2027-01-20 10 1001',
    '2027-02-02 10 1001',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a scheduled change closes the last window in the run of its day', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-02-10', period: 1, quantity: '120' }]);
  const input = { contractCode: 'METERED' };
  await books.change(orderId, input, { effectiveDate: '2027-02-16' });
  await books.advance('2027-02-16');
  t.deepEqual(await sums(books), ['1001 on 2027-02-16 10.00 1.60 11.60']);
  t.deepEqual(await isClean(books), []);
});

test('nothing is billed of a suspended order; on resumption the next day’s run bills it', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await books.advance('2027-01-20');
  await books.suspend(orderId);
  await books.advance('2027-02-10');
  t.deepEqual(await books.invoices(), []);
  t.deepEqual(await isClean(books), []);
  await books.activate(orderId);
  await books.advance('2027-02-11');
  t.deepEqual(await sums(books), ['1001 on 2027-02-11 5.00 5.00']);
  t.deepEqual(await isClean(books), []);
});

test('a rollback makes window and records unbilled; the next 00:00 bills them again', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await used(books, orderId, [{ on: '2027-02-06', period: 1, quantity: '30' }]);
  await books.advance('2027-03-01');
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  t.deepEqual(await recordsOf(books), ['2027-01-06 50 Unbilled', '2027-02-06 30 1002']);
  await used(books, orderId, [{ on: '2027-01-07', period: 0, quantity: '60' }]);
  t.deepEqual(await isClean(books), []);
  await books.advance('2027-03-02');
  t.deepEqual((await sums(books)).slice(2), ['1003 on 2027-03-02 10.00 0.80 10.80']);
  t.deepEqual(await recordsOf(books), [
    '2027-01-06 50 1003',
    '2027-01-07 60 1003',
    '2027-02-06 30 1002',
  ]);
  await books.cancelInvoice(1002);
  t.deepEqual((await recordsOf(books)).slice(2), ['2027-02-06 30 1002']);
  await books.advance('2027-04-01');
  t.is((await books.invoices()).length, 3);
  t.deepEqual(await isClean(books), []);
});

test('generateInvoice bills windows that are due, and the run that comes late all of them', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '50' },
    { on: '2027-02-06', period: 1, quantity: '30' },
    { on: '2027-03-06', period: 2, quantity: '10' },
  ]);
  books.jump('2027-03-02');
  await books.generate(orderId);
  t.deepEqual(await sums(books), ['1001 on 2027-03-02 5.00 5.00 3.00 3.00']);
  books.jump('2027-05-02');
  await books.run();
  t.deepEqual((await sums(books)).slice(1), ['1002 on 2027-05-02 1.00 1.00']);
  t.is(await books.orderNow(orderId), 'Active next 2027-06-01 bills 2027-06-01');
  t.deepEqual(await isClean(books), []);
});

test('a forced first invoice closes no window ahead', async (t) => {
  const line = { priceCode: 'LINE', chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
  const plan = { ...metered, charges: [...metered.charges, { ...line, price: 12 }] };
  const books = await openBooks(db, { today: '2027-01-01', plans: [plan] });
  const customerId = await books.customer();
  const force = { forceInvoiceGeneration: true };
  const orderId = await books.order({ customerId, contractCode: 'METERED' }, force);
  t.deepEqual(await sums(books), ['1001 on 2027-01-01 12.00']);
  t.is(await books.orderNow(orderId), 'Active next 2027-02-01 bills 2027-02-01');
  await used(books, orderId, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  await books.advance('2027-02-01');
  t.deepEqual((await sums(books)).slice(1), ['1002 on 2027-02-01 5.00 5.00']);
  t.deepEqual(await isClean(books), []);
});

test('usage.billed follows invoice.created, once for an invoice', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '50' },
    { on: '2027-02-06', period: 1, quantity: '30' },
  ]);
  books.jump('2027-03-02');
  await books.run();
  const events = await books.read((tx) =>
    tx.query<{ type: string }>("select type from event where type ~ 'invoice|usage' order by id"),
  );
  t.deepEqual(
    events.map(({ type }) => type),
    ['invoice.created', 'usage.billed'],
  );
});

test('a preview shows the usage so far', async (t) => {
  const { books, customerId, orderId } = await story();
  await used(books, orderId, [
    { on: '2027-01-06', period: 0, quantity: '180' },
    { on: '2027-02-06', period: 1, quantity: '30' },
  ]);
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const next = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-03-01');
  t.deepEqual(
    next.map(({ invoiceDate, currentAmountDue, lines }) => [
      invoiceDate,
      currentAmountDue,
      lines.flatMap(({ charges }) => charges.map(({ amount }) => amount)).join(' '),
    ]),
    [
      ['2027-02-01', '16.40', '10.00 6.40 16.40'],
      ['2027-03-01', '3.00', '3.00 3.00'],
    ],
  );
  t.is(next[0]?.lines[0]?.charges[2]?.isUsageChargeSubTotal, true);
});

test('an order with usage records keeps its line items and its start', async (t) => {
  const { books, orderId } = await story();
  await used(books, orderId, [{ on: '2027-01-06', period: 0, quantity: '50' }]);
  const edits = [{ startDate: '2027-01-05' }, { contractCode: 'OTHER' }];
  for (const edit of edits) await refused(t, books.put(orderId, edit), 'field.notEditable');
  const removal = books.change(orderId, { contractCode: 'METERED' }, { deletesCurrent: true });
  await refused(t, removal, 'order.billed');
  t.deepEqual(await recordsOf(books), ['2027-01-06 50 Unbilled']);
});
