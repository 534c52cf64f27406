/** Breaks each invariant of what was carried over in a tenant of its own. */

import test from 'ava';
import { carriedOverChecks } from '../../../operations/books/checks/batches.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * ONE owed 100 (1001), of which it had paid 30. TWO had a credit of 12 and paid 5 more. THREE owed a
 * debit of 7. All is carried over, and zeroed.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [one, two, three] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  await books.bill(one, '100');
  await books.pay({ customerId: one, amount: '30' });
  await books.credit({ customerId: two, amount: '12' });
  await books.pay({ customerId: two, amount: '5' });
  await books.credit({ customerId: three, amount: '-7' });
  await batchInit(books, { ...everything, zeroOutCustomerBalance: true });
  return books;
}

const unguarded = (...statements: string[]) => [
  'alter table ledger_entry disable trigger ledger_append_only',
  ...statements,
  'alter table ledger_entry enable trigger ledger_append_only',
];

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'an invoice that keeps another amount than was open',
    [`update invoice set carried_open = 69 where ${own}`],
    [
      'carriedOver.open: invoice 1001: is open for 0, keeps 69, should keep 70',
      'carriedOver.balance: customer # in USD: balance 0, its parts -1',
    ],
  ],
  [
    'a credit and a debit that keep other amounts',
    [`update payment set carried_open = carried_open + 1 where ${own} and payment_type = 'Credit'`],
    [
      'carriedOver.open: credit #: is open for 0, keeps 13, should keep 12',
      'carriedOver.open: debit #: is open for 0, keeps -6, should keep -7',
      'carriedOver.balance: customer # in USD: balance 0, its parts -1',
      'carriedOver.balance: customer # in USD: balance 0, its parts -1',
    ],
  ],
  [
    'a payment of which less was closed than was unapplied',
    [`update payment set carried_open = 4 where ${own} and carried_open = 5`],
    [
      'payment.balance: payment #: Paid, balance 0, closed 4 and applied 0, should be 5 in all',
      'carriedOver.balance: customer # in USD: balance 0, its parts 1',
    ],
  ],
  [
    'a zeroOut that left something',
    unguarded(
      `update ledger_entry set amount = -69 where ${own} and kind = 'zeroOut' and amount = -70`,
      `update customer_balance set balance = 1 where ${own} and balance = 0
         and customer_id = (select customer_id from invoice where ${own})`,
    ),
    ['zeroOut.balance: customer # in USD: zeroOut of batch # left 1'],
  ],
  [
    'a status before that was another one',
    [`update invoice set carried_over_from = 'Cancelled' where ${own}`],
    [
      'ledger.invoice: invoice 1001: CarriedOver over 100, entered 100, reversed 0',
      'carriedOver.open: invoice 1001: is open for 0, keeps 70, should keep -30',
    ],
  ],
];

/** The faults that the audit reports, without ids and those of events. */
async function found(books: PaymentBooks): Promise<string[]> {
  return besideLedger(await books.faults())
    .map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`.replaceAll(
        /(payment|credit|debit|customer|batch) \d+/g,
        '$1 #',
      ),
    )
    .filter((text) => !text.startsWith('event.'));
}

test('the audit finds no fault in what was carried over', async (t) => {
  t.deepEqual(await found(await story()), []);
});

for (const [rule, statements, expected] of breaks) {
  test.serial(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    t.deepEqual(await found(books), [...expected]);
  });
}

test('these faults break every rule of what was carried over', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  for (const { name, rule } of carriedOverChecks) t.true(seen.has(name), `${name}: ${rule}`);
});
