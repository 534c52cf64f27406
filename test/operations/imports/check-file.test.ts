/** Files that are refused as a whole, before any row is imported. */
import test from 'ava';
import { type FileFaultReason, ImportFileFault } from '../../../domain/imports/file-fault.ts';
import { checkFile } from '../../../operations/imports/prepare.ts';
import { bytesOf, chunksOf } from './files.ts';

const rules = { known: ['invoiceNumber', 'notes'], key: 'invoiceNumber' };
const AS_UTF8 = 'Save it as "CSV UTF-8", or convert it to UTF-8.';
const otherEncoding = (line: number): string =>
  `Line ${line} is not text in UTF-8: the file is in another encoding, often Windows-1252. ${AS_UTF8}`;
const isKind = (what: string, way: string): string =>
  `The file is ${what}, not CSV in UTF-8. ${way}`;
const UNPACK = 'Unpack it, and upload what is in it.';
const HEADER = 'invoiceNumber,notes\n';

const refused: readonly [bytes: Buffer, reason: FileFaultReason, message: string][] = [
  [bytesOf(''), 'noRows', 'The file is empty.'],
  [bytesOf('\uFEFF\r\n'), 'noRows', 'The file is empty.'],
  [bytesOf(HEADER, '\n\n'), 'noRows', 'The file names columns, but it has no rows.'],
  [bytesOf('invoiceNumber'), 'noRows', 'The file names columns, but it has no rows.'],
  [bytesOf(HEADER, 'I-1,Gr\n', [0xfc], 'n\n'), 'notUtf8', otherEncoding(3)],
  [bytesOf([0xfc]), 'notUtf8', otherEncoding(1)],
  [bytesOf(HEADER, 'I-1,', [0xc3, 0x0a]), 'notUtf8', otherEncoding(2)],
  [bytesOf(HEADER, 'I-1,\r\n', [0xe2, 0x82]), 'notUtf8', otherEncoding(3)],
  [bytesOf(HEADER, 'I-1,\rI-2,', [0xed, 0xa0, 0x80]), 'notUtf8', otherEncoding(3)],
  [bytesOf(HEADER, '"I-1\r\n",x\n', [0x80]), 'notUtf8', otherEncoding(4)],
  [bytesOf(HEADER, [0xf5, 0x80, 0x80, 0x80]), 'notUtf8', otherEncoding(2)],
  [bytesOf([0xff, 0xfe, 0x61, 0]), 'notUtf8', isKind('text in UTF-16', AS_UTF8)],
  [bytesOf([0xfe, 0xff]), 'notUtf8', isKind('text in UTF-16', AS_UTF8)],
  [bytesOf(HEADER, 'I-1,\n\0'), 'binary', 'The file is not text: line 3 has a zero byte.'],
  [bytesOf(HEADER, 'a\0', [0xfc]), 'binary', 'The file is not text: line 2 has a zero byte.'],
  [bytesOf(HEADER, 'a', [0xfc], '\0'), 'notUtf8', otherEncoding(2)],
  [bytesOf('i\0n\0v\0'), 'notUtf8', isKind('text in UTF-16', AS_UTF8)],
  [bytesOf('\0i\0n\0v'), 'notUtf8', isKind('text in UTF-16', AS_UTF8)],
  [bytesOf([0xff, 0xfe, 0, 0, 0x69, 0, 0, 0]), 'notUtf8', isKind('text in UTF-32', AS_UTF8)],
  [
    bytesOf('PK\u0003\u0004\0\0'),
    'binary',
    isKind(
      'a workbook or another ZIP archive',
      'Save the sheet as "CSV UTF-8"; unpack an archive.',
    ),
  ],
  [
    bytesOf([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    'binary',
    isKind('a workbook of an old Excel', 'Save the sheet as "CSV UTF-8".'),
  ],
  [
    bytesOf('<table><tr><td>invoiceNumber</td>'),
    'binary',
    isKind('HTML or XML', 'Open it in a spreadsheet, and save it as "CSV UTF-8".'),
  ],
  [bytesOf('[{"invoiceNumber": 1}]'), 'binary', isKind('JSON', 'Export it as CSV.')],
  [bytesOf('%PDF-1.7'), 'binary', isKind('a document', 'Export the data as CSV.')],
  [bytesOf([0x1f, 0x8b, 8, 0]), 'binary', isKind('a gzip archive', UNPACK)],
  [bytesOf([0x28, 0xb5, 0x2f, 0xfd]), 'binary', isKind('an archive', UNPACK)],
  [
    bytesOf('invoiceNumber,note\n1,2\n'),
    'unknownColumn',
    'Column 2 (B) is unknown; did you mean "notes"? Known are invoiceNumber, notes.',
  ],
  [bytesOf('notes\nx\n'), 'noKeyColumn', 'The file has no column "invoiceNumber".'],
  [
    bytesOf('"invoiceNumber\n'),
    'header',
    'Line 1 should name the columns, but the closing quote of a cell is missing.',
  ],
  [
    bytesOf('Export of 2 June\n\n,,\nAcme,Ltd\ninvoiceNumber,notes\n1,2\n'),
    'header',
    'The first line should name the columns, which line 5 does. Remove the lines above it.',
  ],
  [
    bytesOf('sep=,\r\nnotes,invoiceNumber\r\n1,2\r\n'),
    'header',
    'The first line should name the columns, which line 2 does. Remove the lines above it.',
  ],
  [
    bytesOf('invoiceNumber;notes\n1;2\n'),
    'header',
    'The first line names no column that is known; "invoiceNumber" is needed. Its cells are ' +
      'separated by semicolons; commas are needed.',
  ],
];

for (const [bytes, reason, message] of refused) {
  test(`${message} ${JSON.stringify(bytes.toString('latin1').slice(-12))}`, async (t) => {
    for (const sizes of [[1], [2], [3], [1000]]) {
      const error = await t.throwsAsync(checkFile(chunksOf(bytes, sizes), rules), {
        instanceOf: ImportFileFault,
        message,
      });
      t.is(error.reason, reason);
    }
  });
}

test('a good file has its columns, the start of its rows, and their number', async (t) => {
  const text = '\uFEFFnotes,invoiceNumber\r\n\r\n"ü€😀\n",I-1\r\nI-2\r\nx,"I-3\r\ny,I-4';
  for (const sizes of [[1], [2], [3], [1000]]) {
    t.deepEqual(await checkFile(chunksOf(text, sizes), rules), {
      columns: ['notes', 'invoiceNumber'],
      start: { offset: 24, line: 2 },
      rowCount: 4,
    });
  }
});

test('names of other systems lead to ours, and long cells to none', async (t) => {
  const known = ['extCustomerRef', 'firstName', 'emailPrimary', 'zip', 'state'];
  const file = `extCustomerRef,First Name,e-mail,ZIP,x,${'state'.repeat(10_000)}\n1,2,3,4,5,6\n`;
  const error = await t.throwsAsync(checkFile(chunksOf(file), { known, key: 'extCustomerRef' }));
  t.is(
    error?.message,
    'Column 2 (B) is unknown; did you mean "firstName"? Column 3 (C) is unknown; did you mean ' +
      '"emailPrimary"? Column 4 (D) is unknown; did you mean "zip"? Column 5 (E) is unknown. ' +
      'Column 6 (F) is unknown. Known are extCustomerRef, firstName, emailPrimary, zip, state.',
  );
});

test('rows of empty cells are no rows', async (t) => {
  const empty = ['\n', ',\r\n', ',,,,\n', ' ,\t\r', '"",\n', '"\n ", \n', '  \n'];
  const file = await checkFile(chunksOf([HEADER, ...empty, 'I-1,\n', ...empty].join('')), rules);
  t.is(file.rowCount, 1);
  const error = await t.throwsAsync(checkFile(chunksOf([HEADER, ...empty].join('')), rules));
  t.is(error?.message, 'The file names columns, but it has no rows.');
});

test('a refused file is closed', async (t) => {
  for (const start of ['notes\n', HEADER]) {
    let isClosed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield Buffer.from(start);
        for (;;) yield bytesOf('I-1,x\n', [0xff]);
      } finally {
        isClosed = true;
      }
    }
    await t.throwsAsync(checkFile(source(), rules), { instanceOf: ImportFileFault });
    t.true(isClosed, start);
  }
});

test('what the storage throws is no fault of the file', async (t) => {
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from(HEADER);
    throw new Error('connection lost');
  }
  await t.throwsAsync(checkFile(source(), rules), { message: 'connection lost' });
});
