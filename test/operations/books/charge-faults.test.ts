/** Breaks the kinds of charges and their credits, and expects the audit to report it. */
import test from 'ava';
import { chargeChecks } from '../../../operations/books/checks/charges.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { besideLedger, corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * A fee of 31.00 with 10 percent on top (1001), canceled after 10 days, and another order (1002).
 */
async function story(): Promise<PaymentBooks> {
  const plan = recurring('P', 31, prorated);
  const care = { chargeType: 'RecurringCharge', pricingType: 'FixedPricing', ...prorated };
  const charges = [
    ...plan.charges,
    { priceCode: 'CARE', ...care, tiers: [{ unitsFrom: 0, percent: 10 }] },
  ];
  const file = { settings: { creditUnusedOnCancel: true } };
  const books = await openPaymentBooks(db, {
    today: '2027-01-01',
    plans: [{ ...plan, charges }],
    file,
  });
  const customerId = await books.customer();
  const order = { customerId, contractCode: 'P' };
  const first = await books.order(order, { generateInvoice: true });
  await books.order(order, { generateInvoice: true });
  await books.advance('2027-01-10');
  await books.put(first, { orderStatus: 'Canceled' });
  return books;
}

const chargeOf = (invoiceNumber: number, priceCode: string): string =>
  `(select c.id from invoice_charge c join invoice_line l on l.id = c.invoice_line_id
    join invoice i on i.id = l.invoice_id where c.${own} and c.price_code = '${priceCode}'
      and i.number_value = ${invoiceNumber})`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a charge whose kind differs from its plan',
    [`update invoice_charge set kind = 'oneTime' where id = ${chargeOf(1002, 'P')}`],
    ['charge.kind: invoice 1002: charge 1 of line 1 is of kind oneTime, should be period'],
  ],
  [
    'a percentage of another base',
    [`update invoice_charge set unit_price = 12 where id = ${chargeOf(1002, 'CARE')}`],
    ['charge.percent: invoice 1002: CARE says 3.1, 12 percent of 31 is 3.72'],
  ],
  [
    'a percentage without a part of its base',
    [`update invoice_charge set base_positions = '{1,1}' where id = ${chargeOf(1002, 'CARE')}`],
    ['charge.base: invoice 1002: CARE sees charge 1 of line 1, of kind period, 2 times'],
  ],
  [
    'a credit that exceeds the sum of its parts',
    unguarded(`update charge_credit set amount = 22 where ${own} and amount = 21`),
    ['credit.sum: credit #: amount 23.1, its charges 24.1'],
  ],
  [
    'a credit that exceeds its charge',
    unguarded(
      `update charge_credit set amount = case amount when 21 then 19 else 4.1 end where ${own}`,
    ),
    [
      'credit.charge: credit #: gives back 4.1 of charge 2 of line 1 over 3.1, ' +
        'invoice 1001 is Outstanding',
    ],
  ],
  [
    'a credit for days that were used',
    unguarded(`update charge_credit set unused_from = '2027-01-10' where ${own} and amount = 21`),
    [
      'credit.unused: credit #: days from 2027-01-10 of order 1001, which is Canceled since ' +
        '2027-01-10, billed to 2027-01-31',
    ],
  ],
  [
    'a credit for days of an active order',
    unguarded(
      `update charge_credit set invoice_charge_id = ${chargeOf(1002, 'P')}
       where ${own} and amount = 21`,
    ),
    [
      'credit.unused: credit #: days from 2027-01-11 of order 1002, which is Active, ' +
        'billed to 2027-01-31',
    ],
  ],
];

async function found(books: PaymentBooks): Promise<string[]> {
  return besideLedger(await books.faults()).map(({ check, object, detail }) =>
    `${check}: ${object}: ${detail}`.replace(/credit \d+/, 'credit #'),
  );
}

test.serial('the audit finds no fault in the charges as billed', async (t) => {
  const books = await story();
  t.deepEqual(await books.payments(), ['#1 Credit Paid 23.10']);
  t.deepEqual(await found(books), []);
});

for (const [rule, statements, expected] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    // What the recomputation finds is shown by recompute-faults.test.ts.
    const ofStatements = (await found(books)).filter((text) => !text.startsWith('recompute.'));
    t.deepEqual(ofStatements, expected);
  });
}

test('these faults break every rule of charges', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  t.deepEqual(
    chargeChecks.map(({ name }) => name).filter((name) => !seen.has(name)),
    [],
  );
});
