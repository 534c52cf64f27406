/** Breaks credit notes, and expects the audit to report it. */
import test from 'ava';
import { creditNoteChecks } from '../../../operations/books/checks/credit-notes.ts';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { prepaid, recurring } from '../support/plans.ts';
import { besideLedger, corrupt, own, unguarded } from './corrupt.ts';

const db = await sharedDatabase();
/** With terms of its own, which its credit notes do not have. */
const plans = [
  {
    ...recurring('P', 31, { ...prepaid, taxCodes: ['STANDARD'] }),
    dueDateValue: 30,
    dueDateUnits: 'Days',
  },
];
const rates = [{ country: 'US', state: 'NY', percent: 10, taxCode: 'STANDARD', name: 'Sales tax' }];

/**
 * 1001 of 31.00 and 3.10 of tax, of which the notes 1002 and 1003 give 11.00 and 5.00 back, and of
 * which a refund is under way that will give 4.00 back.
 */
async function story(): Promise<PaymentBooks> {
  const books = await openPaymentBooks(db, {
    today: '2027-01-15',
    plans,
    file: { tax: { type: 'table', rates } },
  });
  const customerId = await books.customer({ address: { countryCode: 'US', state: 'NY' } });
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  const [fee] = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from invoice_charge where kind = 'period'`),
  );
  await books.work((its) =>
    createCreditNote(
      its,
      { number: '1001' },
      {
        reason: 'Line was down',
        invoiceLineItemCharges: [{ id: fee?.id ?? 0, amount: '10.00' }],
      },
    ),
  );
  await books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'Courtesy', amount: '5.00' }),
  );
  await books.paid({ customerId, amount: '10', method: card('tok_1') });
  const [invoice] = await books.read((tx) =>
    tx.query<{ id: number }>('select id from invoice order by id'),
  );
  await books.refund({
    customerId,
    amount: '4',
    invoiceIds: [invoice?.id ?? 0],
    invoiceText: 'Line was down',
    creditNote: true,
  });
  return books;
}

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'notes of more than their invoice',
    [
      `update invoice set current_amount_due = -40, total_due = previous_balance
         + payments_and_adjustments - 40 where ${own} and number_value = 1002`,
    ],
    ['creditNote.limit: invoice 1001: comes to 34.1, its credit notes give back 49'],
  ],
  [
    'a note that gives nothing back',
    [
      `update invoice set current_amount_due = 0, total_due = previous_balance
         + payments_and_adjustments where ${own} and number_value = 1003`,
    ],
    ['creditNote.limit: invoice 1001: has a credit note that gives nothing back'],
  ],
  [
    'notes to come of more than is left',
    [`update refund_reservation set amount = 19 where ${own}`],
    [
      'creditNote.limit: invoice 1001: comes to 34.1, its credit notes give back 35',
      'refund.reserved: refund #: reserves 19 of payment #, its share is 4, and less is applied',
    ],
  ],
  [
    'a refund under way of which nothing is reserved',
    [`delete from refund_reservation where ${own}`],
    ['refund.reserved: refund #: reserves 0 of payment #, its share is 4'],
  ],
  [
    'a refund of an invoice that it does not name',
    [`update payment set named_invoice_ids = '{1}' where ${own} and phase = 'Waiting'`],
    [
      'refund.reserved: refund #: reserves 4 of payment #, its share is 4, of another invoice, or it has ended',
    ],
  ],
  [
    'a refund of more than its note gives back',
    [
      `update invoice n set refund_id = (select id from payment where ${own} and phase = 'Waiting')
       where ${own} and number_value = 1003`,
    ],
    ['creditNote.refund: refund #: Pending over 4, 1 credit notes over 5'],
  ],
  [
    'a tax that does not follow its base',
    unguarded(`update charge_credit set amount = amount + 0.05 where ${own} and by_note
      and amount = 1 and invoice_charge_id in
        (select id from invoice_charge where ${own} and kind = 'tax')`),
    ['creditNote.tax: invoice 1001: Sales tax stands with 1.6, by its base 1.645'],
  ],
];

test('notes by charges and by amounts are no fault', async (t) => {
  const books = await story();
  t.deepEqual((await books.audit()).faults, []);
  t.deepEqual(
    (await books.invoices()).map((text) => text.replace(/ on .*? (Outstanding|Paid) /, ' $1 ')),
    [
      '1001 Outstanding 34.10: P 2027-01-15 2027-02-14 31.00, TAX 3.10',
      '1002 Paid -11.00: P 2027-01-15 2027-02-14 -10.00, TAX -1.00',
      '1003 Paid -5.00: P 2027-01-15 2027-02-14 -4.55, TAX -0.45',
    ],
  );
});

for (const [rule, statements, expected] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const books = await story();
    await corrupt(books, statements);
    const { faults } = await books.audit();
    const own = besideLedger(faults)
      .map(({ check, object, detail }) => `${check}: ${object}: ${detail}`)
      .filter((text) => /^(creditNote|refund\.reserved)/.test(text))
      .map((text) => text.replaceAll(/(refund|payment) \d+/g, '$1 #'));
    t.deepEqual(own, expected);
  });
}

test('these faults break every rule of credit notes', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  t.deepEqual(
    creditNoteChecks.filter(({ name }) => !seen.has(name)),
    [],
  );
});
