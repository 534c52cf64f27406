/** Files that are refused as a whole, before any row is imported. */
import test from 'ava';
import type { FileFaultReason } from '../../../domain/imports/file-fault.ts';
import { ImportFileFault } from '../../../domain/imports/file-fault.ts';
import { checkFile } from '../../../operations/imports/check-file.ts';
import { bytesOf, chunksOf } from './files.ts';

const rules = { known: ['invoiceNumber', 'notes'], key: 'invoiceNumber' };
const HEADER = 'invoiceNumber,notes\n';

const refused: readonly [bytes: Buffer, reason: FileFaultReason, message: string][] = [
  [bytesOf(''), 'noRows', 'The file is empty.'],
  [bytesOf('\uFEFF\r\n'), 'noRows', 'The file is empty.'],
  [bytesOf(HEADER, '\n\n'), 'noRows', 'The file names columns, but it has no rows.'],
  [bytesOf('invoiceNumber'), 'noRows', 'The file names columns, but it has no rows.'],
  [bytesOf(HEADER, 'I-1,Gr\n', [0xfc], 'n\n'), 'notUtf8', 'Line 3 is not text in UTF-8.'],
  [bytesOf([0xfc]), 'notUtf8', 'Line 1 is not text in UTF-8.'],
  [bytesOf(HEADER, 'I-1,', [0xc3, 0x0a]), 'notUtf8', 'Line 2 is not text in UTF-8.'],
  [bytesOf(HEADER, 'I-1,\r\n', [0xe2, 0x82]), 'notUtf8', 'Line 3 is not text in UTF-8.'],
  [bytesOf(HEADER, 'I-1,\rI-2,', [0xed, 0xa0, 0x80]), 'notUtf8', 'Line 3 is not text in UTF-8.'],
  [bytesOf(HEADER, '"I-1\r\n",x\n', [0x80]), 'notUtf8', 'Line 4 is not text in UTF-8.'],
  [bytesOf(HEADER, [0xf5, 0x80, 0x80, 0x80]), 'notUtf8', 'Line 2 is not text in UTF-8.'],
  [bytesOf([0xff, 0xfe, 0x61, 0]), 'notUtf8', 'The file is text in UTF-16, not CSV in UTF-8.'],
  [bytesOf([0xfe, 0xff]), 'notUtf8', 'The file is text in UTF-16, not CSV in UTF-8.'],
  [bytesOf(HEADER, 'I-1,\n\0'), 'binary', 'The file is not text: line 3 has a zero byte.'],
  [bytesOf(HEADER, 'a\0', [0xfc]), 'binary', 'The file is not text: line 2 has a zero byte.'],
  [bytesOf(HEADER, 'a', [0xfc], '\0'), 'notUtf8', 'Line 2 is not text in UTF-8.'],
  [
    bytesOf('PK\u0003\u0004\0\0'),
    'binary',
    'The file is a ZIP archive or a workbook, not CSV in UTF-8.',
  ],
  [bytesOf('PK\u0005\u0006'), 'binary', 'The file is an empty ZIP archive, not CSV in UTF-8.'],
  [bytesOf([0x1f, 0x8b, 8, 0]), 'binary', 'The file is a gzip archive, not CSV in UTF-8.'],
  [bytesOf('invoiceNumber,note\n1,2\n'), 'unknownColumn', 'The column "note" is unknown.'],
  [bytesOf('notes\nx\n'), 'noKeyColumn', 'The file has no column "invoiceNumber".'],
  [
    bytesOf('"invoiceNumber\n'),
    'header',
    'Line 1 should name the columns, but the closing quote of a cell is missing.',
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
