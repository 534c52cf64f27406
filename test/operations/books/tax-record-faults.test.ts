/** Breaks invoices that a tax provider taxed and their records, and expects the audit to report it. */
import test from 'ava';
import { taxRecordChecks } from '../../../operations/books/checks/taxes.ts';
import { openAvatax } from '../../support/avatax.ts';
import { sharedDatabase } from '../support/books.ts';
import { openTaxShop, type TaxShop } from '../tax-records/shop.ts';
import { corrupt, own } from './corrupt.ts';

const db = await sharedDatabase();

/**
 * Invoices of 36.00 and 3.20 of tax: 1001 is recorded, 1002 is Cancelled and voided, 1003 waits. 1004
 * carries back 21.00 and 1.87 of tax.
 */
async function story(t: Parameters<typeof openAvatax>[0]): Promise<TaxShop> {
  const { provider } = await openAvatax(t);
  const shop = await openTaxShop(db, provider);
  await shop.invoice();
  await shop.invoice();
  await shop.pass();
  await shop.books.cancelInvoice(1002);
  await shop.pass();
  const order = { customerId: await shop.customer(), contractCode: 'SILVER' };
  const id = await shop.asked(() => shop.books.order(order, { generateInvoice: true }));
  shop.books.jump('2027-01-25');
  await shop.asked(() => shop.books.change(id, { contractCode: 'FREE' }, { bills: true }));
  return shop;
}

const record = (invoiceNumber: number, changes: string): string =>
  `update tax_record set ${changes} where ${own} and invoice_id =
     (select id from invoice where ${own} and number_value = ${invoiceNumber})`;
const charges = (invoiceNumber: number, changes: string): string =>
  `update invoice_charge set ${changes} where ${own} and kind = 'tax' and invoice_text = 'NY STATE TAX'
     and invoice_line_id in (select l.id from invoice_line l join invoice i on i.id = l.invoice_id
       where i.${own} and i.number_value = ${invoiceNumber})`;

const failed = `failures = 1, failing_since = now(), error_code = 'InvalidAddress'`;

const breaks: readonly [rule: string, statements: readonly string[], found: readonly string[]][] = [
  [
    'a record of other sums',
    [record(1001, 'recorded_tax = 3.21')],
    [
      'tax.recorded: invoice 1001: the tax provider has 36 and 3.21 of tax, the invoice says 36 ' +
        'and 3.2 of tax',
    ],
  ],
  [
    'a record of a Cancelled invoice that stands, and one of another that does not',
    [record(1002, `state = 'recorded'`), record(1001, `state = 'voided'`)],
    [
      'tax.recorded: invoice 1001: is Outstanding, but its record is voided',
      'tax.recorded: invoice 1002: is Cancelled, but its record is recorded',
    ],
  ],
  [
    'a record that is refused, but none that the provider only does not answer',
    [record(1003, `${failed}, trouble = 'refused'`), record(1004, `${failed}, trouble = 'silent'`)],
    ['tax.recorded: invoice 1003: the tax provider refuses it, toRecord: InvalidAddress'],
  ],
  [
    'records that nobody makes, or that take too long',
    [
      record(1003, `next_attempt_at = now() - interval '61 minutes'`),
      record(1004, `opened_at = now() - interval '25 hours', ${failed}, trouble = 'silent'`),
    ],
    [
      'tax.recorded: invoice 1003: is toRecord, and nothing was done since it was due',
      'tax.recorded: invoice 1004: is toRecord for more than 24 hours: InvalidAddress',
    ],
  ],
  [
    'an invoice with the taxes of an answer and without a record',
    [
      `delete from tax_record where ${own} and invoice_id =
         (select id from invoice where ${own} and number_value = 1001)`,
    ],
    ['tax.recorded: invoice 1001: bears the taxes of an answer, but has no record'],
  ],
  [
    'an invoice without the tax that is told to the provider',
    [charges(1001, 'amount = 1.40'), record(1004, 'expected_tax = -1.86')],
    [
      'tax.amount: invoice 1001: its taxes come to 3.16, the tax provider is told 3.2',
      'tax.amount: invoice 1004: its taxes come to -1.87, the tax provider is told -1.86',
    ],
  ],
  [
    'a tax of a provider that is of nothing, or of what has another code first',
    [
      charges(1001, `base_positions = '{}'`),
      `update plan_charge set tax_codes = '{OTHER,STANDARD}' where ${own} and price_code = 'SILVER'`,
    ],
    [
      'tax.base: invoice 1001: NY STATE TAX at 2 of line 1 is of charges {}, should be of {1}',
      'tax.base: invoice 1003: NY STATE TAX at 2 of line 1 is of charges {1}, should be of {}',
      'tax.base: invoice 1003: NY CITY TAX at 3 of line 1 is of charges {1}, should be of {}',
      'tax.base: invoice 1003: NY SPECIAL TAX at 4 of line 1 is of charges {1}, should be of {}',
    ],
  ],
];

test('a provider’s taxes that are no percentages rounded once, or of one name, are no fault', async (t) => {
  const shop = await story(t);
  t.deepEqual(await shop.faults(), []);
  // Two jurisdictions of one name and rate; the sums stay.
  await corrupt(shop.books, [charges(1001, `invoice_text = 'NY CITY TAX', unit_price = 4.5`)]);
  t.deepEqual(await shop.faults(), []);
});

for (const [rule, statements, expected] of breaks) {
  test(`the audit finds ${rule}`, async (t) => {
    const shop = await story(t);
    await corrupt(shop.books, statements);
    t.deepEqual(await shop.faults(), expected);
  });
}

test('these faults break every rule of tax records', (t) => {
  const seen = new Set(breaks.flatMap(([, , each]) => each.map((text) => text.split(':')[0])));
  t.deepEqual(
    taxRecordChecks.filter(({ name }) => !seen.has(name)),
    [],
  );
});
