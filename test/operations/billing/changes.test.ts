/** Change orders: the credit of the current order and the bill of the new one, by worked examples. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const now = { generateInvoice: true };
const bills = { bills: true };
const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const fee = recurring('GOLD', 29.95, { ...prorated, taxCodes: ['STANDARD'] });
const gold = { ...fee, charges: [{ ...setup, price: 49 }, ...fee.charges] };
const yearly = (contractCode: string, more: object = {}) => ({
  ...recurring(contractCode, 1200, { ...prepaid, ...more }),
  billingPeriod: 'Yearly',
});
const plans = [
  gold,
  yearly('YEAR', prorated),
  yearly('WHOLE', { priceCode: 'WHOLE' }),
  recurring('ARREARS', 31, { isProrated: true }),
  {
    ...recurring('SPLIT', 31, prorated),
    charges: [
      ...recurring('SPLIT', 31, prorated).charges,
      ...recurring('BOX', 31, { ...prorated, isSeparateInvoice: true }).charges,
    ],
  },
  {
    ...recurring('MIX', 31, prorated),
    charges: [
      ...recurring('MIX', 31, prorated).charges,
      ...recurring('METER', 31, { isProrated: true }).charges,
    ],
  },
];
const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];
const coupons = [
  { code: 'WELCOME10', percent: 10, periods: 3, endDate: '2027-01-20' },
  { code: 'FIVE', amount: 5 },
  { code: 'TENONCE', percent: 10, once: true },
];
const file = { tax: { type: 'table', rates }, coupons };
const january = { today: '2027-01-15', plans, file };
const newYork = { countryCode: 'US', state: 'NY' };
const two = {
  contractCode: 'GOLD',
  orderLineItems: [{ priceCode: 'GOLD', quantity: '2' }],
};

/** The number, the sum and the amounts of each invoice. */
const sums = (invoices: readonly string[]) =>
  invoices.map((text) => {
    const [head = '', charges = ''] = text.split(': ');
    const amounts = charges.split(', ').map((each) => each.split(' ').at(-1));
    return `${head.slice(0, 4)} ${head.split(' ').at(-1)}: ${amounts.join(' ')}`;
  });
const isClean = async (books: Books) => (await books.audit()).faults;

test('the example: a change after 17 of 31 days credits fee, discount and tax', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer({ address: newYork });
  const order = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await books.order(order, now);
  await books.advance('2027-02-01');
  const preview = await books.previewChange(id, two);
  const next = await books.change(id, two, bills);
  const [, change] = await books.invoices();
  t.is(
    change,
    '1002 on 2027-02-01 due 2027-03-03 Outstanding 16.20: GOLD 2027-02-01 2027-02-14 -13.53, ' +
      'DISCOUNT 2027-02-01 2027-02-14 1.36, TAX 2027-02-01 2027-02-14 -1.08, ' +
      'GOLD 2027-02-01 2027-02-14 27.05, TAX 2.40',
  );
  t.deepEqual(preview, [change?.slice(5)]);
  t.is(await books.orderNow(id), 'Superseded ends 2027-01-31');
  t.is(await books.orderNow(next), 'Active next 2027-02-15 bills 2027-02-15');
  await books.advance('2027-02-15');
  t.deepEqual(sums((await books.invoices()).slice(2)), ['1003 65.22: 59.90 5.32']);
  t.deepEqual(await isClean(books), []);
});

test('a coupon that the new order names goes on, although it has ended', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer({ address: newYork });
  const order = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await books.order(order, now);
  await books.advance('2027-02-01');
  const next = await books.change(id, { ...two, couponCode: 'WELCOME10' }, bills);
  t.deepEqual(sums((await books.invoices()).slice(1)), [
    '1002 13.25: -13.53 1.36 -1.08 27.05 -2.71 2.16',
  ]);
  // The period under way counts once: two more are discounted.
  await books.advance('2027-04-15');
  t.deepEqual(sums((await books.invoices()).slice(2)), [
    '1003 58.69: 59.90 -5.99 4.78',
    '1004 58.69: 59.90 -5.99 4.78',
    '1005 65.22: 59.90 5.32',
  ]);
  t.is(await books.orderNow(next), 'Active next 2027-05-15 bills 2027-05-15');
  t.deepEqual(await isClean(books), []);
});

test('of a fixed coupon, what no standing discount took is left for the period', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', couponCode: 'FIVE' }, now);
  await books.advance('2027-02-01');
  const second = await books.change(id, { ...two, couponCode: 'FIVE' }, bills);
  // 4 of the 14 days of the second order are used: 7.73, and 0.25 of its discount.
  await books.advance('2027-02-05');
  await books.change(second, { ...two, couponCode: 'FIVE' }, bills);
  t.deepEqual(sums(await books.invoices()), [
    '1001 73.95: 49.00 -3.10 29.95 -1.90',
    '1002 13.52: -13.53 0.86 27.05 -0.86',
    '1003 0.00: -19.32 0.61 19.32 -0.61',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a coupon for once leaves what the change gives back of it, on its own invoice', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', couponCode: 'TENONCE' }, now);
  await books.advance('2027-02-01');
  await books.change(id, { ...two, couponCode: 'TENONCE' }, bills);
  await books.advance('2027-02-15');
  t.deepEqual(sums(await books.invoices()), [
    '1001 71.05: 49.00 -4.90 29.95 -3.00',
    '1002 13.52: -13.53 1.36 27.05 -1.36',
    '1003 59.90: 59.90',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('what a change leaves of a coupon for once lapses after its own invoice', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const coupon = { couponCode: 'TENONCE' };
  const id = await books.order({ customerId, contractCode: 'SPLIT', ...coupon }, now);
  await books.advance('2027-02-01');
  const orderLineItems = [{ priceCode: 'SPLIT', quantity: '0.5' }, { priceCode: 'BOX' }];
  const half = { contractCode: 'SPLIT', orderLineItems, ...coupon };
  const preview = await books.previewChange(id, half);
  await books.change(id, half, bills);
  const made = await books.invoices();
  // 14 of 31 days: of the 1.40 that are given back 0.70 are of use, and the box has no part in them.
  t.deepEqual(sums(made), [
    '1001 27.90: 31.00 -3.10',
    '1002 31.00: 31.00',
    '1003 -20.30: -14.00 1.40 -14.00 7.00 -0.70',
    '1004 14.00: 14.00',
  ]);
  t.deepEqual(
    preview,
    made.slice(2).map((text) => text.slice(5)),
  );
  t.deepEqual(await isClean(books), []);
});

test('what a change gives back of a coupon for once is not for the last charges of the order before', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const coupon = { couponCode: 'TENONCE' };
  const id = await books.order({ customerId, contractCode: 'MIX', ...coupon }, now);
  await books.advance('2027-02-01');
  const orderLineItems = [{ priceCode: 'MIX', quantity: '0.5' }];
  const half = { contractCode: 'MIX', orderLineItems, ...coupon };
  const preview = await books.previewChange(id, half);
  await books.change(id, half, bills);
  const made = await books.invoices();
  // 17 days of the meter are billed whole; the new order takes 0.70 of the 1.40 that are given back.
  t.deepEqual(sums(made), ['1001 27.90: 31.00 -3.10', '1002 10.70: 17.00 -14.00 1.40 7.00 -0.70']);
  t.deepEqual(
    preview,
    made.slice(1).map((text) => text.slice(5)),
  );
  t.deepEqual(await isClean(books), []);
});

test('a preview knows that the order before used a coupon for once up on the day of the change', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const coupon = { couponCode: 'TENONCE' };
  const id = await books.order({ customerId, contractCode: 'ARREARS', ...coupon });
  const lines = [{ priceCode: 'ARREARS', quantity: '2' }];
  const next = { contractCode: 'ARREARS', orderLineItems: lines, ...coupon };
  await books.change(id, next, { effectiveDate: '2027-02-01' });
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const shown = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-02-15');
  await books.advance('2027-02-15');
  const made = await books.invoices();
  // 17 days of 31.00, then 14 days of 62.00.
  t.deepEqual(sums(made), ['1001 15.30: 17.00 -1.70', '1002 28.00: 28.00']);
  t.deepEqual(
    shown.map(({ currentAmountDue }) => currentAmountDue),
    ['15.30', '28.00'],
  );
});

test('a fixed coupon is whole for a period of another length, also on the first day', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', couponCode: 'FIVE' }, now);
  const input = { contractCode: 'YEAR', couponCode: 'FIVE' };
  const preview = await books.previewChange(id, input);
  await books.change(id, input, bills);
  const made = (await books.invoices()).slice(1);
  t.deepEqual(sums(made), ['1002 1166.95: -29.95 1.90 1200.00 -5.00']);
  t.deepEqual(preview, [made[0]?.slice(5)]);
  t.deepEqual(await isClean(books), []);
});

test('to a yearly plan: its periods begin on the day of the change', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer({ address: newYork });
  const order = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await books.order(order, now);
  await books.advance('2027-02-01');
  const next = await books.change(id, { contractCode: 'YEAR' }, bills);
  t.deepEqual(sums((await books.invoices()).slice(1)), ['1002 1186.75: -13.53 1.36 -1.08 1200.00']);
  t.is(await books.orderNow(next), 'Active next 2028-02-01 bills 2028-02-01');
  // And back: 31 of 365 days are used, 101.92; the monthly periods begin on the day.
  await books.advance('2027-03-04');
  const back = await books.change(next, { contractCode: 'GOLD' }, bills);
  t.deepEqual(sums((await books.invoices()).slice(2)), ['1003 -1065.47: -1098.08 29.95 2.66']);
  t.is(await books.orderNow(back), 'Active next 2027-04-04 bills 2027-04-04');
  t.deepEqual(await isClean(books), []);
});

test('what is not prorated is credited on the first day only, and else not billed again', async (t) => {
  for (const [on, expected, next] of [
    ['2027-02-01', ['1002 0.00: -1200.00 1200.00'], '2028-02-01'],
    ['2027-02-10', [], '2028-02-01'],
  ] as const) {
    const books = await openBooks(db, { ...january, today: '2027-02-01' });
    const customerId = await books.customer();
    const id = await books.order({ customerId, contractCode: 'WHOLE' }, now);
    await books.advance(on);
    const after = await books.change(id, { contractCode: 'WHOLE' }, bills);
    t.deepEqual(sums((await books.invoices()).slice(1)), expected);
    t.is(await books.orderNow(after), `Active next ${next} bills ${next}`);
    t.deepEqual(await isClean(books), []);
  }
});

test('a pending change: the current order bills whole periods until its day', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, now);
  await books.advance('2027-02-05');
  const how = { effectiveDate: '2027-03-20' };
  const preview = await books.previewChange(id, two, how);
  const next = await books.change(id, two, how);
  t.is(await books.orderNow(next), 'Provisioning next 2027-03-20');
  t.deepEqual(await isClean(books), []);
  await books.advance('2027-03-20');
  const made = (await books.invoices()).slice(1);
  t.deepEqual(sums(made), ['1002 29.95: 29.95', '1003 29.95: 29.95', '1004 25.12: -25.12 50.24']);
  t.deepEqual(preview, [made.at(-1)?.slice(5)]);
  t.is(await books.orderNow(id), 'Superseded ends 2027-03-19');
  t.is(await books.orderNow(next), 'Active next 2027-04-15 bills 2027-04-15');
  t.deepEqual(await isClean(books), []);
});

test('without generateInvoice the next 00:00 bills the change, the credit alone if need be', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, now);
  await books.advance('2027-02-01');
  const next = await books.change(id, { contractCode: 'ARREARS' });
  t.is(await books.orderNow(id), 'Superseded ends 2027-01-31 next 2027-02-01 bills 2027-02-02');
  t.deepEqual(await isClean(books), []);
  await books.suspend(next);
  await books.advance('2027-02-02');
  t.deepEqual(sums((await books.invoices()).slice(1)), ['1002 -13.53: -13.53']);
  t.is(await books.orderNow(id), 'Superseded ends 2027-01-31');
  t.deepEqual(await isClean(books), []);
});

test('a change without a used day, of an order that billed nothing, bills the new order whole', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.change(id, two, bills);
  t.deepEqual(sums(await books.invoices()), ['1001 59.90: 59.90']);
  t.is(await books.orderNow(id), 'Superseded');
  t.deepEqual(await isClean(books), []);
});

test('used days that were not billed before the change are billed with it', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'GOLD', startDate: '2027-01-01' };
  const id = await books.order(order);
  await books.change(id, two, bills);
  // 14 of January's 31 days, and 17 of the new order's.
  t.deepEqual(sums(await books.invoices()), ['1001 95.38: 49.00 13.53 32.85']);
  t.deepEqual(await isClean(books), []);
});

test('a rollback of the invoice of a change makes its credit due again', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, now);
  await books.advance('2027-02-01');
  await books.change(id, two, bills);
  await t.throwsAsync(books.change(id, two), { message: /only an Active order/ });
  await t.throwsAsync(books.cancelInvoice(1001), { message: /credited/ });
  await books.cancelInvoice(1002, { rollbackBillingPeriod: true });
  t.is(await books.orderNow(id), 'Superseded ends 2027-01-31 next 2027-02-01 bills 2027-02-02');
  t.deepEqual(await isClean(books), []);
  await books.advance('2027-02-02');
  t.deepEqual(sums((await books.invoices()).slice(2)), ['1003 13.52: -13.53 27.05']);
  // Both rolled back: the used days of the current order are billed anew, 16.42 and the setup.
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.advance('2027-02-03');
  t.deepEqual(sums((await books.invoices()).slice(3)), ['1004 92.47: 49.00 16.42 27.05']);
  t.deepEqual(await isClean(books), []);
});

test('a Suspended order keeps its change waiting, which takes effect on its return', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, now);
  const next = await books.change(id, two, { effectiveDate: '2027-02-01' });
  await books.advance('2027-01-25');
  await books.suspend(id);
  await books.advance('2027-02-03');
  t.is(await books.orderNow(next), 'Provisioning next 2027-02-01');
  t.deepEqual(await isClean(books), []);
  await books.activate(id);
  t.is(await books.orderNow(id), 'Superseded ends 2027-02-02 next 2027-02-03 bills 2027-02-04');
  t.is(await books.orderNow(next), 'Active next 2027-02-03 bills 2027-02-04');
  await books.advance('2027-02-04');
  // Suspended days count as used: 12 of 31 are left, 29.95 - 18.36.
  t.deepEqual(sums((await books.invoices()).slice(1)), ['1002 11.60: -11.59 23.19']);
  t.deepEqual(await isClean(books), []);
});

test('a pending change ends with either of its orders', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' }, now);
  const first = await books.change(id, two, { effectiveDate: '2027-02-01' });
  await t.throwsAsync(books.change(id, two), { message: /pending/ });
  await books.put(first, { orderStatus: 'Canceled' });
  t.is(await books.orderNow(first), 'Canceled');
  t.is(await books.orderNow(id), 'Active next 2027-02-15 bills 2027-02-15');
  const second = await books.change(id, two, { effectiveDate: '2027-02-20' });
  await books.put(id, { endDate: '2027-02-18', isAutoRenew: false });
  await books.advance('2027-02-19');
  t.is(await books.orderNow(id), 'Complete ends 2027-02-18');
  t.is(await books.orderNow(second), 'Canceled');
  const other = await books.order({ customerId, contractCode: 'GOLD' }, now);
  const third = await books.change(other, two, { effectiveDate: '2027-03-01' });
  await books.put(other, { orderStatus: 'Canceled' });
  t.is(await books.orderNow(third), 'Canceled');
  t.deepEqual(await isClean(books), []);
});

test('deleteCurrentOrder: the current order disappears, its number stays used', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const first = await books.order({ customerId, contractCode: 'GOLD', jobCode: 'J-1' });
  const { order: number = 0 } = await books.counters();
  const second = await books.change(first, { contractCode: 'YEAR' }, { deletesCurrent: true });
  t.is(await books.orderNow(first), 'gone');
  t.is((await books.counters()).order, number + 1);
  t.is(await books.orderNow(second), 'Active next 2027-01-15 bills 2027-01-16');
  t.deepEqual(await isClean(books), []);
  await books.advance('2027-01-16');
  t.deepEqual(sums(await books.invoices()), ['1001 1200.00: 1200.00']);
  const again = books.change(second, two, { deletesCurrent: true });
  await t.throwsAsync(again, { message: /billed/ });
});
