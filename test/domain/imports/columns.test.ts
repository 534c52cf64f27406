/** The columns that an import file names. */
import test from 'ava';
import { checkColumns, RESULT_COLUMNS } from '../../../domain/imports/columns.ts';
import { ImportFileFault } from '../../../domain/imports/file-fault.ts';
import type { FileFaultReason } from '../../../domain/imports/file-fault.ts';

const rules = { known: ['extCustomerRef', 'firstName', 'city'], key: 'extCustomerRef' };

const refused: readonly [columns: readonly string[], FileFaultReason, message: string][] = [
  [['extCustomerRef', 'town'], 'unknownColumn', 'The column "town" is unknown.'],
  [['extCustomerRef', 'City'], 'unknownColumn', 'The column "City" is unknown.'],
  [['extCustomerRef', ' city'], 'unknownColumn', 'The column " city" is unknown.'],
  [['extCustomerRef', '__proto__'], 'unknownColumn', 'The column "__proto__" is unknown.'],
  [['extCustomerRef', 'city', ''], 'unknownColumn', 'Column 3 has no name.'],
  [['city', 'x'.repeat(60)], 'unknownColumn', `The column "${'x'.repeat(50)}..." is unknown.`],
  [['city', 'a\n"b"'], 'unknownColumn', String.raw`The column "a\n\"b\"" is unknown.`],
  [
    ['hunter2', 'C-1'],
    'header',
    'The first line names no column that is known; "extCustomerRef" is needed.',
  ],
  [
    ['extCustomerRef;city'],
    'unknownColumn',
    'The column "extCustomerRef;city" is unknown. Commas separate the columns of a file.',
  ],
  [
    ['extCustomerRef', ...RESULT_COLUMNS],
    'unknownColumn',
    'The column "importLine" is unknown. Remove the columns importLine, importStatus, ' +
      'importId, importError of a result file.',
  ],
  [
    ['city', 'extCustomerRef', 'city'],
    'repeatedColumn',
    'The column "city" is repeated: it is column 1 and column 3.',
  ],
  [['firstName', 'city'], 'noKeyColumn', 'The file has no column "extCustomerRef".'],
];

for (const [columns, reason, message] of refused) {
  test(`${message}`, (t) => {
    const error = t.throws(() => checkColumns(columns, rules), {
      instanceOf: ImportFileFault,
      message,
    });
    t.is(error.reason, reason);
  });
}

test('known columns may come in any order, and only the key is needed', (t) => {
  t.notThrows(() => checkColumns(['city', 'extCustomerRef', 'firstName'], rules));
  t.notThrows(() => checkColumns(['extCustomerRef'], rules));
});
