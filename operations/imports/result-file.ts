/** Writes the result of an import: the file that was sent, with what became of each row. */
import assert from 'node:assert';
import { RESULT_COLUMNS } from '../../domain/imports/columns.ts';
import { BYTE_ORDER_MARK, exactCsvLine } from '../../domain/text/csv.ts';

/** What became of a row. */
export interface RowResult {
  /** The line of the sent file on which the row begins. */
  readonly line: number;
  /** The cells that were sent; null for those that stay blank. */
  readonly cells: readonly string[] | null;
  readonly status: string;
  /** The id of what the row made; null if it made nothing. */
  readonly id: number | null;
  readonly error: string | null;
}

/** Cells of these columns are blank in a result, because they hold secrets. */
const secretColumns: readonly string[] = ['passwd'];

/** Whether a row that cannot be cut may hold a secret in any of its cells. */
export const holdsSecrets = (columns: readonly string[]): boolean =>
  columns.some((name) => secretColumns.includes(name));

/** About as much as a chunk of the result has. */
const CHUNK_CHARACTERS = 65_536;

/**
 * The result file in UTF-8, in chunks of about 64 KiB: the sent columns in the sent order, then
 * RESULT_COLUMNS.
 *
 * @param rows In the order of the file; one that comes late is an assertion.
 */
export async function* resultFile(
  columns: readonly string[],
  rows: AsyncIterable<RowResult> | Iterable<RowResult>,
): AsyncGenerator<Buffer, undefined> {
  let text = BYTE_ORDER_MARK + exactCsvLine([...columns, ...RESULT_COLUMNS]);
  let lastLine = 0;
  for await (const row of rows) {
    assert(row.line > lastLine, `line ${row.line} comes after line ${lastLine}`);
    lastLine = row.line;
    text += resultLine(columns, row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function resultLine(columns: readonly string[], { line, cells, ...outcome }: RowResult): string {
  assert(cells === null || cells.length === columns.length, `line ${line} has other columns`);
  const sent = columns.map((name, index) =>
    secretColumns.includes(name) ? '' : (cells?.[index] ?? ''),
  );
  // Tenants correct and resend this file: an apostrophe against formulas would be imported then.
  return exactCsvLine([...sent, line, outcome.status, outcome.id, outcome.error]);
}
