/** Breaks each invariant of the derived ledger in a tenant of its own. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();

/** ONE owes 100 (1001), of which it has paid 30; TWO has 12 that are not applied. */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });
  const [one, two] = [await books.customer({ ref: 'ONE' }), await books.customer({ ref: 'TWO' })];
  await books.bill(one, '100');
  await books.pay({ customerId: one, amount: '30' });
  await books.credit({ customerId: two, amount: '12' });
  return books;
}

const inLedger = ['ledger_entry', 'ledger_append_only'] as const;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a charge of an invoice with another amount',
    [`update invoice_charge set amount = 99 where ${own}`],
    ['ledger.entry: fact #: the entry of invoice comes to 1'],
  ],
  [
    'a payment that was entered with another amount',
    unguarded(`update ledger_entry set amount = -31 where ${own} and kind = 'payment'`, inLedger),
    [
      'ledger.balance: customer # in USD: the accounts come to 69, the balance is 70',
      'ledger.open: customer # in USD: receivables 70, open 70; unapplied 1, left of money 0',
    ],
  ],
  [
    'an application of which there is no fact',
    unguarded(`delete from invoice_payment where ${own}`, [
      'invoice_payment',
      'application_append_only',
    ]),
    ['ledger.open: customer # in USD: receivables 100, open 70; unapplied 30, left of money 0'],
  ],
  [
    'a balance that is another',
    [`update customer_balance set balance = -13 where ${own} and balance = -12`],
    ['ledger.balance: customer # in USD: the accounts come to -12, the balance is -13'],
  ],
  [
    'money that is left of a credit, and is not unapplied',
    [`update payment set balance = 11 where ${own} and balance = 12`],
    ['ledger.open: customer # in USD: receivables 0, open 0; unapplied 12, left of money 11'],
  ],
  [
    'a fact of a transaction that is still to come',
    unguarded(
      `update ledger_entry set written_in = '18446744073709551615' where ${own} and kind = 'credit'`,
      inLedger,
    ),
    [
      'ledger.entry: fact #: credit was written by transaction 18446744073709551615, which this ' +
        'cluster has not had yet',
    ],
  ],
];

for (const [rule, statements, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    t.deepEqual(await books.faults(), []);
    await corrupt(books, statements);
    const names = ['ledger.entry', 'ledger.balance', 'ledger.open'];
    const faults = (await books.faults()).filter(({ check }) => names.includes(check));
    const texts = faults.map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`.replace(/(fact|customer) \d+/, '$1 #'),
    );
    t.deepEqual(texts, [...found]);
  });
}

test('the audit finds reports of which a fact is missing, or that no document bears out', async (t) => {
  const today = '2027-01-15';
  const books = await openPaymentBooks(db, { auditsLedger: true, auditsReports: true, today });
  const customerId = await books.customer();
  await books.bill(customerId, '100');
  books.jump('2027-02-10');
  await books.bill(customerId, '20');
  await books.pay({ customerId, amount: '30' });
  books.jump('2027-03-05');
  const found = async (): Promise<string[]> =>
    (await books.faults())
      .filter(({ check }) => check === 'report.sums')
      .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`);
  t.deepEqual(await found(), []);
  await corrupt(books, [`update invoice_charge set amount = 19 where ${own} and amount = 20`]);
  const income = 'report.sums: revenue and tax of 2027-02: income of USD is 19.00, documents 20.00';
  t.deepEqual(await found(), [income]);
  // By its transaction it is of before the month, where the report does not look for it.
  const old = `update ledger_entry set written_in = '3' where ${own} and kind = 'payment'`;
  await corrupt(books, unguarded(old, inLedger));
  t.deepEqual(await found(), [
    'report.sums: payments of 2027-02: net of USD is 0.00, cash of the ledger 30.00',
    income,
    'report.sums: payments of 2027-02: cash of USD is 0.00, documents 30.00',
  ]);
});
