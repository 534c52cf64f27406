/** Runs the programs for imports in examples/ as they are, and imports what they make. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { testFolder } from '../../support/folder.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { csv, importsOf } from '../support/imports.ts';
import { allOf } from './files.ts';

const db = await sharedDatabase();
const examples = join(import.meta.dirname, '../../../examples');

const python = (program: string, ...args: readonly string[]) =>
  spawnSync('python3', [join(examples, program), ...args], { encoding: 'utf8' });
const isThere = python('split_export.py').status === 2;
// Printed with the results, so that a language that is left out is visible.
const ifThere = isThere ? test : test.skip;

const export_ = [
  'Invoice Number,Customer,Invoice Date,Due Date,Currency,Memo,Description,Quantity,Unit Price,Amount',
  'OLD-1,C-1,12/01/2026,12/31/2026,USD,"first, of two",Hosting,2,"$1,003.25","$2,006.50"',
  'OLD-2,C-1,12/02/2026,01/31/2027,USD,,Seats,1,5.00,5.00',
  'OLD-1,C-1,12/01/2026,12/31/2026,USD,"first, of two",Discount,1,(6.50),(6.50)',
  ',,,,,,,,,',
];

ifThere('an export with a row for each line item becomes invoices with their lines', async (t) => {
  const folder = testFolder(t);
  const file = join(folder, 'export.csv');
  writeFileSync(file, `\uFEFF${export_.join('\r\n')}\r\n`);
  const { status, stdout, stderr } = python('split_export.py', file, join(folder, 'moved'));
  t.is(status, 0, stderr);
  t.regex(stdout, /invoices\.csv: 2 rows\n.*lines\.csv: 3 rows\n/);
  const read = (name: string): string => readFileSync(join(folder, 'moved', name), 'utf8');
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  await books.customer({ ref: 'C-1' });
  const imports = await importsOf(books);
  const { finished } = await imports.invoices(read('invoices.csv'), [read('lines.csv')]);
  t.deepEqual(finished, { status: 'Success', successes: 5, failures: 0 });
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', invoice_number, invoice_date, due_date, round(total_due, 2), notes) as text
       from invoice order by invoice_number`,
    ),
  );
  t.deepEqual(
    rows.map(({ text }) => text),
    ['OLD-1 2026-12-01 2026-12-31 2000.00 first, of two', 'OLD-2 2026-12-02 2027-01-31 5.00'],
  );
});

ifThere('rows that contradict each other, lack a column or a cell are refused by line', (t) => {
  const folder = testFolder(t);
  const file = join(folder, 'export.csv');
  const [header = '', first = ''] = export_;
  for (const [text, message] of [
    [[header, first, first.replace('C-1', 'C-2')], 'line 3: invoice OLD-1 differs from its row'],
    [[header.replace('Memo,', ''), first], 'the export lacks Memo; it has Invoice Number,'],
    [[header, first.replace('12/31/2026', '31.12.2026')], 'line 2: dueDate cannot be read: 31.'],
    [[header, `${first},more`], 'line 2: the number of its cells is not that of the columns'],
  ] as const) {
    writeFileSync(file, text.join('\n'));
    const { status, stderr } = python('split_export.py', file, folder);
    t.is(status, 1);
    t.true(stderr.startsWith(message), stderr);
  }
});

ifThere('the correction file has the rows of a result that failed, and is imported', async (t) => {
  const folder = testFolder(t);
  const [result, correction] = [join(folder, 'result.csv'), join(folder, 'correction.csv')];
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const imports = await importsOf(books);
  const columns = ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary'];
  const sent = csv(columns, [
    ['C-1', 'Ada', 'Byron', 'ada@example.com'],
    ['C-2', 'Zoë', '', 'zoe@example.com'],
  ]);
  const { id } = await imports.customers(sent);
  const name = { tenantId: books.tenantId, batchId: id, kind: 'result' } as const;
  const { content } = await imports.storage.get(name);
  writeFileSync(result, Buffer.concat(await allOf(content)));
  const { status, stdout, stderr } = python('correct_import.py', result, correction);
  t.is(status, 0, stderr);
  t.is(stdout, 'row 2: line 3: lastName: field.required: lastName is required\n');
  const text = readFileSync(correction, 'utf8');
  t.is(text, `\uFEFF${columns.join(',')}\r\nC-2,Zoë,,zoe@example.com\r\n`);
  const again = await imports.customers(text.replace(',,', ',Byron,'));
  t.deepEqual(again.finished, { status: 'Success', successes: 1, failures: 0 });
  writeFileSync(result, sent);
  t.is(python('correct_import.py', result, correction).status, 1);
});
