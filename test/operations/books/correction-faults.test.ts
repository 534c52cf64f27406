/** Breaks what corrections of usage give back, and expects the audit to report it. */
import test from 'ava';
import { correctionChecks } from '../../../operations/books/checks/charges.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { upload } from '../support/uploads.ts';
import { besideLedger, corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();
const units = {
  priceCode: 'UNITS',
  chargeType: 'UsageCharge',
  pricingType: 'FixedPricing',
  price: 0.5,
  taxCodes: ['STANDARD'],
};
const plan = {
  contractCode: 'UNITS',
  name: 'Units',
  billingPeriod: 'Monthly',
  billingAlignment: 'DayOfMonth',
  alignmentDay: 1,
  charges: [units],
};
const rates = [{ country: 'US', state: 'NY', percent: 10, taxCode: 'STANDARD', name: 'Sales tax' }];

/** 50 units, 25.00 less 12.50 and with a tax of 1.25; 20 of them are given back: 10.00, 5.00, 0.50. */
async function story(): Promise<Books> {
  const file = { tax: { type: 'table', rates }, coupons: [{ code: 'HALF', percent: 50 }] };
  const books = await openBooks(db, { today: '2027-01-01', plans: [plan], file });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const how = { customerId, contractCode: 'UNITS', couponCode: 'HALF' };
  const orderId = await books.order(how);
  await upload(books, [{ extRefId: 'A', quantity: '50', chargeDate: '2027-01-06' }], { orderId });
  await books.advance('2027-02-01');
  const correction = { correctsExtRefId: 'A', quantity: '-20', chargeDate: '2027-02-06' };
  await upload(books, [correction], { orderId });
  await books.advance('2027-03-01');
  return books;
}

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a correction that gives back more of the usage',
    unguarded(`update charge_credit set amount = 11 where ${own} and amount = 10`),
    [
      'credit.sum: credit #: amount 10, its charges 11',
      'credit.tax: invoice 1001: TAX at 4 of line 1 is credited 0.5, by its base 0.6',
      'usage.corrected: order 1001: line 1, usage of period 0, invoice 1001: its corrections give back 11, should give back 10',
      'credit.discount: invoice 1001: the discount at 2 of line 1 stands at -7.5, 50 percent of 14',
    ],
  ],
  [
    'a discount of which too little goes back',
    unguarded(`update charge_credit set amount = -4 where ${own} and amount = -5`),
    [
      'credit.sum: credit #: amount -5, its charges -4',
      'credit.tax: invoice 1001: TAX at 4 of line 1 is credited 0.5, by its base 0.6',
      'credit.discount: invoice 1001: the discount at 2 of line 1 stands at -8.5, 50 percent of 15',
    ],
  ],
  [
    'taxes of which more goes back in all than there was',
    unguarded(
      `insert into charge_credit (tenant_id, invoice_charge_id, credit_charge_id, amount)
       select tenant_id, invoice_charge_id, credit_charge_id, 1 from charge_credit
       where ${own} and amount = 0.5`,
    ),
    [
      'credit.sum: credit #: amount 0.5, its charges 1.5',
      'credit.charge: credit #: gives back 0.5 of charge 4 of line 1 over 1.25, invoice 1001 is Outstanding',
      'credit.charge: credit #: gives back 1 of charge 4 of line 1 over 1.25, invoice 1001 is Outstanding',
      'credit.tax: invoice 1001: TAX at 4 of line 1 is credited 1.5, by its base 0.5',
    ],
  ],
];

async function found(books: Books): Promise<string[]> {
  const { faults } = await books.audit();
  return besideLedger(faults)
    .filter(({ check }) => /^(usage|credit)\./.test(check))
    .map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`.replace(/credit \d+/, 'credit #'),
    );
}

test('the audit finds no fault in what corrections give back', async (t) => {
  const books = await story();
  t.deepEqual((await books.audit()).faults, []);
});

for (const [rule, statements, expected] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    t.deepEqual(await found(books), expected);
  });
}

test('these faults break every rule of corrections', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  t.deepEqual(
    correctionChecks.map(({ name }) => name).filter((name) => !seen.has(name)),
    [],
  );
});
