/** Trials: which days are free, what billing makes of the day after them, and who has one. */
import test from 'ava';
import { quotePlan, rateOrder } from '../../../operations/orders/quote.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const trial = { value: 14, units: 'Days' };
const setup = {
  priceCode: 'SETUP',
  chargeType: 'OneTimeCharge',
  pricingType: 'FixedPricing',
  price: 49,
};
const aligned = { billingAlignment: 'DayOfMonth', alignmentDay: 1 };
const M31 = recurring('M31', 31, prorated, { trial });
const plans = [
  M31,
  recurring('A31', 31, { isProrated: true }, { trial }),
  recurring('WHOLE', 31, { isPrepaid: true }),
  recurring('W62', 62, prorated, { trial: { value: 2, units: 'Weeks', card: 'required' } }),
  recurring('P62', 62, prorated),
  recurring('DAY1', 31, prorated, aligned),
  { ...recurring('MONTH', 31, prorated, { trial: { value: 1, units: 'Months' } }) },
  { ...M31, contractCode: 'SET', name: 'Set', charges: [...M31.charges, setup] },
];
const coupons = [{ code: 'TEN', percent: 10, periods: 2 }];

async function booksWith(fields: object = {}, today = '2027-01-18', how: object = {}) {
  const books = await openBooks(db, { today, plans, file: { coupons } });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'M31', ...fields }, how);
  return { books, customerId, id };
}

/** Its trial, its term, its periods. */
async function daysOf(books: Books, id: number): Promise<string> {
  const [row] = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', status, start_date, 'free to', coalesce(trial_end_date::text, '-'),
         'term', term_start, term_first_end, 'anchor', anchor) as text
       from subscription_order where id = $1`,
      [id],
    ),
  );
  return row?.text ?? '';
}

const billed = async (books: Books) =>
  (await books.invoices()).map((text) => text.replace(/^(\d+ on \S+) due \S+ \S+/, '$1'));

async function isClean(books: Books): Promise<readonly unknown[]> {
  return [...(await books.audit()).faults, ...books.bugs];
}

test('M31 with 14 days from 01-18 is free to 01-31 and bills 31.00 on 02-01', async (t) => {
  const { books, id } = await booksWith();
  t.is(
    await daysOf(books, id),
    'Active 2027-01-18 free to 2027-01-31 term 2027-02-01 anchor 2027-02-01',
  );
  t.is(await books.orderNow(id), 'Active next 2027-02-01 bills 2027-02-01');
  await books.generate(id);
  await books.advance('2027-01-31');
  t.deepEqual(await books.invoices(), []);
  await books.advance('2027-03-01');
  t.deepEqual(await billed(books), [
    '1001 on 2027-02-01 31.00: M31 2027-02-01 2027-02-28 31.00',
    '1002 on 2027-03-01 31.00: M31 2027-03-01 2027-03-31 31.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('the periods of a coupon begin after the trial: 27.90 on 02-01 and 03-01, then 31.00', async (t) => {
  const { books } = await booksWith({ couponCode: 'TEN' });
  await books.advance('2027-04-01');
  t.deepEqual(
    (await billed(books)).map((text) => text.replace(/: .*/, '')),
    ['1001 on 2027-02-01 27.90', '1002 on 2027-03-01 27.90', '1003 on 2027-04-01 31.00'],
  );
  t.deepEqual(await isClean(books), []);
});

test('aligned to day 1 with trialDays 10 it bills a stub of 4.00 on 01-28', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'DAY1', trialDays: 10 });
  t.is(
    await daysOf(books, id),
    'Active 2027-01-18 free to 2027-01-27 term 2027-01-28 anchor 2027-02-01',
  );
  await books.advance('2027-02-01');
  t.deepEqual(await billed(books), [
    '1001 on 2027-01-28 4.00: DAY1 2027-01-28 2027-01-31 4.00',
    '1002 on 2027-02-01 31.00: DAY1 2027-02-01 2027-02-28 31.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('cancelled on 01-25 it bills nothing, ever', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'SET' });
  await books.advance('2027-01-25');
  await books.end(id, { when: 'now' });
  await books.advance('2027-03-05');
  t.deepEqual(await books.invoices(), []);
  t.is(await books.orderNow(id), 'Canceled ends 2027-01-25');
  t.deepEqual(await isClean(books), []);
  // A PUT cancels it as well.
  const other = await booksWith();
  await other.books.put(other.id, { orderStatus: 'Canceled' });
  t.is(await other.books.orderNow(other.id), 'Canceled ends 2027-01-18');
});

test('a month from 31 January is free to 27 February', async (t) => {
  const { books, id } = await booksWith({ contractCode: 'MONTH' }, '2027-01-31');
  t.is(
    await daysOf(books, id),
    'Active 2027-01-31 free to 2027-02-27 term 2027-02-28 anchor 2027-02-28',
  );
});

test('trialDays replaces the trial of the plan, 0 is none, and one-time charges wait as well', async (t) => {
  const { books, customerId, id } = await booksWith({ contractCode: 'SET', trialDays: 2 });
  const none = await books.order({ customerId, contractCode: 'M31', trialDays: 0 });
  t.is(await daysOf(books, none), 'Active 2027-01-18 free to - term 2027-01-18 anchor 2027-01-18');
  const long = books.order({ customerId, contractCode: 'M31', trialDays: 366 });
  await refused(t, long, 'field.invalid', 'subscriptionOrder/trialDays');
  await books.advance('2027-01-20');
  t.deepEqual(await billed(books), [
    '1001 on 2027-01-19 31.00: M31 2027-01-18 2027-02-17 31.00',
    '1002 on 2027-01-20 80.00: M31 2027-01-20 2027-02-19 31.00, SETUP 2027-01-20 2027-01-20 49.00',
  ]);
  t.is(await books.orderNow(id), 'Active next 2027-02-20 bills 2027-02-20');
  t.deepEqual(await isClean(books), []);
});

test('forceInvoiceGeneration bills from the day after the trial, at once', async (t) => {
  const { books } = await booksWith({}, '2027-01-18', { forceInvoiceGeneration: true });
  t.deepEqual(await billed(books), ['1001 on 2027-01-18 31.00: M31 2027-02-01 2027-02-28 31.00']);
  await books.advance('2027-03-01');
  t.deepEqual((await billed(books)).slice(1), [
    '1002 on 2027-03-01 31.00: M31 2027-03-01 2027-03-31 31.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('an endDate before the end of the trial needs isAutoRenew false, and bills nothing', async (t) => {
  const { books, customerId, id } = await booksWith({ endDate: '2027-01-25', isAutoRenew: false });
  const order = { customerId, contractCode: 'W62', endDate: '2027-01-25' };
  await refused(t, books.order(order), 'field.invalid', 'subscriptionOrder/endDate');
  await refused(
    t,
    books.put(id, { isAutoRenew: true }),
    'field.invalid',
    'subscriptionOrder/endDate',
  );
  await books.advance('2027-02-05');
  t.is(await books.orderNow(id), 'Complete ends 2027-01-25');
  t.deepEqual(await books.invoices(), []);
  t.deepEqual(await isClean(books), []);
});

test('a term begins after the trial', async (t) => {
  const { books, id } = await booksWith({ endDate: '2027-02-28' });
  await books.advance('2027-03-01');
  t.is(await books.orderNow(id), 'Active ends 2027-03-31 next 2027-04-01 bills 2027-04-01');
  t.deepEqual(await isClean(books), []);
});

test('a suspension moves no trial', async (t) => {
  const { books, id } = await booksWith();
  await books.suspend(id);
  await books.advance('2027-01-25');
  await books.activate(id);
  await books.advance('2027-02-01');
  t.deepEqual(await billed(books), ['1001 on 2027-02-01 31.00: M31 2027-02-01 2027-02-28 31.00']);
  t.deepEqual(await isClean(books), []);
});

test('in a trial both ends by request give its last day, whatever the endDate, and keep takes that back', async (t) => {
  for (const when of ['periodEnd', 'termEnd'] as const) {
    const { books, id } = await booksWith({ trialDays: 11, endDate: '2028-01-28' });
    await books.advance('2027-01-20');
    await books.end(id, { when });
    t.is(await books.orderNow(id), 'Active ends 2027-01-28');
    await books.keep(id);
    t.is(await books.orderNow(id), 'Active ends 2028-01-28 next 2027-01-29 bills 2027-01-29');
    await books.end(id, { when });
    await books.advance('2027-03-05');
    t.is(await books.orderNow(id), 'Complete ends 2027-01-28');
    t.deepEqual(await books.invoices(), []);
    t.deepEqual(await isClean(books), []);
  }
});

test('what was billed ahead in a trial is served to its end', async (t) => {
  const { books, id } = await booksWith({}, '2027-01-18', { forceInvoiceGeneration: true });
  await books.end(id, { when: 'periodEnd' });
  t.is(await books.orderNow(id), 'Active ends 2027-02-28');
});

test('nextInvoice knows the trial', async (t) => {
  const { books, customerId } = await booksWith();
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const next = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-02-10');
  t.deepEqual(
    next.map(({ invoiceDate, currentAmountDue }) => `${invoiceDate} ${currentAmountDue}`),
    ['2027-02-01 31.00'],
  );
});

test('once per customer and plan: a second order has none, Drafts and orders that never began do not count', async (t) => {
  const books = await openBooks(db, { today: '2027-01-18', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'M31' };
  await books.order({ ...order, orderStatus: 'Draft' });
  const planned = await books.order({ ...order, startDate: '2027-02-10' });
  const early = await books.order(order);
  t.regex(await daysOf(books, early), /free to -/);
  await books.put(planned, { orderStatus: 'Canceled' });
  const first = await books.order(order);
  t.regex(await daysOf(books, first), /free to 2027-01-31/);
  t.regex(await daysOf(books, await books.order(order)), /free to -/);
  // Agreed days are another matter, and so is another plan.
  t.regex(await daysOf(books, await books.order({ ...order, trialDays: 3 })), /free to 2027-01-20/);
  t.regex(
    await daysOf(books, await books.order({ ...order, contractCode: 'W62' })),
    /free to 2027-01-31/,
  );
  t.deepEqual(await isClean(books), []);
});

test('of ten orders of one customer at once one has the trial', async (t) => {
  const books = await openBooks(db, { today: '2027-01-18', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'M31' };
  const ids = await Promise.all(Array.from({ length: 10 }, () => books.order(order)));
  const days = await Promise.all(ids.map((id) => daysOf(books, id)));
  t.is(days.filter((text) => text.includes('free to 2027-01-31')).length, 1);
});

test('of two Drafts with a trial the first one that leaves that status has it', async (t) => {
  const books = await openBooks(db, { today: '2027-01-18', plans });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'M31', orderStatus: 'Draft' } as const;
  const [one, two] = [await books.order(order), await books.order(order)];
  await books.activate(two);
  await books.put(one, { orderStatus: 'Active' });
  t.regex(await daysOf(books, two), /Active .* free to 2027-01-31/);
  t.is(await daysOf(books, one), 'Active 2027-01-18 free to - term 2027-01-18 anchor 2027-01-18');
  await books.advance('2027-02-01');
  t.deepEqual(await billed(books), [
    '1001 on 2027-01-19 31.00: M31 2027-01-18 2027-02-17 31.00',
    '1002 on 2027-02-01 31.00: M31 2027-02-01 2027-02-28 31.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a quote shows the trial and what follows it, and its hash holds the length of the trial', async (t) => {
  const books = await openBooks(db, { today: '2027-01-18', plans });
  const customerId = await books.customer();
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const asked = { contractCode: 'M31', quantity: '1', promo: null, startDate: null, address: null };
  const quoteOf = async (more: object = {}) => {
    const all = { ...asked, ...more };
    const { quote } = await quotePlan(books.dependencies, tenant, all, () => undefined);
    if (!quote) throw new Error('no quote');
    return quote;
  };
  const quote = await quoteOf();
  t.like(quote, { orderDate: '2027-01-18', trialEndDate: '2027-01-31', total: '31.00' });
  t.is(quote.recurring.lineItems[0]?.terms?.billingPeriodDescription, '2027-02-01 to 2027-02-28');
  // Two weeks are 14 days; the day of the quote does not matter.
  t.is((await quoteOf({ trialDays: 14, startDate: '2027-02-10' })).hash, quote.hash);
  const without = await quoteOf({ trialDays: 0 });
  t.is(without.trialEndDate, null);
  t.not(without.hash, quote.hash);
  const order = { customerId, contractCode: 'M31', quoteHash: quote.hash };
  await books.order(order);
  // The trial is used, so the quote of it no longer holds.
  await refused(t, books.order(order), 'quote.moved', 'subscriptionOrder/quoteHash');
  const rated = (input: object) =>
    rateOrder(books.dependencies, tenant, { input }, () => undefined);
  t.is((await rated({ customerId, contractCode: 'M31' })).trialEndDate, null);
  t.is((await rated({ contractCode: 'M31' })).trialEndDate, '2027-01-31');
  await books.order({ ...order, quoteHash: without.hash });
});

test('the audit names an order that bills a day of its trial', async (t) => {
  const { books, id } = await booksWith();
  await books.advance('2027-02-01');
  await books.work(({ tx }) =>
    tx.query(`update subscription_order set trial_end_date = '2027-02-05' where id = $1`, [id]),
  );
  const { faults } = await books.audit();
  const fault = faults.find(({ check }) => check === 'trial.free');
  t.is(fault?.detail, 'is billed from 2027-02-01 on, but its trial lasts to 2027-02-05');
});
