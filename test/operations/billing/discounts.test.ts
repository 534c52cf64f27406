/** Coupons and taxes of the table on the invoices of a run, and what of coupons is used. */
import test from 'ava';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { prepaid, prorated, recurring } from '../support/plans.ts';

const db = await sharedDatabase();
const now = { generateInvoice: true };
const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
const fee = recurring('GOLD', 29.95, { ...prorated, taxCodes: ['STANDARD'] });
const gold = { ...fee, charges: [{ ...setup, price: 49 }, ...fee.charges] };
const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'NY sales tax' },
];
const file = {
  tax: { type: 'table', rates },
  coupons: [
    { code: 'WELCOME10', percent: 10, periods: 3, plans: ['GOLD'] },
    { code: 'FIVE', amount: 5 },
    { code: 'FIVEONCE', amount: 5, once: true },
    { code: 'TENONCE', percent: 10, once: true },
    { code: 'EUROS', amount: 5, currency: 'EUR' },
    { code: 'OVER', percent: 10, endDate: '2027-01-14' },
    { code: 'SOON', percent: 10, startDate: '2027-01-16' },
    { code: 'OTHERS', percent: 10, plans: ['ARREARS'] },
  ],
};
const arrears = recurring('ARREARS', 31, { isProrated: true });
const newYork = { countryCode: 'US', state: 'ny' };
const january = { today: '2027-01-15', plans: [gold, arrears], file };
const amounts = (invoices: readonly string[]) =>
  invoices.map((text) => {
    const charges = text.slice(text.indexOf(': ') + 2).split(', ');
    return `${text.slice(0, 4)} ${charges.map((each) => each.split(' ').at(-1)).join(' ')}`;
  });

test('a coupon of three periods discounts the first three, and the tax is of what is left', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer({ address: newYork });
  await books.order({ customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' }, now);
  await books.advance('2027-04-15');
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-02-14 Outstanding 73.44: SETUP 2027-01-15 2027-01-15 49.00, ' +
      'DISCOUNT 2027-01-15 2027-01-15 -4.90, GOLD 2027-01-15 2027-02-14 29.95, ' +
      'DISCOUNT 2027-01-15 2027-02-14 -3.00, TAX 2.39',
    '1002 on 2027-02-15 due 2027-03-17 Outstanding 29.34: GOLD 2027-02-15 2027-03-14 29.95, ' +
      'DISCOUNT 2027-02-15 2027-03-14 -3.00, TAX 2.39',
    '1003 on 2027-03-15 due 2027-04-14 Outstanding 29.34: GOLD 2027-03-15 2027-04-14 29.95, ' +
      'DISCOUNT 2027-03-15 2027-04-14 -3.00, TAX 2.39',
    '1004 on 2027-04-15 due 2027-05-15 Outstanding 32.61: GOLD 2027-04-15 2027-05-14 29.95, TAX 2.66',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('arrears of the third period are discounted, whichever invoice bills them', async (t) => {
  const three = { ...file, coupons: [{ code: 'THREE', percent: 10, periods: 3 }] };
  const books = await openBooks(db, { ...january, file: three });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'ARREARS', couponCode: 'THREE' });
  books.jump('2027-05-15');
  await books.run();
  t.deepEqual(amounts(await books.invoices()), ['1001 31.00 -3.10 31.00 -3.10 31.00 -3.10 31.00']);
  t.deepEqual((await books.audit()).faults, []);
});

test('suspended periods count: they use the coupon up like others', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await books.order(order, now);
  await books.advance('2027-02-10');
  await books.suspend(id);
  await books.advance('2027-03-20');
  await books.activate(id);
  await books.advance('2027-04-15');
  // The second period, from 02-15 on, is never served; 26 of the 31 days of the third are.
  t.deepEqual(amounts(await books.invoices()), [
    '1001 49.00 -4.90 29.95 -3.00',
    '1002 25.12 -2.51',
    '1003 29.95',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a rollback makes a discount due again; without one its period is used', async (t) => {
  for (const [isRolledBack, expected] of [
    [true, ['1001 49.00 -4.90 29.95 -3.00', '1002 49.00 -4.90 29.95 -3.00']],
    [false, ['1001 49.00 -4.90 29.95 -3.00']],
  ] as const) {
    const books = await openBooks(db, january);
    const customerId = await books.customer();
    await books.order({ customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' }, now);
    await books.cancelInvoice(1001, { rollbackBillingPeriod: isRolledBack });
    await books.advance('2027-01-16');
    t.deepEqual(amounts(await books.invoices()), expected);
    await books.advance('2027-04-15');
    const after = amounts(await books.invoices()).slice(expected.length);
    t.deepEqual(
      after.map((text) => text.slice(5)),
      ['29.95 -3.00', '29.95 -3.00', '29.95'],
    );
    t.deepEqual((await books.audit()).faults, []);
  }
});

test('a coupon for once discounts one standing invoice', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', couponCode: 'TENONCE' }, now);
  await books.advance('2027-02-15');
  t.deepEqual(amounts(await books.invoices()), ['1001 49.00 -4.90 29.95 -3.00', '1002 29.95']);
  await books.cancelInvoice(1001, { rollbackBillingPeriod: true });
  await books.generate(id);
  await books.advance('2027-03-15');
  t.deepEqual(amounts(await books.invoices()).slice(2), [
    '1003 49.00 -4.90 29.95 -3.00',
    '1004 29.95',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a fixed amount is for each period; what prepaid charges leave of it is for the arrears', async (t) => {
  const both = recurring('BOTH', 3, prepaid);
  const late = { ...both.charges[0], priceCode: 'LATE', isPrepaid: false };
  const plan = { ...both, charges: [...both.charges, late] };
  const books = await openBooks(db, { ...january, plans: [gold, arrears, plan] });
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'BOTH', couponCode: 'FIVE' }, now);
  await books.advance('2027-03-15');
  // 3.00 of January's 5.00 in advance, 2.00 in arrears.
  t.deepEqual(amounts(await books.invoices()), [
    '1001 3.00 -3.00',
    '1002 3.00 -3.00 3.00 -2.00',
    '1003 3.00 -3.00 3.00 -2.00',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a fixed amount for once lapses as far as one invoice leaves it', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  await books.order({ customerId, contractCode: 'GOLD', couponCode: 'FIVEONCE' }, now);
  await books.advance('2027-02-15');
  t.deepEqual(amounts(await books.invoices()), ['1001 49.00 -3.10 29.95 -1.90', '1002 29.95']);
});

test('5.00 for once off three elapsed months of 31.00 is 1.67, 1.67 and 1.66', async (t) => {
  const books = await openBooks(db, { ...january, today: '2027-04-20' });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'ARREARS', couponCode: 'FIVEONCE' };
  await books.order({ ...order, startDate: '2027-01-15' }, now);
  t.deepEqual(amounts(await books.invoices()), ['1001 31.00 -1.67 31.00 -1.67 31.00 -1.66']);
  await books.advance('2027-05-15');
  t.deepEqual(amounts(await books.invoices()).slice(1), ['1002 31.00']);
  t.deepEqual((await books.audit()).faults, []);
});

test('an order keeps the terms of its coupon; a coupon that cannot be used is refused', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'GOLD' };
  for (const [couponCode, code] of [
    ['NOBODYS', 'coupon.unknown'],
    ['OVER', 'coupon.notValid'],
    ['SOON', 'coupon.notValid'],
    ['OTHERS', 'coupon.plan'],
    ['EUROS', 'coupon.currency'],
  ] as const) {
    const path = 'subscriptionOrder/couponCode';
    await refused(t, books.order({ ...order, couponCode }, now), code, path);
  }
  t.deepEqual(await books.invoices(), []);
});

test('a PUT changes the coupon until the order is billed, and keeps it when it names none', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'GOLD' };
  const id = await books.order({ ...order, couponCode: 'WELCOME10' });
  await books.put(id, { couponCode: 'FIVE' });
  await books.put(id, { notes: 'kept' });
  await refused(t, books.put(id, { couponCode: 'OVER' }), 'coupon.notValid');
  // WELCOME10 is not for ARREARS, FIVE is for all plans.
  await books.put(id, { couponCode: 'WELCOME10' });
  await refused(t, books.put(id, { contractCode: 'ARREARS' }), 'coupon.plan');
  await books.put(id, { contractCode: 'ARREARS', couponCode: null });
  await books.put(id, { contractCode: 'GOLD', couponCode: 'FIVE' });
  await books.advance('2027-01-16');
  t.deepEqual(amounts(await books.invoices()), ['1001 49.00 -3.10 29.95 -1.90']);
  await refused(t, books.put(id, { couponCode: 'WELCOME10' }), 'field.notEditable');
  await refused(t, books.put(id, { couponCode: null }), 'field.notEditable');
  await books.put(id, { couponCode: 'FIVE', quoteHash: 'ignored' });
});

test('charges with isSeparateInvoice share an invoice with their discounts and tax', async (t) => {
  const support = {
    priceCode: 'SUPPORT',
    chargeType: 'RecurringCharge',
    pricingType: 'TieredPricing',
    isPrepaid: true,
    tiers: [{ unitsFrom: 0, percent: 10 }],
  };
  const router = { ...setup, priceCode: 'ROUTER', price: 80, isSeparateInvoice: true };
  const taxed = { ...router, taxCodes: ['STANDARD'] };
  const plan = { ...fee, charges: [...fee.charges, support, taxed] };
  const books = await openBooks(db, { ...january, plans: [plan, arrears] });
  const customerId = await books.customer({ address: newYork });
  await books.order({ customerId, contractCode: 'GOLD' }, now);
  await books.order({ customerId, contractCode: 'GOLD', couponCode: 'TENONCE' }, now);
  // 10 percent of 29.95 for support, on the shared invoice only; 8.875 percent of 80.00 is 7.10.
  t.deepEqual(amounts(await books.invoices()), [
    '1001 29.95 3.00 2.66',
    '1002 80.00 7.10',
    '1003 29.95 -3.00 3.00 -0.30 2.39',
    // The coupon is used by the shared invoice.
    '1004 80.00 7.10',
  ]);
  t.deepEqual((await books.audit()).faults, []);
});

test('a cancelled invoice takes its tax and discounts back', async (t) => {
  const books = await openBooks(db, january);
  const customerId = await books.customer({ address: newYork });
  await books.order({ customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' }, now);
  await books.cancelInvoice(1001, { cancelOrders: true });
  const [row] = await books.read((tx) =>
    tx.query<{ balance: string }>('select balance::text from customer_balance'),
  );
  t.is(Number(row?.balance), 0);
  t.deepEqual((await books.audit()).faults, []);
});
