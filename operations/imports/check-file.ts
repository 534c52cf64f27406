/** Decides before anything is imported whether a file can be imported at all. */
import { checkColumns, type ColumnRules } from '../../domain/imports/columns.ts';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { cutRows, type FilePosition } from './cut-rows.ts';
import { readHeader } from './rows.ts';
import { textOnly } from './text.ts';

export interface CheckedFile {
  readonly columns: readonly string[];
  /** Where the rows begin. */
  readonly start: FilePosition;
  /** How many there are, faulty ones too. */
  readonly rowCount: number;
}

/**
 * Reads a whole file once and stores nothing. Throws an ImportFileFault, whose message is for the
 * tenant, if no row of the file can be imported: no rows, not text in UTF-8, wrong columns.
 */
export async function checkFile(
  bytes: AsyncIterable<Uint8Array>,
  rules: ColumnRules,
): Promise<CheckedFile> {
  const rows = cutRows(textOnly(bytes));
  const { columns, start } = await readHeader(rows);
  let rowCount = 0;
  try {
    checkColumns(columns, rules);
    for await (const _ of rows) rowCount += 1;
  } finally {
    await rows.return(undefined);
  }
  if (rowCount === 0) {
    throw new ImportFileFault('noRows', 'The file names columns, but it has no rows.');
  }
  return { columns, start, rowCount };
}
