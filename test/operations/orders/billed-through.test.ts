/** Orders that move in from another system (billedThrough): what is billed here, and from when on. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { rateOrder } from '../../../operations/orders/quote.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const setup = { chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 49 };
const m31 = recurring('M31', 31, prorated);
const plans = [
  m31,
  recurring('L62', 62, prorated),
  recurring('A31', 31, { isProrated: true }),
  recurring('WHOLE', 31, prepaid),
  recurring('LATE', 31),
  recurring('YEAR', 365, prorated, { billingPeriod: 'Yearly' }),
  recurring('DAY1', 31, prorated, { billingAlignment: 'DayOfMonth', alignmentDay: 1 }),
  {
    ...m31,
    contractCode: 'FULL',
    charges: [
      { ...m31.charges[0], priceCode: 'FEE' },
      { priceCode: 'SETUP', ...setup, isMandatory: true },
    ],
  },
  {
    ...m31,
    contractCode: 'VAT',
    charges: [
      { ...m31.charges[0], priceCode: 'FEE' },
      {
        priceCode: 'TAX',
        chargeType: 'RecurringCharge',
        pricingType: 'TieredPricing',
        isTax: true,
        isPrepaid: true,
        tiers: [{ unitsFrom: 0, percent: 10 }],
      },
    ],
  },
];
const coupons = [{ code: 'FOUR', percent: 10, periods: 4 }];
const since = { startDate: '2026-10-15' };

async function shop(): Promise<{ readonly books: Books; readonly customerId: number }> {
  const books = await openBooks(db, { today: '2027-01-15', plans, file: { coupons } });
  return { books, customerId: await books.customer() };
}

/** An order since 2026-10-15, posted on 2027-01-15. */
async function movedIn(contractCode: string, billedThrough: string | null, more: OrderInput = {}) {
  const { books, customerId } = await shop();
  const input = { customerId, contractCode, billedThrough, ...since, ...more };
  return { books, customerId, id: await books.order(input) };
}

/** The day and the charges of each invoice. */
const billed = async (books: Books) =>
  (await books.invoices()).map((text) => text.replace(/^\d+ (on .{10}) due .*?: /, '$1: '));

const cases: readonly [
  rule: string,
  plan: string,
  through: string,
  upTo: string,
  ...invoices: string[],
][] = [
  [
    'M31 through 01-14 bills the period of today on the next day',
    'M31',
    '2027-01-14',
    '2027-02-15',
    'on 2027-01-16: M31 2027-01-15 2027-02-14 31.00',
    'on 2027-02-15: M31 2027-02-15 2027-03-14 31.00',
  ],
  [
    'M31 through 01-20 bills the rest of the period by days: 31.00 x 25/31 = 25.00',
    'M31',
    '2027-01-20',
    '2027-02-15',
    'on 2027-01-21: M31 2027-01-21 2027-02-14 25.00',
    'on 2027-02-15: M31 2027-02-15 2027-03-14 31.00',
  ],
  [
    'A31 through 02-14: the period under way was billed nowhere',
    'A31',
    '2027-02-14',
    '2027-02-15',
    'on 2027-02-15: A31 2027-01-15 2027-02-14 31.00',
  ],
  [
    'A31 through 12-20: of a period that is over the rest is billed, 31.00 x 25/31',
    'A31',
    '2026-12-20',
    '2027-02-15',
    'on 2027-01-16: A31 2026-12-21 2027-01-14 25.00',
    'on 2027-02-15: A31 2027-01-15 2027-02-14 31.00',
  ],
  [
    'a prepaid charge that is not prorated goes on with the next period',
    'WHOLE',
    '2027-01-20',
    '2027-02-15',
    'on 2027-02-15: WHOLE 2027-02-15 2027-03-14 31.00',
  ],
  [
    'or with the one that begins on the day after',
    'WHOLE',
    '2027-01-14',
    '2027-01-16',
    'on 2027-01-16: WHOLE 2027-01-15 2027-02-14 31.00',
  ],
  [
    'one in arrears that is not prorated goes on with the next period, too',
    'LATE',
    '2026-12-20',
    '2027-02-15',
    'on 2027-02-15: LATE 2027-01-15 2027-02-14 31.00',
  ],
  [
    'a year from 2026-10-15 through 2027-09-14: 30 of its 365 days',
    'YEAR',
    '2027-09-14',
    '2027-10-15',
    'on 2027-09-15: YEAR 2027-09-15 2027-10-14 30.00',
    // 2028 has a 29 February: the second year has 366 days at the same price.
    'on 2027-10-15: YEAR 2027-10-15 2028-10-14 365.00',
  ],
  [
    'aligned to day 1, through 01-20: 31.00 x 11/31',
    'DAY1',
    '2027-01-20',
    '2027-02-01',
    'on 2027-01-21: DAY1 2027-01-21 2027-01-31 11.00',
    'on 2027-02-01: DAY1 2027-02-01 2027-02-28 31.00',
  ],
  [
    'a tax in percent that is not prorated begins with what it taxes',
    'VAT',
    '2027-01-20',
    '2027-02-15',
    'on 2027-01-21: FEE 2027-01-21 2027-02-14 25.00, TAX 2027-01-21 2027-02-14 2.50',
    'on 2027-02-15: FEE 2027-02-15 2027-03-14 31.00, TAX 2027-02-15 2027-03-14 3.10',
  ],
];

for (const [rule, plan, through, upTo, ...invoices] of cases) {
  test(rule, async (t) => {
    const { books, customerId } = await movedIn(plan, through);
    const tenant = await tenantInfo(books.dependencies, books.tenantId);
    const next = await nextInvoices(books.dependencies, tenant, { id: customerId }, upTo);
    await books.advance(upTo);
    t.deepEqual(await billed(books), invoices);
    t.is(next.length, invoices.length);
    t.deepEqual((await books.audit()).faults, []);
  });
}

test('generateInvoice bills at once what is due after the days that are billed elsewhere', async (t) => {
  const { books, customerId } = await shop();
  const input = { customerId, contractCode: 'M31', ...since };
  await books.order({ ...input, billedThrough: '2027-01-14' }, { generateInvoice: true });
  await books.order({ ...input, billedThrough: '2027-01-20' }, { generateInvoice: true });
  t.deepEqual(await billed(books), ['on 2027-01-15: M31 2027-01-15 2027-02-14 31.00']);
  await books.order(
    { ...input, billedThrough: '2027-01-20' },
    { forceInvoiceGeneration: true, generateInvoice: false },
  );
  t.is((await billed(books)).at(-1), 'on 2027-01-15: M31 2027-01-21 2027-02-14 25.00');
});

test('one-time charges are billed only if the caller names them, mandatory ones too', async (t) => {
  const { books } = await movedIn('FULL', '2027-01-20');
  await books.advance('2027-01-21');
  t.deepEqual(await billed(books), ['on 2027-01-21: FEE 2027-01-21 2027-02-14 25.00']);
  const one = await movedIn('FULL', '2027-01-20', { orderLineItems: [{ priceCode: 'FEE' }] });
  await one.books.advance('2027-01-21');
  t.deepEqual(await billed(one.books), ['on 2027-01-21: FEE 2027-01-21 2027-02-14 25.00']);
  const orderLineItems = [{ priceCode: 'FEE' }, { priceCode: 'SETUP' }];
  const named = await movedIn('FULL', '2027-01-20', { orderLineItems });
  await named.books.advance('2027-01-21');
  t.deepEqual(await billed(named.books), [
    'on 2027-01-16: SETUP 2026-10-15 2026-10-15 49.00',
    'on 2027-01-21: FEE 2027-01-21 2027-02-14 25.00',
  ]);
  t.deepEqual((await named.books.audit()).faults, []);
});

test('the periods of a coupon count from the startDate: the fourth is that of today', async (t) => {
  const { books } = await movedIn('M31', '2027-01-20', { couponCode: 'FOUR' });
  await books.advance('2027-02-15');
  t.deepEqual(await billed(books), [
    'on 2027-01-21: M31 2027-01-21 2027-02-14 25.00, DISCOUNT 2027-01-21 2027-02-14 -2.50',
    'on 2027-02-15: M31 2027-02-15 2027-03-14 31.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('it is at least the startDate, at most the endDate, and at most two years ahead', async (t) => {
  const { books, customerId } = await shop();
  const post = (billedThrough: string, more: OrderInput = {}) =>
    books.order({ customerId, contractCode: 'M31', ...since, ...more, billedThrough });
  const path = 'subscriptionOrder/billedThrough';
  await refused(t, post('2026-10-14'), 'field.invalid', path);
  await refused(t, post('2029-01-16'), 'field.invalid', path);
  const ends = { endDate: '2027-03-31', isAutoRenew: false };
  await refused(t, post('2027-04-01', ends), 'field.invalid', path);
  await post('2026-10-15');
  await post('2029-01-15');
  await post('2027-03-31', ends);
  // The end of the present term of an order that has renewed.
  const term = { startDate: '2025-10-15', endDate: '2026-10-14', isAutoRenew: true };
  await post('2027-10-14', term);
  await refused(t, post('2027-10-15', term), 'field.invalid', path);
});

test('an end with its period comes after the period that is billed elsewhere', async (t) => {
  const { books, id } = await movedIn('M31', '2027-06-20');
  await books.end(id, { when: 'periodEnd' });
  t.is(await books.orderNow(id), 'Active ends 2027-07-14 next 2027-06-21 bills 2027-06-21');
  await books.advance('2027-07-20');
  // 24 of the 30 days from 06-15.
  t.deepEqual(await billed(books), ['on 2027-06-21: M31 2027-06-21 2027-07-14 24.80']);
});

test('a cancellation credits nothing of what is billed elsewhere', async (t) => {
  const settings = { creditUnusedOnCancel: true };
  const books = await openBooks(db, { today: '2027-01-15', plans, file: { settings } });
  const customerId = await books.customer();
  const input = { customerId, contractCode: 'M31', ...since, billedThrough: '2027-01-20' };
  await books.put(await books.order(input), { orderStatus: 'Canceled' });
  const id = await books.order(input);
  await books.advance('2027-01-24');
  await books.put(id, { orderStatus: 'Canceled' });
  const credits = await books.read((tx) =>
    tx.query<{ amount: string }>(`select amount::numeric(9, 2)::text as amount from payment`),
  );
  // 21 of the 25 days that were billed here.
  t.deepEqual(credits, [{ amount: '21.00' }]);
});

/* Changes by PUT. */

test('a PUT sets it while nothing is billed, and then it is fixed', async (t) => {
  const { books, customerId } = await shop();
  const id = await books.order({ customerId, contractCode: 'FULL', ...since });
  await books.put(id, { billedThrough: '2027-01-20' });
  t.is(await books.orderNow(id), 'Active next 2027-01-21 bills 2027-01-21');
  // Without it, the whole plan has its one-time charge again.
  await books.put(id, { billedThrough: null });
  t.is(await books.orderNow(id), 'Active next 2026-10-15 bills 2027-01-16');
  await books.put(id, { billedThrough: '2027-01-14' });
  const path = 'subscriptionOrder/billedThrough';
  await refused(t, books.put(id, { billedThrough: '2026-10-01' }), 'field.invalid', path);
  await refused(t, books.put(id, { startDate: '2027-01-15' }), 'field.invalid', path);
  await books.advance('2027-01-16');
  t.deepEqual(await billed(books), ['on 2027-01-16: FEE 2027-01-15 2027-02-14 31.00']);
  await refused(t, books.put(id, { billedThrough: null }), 'field.notEditable', path);
  await refused(t, books.put(id, { billedThrough: '2027-01-20' }), 'field.notEditable', path);
  await books.put(id, { billedThrough: '2027-01-14', isAutoRenew: false });
  t.deepEqual((await books.audit()).faults, []);
});

test('without it, the elapsed periods and the one-time charge are billed here', async (t) => {
  const { books, id } = await movedIn('FULL', '2027-01-20');
  await books.put(id, { billedThrough: null });
  await books.advance('2027-01-16');
  t.deepEqual(await billed(books), [
    'on 2027-01-16: FEE 2026-10-15 2026-11-14 31.00, FEE 2026-11-15 2026-12-14 31.00, ' +
      'FEE 2026-12-15 2027-01-14 31.00, FEE 2027-01-15 2027-02-14 31.00, ' +
      'SETUP 2026-10-15 2026-10-15 49.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('what is sent back as it was read says nothing anew of periods in arrears', async (t) => {
  const { books, id } = await movedIn('A31', '2027-06-14', { orderStatus: 'Draft' });
  await books.advance('2027-02-20');
  await books.put(id, { billedThrough: '2027-06-14', notes: 'read and sent' });
  await books.put(id, { orderStatus: 'Active' });
  await books.advance('2027-02-21');
  t.deepEqual(await billed(books), ['on 2027-02-21: A31 2027-01-15 2027-02-14 31.00']);
});

test('another plan of the same order begins after the same day, by its own periods', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  await books.put(id, { contractCode: 'WHOLE' });
  t.is(await books.orderNow(id), 'Active next 2027-02-15 bills 2027-02-15');
  await books.put(id, { contractCode: 'L62' });
  await books.advance('2027-01-21');
  t.deepEqual(await billed(books), ['on 2027-01-21: L62 2027-01-21 2027-02-14 50.00']);
});

/* Quotes. */

test('a quote has the first period that is billed here, and holds only with the same day', async (t) => {
  const { books, customerId } = await shop();
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const input = { customerId, contractCode: 'FULL', ...since, billedThrough: '2027-01-20' };
  const quote = await rateOrder(books.dependencies, tenant, { input }, () => undefined);
  t.is(quote.total, '25.00');
  t.deepEqual(
    quote.recurring.lineItems.map(({ terms }) => terms?.billingPeriodStart),
    ['2027-01-21'],
  );
  const quoteHash = quote.hash;
  const other = { ...input, billedThrough: '2027-01-21', quoteHash };
  await refused(t, books.order(other), 'quote.moved', 'subscriptionOrder/quoteHash');
  await books.order({ ...input, quoteHash });
});

/* Beside trials. */

test('a trial falls away beside it, and trialDays above 0 are refused', async (t) => {
  const trial = { trial: { value: 14, units: 'Days' } };
  const tried = recurring('TRY', 31, prorated, trial);
  const books = await openBooks(db, { today: '2027-01-15', plans: [tried, m31] });
  const customerId = await books.customer();
  const input = { customerId, contractCode: 'TRY', billedThrough: '2027-01-20' };
  const path = 'subscriptionOrder/billedThrough';
  await refused(t, books.order({ ...input, trialDays: 3 }), 'field.invalid', path);
  const id = await books.order({ ...input, trialDays: 0 });
  t.is(await books.orderNow(id), 'Active next 2027-01-21 bills 2027-01-21');
  await books.order(input);
  // In its trial, a PUT of it ends the trial.
  const later = await books.order({ ...input, billedThrough: undefined });
  t.is(await books.orderNow(later), 'Active next 2027-01-29 bills 2027-01-29');
  await books.put(later, { billedThrough: '2027-01-20' });
  t.is(await books.orderNow(later), 'Active next 2027-01-21 bills 2027-01-21');
  await refused(t, books.put(later, { trialDays: 5 }), 'field.invalid', path);
  await refused(t, books.change(id, { contractCode: 'M31', trialDays: 5 }), 'field.invalid', path);
  await books.change(id, { contractCode: 'TRY' }, { deletesCurrent: true });
  await books.advance('2027-01-21');
  // 31.00 x 25/31 of each.
  t.deepEqual(await billed(books), [
    'on 2027-01-21: TRY 2027-01-21 2027-02-14 25.00, TRY 2027-01-21 2027-02-14 25.00, ' +
      'TRY 2027-01-21 2027-02-14 25.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});
