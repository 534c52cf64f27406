/** What the guides give as examples of columns is imported as it stands. */
import test from 'ava';
import { guides, guideText } from '../../../api/docs/pages/guides.ts';
import { openBooks, sharedDatabase } from '../support/books.ts';
import { csv, importsOf } from '../support/imports.ts';

const db = await sharedDatabase();

interface Example {
  readonly column: string;
  readonly value: string;
}

/** The lines of each table with a column Example, by guide and heading. */
const tables = new Map(
  ['index', ...guides, 'errors'].flatMap((guide) =>
    guideText(guide)
      .split(/^#+ /m)
      .map((section): readonly [string, readonly (readonly string[])[]] => {
        const [heading = '', ...lines] = section.split('\n');
        const rows = lines.filter((line) => line.startsWith('|')).map(cellsOf);
        return [`${guide}: ${heading}`, rows];
      })
      .filter(([, [header]]) => header?.includes('Example')),
  ),
);

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const quotedIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '');

/** Of `a` or `b` the first one is sent. */
function examplesOf(name: string): readonly Example[] {
  const [header = [], , ...body] = tables.get(name) ?? [];
  return body.flatMap((row) => {
    const values = quotedIn(row[header.indexOf('Example')]);
    const names = quotedIn(row[0]);
    const sent = row[0]?.includes(' or ') ? names.slice(0, 1) : names;
    return sent.map((column, nth) => ({ column, value: values[nth] ?? '' }));
  });
}

const fileOf = (name: string): string => {
  const examples = examplesOf(name);
  return csv(
    examples.map(({ column }) => column),
    [examples.map(({ value }) => value)],
  );
};

test('the examples of all columns are imported', async (t) => {
  t.deepEqual(
    [...tables.keys()],
    ['imports: Customers', 'imports: Invoices', 'imports: Line items'],
  );
  const books = await openBooks(db, { today: '2027-01-15', plans: [] });
  const imports = await importsOf(books);
  for (const name of tables.keys()) {
    for (const { column, value } of examplesOf(name)) {
      t.not(value, '', `${name} ${column}`);
    }
  }
  const customers = await imports.customers(fileOf('imports: Customers'));
  t.deepEqual(customers.rows, ['2 Success']);
  const invoices = await imports.invoices(fileOf('imports: Invoices'), [
    fileOf('imports: Line items'),
  ]);
  t.deepEqual([invoices.rows, invoices.children[0]?.rows], [['2 Success'], ['2 Success']]);
  for (const [name, { columns }] of Object.entries({
    Customers: imports.options.readers.customers,
    Invoices: imports.options.readers.invoices,
    'Line items': imports.options.readers.lines,
  })) {
    const named = (tables.get(`imports: ${name}`) ?? []).flatMap(([cell]) => quotedIn(cell));
    t.deepEqual(named.toSorted(), columns.toSorted());
  }
});
