/** What corrections of billed usage give back: at most what was paid, discount for discount, tax for tax. */
import test, { type ExecutionContext } from 'ava';
import { DomainErrors } from '../../../domain/errors.ts';
import { openBooks, sharedDatabase, type Books, type BooksOptions } from '../support/books.ts';
import { billedCharges as billed } from '../support/usage.ts';
import { refused } from '../support/refused.ts';
import { activitiesOf, upload } from '../support/uploads.ts';

const db = await sharedDatabase();

const usage = (priceCode: string, changes: Charge = {}) => ({
  priceCode,
  chargeType: 'UsageCharge',
  pricingType: 'FixedPricing',
  price: 0.5,
  ...changes,
});
type Charge = Readonly<Record<string, unknown>>;
const plan = (...charges: readonly Charge[]) => ({
  contractCode: 'METERED',
  name: 'Metered',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges,
});
const half = [{ code: 'HALF', percent: 50 }];
const rate = (percent: number, name: string) => ({
  country: 'US',
  state: 'NY',
  percent,
  taxCode: 'STANDARD',
  name,
});
const taxed = { taxCodes: ['STANDARD'] };

async function story(
  charges: readonly Charge[] = [usage('UNITS')],
  options: Partial<BooksOptions> = {},
  order: object = {},
) {
  const books = await openBooks(db, {
    today: '2027-01-01',
    plans: [plan(...charges)],
    ...options,
  });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const orderId = await books.order({ customerId, contractCode: 'METERED', ...order });
  return { books, customerId, orderId };
}

/** 50 units of January, billed on 1 February. */
async function billedJanuary(...of: Parameters<typeof story>) {
  const told = await story(...of);
  await upload(told.books, [{ extRefId: 'A', quantity: '50', chargeDate: '2027-01-06' }], told);
  await told.books.advance('2027-02-01');
  return told;
}

/** Corrections of A in February, March and so on, each billed on the first of the next month. */
async function correctMonthly(books: Books, orderId: number, quantities: readonly string[]) {
  for (const [index, quantity] of quantities.entries()) {
    const correction = { correctsExtRefId: 'A', quantity, chargeDate: `2027-0${index + 2}-06` };
    await upload(books, [correction], { orderId });
    await books.advance(`2027-0${index + 3}-01`);
  }
}

async function exceeds(t: ExecutionContext, uploading: Promise<unknown>): Promise<void> {
  const error = await t.throwsAsync(uploading, { instanceOf: DomainErrors });
  t.deepEqual(
    error.errors.map(({ code, path }) => `${code} ${path}`),
    ['activity.correction list/activity[1]/correctsExtRefId'],
  );
}

const faults = async (books: Books) => (await books.audit()).faults;

test('a correction carries its share of the discount, and new units have their own', async (t) => {
  const { books, orderId } = await billedJanuary(
    undefined,
    { file: { coupons: half } },
    { couponCode: 'HALF' },
  );
  await upload(
    books,
    [
      { correctsExtRefId: 'A', quantity: '-50', chargeDate: '2027-02-06' },
      { quantity: '30', chargeDate: '2027-02-07' },
    ],
    { orderId },
  );
  await books.advance('2027-03-01');
  t.deepEqual(await billed(books), [
    '1001 12.50: usage UNITS 25.00, discount DISCOUNT -12.50',
    '1002 -5.00: usage UNITS -25.00, usage UNITS 15.00, discount DISCOUNT -7.50, ' +
      'credit DISCOUNT 12.50',
  ]);
  t.deepEqual(await faults(books), []);
});

test('corrections of one record sum up to the whole, discount for discount and tax for tax', async (t) => {
  const rates = [rate(5, 'GST'), rate(9.975, 'QST')];
  const file = { tax: { type: 'table', rates }, coupons: [{ code: 'THIRD', percent: 33 }] };
  const { books, orderId } = await story(
    [usage('UNITS', { price: 0.3333, ...taxed })],
    { file },
    { couponCode: 'THIRD' },
  );
  await upload(books, [{ extRefId: 'A', quantity: '30', chargeDate: '2027-01-06' }], { orderId });
  await books.advance('2027-02-01');
  await correctMonthly(books, orderId, ['-10', '-10', '-10']);
  // 33% of 6.67 is 2.20, of 3.33 1.10; 5% of 4.47 is 0.22, of 2.23 0.11; 9.975%: 0.45, 0.22.
  t.deepEqual(await billed(books), [
    '1001 7.71: usage UNITS 10.00, discount DISCOUNT -3.30, tax TAX 0.34, tax TAX 0.67',
    '1002 -2.57: usage UNITS -3.33, credit DISCOUNT 1.10, credit TAX -0.12, credit TAX -0.22',
    '1003 -2.58: usage UNITS -3.34, credit DISCOUNT 1.10, credit TAX -0.11, credit TAX -0.23',
    '1004 -2.56: usage UNITS -3.33, credit DISCOUNT 1.10, credit TAX -0.11, credit TAX -0.22',
  ]);
  t.deepEqual(await faults(books), []);
});

test('corrections of a percentage of amounts come to what it was', async (t) => {
  const { books, orderId } = await story([
    usage('FEES', {
      price: undefined,
      pricingType: 'TieredPricing',
      tiers: [{ unitsFrom: 0, percent: 2.5 }],
    }),
  ]);
  const record = { extRefId: 'A', quantity: '2', amount: '10.10', chargeDate: '2027-01-06' };
  await upload(books, [record], { orderId });
  await books.advance('2027-02-01');
  await correctMonthly(books, orderId, ['-1', '-1']);
  // Of 10.10 it was 0.25, of 5.05 it is 0.13.
  t.deepEqual(await billed(books), [
    '1001 0.25: usage FEES 0.25',
    '1002 -0.12: usage FEES -0.12',
    '1003 -0.13: usage FEES -0.13',
  ]);
  t.deepEqual(await faults(books), []);
});

test('a fixed discount goes back by the share of the units, once', async (t) => {
  const file = { coupons: [{ code: 'TEN', amount: 10, currency: 'USD' }] };
  const { books, orderId } = await billedJanuary(undefined, { file }, { couponCode: 'TEN' });
  await correctMonthly(books, orderId, ['-20', '-30']);
  t.deepEqual(await billed(books), [
    '1001 15.00: usage UNITS 25.00, discount DISCOUNT -10.00',
    '1002 -6.00: usage UNITS -10.00, credit DISCOUNT 4.00',
    '1003 -9.00: usage UNITS -15.00, credit DISCOUNT 6.00',
  ]);
  t.deepEqual(await faults(books), []);
});

test('percentages and isTax percentages of the plan go back by what stands of their base', async (t) => {
  const { books, orderId } = await billedJanuary([
    usage('UNITS'),
    {
      priceCode: 'SUPPORT',
      chargeType: 'RecurringCharge',
      isPrepaid: true,
      pricingType: 'TieredPricing',
      tiers: [{ unitsFrom: 0, percent: 20 }],
    },
    {
      priceCode: 'LEVY',
      chargeType: 'RecurringCharge',
      isPrepaid: true,
      isTax: true,
      pricingType: 'TieredPricing',
      tiers: [{ unitsFrom: 0, percent: 10 }],
    },
  ]);
  await upload(books, [{ correctsExtRefId: 'A', quantity: '-50', chargeDate: '2027-02-06' }], {
    orderId,
  });
  await books.advance('2027-03-01');
  t.deepEqual((await billed(books)).slice(1), [
    '1002 33.00: usage UNITS 25.00, percent SUPPORT 5.00, tax LEVY 3.00',
    '1003 -33.00: usage UNITS -25.00, percent SUPPORT 0.00, tax LEVY 0.00, ' +
      'credit SUPPORT -5.00, credit LEVY -3.00',
  ]);
  t.deepEqual(await faults(books), []);
});

test('tiers and several records: each correction gives back its record\u2019s part', async (t) => {
  const tiers = [
    { unitsFrom: 0, unitsTo: 100, price: 0.1 },
    { unitsFrom: 100, price: 0.08 },
  ];
  const { books, orderId } = await story([
    usage('UNITS', { price: undefined, pricingType: 'TieredPricing', tiers }),
  ]);
  await upload(
    books,
    [
      { extRefId: 'A', quantity: '70', chargeDate: '2027-01-06' },
      { extRefId: 'B', quantity: '110', chargeDate: '2027-01-07' },
    ],
    { orderId },
  );
  await books.advance('2027-02-01');
  await upload(
    books,
    [
      { correctsExtRefId: 'A', quantity: '-70', chargeDate: '2027-02-06' },
      { correctsExtRefId: 'B', quantity: '-110', chargeDate: '2027-02-06' },
    ],
    { orderId },
  );
  t.deepEqual(
    (await activitiesOf(books)).map(({ amount }) => amount),
    ['6.38', '10.02', '-6.38', '-10.02'],
  );
  await books.advance('2027-03-01');
  t.deepEqual(await billed(books), [
    '1001 16.40: usage UNITS 10.00, usage UNITS 6.40',
    '1002 -16.40: usage UNITS -16.40',
  ]);
  t.deepEqual(await faults(books), []);
});

test('a rollback of the correction frees the invoice; one of both nets the record with it', async (t) => {
  const { books, orderId } = await billedJanuary(
    undefined,
    { file: { coupons: half } },
    { couponCode: 'HALF' },
  );
  await upload(
    books,
    [
      { correctsExtRefId: 'A', quantity: '-50', chargeDate: '2027-02-06' },
      { quantity: '60', chargeDate: '2027-02-07' },
    ],
    { orderId },
  );
  await books.advance('2027-03-01');
  const both =
    'usage UNITS -25.00, usage UNITS 30.00, discount DISCOUNT -15.00, credit DISCOUNT 12.50';
  t.is((await billed(books))[1], `1002 2.50: ${both}`);
  const rolledBack = { rollbackBillingPeriod: true };
  await refused(t, books.cancelInvoice(1001, rolledBack), 'invoice.credited');
  await books.cancelInvoice(1002, rolledBack);
  t.deepEqual(await faults(books), []);
  await books.advance('2027-03-02');
  t.is((await billed(books))[2], `1003 2.50: ${both}`);
  await books.cancelInvoice(1003, rolledBack);
  await refused(t, books.cancelInvoice(1001), 'invoice.credited');
  await books.cancelInvoice(1001, rolledBack);
  t.deepEqual(
    (await activitiesOf(books)).map(({ amount, status }) => [amount, status]),
    [
      [null, 'Unbilled'],
      [null, 'Unbilled'],
      [null, 'Unbilled'],
    ],
  );
  t.deepEqual(await faults(books), []);
  await books.advance('2027-03-03');
  t.is(
    (await billed(books))[3],
    '1004 15.00: usage UNITS 0.00, usage UNITS 30.00, discount DISCOUNT -15.00',
  );
  t.deepEqual(await faults(books), []);
});

test('of a cancelled invoice nothing is given back', async (t) => {
  const { books, orderId } = await billedJanuary();
  await books.cancelInvoice(1001);
  const correction = { correctsExtRefId: 'A', quantity: '-50', chargeDate: '2027-02-06' };
  await exceeds(t, upload(books, [{ ...correction, amount: '-10' }], { orderId }));
  await upload(books, [correction], { orderId });
  await books.advance('2027-03-01');
  t.deepEqual(await billed(books), [
    '1001 25.00: usage UNITS 25.00',
    '1002 0.00: usage UNITS 0.00',
  ]);
  t.deepEqual(await faults(books), []);
});

test('a supplied amount gives back what is left of the record at most', async (t) => {
  const { books, orderId } = await billedJanuary();
  const correction = { correctsExtRefId: 'A', quantity: '-10', chargeDate: '2027-02-06' };
  await upload(books, [{ ...correction, amount: '-20' }], { orderId });
  await exceeds(t, upload(books, [{ ...correction, amount: '-5.01' }], { orderId }));
  // By their units they were 10.00, of which 20.00 are given back already.
  await upload(books, [correction, { ...correction, quantity: '-30' }], { orderId });
  t.deepEqual(
    (await activitiesOf(books)).map(({ amount }) => amount),
    ['25.00', '-20.00', '0.00', '-5.00'],
  );
});

test('a record that alone costs more than the books hold is refused by its place and element', async (t) => {
  const { books, orderId } = await story([usage('UNITS', { price: 20_000 })]);
  const records = [{ quantity: '499999999999' }, { quantity: '500000000000' }];
  const error = await t.throwsAsync(upload(books, records, { orderId }), {
    instanceOf: DomainErrors,
  });
  t.deepEqual(
    error.errors.map(({ code, path, value }) => [code, path, value]),
    [['field.invalid', 'list/activity[2]/quantity', '500000000000']],
  );
  await upload(books, [{ quantity: '499999999999', chargeDate: '2027-01-06' }], { orderId });
  await books.advance('2027-02-01');
  t.deepEqual(await billed(books), ['1001 9999999999980000.00: usage UNITS 9999999999980000.00']);
});
