/** Changes of orders that moved in: what the new order takes along of the days billed elsewhere. */
import test from 'ava';
import { DomainErrors } from '../../../domain/errors.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';
import { refused } from '../support/refused.ts';
import { activitiesOf, upload } from '../support/uploads.ts';

const db = await sharedDatabase();
const m31 = recurring('M31', 31, prorated);
const full = (contractCode: string, setup: string) => ({
  ...m31,
  contractCode,
  charges: [
    { ...m31.charges[0], priceCode: `${contractCode}-FEE` },
    { priceCode: setup, chargeType: 'OneTimeCharge', pricingType: 'FixedPricing', price: 49 },
  ],
});
const plans = [
  m31,
  recurring('L62', 62, prorated),
  recurring('A31', 31, { isProrated: true }),
  recurring('WEEK', 7, prorated, { billingPeriod: 'Weekly' }),
  recurring('WHOLE', 31, prepaid),
  recurring('OTHER', 62, prepaid),
  full('FULL', 'SETUP'),
  full('MORE', 'PORT'),
  recurring('CALLS', 0.1, { chargeType: 'UsageCharge' }),
];

async function movedIn(contractCode: string, billedThrough: string, more: OrderInput = {}) {
  const books = await openBooks(db, { today: '2027-01-15', plans });
  const customerId = await books.customer();
  const startDate = '2026-10-15';
  const input = { customerId, contractCode, billedThrough, startDate, ...more };
  return { books, id: await books.order(input) };
}

const billed = async (books: Books) =>
  (await books.invoices()).map((text) => text.replace(/^\d+ (on .{10}) due .*?: /, '$1: '));

async function throughOf(books: Books, id: number): Promise<string | null> {
  const [row] = await books.read((tx) =>
    tx.query<{ day: string | null }>(
      'select billed_through as day from subscription_order where id = $1',
      [id],
    ),
  );
  return row?.day ?? null;
}

/** A change on 01-18 of an order that is billed elsewhere to 01-20. */
async function changed(input: OrderInput, contractCode = 'M31') {
  const { books, id } = await movedIn(contractCode, '2027-01-20');
  await books.advance('2027-01-18');
  const next = await books.change(id, { contractCode: 'L62', ...input });
  const through = await throughOf(books, next);
  await books.advance('2027-02-15');
  assertClean(await books.audit());
  return { through, invoices: (await billed(books)).slice(0, -1) };
}

const assertClean = ({ faults }: { readonly faults: readonly unknown[] }): void => {
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
};

test('the new order takes billedThrough along, and nothing is credited', async (t) => {
  t.deepEqual(await changed({}), {
    through: '2027-01-20',
    // 62.00 x 25/31
    invoices: ['on 2027-01-21: L62 2027-01-21 2027-02-14 50.00'],
  });
});

test('with an empty one, or one to the day before, it bills from its first day', async (t) => {
  // 62.00 x 28/31
  const invoices = ['on 2027-01-19: L62 2027-01-18 2027-02-14 56.00'];
  t.deepEqual(await changed({ billedThrough: null }), { through: null, invoices });
  const own = { billedThrough: '2027-01-17' };
  t.deepEqual(await changed(own), { through: '2027-01-17', invoices });
});

test('with a later one of its own it bills from the day after that', async (t) => {
  t.deepEqual(await changed({ billedThrough: '2027-01-31' }), {
    through: '2027-01-31',
    // 62.00 x 14/31
    invoices: ['on 2027-02-01: L62 2027-02-01 2027-02-14 28.00'],
  });
});

test('one before the day before the change is refused', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  await books.advance('2027-01-18');
  const change = books.change(id, { contractCode: 'L62', billedThrough: '2027-01-16' });
  await refused(t, change, 'field.invalid', 'subscriptionOrder/billedThrough');
});

test('only what was billed here is credited', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  await books.advance('2027-01-25');
  await books.change(id, { contractCode: 'L62' }, { bills: true });
  t.deepEqual(await billed(books), [
    'on 2027-01-21: M31 2027-01-21 2027-02-14 25.00',
    // 4 of 25 days were used, and 21 are left, at 1.00 and 2.00 each.
    'on 2027-01-25: M31 2027-01-25 2027-02-14 -21.00, L62 2027-01-25 2027-02-14 42.00',
  ]);
  assertClean(await books.audit());
});

test('a period that is billed elsewhere whole is not billed again after a change in it', async (t) => {
  for (const [contractCode, price] of [
    ['WHOLE', '31.00'],
    ['OTHER', '62.00'],
  ] as const) {
    const { books, id } = await movedIn('WHOLE', '2027-01-20');
    await books.advance('2027-01-25');
    await books.change(id, { contractCode }, { bills: true });
    t.deepEqual(await billed(books), []);
    await books.advance('2027-02-15');
    t.deepEqual(await billed(books), [
      `on 2027-02-15: ${contractCode} 2027-02-15 2027-03-14 ${price}`,
    ]);
    assertClean(await books.audit());
  }
  const { books, id } = await movedIn('WHOLE', '2027-01-20');
  await books.advance('2027-01-25');
  const input = { contractCode: 'WHOLE', billedThrough: null };
  await books.change(id, input, { bills: true });
  t.deepEqual(await billed(books), ['on 2027-01-25: WHOLE 2027-01-25 2027-02-14 31.00']);
  assertClean(await books.audit());
});

test('in other periods the days are the same', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  await books.advance('2027-01-18');
  await books.change(id, { contractCode: 'WEEK' });
  await books.advance('2027-01-25');
  t.deepEqual(await billed(books), [
    'on 2027-01-21: WEEK 2027-01-21 2027-01-24 4.00',
    'on 2027-01-25: WEEK 2027-01-25 2027-01-31 7.00',
  ]);
  assertClean(await books.audit());
});

test('a change that is pending begins after the same days, and follows a PUT of them', async (t) => {
  const { books, id } = await movedIn('M31', '2027-02-20');
  const effectiveDate = '2027-02-15';
  const next = await books.change(id, { contractCode: 'L62' }, { effectiveDate });
  t.is(await throughOf(books, next), '2027-02-20');
  await books.put(id, { billedThrough: '2027-02-18' });
  t.is(await throughOf(books, next), '2027-02-18');
  await books.advance('2027-02-19');
  // 24 of the 28 days from 02-15: 62.00 x 24/28 = 53.142...
  t.deepEqual(await billed(books), ['on 2027-02-19: L62 2027-02-19 2027-03-14 53.14']);
  assertClean(await books.audit());
});

test('a change after all of it takes nothing along', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  await books.advance('2027-02-16');
  const next = await books.change(id, { contractCode: 'L62' }, { effectiveDate: '2027-02-20' });
  t.is(await throughOf(books, next), null);
});

test('an order that replaces a deleted one takes it along, too', async (t) => {
  const { books, id } = await movedIn('M31', '2027-01-20');
  const next = await books.change(id, { contractCode: 'L62' }, { deletesCurrent: true });
  t.is(await throughOf(books, next), '2027-01-20');
});

test('one-time charges of the plan that moved in were billed elsewhere, also after changes', async (t) => {
  const { books, id } = await movedIn('FULL', '2027-01-20');
  await books.advance('2027-02-16');
  const second = await books.change(id, { contractCode: 'FULL' });
  await books.advance('2027-02-18');
  await books.change(second, { contractCode: 'MORE' }, { bills: true });
  const texts = (await billed(books)).join(', ');
  t.notRegex(texts, /SETUP/);
  t.regex(texts, /PORT 2027-02-18 2027-02-18 49.00/);
  assertClean(await books.audit());
});

/* Usage. */

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (!(error instanceof DomainErrors)) throw error;
    return error.errors[0].code;
  }
}

test('usage of periods that are over is outside of the term; that of today is billed', async (t) => {
  const { books, id } = await movedIn('CALLS', '2027-02-14');
  const record = (chargeDate: string) =>
    upload(books, [{ orderId: id, chargeDate, quantity: '100' }]);
  t.is(await faultOf(record('2027-01-14')), 'activity.outsideTerm');
  await record('2027-01-15');
  await books.advance('2027-02-15');
  t.deepEqual(await billed(books), [
    'on 2027-02-15: CALLS 2027-01-15 2027-02-14 10.00, CALLS 2027-01-15 2027-02-14 10.00',
  ]);
  assertClean(await books.audit());
});

test('the rest of a period that is over takes usage, and is billed', async (t) => {
  const { books, id } = await movedIn('CALLS', '2026-12-20');
  const record = (chargeDate: string) =>
    upload(books, [{ orderId: id, chargeDate, quantity: '100' }]);
  t.is(await faultOf(record('2026-12-20')), 'activity.outsideTerm');
  await record('2026-12-21');
  await books.advance('2027-01-16');
  t.deepEqual(await billed(books), [
    'on 2027-01-16: CALLS 2026-12-21 2027-01-14 10.00, CALLS 2026-12-21 2027-01-14 10.00',
  ]);
  t.is((await activitiesOf(books)).length, 1);
  assertClean(await books.audit());
});

test('a change takes the days in arrears along as they were said', async (t) => {
  const { books, id } = await movedIn('A31', '2027-06-14');
  await books.advance('2027-02-01');
  const next = await books.change(id, { contractCode: 'A31' });
  t.is(await throughOf(books, next), '2027-06-14');
  await books.advance('2027-02-15');
  // 17 days of the order before, and 14 of the new one.
  t.deepEqual(await billed(books), [
    'on 2027-02-02: A31 2027-01-15 2027-01-31 17.00',
    'on 2027-02-15: A31 2027-02-01 2027-02-14 14.00',
  ]);
  assertClean(await books.audit());
});
