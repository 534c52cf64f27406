/** The columns that an import file names. */
import test from 'ava';
import { checkColumns, RESULT_COLUMNS } from '../../../domain/imports/columns.ts';
import { ImportFileFault, type FileFaultReason } from '../../../domain/imports/file-fault.ts';

const known = ['extCustomerRef', 'firstName', 'city'];
const rules = {
  known,
  key: 'extCustomerRef',
  nearest: (name: string) => (/^.?city$/i.test(name) ? 'city' : null),
};
const KNOWN = 'Known are extCustomerRef, firstName, city.';
const NO_HEADER = 'The first line names no column that is known; "extCustomerRef" is needed.';

const refused: readonly [columns: readonly string[], FileFaultReason, message: string][] = [
  [['extCustomerRef', 'town'], 'unknownColumn', `Column 2 (B) is unknown. ${KNOWN}`],
  [
    ['extCustomerRef', 'City'],
    'unknownColumn',
    `Column 2 (B) is unknown; did you mean "city"? ${KNOWN}`,
  ],
  [
    ['town', 'extCustomerRef', 'City', ' ', '__proto__'],
    'unknownColumn',
    'Column 1 (A) is unknown. Column 3 (C) is unknown; did you mean "city"? ' +
      `Column 4 (D) has no name. Column 5 (E) is unknown. ${KNOWN}`,
  ],
  [
    ['extCustomerRef', 'city', 'x', 'city'],
    'unknownColumn',
    `Column 3 (C) is unknown. The column "city" is repeated: 2 (B) and 4 (D). ${KNOWN}`,
  ],
  [
    ['City', 'firstName'],
    'unknownColumn',
    `Column 1 (A) is unknown; did you mean "city"? ` +
      `The file has no column "extCustomerRef". ${KNOWN}`,
  ],
  [['hunter2', 'C-1'], 'header', NO_HEADER],
  [['My-firstName-1', 'C-1'], 'header', NO_HEADER],
  [
    ['extCustomerRef;city'],
    'header',
    `${NO_HEADER} Its cells are separated by semicolons; commas are needed.`,
  ],
  [['C-1\tAda'], 'header', `${NO_HEADER} Its cells are separated by tabs; commas are needed.`],
  [
    ['extCustomerRef', ...RESULT_COLUMNS],
    'unknownColumn',
    'Column 2 (B) is unknown. Column 3 (C) is unknown. Column 4 (D) is unknown. ' +
      'Column 5 (E) is unknown. Remove the columns importLine, importStatus, importId, ' +
      `importError of a result file. ${KNOWN}`,
  ],
  [
    ['city', 'extCustomerRef', 'city'],
    'repeatedColumn',
    'The column "city" is repeated: 1 (A) and 3 (C).',
  ],
  [['firstName', 'city'], 'noKeyColumn', 'The file has no column "extCustomerRef".'],
];

for (const [columns, reason, message] of refused) {
  test(`${JSON.stringify(columns)}: ${message}`, (t) => {
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

test('no refusal repeats a cell of the first line', (t) => {
  for (const cell of ['hunter2', 'My-city-1', 'firstNames', 'importer', 'x;y']) {
    for (const columns of [[cell], ['extCustomerRef', cell], ['city', cell, cell]]) {
      const error = t.throws(() => checkColumns(columns, rules), { instanceOf: ImportFileFault });
      t.false(error.message.includes(cell), error.message);
    }
  }
});

test('a message names 40 columns, and how many more there are', (t) => {
  const columns = ['extCustomerRef', ...Array.from({ length: 60 }, (_, nth) => `x${nth}`)];
  const { message } = t.throws(() => checkColumns(columns, rules));
  t.regex(
    message,
    /^Column 2 \(B\) is unknown\. .* Column 41 \(AO\) is unknown\. There are 20 more\. /,
  );
});
