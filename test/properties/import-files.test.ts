/**
 * Random files of customers, invoices and lines, in random chunks that are repeated: which rows
 * succeed, and what is owed, is what a model in memory says, and a dry run says the same.
 */
import test from 'ava';
import { importChunk } from '../../operations/imports/chunk.ts';
import { finishImport } from '../../operations/imports/finish.ts';
import { prepareImport } from '../../operations/imports/prepare.ts';
import { openRows } from '../../operations/imports/rows.ts';
import { allOf, chunksOf } from '../operations/imports/files.ts';
import { openBooks, sharedDatabase, type Books } from '../operations/support/books.ts';
import { hooks, importsOf, type Imports, type NewFile } from '../operations/support/imports.ts';
import { costly, fc, isLong, runs } from '../support/random.ts';
import * as model from './import-model.ts';

const db = await sharedDatabase();
const today = '2027-01-15';

const pick = <Value extends string>(...values: readonly Value[]) => fc.constantFrom(...values);
/** Seldom one of the others. */
const mostly = (good: readonly string[], ...others: readonly string[]) =>
  fc.oneof({ weight: 15, arbitrary: pick(...good) }, { weight: 1, arbitrary: pick(...others) });
/** A row that lacks a cell. */
const isCut = fc.integer({ min: 0, max: 29 }).map((nth) => nth === 29);
const keys = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `${prefix}${nth}`);
const refs = keys('C', 12);
const numbers = keys('X', 10);

const customer: fc.Arbitrary<model.CustomerCells> = fc.record({
  ref: mostly(refs, '', 'r'.repeat(51)),
  first: mostly(['Ada', 'say "hi"', 'two\nlines', 'a,b'], ''),
  last: mostly(['Byron'], ''),
  mode: mostly(['', 'I'], 'U', 'X'),
  balance: mostly(['', '12.34', '-5.00', '0'], '1.005', 'x'),
  isCut,
});
const invoice: fc.Arbitrary<model.InvoiceCells> = fc.record({
  number: mostly(numbers, ''),
  ref: mostly(refs, 'nobody'),
  date: mostly(['2026-12-01', '2027-01-15'], '2027-01-16', 'x'),
  due: mostly(['2027-01-15', '2027-03-01'], '2026-01-01'),
  status: mostly(['', 'Outstanding'], 'Paid', 'Open'),
  paid: mostly(['', '0', '-4.00'], '-100.00', '1.00', 'x'),
  stated: mostly(['', ''], '10.00', '7.00'),
  isCut,
});
const line: fc.Arbitrary<model.LineCells> = fc.record({
  number: mostly(numbers, '', 'nobody'),
  position: mostly(
    keys('', 60).filter((text) => text !== '0'),
    'x',
  ),
  amount: mostly(['10.00', '7.00', '10.00', '-3.00'], '', '1.005', 'x'),
  isCut,
});

const layout = fc.record({
  ends: fc.array(pick('\n', '\r\n', '\r'), { minLength: 1, maxLength: 3 }),
  quoting: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  mark: pick('', '\uFEFF'),
});
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never;

const customerColumns = ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName', 'updateMode'];
const cellsOfCustomer = (row: model.CustomerCells) => [
  'ada@example.com',
  row.ref,
  row.first,
  row.last,
  row.mode,
  row.balance,
];
const invoiceColumns = ['invoiceNumber', 'extCustomerRef', 'invoiceDate', 'dueDate', 'status'];
const cellsOfInvoice = (row: model.InvoiceCells) => [
  row.number,
  row.ref,
  row.date,
  row.due,
  row.status,
  row.paid,
  row.stated,
];
const cellsOfLine = (row: model.LineCells) => [row.number, row.position, row.amount];

/** A file whose cells are quoted, and whose lines end, by turns. */
function written<Row extends { readonly isCut: boolean }>(
  { ends, quoting, mark }: Layout,
  columns: readonly string[],
  {
    rows,
    cellsOf,
  }: {
    readonly rows: readonly Row[];
    readonly cellsOf: (row: Row) => readonly string[];
  },
): string {
  let turns = 0;
  const turn = <Item>(items: readonly Item[]): Item => items[(turns += 1) % items.length] as Item;
  const cell = (text: string): string =>
    /[",\r\n]/.test(text) || turn(quoting) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => (row.isCut ? cellsOf(row).slice(0, -1) : cellsOf(row)));
  return mark + [columns, ...lines].map((cells) => cells.map(cell).join(',') + turn(ends)).join('');
}

/** Imports the rows in chunks of random sizes, of which some come twice, as after a crash. */
async function inChunks(
  imports: Imports,
  file: NewFile,
  sizes: readonly number[],
): Promise<number> {
  const id = await imports.finalized(file);
  await prepareImport(imports.options, id, hooks);
  const rows = await allOf((await openRows(chunksOf(file.text, [7]))).rows);
  for (let [at, nth] = [0, 0]; at < rows.length; nth += 1) {
    const size = sizes[nth % sizes.length] ?? 1;
    const chunk = rows.slice(at, at + size);
    await importChunk(imports.options, id, chunk);
    if (size % 2 === 0) await importChunk(imports.options, id, chunk);
    at += size;
  }
  return id;
}

const finish = (imports: Imports, id: number) => finishImport(imports.options, id, hooks);
const succeeded = async (imports: Imports, id: number): Promise<readonly boolean[]> =>
  (await imports.result(id)).rows.map((row) => row.split(' ')[1] === 'Success');

/** `C1 owes 7.34, open 12.34` of each customer, in order. */
const stored = async (books: Books): Promise<readonly string[]> => {
  const rows = await books.read((tx) =>
    tx.query<{ ref: string; owed: number; open: number }>(
      `select c.ext_customer_ref as ref,
         (select coalesce(sum(balance), 0)::float8 from customer_balance b
          where b.customer_id = c.id) as owed,
         (select coalesce(sum(outstanding_balance), 0)::float8 from invoice i
          where i.customer_id = c.id) as open
       from customer c order by c.ext_customer_ref`,
    ),
  );
  return rows.map(({ ref, owed, open }) => `${ref} owes ${owed}, open ${open}`);
};

interface Sent {
  readonly kind: 'customers' | 'invoices';
  readonly text: string;
  readonly lines: string;
  readonly sizes: readonly number[];
}

/** A dry run, then the import; returns the rows of both kinds that succeed. */
async function imported(books: Books, imports: Imports, sent: Sent) {
  const rows: (readonly string[])[] = [];
  const before = await stored(books);
  let good: readonly (readonly boolean[])[] = [];
  for (const isValidateOnly of [true, false]) {
    const { kind, text, lines, sizes } = sent;
    const ids: number[] = [];
    if (kind === 'customers')
      ids.push(await inChunks(imports, { kind, text, isValidateOnly }, sizes));
    else {
      // Lines are staged before the rows of their invoices.
      const parentId = await imports.finalized({ kind, text, isValidateOnly });
      const file = { kind: 'lines', text: lines, isValidateOnly, parentId } as const;
      const lineId = await inChunks(imports, file, sizes);
      await prepareImport(imports.options, parentId, hooks);
      const all = await allOf((await openRows(chunksOf(text))).rows);
      for (let at = 0; at < all.length; at += sizes[0] ?? 1) {
        await importChunk(imports.options, parentId, all.slice(at, at + (sizes[0] ?? 1)));
      }
      await finish(imports, lineId);
      ids.push(parentId, lineId);
    }
    await finish(imports, ids[0] ?? 0);
    const results = await Promise.all(ids.map(async (id) => (await imports.result(id)).rows));
    // The ids of jobs are the only difference.
    rows.push(results.flat().map((row) => row.replaceAll(/batch \d+/g, 'batch')));
    good = await Promise.all(ids.map((id) => succeeded(imports, id)));
    if (isValidateOnly && JSON.stringify(await stored(books)) !== JSON.stringify(before)) {
      throw new Error('a dry run has stored something');
    }
  }
  return { good, rows };
}

test('the rows of random files succeed, and books come to, what a model says', async (t) => {
  let [goodRows, badRows] = [0, 0];
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });
  const step = fc.record({
    customers: fc.array(customer, { minLength: 4, maxLength: 16 }),
    invoices: fc.array(invoice, { minLength: 3, maxLength: 12 }),
    lines: fc.array(line, { minLength: 8, maxLength: 24 }),
    how: layout,
    sizes,
  });
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 2 }),
    async (steps) => {
      const books = await openBooks(db, { today, plans: [] });
      const imports = await importsOf(books);
      const expected = model.newModel();
      for (const { customers, invoices, lines, how, sizes: own } of steps) {
        const first = await imported(books, imports, {
          kind: 'customers',
          text: written(how, [...customerColumns, 'outstandingBalance'], {
            rows: customers,
            cellsOf: cellsOfCustomer,
          }),
          lines: '',
          sizes: own,
        });
        t.deepEqual(first.good, [model.importCustomers(expected, customers)]);
        t.deepEqual(first.rows[0], first.rows[1]);
        const more = ['paymentsAndAdjustments', 'currentAmountDue'];
        const second = await imported(books, imports, {
          kind: 'invoices',
          text: written(how, [...invoiceColumns, ...more], {
            rows: invoices,
            cellsOf: cellsOfInvoice,
          }),
          lines: written(how, ['invoiceNumber', 'position', 'amount'], {
            rows: lines,
            cellsOf: cellsOfLine,
          }),
          sizes: own,
        });
        const wanted = model.importInvoices(expected, { today, invoices, lines });
        t.deepEqual(second.good, [wanted.invoices, wanted.lines]);
        t.deepEqual(second.rows[0], second.rows[1]);
        for (const isGood of [...first.good, ...second.good].flat()) {
          if (isGood) goodRows += 1;
          else badRows += 1;
        }
      }
      t.deepEqual(await stored(books), model.booksOf(expected));
      t.deepEqual((await books.audit()).faults, []);
    },
  );
  await fc.assert(property, { ...costly, numRuns: runs(2) });
  const least = isLong ? 40 : 5;
  t.true(goodRows > least && badRows > least, `${goodRows} good, ${badRows} bad`);
});
