/** Files of invoices and their line items: what becomes of each row, in the books and in the results. */
import test from 'ava';
import { finishImport } from '../../../operations/imports/finish.ts';
import { prepareImport } from '../../../operations/imports/prepare.ts';
import { cancelImport } from '../../../operations/imports/steer.ts';
import { openBooks, sharedDatabase, type Books } from '../support/books.ts';
import { csv, hooks, importsOf, rowsAre, type Table } from '../support/imports.ts';

const db = await sharedDatabase();
const today = '2027-01-15';
const invoiceColumns = [
  'invoiceNumber',
  'extCustomerRef',
  'invoiceDate',
  'dueDate',
  'paymentsAndAdjustments',
];
const lineColumns = ['invoiceNumber', 'position', 'unitPrice', 'quantity', 'amount', 'invoiceText'];
const invoicesOf = (rows: Table) => csv(invoiceColumns, rows);
const linesOf = (rows: Table) => csv(lineColumns, rows);
const isClean = async (books: Books) => (await books.audit()).faults;

/** With the customers A and B. */
async function opened() {
  const books = await openBooks(db, { today, plans: [] });
  const ids = [await books.customer({ ref: 'A' }), await books.customer({ ref: 'B' })];
  return { books, imports: await importsOf(books), customerId: ids[0] ?? 0 };
}

/** `X-1 Outstanding 100.00 -40.00 60.00 open 60.00 ledger 60.00` */
const stored = async (books: Books): Promise<readonly string[]> => {
  const rows = await books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', invoice_number, status, round(current_amount_due, 2),
         round(payments_and_adjustments, 2), round(total_due, 2), 'open', round(outstanding_balance, 2),
         'ledger', (select round(sum(amount), 2) from ledger_entry e where e.invoice_id = i.id)) as text
       from invoice i order by invoice_number`,
    ),
  );
  return rows.map(({ text }) => text);
};

test('what was paid before comes off: 100.00 and -40.00 leave 60.00, all of it is Paid', async (t) => {
  const { books, imports } = await opened();
  const { finished, children, rows } = await imports.invoices(
    invoicesOf([
      ['X-1', 'A', '2026-12-01', '2027-02-01', '-40.00'],
      ['X-2', 'A', '2026-12-01', '2027-02-01', '-6.50'],
      ['X-3', 'B', '2026-12-01', '2027-02-01', ''],
    ]),
    [
      linesOf([
        ['X-1', 1, '', '', '90.00', 'Hosting'],
        ['X-2', 1, '3.25', 2, '', 'Seats'],
        ['X-1', 2, '', '', '10.00', ''],
      ]),
      linesOf([['X-3', 1, '5.00', '', '', '']]),
    ],
  );
  t.deepEqual(finished, { status: 'Success', successes: 7, failures: 0 });
  t.deepEqual(
    children.map(({ status, rows: each }) => [status, each]),
    [
      ['Success', ['2 Success', '3 Success', '4 Success']],
      ['Success', ['2 Success']],
    ],
  );
  rowsAre(t, rows, ['2 Success', '3 Success', '4 Success']);
  t.deepEqual(await stored(books), [
    'X-1 Outstanding 100.00 -40.00 60.00 open 60.00 ledger 60.00',
    'X-2 Paid 6.50 -6.50 0.00 open 0.00 ledger 0.00',
    'X-3 Outstanding 5.00 0.00 5.00 open 5.00 ledger 5.00',
  ]);
  t.deepEqual(await isClean(books), []);
});

test('a bad line item fails its invoice with all of its lines, and one without an invoice itself', async (t) => {
  const { books, imports } = await opened();
  const { finished, children, rows } = await imports.invoices(
    invoicesOf([
      ['X-1', 'A', '2026-12-01', '2027-02-01', ''],
      ['X-2', 'A', '2026-12-01', '2027-02-01', ''],
      ['X-3', 'nobody', '2026-12-01', '2027-02-01', ''],
      ['X-2', 'A', '2026-12-01', '2027-02-01', ''],
      ['1001', 'A', '2026-12-01', '2027-02-01', ''],
      ['X-5', 'A', '2026-12-01', '2027-02-01', ''],
    ]),
    [
      linesOf([
        ['X-1', 1, '', '', '90.00', ''],
        ['X-1', 2, '', '', '1.005', ''],
        ['X-2', 1, '', '', '10.00', ''],
        ['X-3', 1, '', '', '10.00', ''],
        ['X-4', 1, '', '', '10.00', ''],
        ['X-5', 'one', '', '', '10.00', ''],
      ]),
    ],
  );
  t.is(finished.status, 'PartialSuccess');
  rowsAre(t, rows, [
    `2 Failure line 2: invoiceNumber: import.dependent: a line item of the invoice is bad: line 3 of ` +
      `batch ${await childOf(books)}`,
    '3 Success',
    '4 Failure line 4: extCustomerRef: customer.unknown: there is no customer with extCustomerRef nobody',
    '5 Failure line 5: invoiceNumber: import.repeated: an earlier row of the file has the same value, ' +
      'and the first one counts',
    "6 Failure line 6: invoiceNumber: field.invalid: invoiceNumber is one that the tenant's own " +
      'series may still give',
    `7 Failure line 7: invoiceNumber: import.dependent: a line item of the invoice is bad: line 7 of ` +
      `batch ${await childOf(books)}`,
  ]);
  rowsAre(t, children[0]?.rows, [
    '2 Failure line 2: invoiceNumber: import.dependent: the invoice failed, see line 2 of its file',
    '3 Failure line 3: amount: field.invalid: an amount in USD has at most 2 decimals',
    '4 Success',
    '5 Failure line 5: invoiceNumber: import.dependent: the invoice failed, see line 4 of its file',
    '6 Failure line 6: invoiceNumber: import.dependent: the file of the invoices has no such ' +
      'invoiceNumber',
    '7 Failure line 7: position: field.invalid: position must be a whole number from 0 to 1000000, not "one"',
  ]);
  t.deepEqual(await stored(books), ['X-2 Outstanding 10.00 0.00 10.00 open 10.00 ledger 10.00']);
  t.deepEqual(await isClean(books), []);
});

async function childOf(books: Books): Promise<number> {
  const rows = await books.read((tx) =>
    tx.query<{ id: number }>(`select id from batch where kind = 'lines'`),
  );
  return rows[0]?.id ?? 0;
}

test('an invoice that is there already, and one without lines, fail', async (t) => {
  const { books, imports } = await opened();
  const one = ['X-1', 'A', '2026-12-01', '2027-02-01', ''];
  const line = ['X-1', 1, '', '', '10.00', ''];
  await imports.invoices(invoicesOf([one]), [linesOf([line])]);
  const { rows, finished } = await imports.invoices(
    invoicesOf([one, ['X-2', 'A', '2026-12-01', '2027-02-01', '']]),
    [linesOf([line])],
  );
  t.is(finished.status, 'Failure');
  rowsAre(t, rows, [
    '2 Failure line 2: invoiceNumber: invoice.numberTaken: another invoice has invoiceNumber X-1',
    '3 Failure line 3: invoiceNumber: field.required: no good line item names this invoiceNumber',
  ]);
  t.is((await stored(books)).length, 1);
  t.deepEqual(await isClean(books), []);
});

test('money of the customer that is not applied meets the invoice', async (t) => {
  const { books, imports } = await opened();
  const credits = await imports.customers(
    csv(
      ['extCustomerRef', 'firstName', 'lastName', 'emailPrimary', 'outstandingBalance'],
      [['C', 'Ada', 'Byron', 'ada@example.com', '-12.00']],
    ),
  );
  t.is(credits.finished.status, 'Success');
  await imports.invoices(invoicesOf([['X-1', 'C', '2026-12-01', '2027-02-01', '']]), [
    linesOf([['X-1', 1, '', '', '30.00', '']]),
  ]);
  t.deepEqual(await stored(books), ['X-1 Outstanding 30.00 0.00 30.00 open 18.00 ledger 30.00']);
  t.deepEqual(await isClean(books), []);
});

test('a dry run of invoices says the same of each row, and stores nothing', async (t) => {
  const { books, imports } = await opened();
  const invoices = invoicesOf([
    ['X-1', 'A', '2026-12-01', '2027-02-01', ''],
    ['X-2', 'A', '2026-12-01', '2027-02-01', ''],
  ]);
  const lines = [linesOf([['X-1', 1, '', '', '10.00', '']])];
  const dry = await imports.invoices(invoices, lines, true);
  t.deepEqual(await stored(books), []);
  t.deepEqual([...dry.ids, ...(dry.children[0]?.ids ?? [])], [0, 0, 0]);
  const real = await imports.invoices(invoices, lines);
  t.deepEqual(
    [dry.rows, dry.finished, dry.children[0]?.rows],
    [real.rows, real.finished, real.children[0]?.rows],
  );
  t.deepEqual(await isClean(books), []);
});

test('a cancelled job leaves the rest out, and its results say so', async (t) => {
  const { books, imports } = await opened();
  const { options } = imports;
  const one = ['X-1', 'A', '2026-12-01', '2027-02-01', ''];
  const id = await imports.finalized({ kind: 'invoices', text: invoicesOf([one]) });
  const line = linesOf([['X-1', 1, '', '', '10.00', '']]);
  const childId = await imports.finalized({ kind: 'lines', text: line, parentId: id });
  await prepareImport(options, id, hooks);
  await prepareImport(options, childId, hooks);
  await imports.rowsOf(childId);
  await t.throwsAsync(
    cancelImport(books.dependencies, books.tenantId, childId, { reason: 'a mistake' }),
    {
      message: `line items go with their invoices: cancel batch ${id}`,
    },
  );
  await cancelImport(books.dependencies, books.tenantId, id, { reason: 'a mistake' });
  await imports.rowsOf(id);
  await finishImport(options, childId, hooks);
  const finished = await finishImport(options, id, hooks);
  t.deepEqual(finished, { status: 'Failure', successes: 0, failures: 0 });
  t.deepEqual((await imports.result(id)).rows, ['2 Cancelled']);
  t.deepEqual((await imports.result(childId)).rows, ['2 Cancelled']);
  t.deepEqual(await stored(books), []);
  t.deepEqual(await isClean(books), []);
});

test('a step that is repeated does each row once', async (t) => {
  const { books, imports } = await opened();
  const { options } = imports;
  const many = Array.from({ length: 1_200 }, (_, n) => n);
  const id = await imports.finalized({
    kind: 'invoices',
    text: invoicesOf(many.map((n) => [`X-${n}`, 'A', '2026-12-01', '2027-02-01', ''])),
  });
  const childId = await imports.finalized({
    kind: 'lines',
    text: linesOf(many.map((n) => [`X-${n}`, 1, '', '', '1.00', ''])),
    parentId: id,
  });
  for (const each of [id, childId, id, childId]) await prepareImport(options, each, hooks);
  for (const each of [childId, childId]) await imports.rowsOf(each);
  await Promise.all([imports.rowsOf(id), imports.rowsOf(id)]);
  for (const each of [childId, childId, id]) await finishImport(options, each, hooks);
  t.deepEqual(await finishImport(options, id, hooks), {
    status: 'Success',
    successes: 2_400,
    failures: 0,
  });
  t.is((await stored(books)).length, 1_200);
  t.is((await imports.result(id)).rows.length, 1_200);
  t.deepEqual(await isClean(books), []);
});
