/** The result file: what was sent, and what became of it. */
import { AssertionError } from 'node:assert';
import test from 'ava';
import { resultFile, type RowResult } from '../../../operations/imports/finish.ts';
import { allOf } from './files.ts';

const success = { status: 'Success', id: 7, error: null } as const;
const failure = { status: 'Failure', id: null } as const;

async function textOf(columns: readonly string[], rows: readonly RowResult[]): Promise<string> {
  return Buffer.concat(await allOf(resultFile(columns, rows))).toString();
}

test('the sent columns in the sent order, then what became of each row', async (t) => {
  const text = await textOf(
    ['notes', 'invoiceNumber'],
    [
      { line: 2, cells: ['say "hi", twice\n', 'I-1'], ...success },
      { line: 4, cells: ['', 'I-2'], ...failure, error: 'line 4: dueDate: field.required: x, y' },
    ],
  );
  t.is(
    text,
    '\uFEFFnotes,invoiceNumber,importLine,importStatus,importId,importError\r\n' +
      '"say ""hi"", twice\n",I-1,2,Success,7,\r\n' +
      ',I-2,4,Failure,,"line 4: dueDate: field.required: x, y"\r\n',
  );
});

test('passwords are blank', async (t) => {
  const rows = [{ line: 2, cells: ['C-1', 'hunter2', 'ada'], ...success }];
  const text = await textOf(['extCustomerRef', 'passwd', 'username'], rows);
  t.is(text.split('\r\n')[1], 'C-1,,ada,2,Success,7,');
});

test('cells that look like formulas come back as they were sent', async (t) => {
  const rows = [{ line: 2, cells: ['=1+1', "'-x", '@a', '-5.00'], ...success }];
  t.is(
    (await textOf(['a', 'b', 'c', 'd'], rows)).split('\r\n')[1],
    "=1+1,'-x,@a,-5.00,2,Success,7,",
  );
});

test('a row that could not be cut has blank cells and its line beside passwords', async (t) => {
  const rows = [{ line: 3, cells: null, ...failure, error: 'line 3: the number of cells is 1' }];
  t.is(
    (await textOf(['a', 'b'], rows)).split('\r\n')[1],
    ',,3,Failure,,line 3: the number of cells is 1',
  );
});

test('a file without a row has the columns', async (t) => {
  t.is(await textOf(['a'], []), '\uFEFFa,importLine,importStatus,importId,importError\r\n');
});

test('the result comes in chunks, whatever the number of rows', async (t) => {
  let made = 0;
  function* rows(): Generator<RowResult> {
    for (; ; made += 1) yield { line: made + 2, cells: ['x'.repeat(100)], ...success };
  }
  const chunks = resultFile(['a'], rows());
  const { value } = await chunks.next();
  t.true(made < 1000 && value !== undefined && value.length < 70_000, `${made} rows`);
  await chunks.return(undefined);
});

test('rows out of order and rows with other cells are faults of the program', async (t) => {
  const row = { line: 3, cells: ['x'], ...success };
  await t.throwsAsync(textOf(['a'], [row, row]), { instanceOf: AssertionError });
  await t.throwsAsync(textOf(['a', 'b'], [row]), { instanceOf: AssertionError });
});
