/** Breaks imported invoices and opening balances, and expects the audit to report it. */
import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { importCustomer, importInvoice } from '../support/imported.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { besideLedger, corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * An imported customer with an opening balance of 12.34, and with invoices of 100 with 40 paid
 * before: OLD-1 is open, OLD-2 cancelled, OLD-3 paid; 1001 of 10 was made here.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.work((its) => importCustomer(its, { openingBalance: '12.34' }));
  const given = { customerId, amount: '100', paid: '-40', dueDate: '2027-02-14' };
  const ids: number[] = [];
  for (const number of ['OLD-1', 'OLD-2', 'OLD-3']) {
    ids.push(await books.work((its) => importInvoice(its, { ...given, number })));
  }
  books.later(3_600_000);
  await books.cancelInvoice('OLD-2');
  await books.bill(customerId, '10');
  await books.paid({ customerId, amount: '60', invoiceIds: ids.slice(2) });
  return books;
}

const unguarded = (statement: string): string[] => [
  `alter table ledger_entry disable trigger ledger_append_only;
   ${statement};
   alter table ledger_entry enable trigger ledger_append_only`,
];
const idOf = (number: string): string =>
  `(select id from invoice where ${own} and invoice_number = '${number}')`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'an imported invoice that entered its whole amount',
    unguarded(`update ledger_entry set amount = 100 where invoice_id = ${idOf('OLD-1')}`),
    [
      'balance.ledger: customer # in USD: balance 82.34, ledger 122.34',
      'import.invoice: invoice OLD-1: Outstanding over 60, entered 100, reversed 0',
      'invoice.balance: invoice 1001: totalDue 142.34, ledger then 182.34',
    ],
  ],
  [
    'an imported invoice that was entered like one made here',
    unguarded(
      `update ledger_entry set kind = 'invoice'
       where invoice_id = ${idOf('OLD-3')} and kind = 'import'`,
    ),
    [
      'import.invoice: invoice OLD-3: Paid over 60, entered 60, reversed 0',
      'invoice.balance: invoice OLD-3: totalDue 60, ledger then 192.34',
    ],
  ],
  [
    'a cancelled imported invoice without its reversal',
    unguarded(
      `delete from ledger_entry where invoice_id = ${idOf('OLD-2')} and kind = 'invoiceCancelled'`,
    ),
    [
      'balance.ledger: customer # in USD: balance 82.34, ledger 142.34',
      'import.invoice: invoice OLD-2: Cancelled over 60, entered 60, reversed 0',
      'invoice.balance: invoice 1001: totalDue 142.34, ledger then 202.34',
    ],
  ],
  [
    'an imported invoice that is open for what was paid before',
    [`update invoice set outstanding_balance = 100 where id = ${idOf('OLD-1')}`],
    [
      'invoice.open: invoice OLD-1: Outstanding over 60, open 100',
      'invoice.applied: invoice OLD-1: Outstanding over 60, open 100, applied 0',
    ],
  ],
  [
    'an imported invoice that pays itself',
    [`update invoice set autopay_on = '2027-02-14' where id = ${idOf('OLD-1')}`],
    ['invoice.autopay: invoice OLD-1: Outstanding, autopay on 2027-02-14'],
  ],
  [
    'an opening balance of a customer that was not imported',
    [`update customer set imported_by = null where ${own}`],
    [
      'ledger.payment: credit #: debit entered not at all, should be 12.34',
      'ledger.payment: credit #: openingBalance entered 12.34, should be not at all',
      'event.fact: credit.created of #: 0 events, should be 1',
      'event.fact: customer.created of #: 0 events, should be 1',
    ],
  ],
  [
    'an event of the creation of an imported invoice',
    [
      `insert into event (tenant_id, type, customer_id, object_id, occurred_at)
       select tenant_id, 'invoice.created', customer_id, id, created_at from invoice
       where id = ${idOf('OLD-1')}`,
    ],
    ['event.fact: invoice.created of #: 1 events without a fact'],
  ],
  [
    'an imported invoice that was paid here without an event',
    [`delete from event where ${own} and type = 'invoice.paid'`],
    ['event.fact: invoice.paid of #: 0 events, should be at least 1'],
  ],
];

test('the audit finds no fault in imported books', async (t) => {
  const books = await story();
  t.deepEqual(await books.faults(), []);
});

for (const [rule, statements, found] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    const texts = besideLedger(await books.faults()).map(({ check, object, detail }) =>
      `${check}: ${object}: ${detail}`.replace(/(customer|credit|of) \d+:?/, (text) =>
        text.replace(/\d+/, '#'),
      ),
    );
    t.deepEqual(texts, found);
  });
}
