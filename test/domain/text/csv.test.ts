/** CSV that programs read, and in which spreadsheets find no formula. */
import test from 'ava';
import { csvLine, exactCsvLine } from '../../../domain/text/csv.ts';

const table: readonly [cell: string | number | null, text: string][] = [
  ['AGENT-1', 'AGENT-1'],
  [2050, '2050'],
  [null, ''],
  ['', ''],
  ['-2.70', '-2.70'],
  ['+2.70', '+2.70'],
  ['-', "'-"],
  ['-2.70-1', "'-2.70-1"],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "'\t=1+1"],
  ['\r=1+1', '"\'\r=1+1"'],
  ['+cmd', "'+cmd"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=a,"b"', '"\'=a,""b"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['Ünïcödé €', 'Ünïcödé €'],
];

for (const [cell, text] of table) {
  test(`the cell ${JSON.stringify(cell)}`, (t) => {
    t.is(csvLine([cell]), `${text}\r\n`);
  });
}

test('cells are separated by commas, lines end with CRLF', (t) => {
  t.is(csvLine(['a', 1, null, 'b']), 'a,1,,b\r\n');
});

test('a line that is sent back has no apostrophes', (t) => {
  const cells = ['=1+1', "'=1", '@a', '-', 'a "b", c\n', 7, null];
  t.is(exactCsvLine(cells), `=1+1,'=1,@a,-,"a ""b"", c\n",7,\r\n`);
});
