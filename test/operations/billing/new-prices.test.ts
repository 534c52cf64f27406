/** Running orders take the prices of their plan's newest version on a day of their own. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { applyTo, billed, versionOf } from '../support/new-prices.ts';
import { prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const nextPeriod = { existingOrders: 'nextPeriod' };
const nextTerm = { existingOrders: 'nextTerm' };
const keep = { existingOrders: 'keep' };
const m = (price: number, plan: object = nextPeriod) =>
  recurring('M', price, prorated, { ...plan });
const a = (price: number, plan: object = nextPeriod) =>
  recurring('A', price, { isProrated: true }, { ...plan });

/** An order from 2027-01-15; on 2027-01-20 its plan becomes 33.00. */
async function dearer(fields: object = {}, plan: object = nextPeriod) {
  const books = await openBooks(db, { today: '2027-01-15', plans: [m(31, keep), a(31, keep)] });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'M', ...fields });
  await books.advance('2027-01-20');
  const printed = await applyTo(books, [m(33, plan), a(33, plan)]);
  return { books, customerId, id, printed };
}

const clean = async (books: Books) => (await books.audit()).faults;

test('M31 from 01-15, applied on 01-20, 10 days: 33.00 from 02-15 on', async (t) => {
  const { books, id, printed } = await dearer();
  t.deepEqual(printed, [
    'plan M: version 2',
    'plan M: 1 order moves to version 2, with the first unbilled period from 2027-01-31 on',
    'plan A: version 2',
    'plan A: 0 orders move to version 2, with the first unbilled period from 2027-01-31 on',
  ]);
  t.is(await versionOf(books, id), 'v1');
  t.deepEqual(await clean(books), []);
  await books.advance('2027-01-21');
  t.is(await versionOf(books, id), 'v1, new on 2027-02-15');
  t.deepEqual(await clean(books), []);
  await books.advance('2027-02-15');
  t.is(await versionOf(books, id), 'v2');
  await books.advance('2027-03-20');
  t.deepEqual(await billed(books), [
    'on 2027-01-16: M 2027-01-15 2027-02-14 31.00',
    'on 2027-02-15: M 2027-02-15 2027-03-14 33.00',
    'on 2027-03-15: M 2027-03-15 2027-04-14 33.00',
  ]);
  t.deepEqual(await clean(books), []);
});

test('the move is an update of the order, once, however often the run comes', async (t) => {
  const { books, id } = await dearer();
  await books.advance('2027-02-14');
  const updates = () =>
    books.read((tx) =>
      tx.query(`select id from event where type = 'order.updated' and object_id = $1`, [id]),
    );
  t.is((await updates()).length, 0);
  await books.advance('2027-02-15');
  await books.run();
  t.is((await updates()).length, 1);
  await books.advance('2027-04-20');
  t.is((await updates()).length, 1);
});

test('what began before the day costs the old price when it is billed later: in arrears', async (t) => {
  const { books, id } = await dearer({ contractCode: 'A' });
  await books.advance('2027-02-15');
  t.is(await versionOf(books, id), 'v2');
  await books.advance('2027-03-20');
  t.deepEqual(await billed(books), [
    'on 2027-02-15: A 2027-01-15 2027-02-14 31.00',
    'on 2027-03-15: A 2027-02-15 2027-03-14 33.00',
  ]);
  t.deepEqual(await clean(books), []);
});

test('what a pause held back, and what runs missed, costs the price of its period', async (t) => {
  const { books, id } = await dearer({ contractCode: 'A' });
  await books.advance('2027-02-01');
  await books.suspend(id);
  await books.advance('2027-02-15');
  t.is(await versionOf(books, id), 'v2');
  await books.advance('2027-03-01');
  await books.activate(id);
  await books.advance('2027-03-15');
  // 18 days from 01-15 to 02-01 at 31.00, and 14 of 28 from 03-01 to 03-14 at 33.00.
  t.deepEqual(await billed(books), [
    'on 2027-03-02: A 2027-01-15 2027-02-01 18.00',
    'on 2027-03-15: A 2027-03-01 2027-03-14 16.50',
  ]);
  t.deepEqual(await clean(books), []);

  const late = await dearer();
  late.books.jump('2027-03-20');
  await late.books.run();
  t.is(await versionOf(late.books, late.id), 'v2');
  t.deepEqual((await billed(late.books)).slice(1), [
    'on 2027-03-20: M 2027-02-15 2027-03-14 33.00, M 2027-03-15 2027-04-14 33.00',
  ]);
  t.deepEqual(await clean(late.books), []);
});

test('a Suspended order moves on its day without a bill', async (t) => {
  const { books, id } = await dearer();
  await books.suspend(id);
  await books.advance('2027-02-14');
  t.is(await versionOf(books, id), 'v1, new on 2027-02-15');
  await books.advance('2027-02-15');
  t.is(await versionOf(books, id), 'v2');
  t.is(await books.orderNow(id), 'Suspended');
  await books.advance('2027-03-01');
  await books.activate(id);
  await books.advance('2027-03-02');
  t.deepEqual((await billed(books)).slice(1), ['on 2027-03-02: M 2027-03-01 2027-03-14 16.50']);
  t.deepEqual(await clean(books), []);
});

test('a Provisioning order begins with the new prices if it begins late enough', async (t) => {
  const { books, customerId, id } = await dearer({ startDate: '2027-03-01' });
  const soon = await books.order({ customerId, contractCode: 'M', startDate: '2027-01-25' });
  t.is(await versionOf(books, soon), 'v2');
  await books.advance('2027-01-21');
  t.is(await versionOf(books, id), 'v1, new on 2027-03-01');
  await books.advance('2027-03-01');
  t.is((await billed(books)).at(-1), 'on 2027-03-01: M 2027-03-01 2027-03-31 33.00');
  t.deepEqual(await clean(books), []);
});

test('nextTerm: with the term that begins then; as a period without endDate; never without renewal', async (t) => {
  const term = { endDate: '2027-03-14', isAutoRenew: true };
  const { books, customerId, id } = await dearer(term, nextTerm);
  t.is(await versionOf(books, id), 'v1');
  await books.advance('2027-01-21');
  t.is(await versionOf(books, id), 'v1, new on 2027-03-15');
  await books.advance('2027-03-15');
  t.deepEqual(await billed(books), [
    'on 2027-01-16: M 2027-01-15 2027-02-14 31.00',
    'on 2027-02-15: M 2027-02-15 2027-03-14 31.00',
    'on 2027-03-15: M 2027-03-15 2027-04-14 33.00',
  ]);
  t.deepEqual(await clean(books), []);

  const open = await dearer({}, nextTerm);
  await open.books.advance('2027-01-21');
  t.is(await versionOf(open.books, open.id), 'v1, new on 2027-02-15');

  const ending = await dearer({ ...term, isAutoRenew: false }, nextTerm);
  t.is(ending.printed[2], 'plan M: 1 order stays, which end without renewal: 1001');
  await ending.books.advance('2027-03-20');
  t.is(await versionOf(ending.books, ending.id), 'v1');
  t.deepEqual(await clean(ending.books), []);
  t.true(customerId > 0);
});

test('a change credits what was billed, at its price, and keepPrices keeps no longer than without it', async (t) => {
  const { books, id } = await dearer();
  await books.advance('2027-02-20');
  const preview = await books.previewChange(id, {}, { bills: true, keepsPrices: true });
  const next = await books.change(id, {}, { bills: true, keepsPrices: true });
  // 23 of the 28 days from 02-15 to 03-14, back and forth at 33.00.
  const both = 'M 2027-02-20 2027-03-14 -27.11, M 2027-02-20 2027-03-14 27.11';
  t.true(preview[0]?.endsWith(both), preview[0]);
  t.is(await versionOf(books, next), 'v2');
  t.deepEqual(await clean(books), []);

  const early = await dearer();
  await early.books.advance('2027-01-25');
  const kept = await early.books.change(early.id, {}, { bills: true, keepsPrices: true });
  t.is(await versionOf(early.books, kept), 'v1, new on 2027-02-15');
  const pending = await early.books.change(
    kept,
    {},
    { keepsPrices: true, effectiveDate: '2027-02-15' },
  );
  t.is(await versionOf(early.books, pending), 'v2');
  t.is(await versionOf(early.books, kept), 'v1');
  await early.books.advance('2027-02-15');
  t.is((await billed(early.books)).at(-1), 'on 2027-02-15: M 2027-02-15 2027-03-14 33.00');
  t.deepEqual(await clean(early.books), []);
});

test('a cancelled invoice of before is billed again at the old price', async (t) => {
  const { books } = await dearer();
  await books.advance('2027-02-20');
  await books.cancelInvoice('1001', { rollbackBillingPeriod: true });
  await books.advance('2027-02-21');
  t.is((await billed(books)).at(-1), 'on 2027-02-21: M 2027-01-15 2027-02-14 31.00');
  t.deepEqual(await clean(books), []);
});

test('keep takes back what has not happened, and a newer version begins anew', async (t) => {
  const { books, id } = await dearer();
  await books.advance('2027-02-10');
  t.deepEqual(await applyTo(books, [m(33, keep), a(33, keep)]), [
    'plan M: existingOrders keep',
    'plan M: running orders keep their prices',
    'plan A: existingOrders keep',
    'plan A: running orders keep their prices',
  ]);
  await books.advance('2027-02-11');
  t.is(await versionOf(books, id), 'v1');
  await books.advance('2027-02-15');
  t.is((await billed(books)).at(-1), 'on 2027-02-15: M 2027-02-15 2027-03-14 31.00');
  t.deepEqual(await clean(books), []);

  const anew = await dearer();
  await anew.books.advance('2027-02-10');
  // From 02-21 on, so no longer on 02-15.
  await applyTo(anew.books, [m(35), a(35)]);
  await anew.books.advance('2027-02-15');
  t.is(await versionOf(anew.books, anew.id), 'v1, new on 2027-03-15');
  await anew.books.advance('2027-03-20');
  t.is(await versionOf(anew.books, anew.id), 'v3');
  // Once it has moved, it moves again from there.
  await applyTo(anew.books, [m(36), a(36)]);
  await anew.books.advance('2027-04-20');
  t.deepEqual((await billed(anew.books)).slice(1), [
    'on 2027-02-15: M 2027-02-15 2027-03-14 31.00',
    'on 2027-03-15: M 2027-03-15 2027-04-14 35.00',
    'on 2027-04-15: M 2027-04-15 2027-05-14 36.00',
  ]);
  t.deepEqual(await clean(anew.books), []);
});

test('an order that could not be billed so stays, and the apply says why', async (t) => {
  const fee = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', ...prorated };
  const plan = (charges: readonly object[], more: object = {}) =>
    ({ ...m(0), ...more, charges: charges.map((each) => ({ ...fee, ...each })) }) as never;
  const base = { priceCode: 'BASE', price: 10 };
  const seat = { priceCode: 'SEAT', price: 8 };
  const tiers = [{ unitsFrom: 0, unitsTo: 5, price: 7 }];
  const cases = [
    [[base], {}, 'no SEAT'],
    [[base, { ...seat, isPrepaid: false }], {}, 'another isPrepaid of SEAT'],
    [[base, { ...seat, unitOfMeasure: 'seat' }], {}, 'another unitOfMeasure of SEAT'],
    [[base, seat], { billingPeriod: 'Quarterly' }, 'another billingPeriod'],
    [
      [base, { ...seat, price: undefined, tiers: [{ unitsFrom: 0, price: 7, currency: 'EUR' }] }],
      {},
      'no price of SEAT in USD',
    ],
    [
      [base, { ...seat, price: undefined, pricingType: 'VolumePricing', tiers }],
      {},
      'no tier of SEAT for the quantity',
    ],
  ] as const;
  for (const [charges, more, why] of cases) {
    const books = await openBooks(db, { today: '2027-01-15', plans: [plan([base, seat], keep)] });
    const customerId = await books.customer();
    const orderLineItems = [{ priceCode: 'BASE' }, { priceCode: 'SEAT', quantity: '8' }];
    const id = await books.order({ customerId, contractCode: 'M', orderLineItems });
    await books.advance('2027-01-20');
    const printed = await applyTo(books, [plan(charges, more)]);
    t.is(printed[2], `plan M: 1 order stays, ${why}: 1001`, why);
    await books.advance('2027-02-20');
    t.is(await versionOf(books, id), 'v1', why);
    t.deepEqual(await clean(books), []);
  }
});

test('a line that bills nothing any more keeps its charge, an agreed price stays', async (t) => {
  const fixed = { pricingType: 'FixedPricing', ...prorated };
  const plan = (charges: readonly object[], more: object) =>
    ({ ...m(0), ...more, charges }) as never;
  const setup = {
    priceCode: 'SETUP',
    price: 49,
    chargeType: 'OneTimeCharge',
    pricingType: 'FixedPricing',
  };
  const agreed = {
    priceCode: 'AGREED',
    chargeType: 'RecurringCharge',
    pricingType: 'UserEnteredPricing',
    ...prorated,
  };
  const fee = (price: number) => ({
    priceCode: 'FEE',
    price,
    chargeType: 'RecurringCharge',
    ...fixed,
  });
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [plan([setup, fee(10), agreed], keep)],
  });
  const customerId = await books.customer();
  const orderLineItems = [
    { priceCode: 'SETUP' },
    { priceCode: 'FEE', quantity: '2' },
    { priceCode: 'AGREED', unitPrice: '20' },
  ];
  const id = await books.order({ customerId, contractCode: 'M', orderLineItems });
  await books.advance('2027-01-20');
  await applyTo(books, [plan([fee(12), agreed, { ...fee(1), priceCode: 'MORE' }], nextPeriod)]);
  await books.advance('2027-02-15');
  t.is(await versionOf(books, id), 'v2 SETUP v1');
  // Quantities stay, and nothing is added.
  t.is(
    (await billed(books)).at(-1),
    'on 2027-02-15: FEE 2027-02-15 2027-03-14 24.00, AGREED 2027-02-15 2027-03-14 20.00',
  );
  t.deepEqual(await clean(books), []);
});
