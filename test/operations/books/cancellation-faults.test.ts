/** Breaks the numbers of cancellations, and expects the audit to report it. */
import test from 'ava';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { besideLedger, corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();

/** 1001 and 1002, cancelled by CN-2027-1 and CN-2027-2 of a yearly series, and 1003. */
async function story(): Promise<Books> {
  const books = await openBooks(db, {
    today: '2027-01-15',
    file: {
      documents: { cancellation: 'document' },
      numbering: { creditNote: { prefix: 'CN-{YYYY}-', yearly: true } },
    },
  });
  const customerId = await books.customer();
  const charges = [{ amount: '5.00', invoiceText: 'Visit' }];
  for (const number of [1001, 1002, 1003]) {
    await books.manualInvoice(customerId, {
      invoiceLineItems: [{ invoiceLineItemCharges: charges }],
    });
    if (number < 1003) await books.cancelInvoice(number);
  }
  return books;
}

const guard = ['cancellation', 'cancellation_append_only'] as const;
const second = `${own} and cancellation_number = 'CN-2027-2'`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a cancellation that has lost its number',
    unguarded(`delete from cancellation where ${second}`, guard),
    ['number.invoice: invoice number of CN-{YYYY}- in 2027 2: is missing'],
  ],
  [
    'a number that was skipped',
    unguarded(`update cancellation set number_value = 4 where ${second}`, guard),
    [
      'number.invoice: invoice number of CN-{YYYY}- in 2027 2: is missing',
      'number.invoice: invoice number of CN-{YYYY}- in 2027 4: was not given yet',
    ],
  ],
  [
    'a number that two cancellations have',
    unguarded(`update cancellation set number_value = 1 where ${second}`, guard),
    [
      'number.invoice: invoice number of CN-{YYYY}- in 2027 2: 1 is used twice, or was not given yet',
      'number.invoice: invoice number of CN-{YYYY}- in 2027 2: is missing',
    ],
  ],
  [
    'a number of a series without a counter',
    unguarded(`update cancellation set number_year = 2026 where ${second}`, guard),
    [
      'number.invoice: invoice number of CN-{YYYY}- in 2027 2: is missing',
      'number.invoice: invoice numbers of CN-{YYYY}- in 2026: have no counter',
    ],
  ],
  [
    'a cancellation of an invoice that stands',
    unguarded(
      `update cancellation set invoice_id = (select id from invoice where ${own}
         and invoice_number = '1003') where ${second}`,
      guard,
    ),
    ['cancellation.number: invoice 1003: is Outstanding, but has the cancellation CN-2027-2'],
  ],
  [
    'the number of an invoice',
    unguarded(`update cancellation set cancellation_number = '1003' where ${second}`, guard),
    [
      'cancellation.number: invoice 1002: has the cancellation 1003, which is the number of an invoice',
    ],
  ],
];

for (const [rule, statements, found] of breaks) {
  test(`the audit reports ${rule}`, async (t) => {
    const books = await story();
    t.deepEqual((await books.audit()).faults, []);
    await corrupt(books, statements);
    const faults = besideLedger((await books.audit()).faults).map(
      ({ check, object, detail }) => `${check}: ${object}: ${detail}`,
    );
    t.deepEqual(faults.toSorted(), found.toSorted());
  });
}
