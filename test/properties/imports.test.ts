/** Import files with any cells, line endings and chunks, broken ones too. */
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { RESULT_COLUMNS } from '../../domain/imports/columns.ts';
import { checkFile } from '../../operations/imports/prepare.ts';
import { cutRows } from '../../operations/imports/cut-rows.ts';
import { resultFile } from '../../operations/imports/finish.ts';
import { openRows, resumeRows } from '../../operations/imports/rows.ts';
import { allOf, chunksOf } from '../operations/imports/files.ts';
import { fc } from '../support/random.ts';

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const characters = ['"', '""', ',', '\n', '\r', '\r\n', ' ', "'", '=', '\uFEFF', 'ü', '😀', 'a'];
const cellText = fc.string({ unit: fc.constantFrom(...characters), maxLength: 8 });
const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
/** Text in which quotes, commas and line breaks are anywhere. */
const anyText = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', 'ü'), maxLength: 60 });

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const table: fc.Arbitrary<Table> = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    columns: fc.constant(['a', 'b', 'c', 'd'].slice(0, width)),
    rows: fc.array(
      fc
        .array(cellText, { minLength: width, maxLength: width })
        .filter((cells) => cells.some((cell) => cell.trim() !== '')),
      { maxLength: 8 },
    ),
  }),
);

const layout = fc.record({
  mark: fc.constantFrom('', '\uFEFF'),
  /** One for each line, by turns. */
  ends: fc.array(lineEnd, { minLength: 1, maxLength: 4 }),
  blanks: fc.array(fc.array(lineEnd, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  quoting: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  endsInBreak: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never;

const turn = <Item>(items: readonly Item[], index: number): Item =>
  items[index % items.length] as Item;
const lineAfter = (text: string): number => 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);

/** The text of a table, and the line on which each of its rows begins. */
function written({ columns, rows }: Table, { mark, ends, blanks, quoting, endsInBreak }: Layout) {
  let text = mark;
  const lines: number[] = [];
  for (const [index, row] of [columns, ...rows].entries()) {
    text += turn(blanks, index).join('');
    lines.push(lineAfter(text));
    text += row
      .map((cell, column) => {
        // An empty line is no row, and a mark at the start is no cell.
        const isBare = /^[^",\r\n\uFEFF]+$/.test(cell) || (cell === '' && row.length > 1);
        const isQuoted = !isBare || turn(quoting, index + column);
        return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
      })
      .join(',');
    if (index < rows.length || endsInBreak) text += turn(ends, index);
  }
  return { text, lines };
}

test('the cells of any table are read, with their lines, whatever the chunks', async (t) => {
  await fc.assert(
    fc.asyncProperty(table, layout, chunkSizes, async (sent, how, sizes) => {
      const { text, lines } = written(sent, how);
      const file = await openRows(chunksOf(text, sizes));
      t.deepEqual(file.columns, sent.columns);
      const rows = await allOf(file.rows);
      t.deepEqual(
        rows.map((row) => ('cells' in row ? row.cells : row.fault)),
        sent.rows,
      );
      t.deepEqual(
        rows.map(({ line }) => line),
        lines.slice(1),
      );
    }),
    { numRuns: 300 },
  );
});

test('reading that resumes after any row reads the rows after it', async (t) => {
  let resumed = 0;
  const text = fc.oneof(
    fc.tuple(table, layout).map(([sent, how]) => written(sent, how).text),
    anyText.map((rest) => `a,b\n${rest}`),
  );
  await fc.assert(
    fc.asyncProperty(text, chunkSizes, async (sent, sizes) => {
      const bytes = Buffer.from(sent);
      const { columns, start, rows } = await openRows(chunksOf(bytes, [1000]));
      const all = await allOf(rows);
      const places = [start, ...all.map(({ offset, nextLine }) => ({ offset, line: nextLine }))];
      for (const [index, from] of places.entries()) {
        const rest = chunksOf(bytes.subarray(from.offset), sizes);
        t.deepEqual(await allOf(resumeRows(rest, columns, from)), all.slice(index));
        resumed += 1;
      }
    }),
    { numRuns: 300 },
  );
  t.true(resumed > 600, `${resumed} places`);
});

test('a result file that is read again has the cells that were sent', async (t) => {
  await fc.assert(
    fc.asyncProperty(table, cellText, chunkSizes, async ({ columns, rows }, error, sizes) => {
      const results = rows.map((cells, index) => {
        const id = index % 2 === 0 ? null : index;
        return { line: index + 2, cells, status: 'Failure', id, error };
      });
      const bytes = Buffer.concat(await allOf(resultFile(columns, results)));
      const file = await openRows(chunksOf(bytes, sizes));
      t.deepEqual(file.columns, [...columns, ...RESULT_COLUMNS]);
      t.deepEqual(
        (await allOf(file.rows)).map((row) => ('cells' in row ? row.cells : row.fault)),
        results.map(({ line, cells, status, id }) =>
          [cells, String(line), status, String(id ?? ''), error].flat(),
        ),
      );
    }),
    { numRuns: 200 },
  );
});

test('a row is faulty exactly if csv-parse refuses it', async (t) => {
  let faulty = 0;
  await fc.assert(
    fc.asyncProperty(anyText, chunkSizes, async (text, sizes) => {
      const options = {
        record_delimiter: ['\r\n', '\n', '\r'],
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
      };
      const { value: row } = await cutRows(chunksOf(text, sizes)).next();
      const isFaulty = row !== undefined && row.fault !== null;
      if (isFaulty) {
        faulty += 1;
        t.throws(() => parse(text, { ...options, to: 1 }), undefined, JSON.stringify(text));
      } else {
        const [cells] = parse(text, { ...options, to: 1 });
        t.deepEqual(row && parse(row.bytes, options), cells && [cells]);
      }
    }),
    { numRuns: 1000 },
  );
  t.true(faulty > 100, `${faulty} faulty rows`);
});

test('a check counts the rows that are read', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyText, chunkSizes, async (rest, sizes) => {
      const text = `a,b\n${rest}\na,b`;
      const { rowCount } = await checkFile(chunksOf(text, sizes), { known: ['a', 'b'], key: 'a' });
      const { rows } = await openRows(chunksOf(text));
      t.is(rowCount, (await allOf(rows)).length);
    }),
    { numRuns: 200 },
  );
});
