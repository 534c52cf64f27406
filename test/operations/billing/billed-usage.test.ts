/** What was billed means periods and usage windows alike: coupons, edits and changes look at both. */
import test from 'ava';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { openBooks, sharedDatabase, type Books, type BooksOptions } from '../support/books.ts';
import { corrupt, own } from '../books/corrupt.ts';
import { refused } from '../support/refused.ts';
import { upload } from '../support/uploads.ts';

const db = await sharedDatabase();
const bills = { bills: true };

const usage = { priceCode: 'MINUTES', chargeType: 'UsageCharge', pricingType: 'FixedPricing' };
const minutes = { ...usage, unitOfMeasure: 'minute', price: 0.1 };
const recurring = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing' };
const line = { ...recurring, priceCode: 'LINE', price: 12, isPrepaid: true, isProrated: true };
const monthly = { billingPeriod: 'Monthly', billingAlignment: 'DayOfMonth', alignmentDay: 1 };
const plans = [
  { contractCode: 'CALLS', name: 'Calls', billingPeriod: 'Monthly', charges: [minutes] },
  { contractCode: 'METERED', name: 'Metered', ...monthly, charges: [line, minutes] },
  { contractCode: 'MORE', name: 'More', ...monthly, charges: [{ ...line, price: 24 }, minutes] },
  {
    contractCode: 'DAILY',
    name: 'Daily',
    billingPeriod: 'Daily',
    charges: [{ ...recurring, priceCode: 'DAY', price: 2, isPrepaid: true }],
  },
];
const coupons = [
  { code: 'HALFONCE', percent: 50, once: true },
  { code: 'FIVE', amount: 5 },
  { code: 'FIVEONCE', amount: 5, once: true },
  { code: 'FIFTEEN', amount: 15 },
  { code: 'TWOTIMES', amount: 5, periods: 2 },
];

async function story(order: object, options: Partial<BooksOptions> = {}) {
  const books = await openBooks(db, {
    today: '2027-01-01',
    plans,
    ...options,
    file: { coupons, ...options.file },
  });
  const customerId = await books.customer();
  const orderId = await books.order({ customerId, ...order });
  return { books, customerId, orderId };
}

const use = (books: Books, orderId: number, days: readonly IsoDate[], quantity = '100') =>
  upload(
    books,
    days.map((chargeDate) => ({ orderId, chargeDate, quantity })),
  );

/** `1001 2027-01-01: LINE 12.00, DISCOUNT -5.00`, without subtotals. */
const sums = async (books: Books) =>
  (await books.invoices()).map((text) => {
    const [head = '', charges = ''] = text.split(': ');
    const parts = charges.split(', ').map((each) => each.split(' '));
    // Each window has one charge and, after its discount, one subtotal.
    let windows = 0;
    const own = parts.flatMap(([code, ...rest]) => {
      if (code === 'MINUTES') windows += 1;
      return code === 'MINUTES' && windows % 2 === 0 ? [] : [`${code} ${rest.at(-1)}`];
    });
    return `${head.slice(0, 4)} ${head.slice(8, 18)}: ${own.join(', ')}`;
  });
const byStatements = async (books: Books) => (await books.audit(undefined, 0)).faults;
const isClean = async (books: Books) => (await books.audit()).faults;

async function forecast(books: Books, customerId: number, asOf: IsoDate): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const invoices = await nextInvoices(books.dependencies, tenant, { id: customerId }, asOf);
  return invoices.map(({ invoiceDate, currentAmountDue }) => `${invoiceDate} ${currentAmountDue}`);
}

test('a new startDate of an order whose windows closed empty opens windows anew', async (t) => {
  const { books, orderId } = await story(
    { contractCode: 'CALLS', startDate: '2026-06-03' },
    { today: '2027-06-03' },
  );
  await books.advance('2027-06-04');
  await books.put(orderId, { startDate: '2027-06-04' });
  t.is(await books.orderNow(orderId), 'Active next 2027-07-04 bills 2027-07-04');
  await use(books, orderId, ['2027-06-04'], '1000');
  await books.advance('2027-07-04');
  t.deepEqual(await sums(books), ['1001 2027-07-04: MINUTES 100.00']);
  t.deepEqual(await isClean(books), []);
});

test('another plan of an order whose windows closed empty opens windows anew', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS' });
  await books.advance('2027-03-01');
  await books.put(orderId, { startDate: '2027-02-15', contractCode: 'METERED' });
  await use(books, orderId, ['2027-02-20', '2027-03-02']);
  await books.advance('2027-04-01');
  t.deepEqual(await sums(books), [
    '1001 2027-03-02: LINE 6.00, LINE 12.00, MINUTES 10.00',
    '1002 2027-04-01: LINE 12.00, MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a coupon for once ends with the usage that it discounts', async (t) => {
  const { books, customerId, orderId } = await story({
    contractCode: 'CALLS',
    couponCode: 'HALFONCE',
  });
  await use(books, orderId, ['2027-01-20', '2027-02-20']);
  t.deepEqual(await forecast(books, customerId, '2027-03-01'), [
    '2027-02-01 5.00',
    '2027-03-01 10.00',
  ]);
  await books.advance('2027-03-01');
  t.deepEqual(await sums(books), [
    '1001 2027-02-01: MINUTES 10.00, DISCOUNT -5.00',
    '1002 2027-03-01: MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a fixed amount is for fee and usage of one period together, on whichever invoice', async (t) => {
  const five = await story({ contractCode: 'METERED', couponCode: 'FIVE' });
  await use(five.books, five.orderId, ['2027-01-20', '2027-02-20']);
  await five.books.advance('2027-03-01');
  t.deepEqual(await sums(five.books), [
    '1001 2027-01-02: LINE 12.00, DISCOUNT -5.00',
    '1002 2027-02-01: LINE 12.00, DISCOUNT -5.00, MINUTES 10.00',
    '1003 2027-03-01: LINE 12.00, DISCOUNT -5.00, MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(five.books), []);
  const { books, customerId, orderId } = await story({
    contractCode: 'METERED',
    couponCode: 'FIFTEEN',
  });
  await use(books, orderId, ['2027-01-20', '2027-02-20']);
  const expected = ['2027-01-02 0.00', '2027-02-01 7.00', '2027-03-01 7.00'];
  t.deepEqual(await forecast(books, customerId, '2027-03-01'), expected);
  await books.advance('2027-03-01');
  t.deepEqual(await sums(books), [
    '1001 2027-01-02: LINE 12.00, DISCOUNT -12.00',
    '1002 2027-02-01: LINE 12.00, DISCOUNT -12.00, MINUTES 10.00, DISCOUNT -3.00',
    '1003 2027-03-01: LINE 12.00, DISCOUNT -12.00, MINUTES 10.00, DISCOUNT -3.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a coupon of two periods is for the usage of two periods', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS', couponCode: 'TWOTIMES' });
  await use(books, orderId, ['2027-01-20', '2027-02-20', '2027-03-20']);
  await books.advance('2027-04-01');
  t.deepEqual(await sums(books), [
    '1001 2027-02-01: MINUTES 10.00, DISCOUNT -5.00',
    '1002 2027-03-01: MINUTES 10.00, DISCOUNT -5.00',
    '1003 2027-04-01: MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('late usage of an ended order shares the amount of its last period', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS', couponCode: 'FIFTEEN' });
  await use(books, orderId, ['2027-01-05']);
  await books.advance('2027-01-10');
  await books.put(orderId, { orderStatus: 'Canceled' });
  await books.advance('2027-01-11');
  await use(books, orderId, ['2027-01-06']);
  await books.advance('2027-01-12');
  await use(books, orderId, ['2027-01-07']);
  await books.advance('2027-01-13');
  t.deepEqual(await sums(books), [
    '1001 2027-01-11: MINUTES 10.00, DISCOUNT -10.00',
    '1002 2027-01-12: MINUTES 10.00, DISCOUNT -5.00',
    '1003 2027-01-13: MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('late usage of an ended order that comes while its customer is suspended is billed after the pause', async (t) => {
  const { books, customerId, orderId } = await story({ contractCode: 'CALLS' });
  await books.advance('2027-01-10');
  await books.put(orderId, { orderStatus: 'Canceled' });
  await books.advance('2027-01-12');
  await books.customerAction(customerId, 'suspend');
  await books.advance('2027-01-13');
  await use(books, orderId, ['2027-01-06']);
  await books.advance('2027-01-15');
  t.deepEqual(await sums(books), []);
  await books.customerAction(customerId, 'activate');
  await books.advance('2027-01-16');
  t.deepEqual(await sums(books), ['1001 2027-01-16: MINUTES 10.00']);
  t.deepEqual(await isClean(books), []);
});

test('rolled back usage gives its coupon back', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS', couponCode: 'HALFONCE' });
  await use(books, orderId, ['2027-01-20']);
  await books.advance('2027-02-01');
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.advance('2027-02-02');
  await use(books, orderId, ['2027-02-20']);
  await books.advance('2027-03-01');
  t.deepEqual(await sums(books), [
    '1001 2027-02-01: MINUTES 10.00, DISCOUNT -5.00',
    '1002 2027-02-02: MINUTES 10.00, DISCOUNT -5.00',
    '1003 2027-03-01: MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('the audit sums a fixed amount over fee and usage, and over the orders of a chain', async (t) => {
  const { books, orderId } = await story({ contractCode: 'METERED', couponCode: 'FIFTEEN' });
  await use(books, orderId, ['2027-01-20']);
  await books.advance('2027-02-01');
  await corrupt(books, [`update coupon set amount = 14 where ${own} and code = 'FIFTEEN'`]);
  t.deepEqual(
    (await byStatements(books)).map(({ object, detail }) => `${object}: ${detail}`),
    ['order 1001: FIFTEEN takes 15 off period 1, at most 14'],
  );
  const chain = await story({ contractCode: 'METERED', couponCode: 'FIVE' });
  await chain.books.advance('2027-01-16');
  await chain.books.change(chain.orderId, { contractCode: 'MORE', couponCode: 'FIVE' }, bills);
  await corrupt(chain.books, [`update coupon set amount = 4.99 where ${own} and code = 'FIVE'`]);
  t.deepEqual(
    (await byStatements(chain.books)).map(({ object, detail }) => `${object}: ${detail}`),
    ['order 1001: FIVE takes 5 off period 1, at most 4.99'],
  );
});

const grace = { settings: { usageGraceDays: 3 } };

test('usage that an order bills after its change finds what the next order took', async (t) => {
  const { books, customerId, orderId } = await story(
    { contractCode: 'METERED', couponCode: 'FIVE' },
    { file: grace },
  );
  await books.advance('2027-01-16');
  await use(books, orderId, ['2027-01-10']);
  await books.change(orderId, { contractCode: 'MORE', couponCode: 'FIVE' }, bills);
  t.deepEqual(await forecast(books, customerId, '2027-02-01'), [
    '2027-01-19 10.00',
    '2027-02-01 19.00',
  ]);
  await books.advance('2027-02-01');
  t.deepEqual(await sums(books), [
    '1001 2027-01-02: LINE 12.00, DISCOUNT -5.00',
    // 15 of 31 days are used: 5.81, and 2.42 of the discount; new 16 of 31 days of 24.00.
    '1002 2027-01-16: LINE -6.19, DISCOUNT 2.58, LINE 12.39, DISCOUNT -2.58',
    '1003 2027-01-19: MINUTES 10.00',
    '1004 2027-02-01: LINE 24.00, DISCOUNT -5.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('what a change gives back of a fixed amount is for the order that goes on', async (t) => {
  const { books, customerId, orderId } = await story({
    contractCode: 'METERED',
    couponCode: 'FIVE',
  });
  await books.advance('2027-01-16');
  await use(books, orderId, ['2027-01-10']);
  const preview = await books.previewChange(orderId, {
    contractCode: 'METERED',
    couponCode: 'FIVE',
  });
  await books.change(orderId, { contractCode: 'METERED', couponCode: 'FIVE' }, bills);
  t.is((await books.invoices())[1]?.slice(5), preview[0]);
  t.deepEqual(await forecast(books, customerId, '2027-02-01'), ['2027-02-01 7.00']);
  await books.advance('2027-02-01');
  t.deepEqual(await sums(books), [
    '1001 2027-01-02: LINE 12.00, DISCOUNT -5.00',
    // 16 of 31 days go back: 6.19, and 2.58 of the discount, which the usage before does not take.
    '1002 2027-01-16: MINUTES 10.00, LINE -6.19, DISCOUNT 2.58, LINE 6.19, DISCOUNT -2.58',
    '1003 2027-02-01: LINE 12.00, DISCOUNT -5.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a coupon for once that the next order used is used for the usage before it', async (t) => {
  const { books, customerId, orderId } = await story(
    { contractCode: 'CALLS', couponCode: 'HALFONCE' },
    { file: grace },
  );
  await books.advance('2027-01-16');
  await use(books, orderId, ['2027-01-10']);
  await books.change(orderId, { contractCode: 'METERED', couponCode: 'HALFONCE' }, bills);
  t.deepEqual(await forecast(books, customerId, '2027-01-19'), ['2027-01-19 10.00']);
  await books.advance('2027-01-19');
  t.deepEqual(await sums(books), [
    '1001 2027-01-16: LINE 6.19, DISCOUNT -3.10',
    '1002 2027-01-19: MINUTES 10.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('each period of orders with periods of their own has its amount', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS', couponCode: 'FIVE' });
  await books.advance('2027-01-16');
  await use(books, orderId, ['2027-01-10']);
  await books.change(orderId, { contractCode: 'DAILY', couponCode: 'FIVE' }, bills);
  t.deepEqual(await sums(books), [
    '1001 2027-01-16: MINUTES 10.00, DISCOUNT -5.00, DAY 2.00, DISCOUNT -2.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a fixed amount for once is taken once, of all elapsed periods together', async (t) => {
  const { books, customerId } = await story(
    { contractCode: 'DAILY', couponCode: 'FIVEONCE' },
    { today: '2027-01-04' },
  );
  const order = { customerId, contractCode: 'DAILY', couponCode: 'FIVEONCE' };
  await books.order({ ...order, startDate: '2027-01-01', separateInvoice: 1 });
  await books.advance('2027-01-05');
  t.deepEqual(await sums(books), [
    '1001 2027-01-05: DAY 2.00, DISCOUNT -2.00, DAY 2.00, DISCOUNT -2.00',
    // 5.00 over five days of 2.00.
    `1002 2027-01-05: ${Array.from({ length: 5 }, () => 'DAY 2.00, DISCOUNT -1.00').join(', ')}`,
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a change reaches over no billed window', async (t) => {
  const { books, orderId } = await story({ contractCode: 'CALLS' });
  await use(books, orderId, ['2027-01-20', '2027-02-10']);
  await books.advance('2027-02-15');
  const change = (effectiveDate: IsoDate) =>
    books.change(orderId, { contractCode: 'METERED' }, { effectiveDate });
  await refused(t, change('2027-01-31'), 'field.invalid', 'effectiveDate');
  await change('2027-02-01');
  await books.advance('2027-03-01');
  t.deepEqual(await isClean(books), []);
});
