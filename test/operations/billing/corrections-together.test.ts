/** Corrections of billed usage beside changes, pauses, previews and a tax provider. */
import test from 'ava';
import { tenantInfo } from '../../../operations/context/context.ts';
import { nextInvoices } from '../../../operations/invoices/next.ts';
import { openAvatax } from '../../support/avatax.ts';
import { avataxFile, newYorker } from '../support/avatax-tenant.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { upload } from '../support/uploads.ts';
import { billedCharges as billed } from '../support/usage.ts';

const db = await sharedDatabase();

const taxed = { taxCodes: ['STANDARD'] };
const units = {
  priceCode: 'UNITS',
  chargeType: 'UsageCharge',
  pricingType: 'FixedPricing',
  price: 0.5,
  ...taxed,
};
const fee = {
  priceCode: 'FEE',
  chargeType: 'RecurringCharge',
  pricingType: 'FixedPricing',
  price: 29.95,
  isPrepaid: true,
  isProrated: true,
  ...taxed,
};
const planOf = (...charges: readonly Readonly<Record<string, unknown>>[]) => ({
  contractCode: 'METERED',
  name: 'Metered',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges,
});
const rates = [
  { country: 'US', state: 'NY', percent: 8.875, taxCode: 'STANDARD', name: 'Sales tax' },
];
const coupons = [{ code: 'HALF', percent: 50 }];
const table = { tax: { type: 'table', rates }, coupons };
const isClean = async (books: Books) => (await books.audit()).faults;

async function story(...charges: readonly (typeof units | typeof fee)[]) {
  const plans = [planOf(...charges)];
  const books = await openBooks(db, { today: '2027-01-01', plans, file: table });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const orderId = await books.order({ customerId, contractCode: 'METERED', couponCode: 'HALF' });
  await upload(books, [{ extRefId: 'A', quantity: '50', chargeDate: '2027-01-06' }], { orderId });
  await books.advance('2027-02-01');
  return { books, customerId, orderId };
}
const correct = (quantity: string, chargeDate: string) => ({
  correctsExtRefId: 'A',
  quantity,
  chargeDate,
});

/** In cents. */
const creditedTax = (charges: string): number =>
  charges
    .split(', ')
    .filter((each) => each.startsWith('credit TAX'))
    .reduce((sum, each) => sum + Math.round(Number(each.split(' ').at(-1)) * 100), 0);

test('a change and a correction give back of one tax what it was', async (t) => {
  const { books, orderId } = await story(fee, units);
  // Of 25.00 - 12.50 + 29.95 - 14.98 the tax is 2.44.
  t.is(
    (await billed(books))[1],
    '1002 29.91: period FEE 29.95, discount DISCOUNT -14.98, usage UNITS 25.00, ' +
      'discount DISCOUNT -12.50, tax TAX 2.44',
  );
  await upload(books, [correct('-50', '2027-02-06')], { orderId });
  await books.advance('2027-02-15');
  await books.change(orderId, { contractCode: 'METERED' }, { bills: true });
  // 14 of 28 days stand: 14.98 - 7.49 = 7.49, and 0.66 of the tax; 1.11 goes with the usage, 0.67 by days.
  const [, , made = ''] = await billed(books);
  t.is(creditedTax(made), -178);
  t.deepEqual(await isClean(books), []);
});

test('after a change, a correction gives back what it left of the tax', async (t) => {
  const { books, orderId } = await story(fee, units);
  await books.advance('2027-02-15');
  await books.change(orderId, { contractCode: 'METERED' }, { bills: true });
  await upload(books, [correct('-50', '2027-02-14')], {});
  await books.advance('2027-03-01');
  t.deepEqual(await isClean(books), []);
  const [, , change = '', late = ''] = await billed(books);
  t.is(creditedTax(`${change}, ${late}`), -178);
});

test('corrections in windows that are billed at once are one reading of what stands', async (t) => {
  const { books, orderId } = await story(units);
  await books.advance('2027-02-20');
  await books.suspend(orderId);
  const corrections = [correct('-17', '2027-02-11'), correct('-33', '2027-03-05')];
  await upload(books, corrections, { orderId });
  await books.advance('2027-04-10');
  await books.activate(orderId);
  await books.advance('2027-04-11');
  t.deepEqual(await billed(books), [
    '1001 13.61: usage UNITS 25.00, discount DISCOUNT -12.50, tax TAX 1.11',
    '1002 -13.61: usage UNITS -8.50, usage UNITS -16.50, credit DISCOUNT 12.50, credit TAX -1.11',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a preview shows what the run then bills', async (t) => {
  const { books, customerId, orderId } = await story(units);
  await upload(
    books,
    [correct('-20', '2027-02-06'), { quantity: '30', chargeDate: '2027-02-07' }],
    { orderId },
  );
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const [next] = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-03-01');
  const shown = next?.lines.flatMap(({ charges }) =>
    charges.flatMap(({ priceCode, amount, isUsageChargeSubTotal }) =>
      isUsageChargeSubTotal ? [] : [`${priceCode} ${amount}`],
    ),
  );
  await books.advance('2027-03-01');
  // 10.00 back, with 5.00 of the discount and 8.875% of 7.50, 0.67, instead of 1.11.
  t.is(
    (await billed(books))[1],
    '1002 2.73: usage UNITS -10.00, usage UNITS 15.00, discount DISCOUNT -7.50, ' +
      'credit DISCOUNT 5.00, credit TAX -0.44, tax TAX 0.67',
  );
  t.deepEqual(shown, [
    'UNITS -10.00',
    'UNITS 15.00',
    'DISCOUNT -7.50',
    'DISCOUNT 5.00',
    'TAX -0.44',
    'TAX 0.67',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a preview of two corrections counts the first for the second', async (t) => {
  const { books, customerId, orderId } = await story(units);
  const corrections = [correct('-17', '2027-02-06'), correct('-33', '2027-03-06')];
  await upload(books, corrections, { orderId });
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const next = await nextInvoices(books.dependencies, tenant, { id: customerId }, '2027-04-01');
  await books.advance('2027-04-01');
  // 8.875% of 12.50 is 1.11, of 8.25 0.73.
  t.deepEqual((await billed(books)).slice(1), [
    '1002 -4.63: usage UNITS -8.50, credit DISCOUNT 4.25, credit TAX -0.38',
    '1003 -8.98: usage UNITS -16.50, credit DISCOUNT 8.25, credit TAX -0.73',
  ]);
  t.deepEqual(
    next.map(({ currentAmountDue }) => currentAmountDue),
    ['-4.63', '-8.98'],
  );
});

test('the taxes of a provider go back in proportion, and it is told of them', async (t) => {
  const { provider } = await openAvatax(t);
  const books = await openBooks(db, {
    today: '2027-01-01',
    plans: [planOf(units)],
    file: { ...avataxFile(), coupons },
    taxProvider: provider,
  });
  const customerId = await newYorker(books);
  const orderId = await books.order({ customerId, contractCode: 'METERED', couponCode: 'HALF' });
  await upload(books, [{ extRefId: 'A', quantity: '50', chargeDate: '2027-01-06' }], { orderId });
  await books.advance('2027-02-01');
  await upload(books, [correct('-20', '2027-02-06')], { orderId });
  await books.advance('2027-03-01');
  await upload(books, [correct('-30', '2027-03-06')], { orderId });
  await books.advance('2027-04-01');
  // 4%, 4.5% and 0.375% of 12.50; then by 7.50 of 12.50.
  t.deepEqual(await billed(books), [
    '1001 13.61: usage UNITS 25.00, discount DISCOUNT -12.50, tax TAX 0.50, tax TAX 0.56, tax TAX 0.05',
    '1002 -5.44: usage UNITS -10.00, credit DISCOUNT 5.00, credit TAX -0.20, credit TAX -0.22, credit TAX -0.02',
    '1003 -8.17: usage UNITS -15.00, credit DISCOUNT 7.50, credit TAX -0.30, credit TAX -0.34, credit TAX -0.03',
  ]);
  const told = await books.read((tx) =>
    tx.query(
      'select expected_total as total, expected_tax as tax from tax_record order by invoice_id',
    ),
  );
  t.deepEqual(told, [
    { total: '12.50', tax: '1.11' },
    { total: '-5.00', tax: '-0.44' },
    { total: '-7.50', tax: '-0.67' },
  ]);
  const faults = (await isClean(books)).filter(({ check }) => check !== 'tax.recorded');
  t.deepEqual(faults, []);
});
