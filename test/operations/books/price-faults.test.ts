/** Breaks discounts and taxes by rate, and expects the audit to report it. */
import test from 'ava';
import { discountChecks } from '../../../operations/books/checks/discounts.ts';
import { taxChecks } from '../../../operations/books/checks/taxes.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * Two orders of a fee of 31.00, taxed, and an installation of 49.00. The first has 10 percent off
 * for 2 periods (1001, 1003), the second 5.00 off (1002).
 */
async function story(): Promise<{ readonly books: Books; readonly bill: () => Promise<void> }> {
  const plan = recurring('P', 31, { ...prorated, taxCodes: ['STANDARD'] });
  const setup = { priceCode: 'SETUP', chargeType: 'OneTimeCharge', pricingType: 'FixedPricing' };
  const charges = [...plan.charges, { ...setup, price: 49 }];
  const rates = ['VAT', 'CITY'].map((name) => ({
    country: 'US',
    percent: 10,
    taxCode: 'STANDARD',
    name,
  }));
  const coupons = [
    { code: 'TEN', percent: 10, periods: 2 },
    { code: 'FIVE', amount: 5 },
    { code: 'FEW', percent: 10, maxRedemptions: 2 },
  ];
  const books = await openBooks(db, {
    today: '2027-01-15',
    plans: [{ ...plan, charges }],
    file: { coupons, tax: { type: 'table', rates } },
  });
  const taxed = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  const now = { generateInvoice: true };
  const order = { contractCode: 'P' };
  const id = await books.order({ ...order, customerId: taxed, couponCode: 'TEN' }, now);
  const untaxed = await books.customer();
  await books.order({ ...order, customerId: untaxed, couponCode: 'FIVE' }, now);
  const draft = { ...order, customerId: untaxed, couponCode: 'FEW', orderStatus: 'Draft' } as const;
  for (const _ of [1, 2]) await books.order(draft);
  books.jump('2027-02-15');
  const bill = async () => void (await books.generate(id));
  await bill();
  return { books, bill };
}

const inInvoice = (invoiceNumber: number): string =>
  `${own} and invoice_line_id in (select l.id from invoice_line l join invoice i
     on i.id = l.invoice_id where i.${own} and i.number_value = ${invoiceNumber})`;

const ofFee = `(select billed_period_id from invoice_charge
  where ${inInvoice(1002)} and price_code = 'P')`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a discount of another percentage',
    [
      `update invoice_charge set unit_price = 12
       where ${inInvoice(1003)} and kind = 'discount'`,
    ],
    ['discount.amount: invoice 1003: TEN takes 3.1 off 31 of line 1, 12 percent of which is 3.72'],
  ],
  [
    'discounts of a period over the amount of their coupon',
    [`update coupon set amount = 4.99 where ${own} and code = 'FIVE'`],
    ['discount.amount: order 1002: FIVE takes 5 off period 1, at most 4.99'],
  ],
  [
    'a discount above its charge, and one that adds',
    [
      `update invoice_charge set amount = case position when 2 then -31.01 else 26.01 end
       where ${inInvoice(1002)} and kind = 'discount'`,
    ],
    [
      'discount.amount: invoice 1002: FIVE takes -26.01 off 49 of line 1',
      'discount.amount: invoice 1002: FIVE takes 31.01 off 31 of line 1',
    ],
  ],
  [
    'a discount after the periods of its coupon',
    [`update coupon set periods = 1 where ${own} and code = 'TEN'`],
    ['discount.period: order 1001: TEN discounts period 2 on invoice 1003, but is for 1 periods'],
  ],
  [
    'a coupon for once on two invoices',
    [`update coupon set is_once = true, periods = null where ${own} and code = 'TEN'`],
    ['discount.period: order 1001: TEN is for once, but discounts invoices 1001, 1003'],
  ],
  [
    'a discount that is not of the coupon of its order',
    [`update subscription_order set coupon_id = null where ${own} and order_number = 1002`],
    [
      'discount.kind: invoice 1002: FIVE at 2 of line 1 is not the coupon of the order',
      'discount.kind: invoice 1002: FIVE at 4 of line 1 is not the coupon of the order',
    ],
  ],
  [
    'a discount of a penalty',
    [
      `update invoice_charge set kind = 'penalty' where ${inInvoice(1002)} and price_code = 'SETUP'`,
    ],
    [
      'charge.kind: invoice 1002: charge 3 of line 1 is of kind penalty, should be oneTime',
      'discount.kind: invoice 1002: FIVE at 4 of line 1 is of no charge above zero that coupons ' +
        'discount',
    ],
  ],
  [
    'a charge that is discounted twice',
    [
      `update invoice_charge c set order_line_id = b.order_line_id, billed_period_id = b.id
       from billed_period b
       where c.${inInvoice(1002)} and c.kind = 'discount' and c.position = 4 and b.id = ${ofFee}`,
    ],
    ['discount.kind: invoice 1002: FIVE at 4 of line 1 discounts the same charges again'],
  ],
  [
    'more redemptions than their coupon has',
    [`update coupon set max_redemptions = 1 where ${own} and code = 'FEW'`],
    ['coupon.redemptions: order 1004: is redemption 2 of FEW, which has 1'],
  ],
  [
    'a second redemption of a customer',
    [`update coupon set once_per_customer = true where ${own} and code = 'FEW'`],
    ['coupon.redemptions: order 1004: is redemption 2 of FEW of its customer'],
  ],
  [
    'a tax of another percentage',
    [`update invoice_charge set unit_price = 12 where ${inInvoice(1003)} and invoice_text = 'VAT'`],
    ['tax.amount: invoice 1003: VAT says 2.79, 12 percent of 27.9 is 3.348'],
  ],
  [
    'a tax that misses the discount of what it taxes',
    [
      `update invoice_charge set base_positions = '{1}'
       where ${inInvoice(1003)} and invoice_text = 'VAT'`,
    ],
    [
      'tax.amount: invoice 1003: VAT says 2.79, 10 percent of 31 is 3.1',
      'tax.base: invoice 1003: VAT at 3 of line 1 is of charges {1}, should be of {1,2}',
    ],
  ],
  [
    'a tax of charges without its code',
    [`update plan_charge set tax_codes = '{REDUCED}' where ${own} and price_code = 'P'`],
    [
      'tax.base: invoice 1001: VAT at 5 of line 1 is of charges {1,2}, should be of {}',
      'tax.base: invoice 1001: CITY at 6 of line 1 is of charges {1,2}, should be of {}',
      'tax.base: invoice 1003: VAT at 3 of line 1 is of charges {1,2}, should be of {}',
      'tax.base: invoice 1003: CITY at 4 of line 1 is of charges {1,2}, should be of {}',
    ],
  ],
  [
    'a rate that taxes a line twice',
    [
      `update invoice_charge set invoice_text = 'VAT'
       where ${inInvoice(1003)} and invoice_text = 'CITY'`,
    ],
    ['tax.base: invoice 1003: VAT at 4 of line 1 taxes the same charges again'],
  ],
];

const checked = ['coupon', 'discount', 'tax', 'charge', 'credit', 'period'];

/** The faults of charges; a broken amount is in other sums, too. */
async function found(books: Books): Promise<string[]> {
  return besideLedger((await books.audit()).faults)
    .filter(({ check }) => checked.includes(check.split('.')[0] ?? ''))
    .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
}

test('the audit finds no fault in discounts and taxes that are rolled back and billed again', async (t) => {
  const { books, bill } = await story();
  t.deepEqual(await found(books), []);
  await books.cancelInvoice(1003, { rollbackBillingPeriod: true });
  t.deepEqual(await found(books), []);
  books.tomorrow();
  await bill();
  t.deepEqual((await books.invoices()).slice(3), [
    '1004 on 2027-02-16 due 2027-03-18 Outstanding 33.48: P 2027-02-15 2027-03-14 31.00, ' +
      'DISCOUNT 2027-02-15 2027-03-14 -3.10, TAX 2.79, TAX 2.79',
  ]);
  t.deepEqual(await found(books), []);
});

for (const [rule, statements, expected] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const { books } = await story();
    await corrupt(books, statements);
    t.deepEqual(await found(books), expected);
  });
}

test('these faults break every rule of discounts and taxes', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  const names = [...discountChecks, ...taxChecks].map(({ name }) => name);
  t.deepEqual(
    names.filter((name) => !seen.has(name)),
    [],
  );
});
