/** Reading the rows of an import file. */
import test from 'ava';
import { ImportFileFault } from '../../../domain/imports/file-fault.ts';
import { ROW_LIMIT_BYTES } from '../../../operations/imports/cut-rows.ts';
import { openRows, resumeRows } from '../../../operations/imports/rows.ts';
import { allOf, brief, chunksOf } from './files.ts';

const OPENED_INSIDE = 'a quote is inside a cell that does not begin with one';
const TEXT_AFTER = 'text follows the closing quote of a cell';
const NOT_CLOSED = 'the closing quote of a cell is missing';
const TOO_LONG = 'the row is longer than 65536 bytes';

type Expected = readonly (readonly [line: number, cellsOrFault: readonly string[] | string])[];

/** Files whose first line is `a,b`. */
const files: readonly [title: string, text: string, rows: Expected][] = [
  [
    'LF ends lines',
    'a,b\n1,2\n3,4\n',
    [
      [2, ['1', '2']],
      [3, ['3', '4']],
    ],
  ],
  [
    'CRLF ends lines',
    'a,b\r\n1,2\r\n3,4\r\n',
    [
      [2, ['1', '2']],
      [3, ['3', '4']],
    ],
  ],
  [
    'CR ends lines',
    'a,b\r1,2\r3,4\r',
    [
      [2, ['1', '2']],
      [3, ['3', '4']],
    ],
  ],
  [
    'line endings may be mixed',
    'a,b\r\n1,2\r3,4\n5,6',
    [
      [2, ['1', '2']],
      [3, ['3', '4']],
      [4, ['5', '6']],
    ],
  ],
  ['the last line needs no end', 'a,b\n1,2', [[2, ['1', '2']]]],
  ['a byte order mark is no part of a column', '\uFEFFa,b\n1,2\n', [[2, ['1', '2']]]],
  ['a quoted column may follow the mark', '\uFEFF"a",b\n1,2\n', [[2, ['1', '2']]]],
  ['a later byte order mark is text', 'a,b\n\uFEFF1,2\n', [[2, ['\uFEFF1', '2']]]],
  [
    'quotes hold commas and doubled quotes',
    'a,b\n"1,5","say ""hi"""\n',
    [[2, ['1,5', 'say "hi"']]],
  ],
  [
    'quotes hold line breaks, which count',
    'a,b\n"x\r\ny","z\rw\n"\n3,4',
    [
      [2, ['x\r\ny', 'z\rw\n']],
      [6, ['3', '4']],
    ],
  ],
  [
    'blank lines and rows of empty cells are skipped and count',
    '\n\r\na,b\n,\n1,2\r\n\r\n"",\t\r3,4\n\n',
    [
      [5, ['1', '2']],
      [8, ['3', '4']],
    ],
  ],
  [
    'cells may be empty, and keep their spaces',
    'a,b\n,x\n"", x \n',
    [
      [2, ['', 'x']],
      [3, ['', ' x ']],
    ],
  ],
  ['a formula is text', "a,b\n=1+1,'=1\n", [[2, ['=1+1', "'=1"]]]],
  [
    'rows with other numbers of cells fail alone',
    'a,b\n1\n1,2,3\n5,6\n',
    [
      [2, 'the number of cells is 1, and that of columns 2'],
      [3, 'the number of cells is 3, and that of columns 2'],
      [4, ['5', '6']],
    ],
  ],
  [
    'a quote inside a cell fails its row alone',
    'a,b\n1,6" nails\n3,4\n',
    [
      [2, OPENED_INSIDE],
      [3, ['3', '4']],
    ],
  ],
  [
    'text after a closing quote fails its row alone',
    'a,b\n"1"x,2\n3,4\n',
    [
      [2, TEXT_AFTER],
      [3, ['3', '4']],
    ],
  ],
  [
    'so does a space there',
    'a,b\n"1" ,2\n3,4\n',
    [
      [2, TEXT_AFTER],
      [3, ['3', '4']],
    ],
  ],
  [
    'an unclosed quote fails its row alone',
    'a,b\n1,"2\n3,4\r\n5,6\n',
    [
      [2, NOT_CLOSED],
      [3, ['3', '4']],
      [4, ['5', '6']],
    ],
  ],
  [
    'also before rows with quotes',
    'a,b\n1,"2\n3,"4"\n5,6\n',
    [
      [2, `${NOT_CLOSED}, or ${TEXT_AFTER}`],
      [3, ['3', '4']],
      [4, ['5', '6']],
    ],
  ],
  [
    'also in the last line',
    'a,b\n1,2\n3,"4',
    [
      [2, ['1', '2']],
      [3, NOT_CLOSED],
    ],
  ],
  ['a line may end in quotes that break off', 'a,b\n1,"2\n', [[2, NOT_CLOSED]]],
  [
    'a row may have 65,536 bytes',
    `a,b\n1,${'x'.repeat(65_534)}\r\n3,4\n`,
    [
      [2, ['1', 'x'.repeat(65_534)]],
      [3, ['3', '4']],
    ],
  ],
  [
    'a longer row fails alone',
    `a,b\n1,${'x'.repeat(65_535)}\r\n3,4\n`,
    [
      [2, TOO_LONG],
      [3, ['3', '4']],
    ],
  ],
  [
    'so does one of a line with quotes',
    `a,b\n"1","${'x'.repeat(200_000)}"\r3,4\n`,
    [
      [2, `${TOO_LONG}, or ${NOT_CLOSED}`],
      [3, ['3', '4']],
    ],
  ],
  [
    'bytes count, not characters',
    `a,b\n1,${'€'.repeat(21_845)}\n3,4`,
    [
      [2, TOO_LONG],
      [3, ['3', '4']],
    ],
  ],
];

for (const [title, text, expected] of files) {
  test(title, async (t) => {
    for (const sizes of text.length > 1000 ? [[1000], [300_000]] : [[1], [2], [3, 5], [1000]]) {
      const file = await openRows(chunksOf(text, sizes));
      t.deepEqual(file.columns, ['a', 'b']);
      t.deepEqual((await allOf(file.rows)).map(brief), expected, `chunks of ${sizes.join()} bytes`);
    }
  });
}

test('a row says at which byte and line the next one begins', async (t) => {
  const file = await openRows(chunksOf('\uFEFFa,b\r\n1,"ü\n"\r\n\r\n3\n5,6'));
  t.deepEqual(file.start, { offset: 8, line: 2 });
  t.deepEqual(await allOf(file.rows), [
    { line: 2, offset: 17, nextLine: 4, cells: ['1', 'ü\n'] },
    {
      line: 5,
      offset: 21,
      nextLine: 6,
      fault: 'the number of cells is 1, and that of columns 2',
      sent: ['3', ''],
    },
    { line: 6, offset: 24, nextLine: 6, cells: ['5', '6'] },
  ]);
});

test('what cannot be cut is given back in as many cells, whatever the chunks', async (t) => {
  const text =
    'a,b,c\n1,2,3,4\n"x,y",2,3,"4,5"\n1\n1,6" nails,2,3\n"1"x,2\r\n' +
    `1,"${'x'.repeat(70_000)}"y\n`;
  for (const sizes of [[1], [2], [7, 3], [100_000]]) {
    const { rows } = await openRows(chunksOf(text, sizes));
    t.deepEqual(
      (await allOf(rows)).map((row) => ('sent' in row ? row.sent : null)),
      [
        ['1', '2', '3,4'],
        ['x,y', '2', '3,4,5'],
        ['1', '', ''],
        ['1', '6" nails', '2,3'],
        ['"1"x', '2', ''],
        ['', '', ''],
      ],
    );
  }
});

test('reading resumes at a byte, with the columns and the line known', async (t) => {
  const text = 'a,b\r\n1,2\r\n3,"4\r\n"\r\n5,"6\r\n7,8\r\n';
  const rows = resumeRows(chunksOf(text.slice(10)), ['a', 'b'], { offset: 10, line: 3 });
  t.deepEqual(await allOf(rows), [
    { line: 3, offset: 19, nextLine: 5, cells: ['3', '4\r\n'] },
    { line: 5, offset: 25, nextLine: 6, fault: NOT_CLOSED, sent: ['5', '"6'] },
    { line: 6, offset: 30, nextLine: 7, cells: ['7', '8'] },
  ]);
});

test('a resumed reading takes no text for a byte order mark', async (t) => {
  const rows = resumeRows(chunksOf('\uFEFF1,2\n'), ['a', 'b'], { offset: 4, line: 2 });
  t.deepEqual((await allOf(rows)).map(brief), [[2, ['\uFEFF1', '2']]]);
});

test('an unclosed quote fails before more than the longest row is read', async (t) => {
  let chunksRead = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('a,b\n1,"2\n');
    for (;;) {
      chunksRead += 1;
      yield Buffer.from('3,4\n'.repeat(256));
    }
  }
  const { rows } = await openRows(endless());
  const [first, second] = [await rows.next(), await rows.next()];
  t.is(first.value && brief(first.value)[1], `${TOO_LONG}, or ${NOT_CLOSED}`);
  t.deepEqual(second.value && brief(second.value), [3, ['3', '4']]);
  t.true(chunksRead * 1024 <= ROW_LIMIT_BYTES + 1024, `${chunksRead} KiB were read`);
  await rows.return(undefined);
});

test('whoever stops reading closes the file', async (t) => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.from('a,b\n1,2\n');
    } finally {
      isClosed = true;
    }
  }
  const { rows } = await openRows(source());
  for await (const row of rows) if (row.line === 3) break;
  t.true(isClosed);
});

const noHeaders: readonly [text: string, message: string][] = [
  ['', 'The file is empty.'],
  ['\uFEFF', 'The file is empty.'],
  ['\n\r\n', 'The file is empty.'],
  ['\n"a,b\n1,2\n', `Line 2 should name the columns, but ${NOT_CLOSED}.`],
  ['a"b\n1\n', `Line 1 should name the columns, but ${OPENED_INSIDE}.`],
  ['x'.repeat(70_000), `Line 1 should name the columns, but ${TOO_LONG}.`],
];

for (const [text, message] of noHeaders) {
  test(`no columns: ${JSON.stringify(text.slice(0, 20))}`, async (t) => {
    await t.throwsAsync(openRows(chunksOf(text)), { instanceOf: ImportFileFault, message });
  });
}
