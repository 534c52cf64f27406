/** Decides before anything is imported whether a file can be imported at all. */
import { checkColumns } from '../../domain/imports/columns.ts';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { nearest } from '../context/nearest.ts';
import { cutRows, type CutRow, type FilePosition } from './cut-rows.ts';
import { cellsOf, readHeader } from './rows.ts';
import { textOnly } from './text.ts';

export interface CheckedFile {
  readonly columns: readonly string[];
  /** Where the rows begin. */
  readonly start: FilePosition;
  /** How many there are, faulty ones too. */
  readonly rowCount: number;
}

export interface FileRules {
  /** The columns that a file may have, and the one that it must have. */
  readonly known: readonly string[];
  readonly key: string;
}

/** Exports have titles and dates above the names of their columns. */
const ROWS_ABOVE_MAX = 20;
/** `email` is a part of `emailPrimary`; fewer letters are a part of too many names. */
const PART_LENGTH_MIN = 4;

/**
 * Reads a whole file once and stores nothing. Throws an ImportFileFault, whose message is for the
 * tenant, if no row of the file can be imported: no rows, not text in UTF-8, wrong columns.
 */
export async function checkFile(
  bytes: AsyncIterable<Uint8Array>,
  rules: FileRules,
): Promise<CheckedFile> {
  const rows = cutRows(textOnly(bytes));
  const { columns, start } = await readHeader(rows);
  let rowCount = 0;
  try {
    try {
      checkColumns(columns, { ...rules, nearest: (name) => nearestOf(name, rules.known) });
    } catch (error) {
      throw columns.includes(rules.key) ? error : ((await headerBelow(rows, rules)) ?? error);
    }
    for await (const _ of rows) rowCount += 1;
  } finally {
    await rows.return(undefined);
  }
  if (rowCount === 0) {
    throw new ImportFileFault('noRows', 'The file names columns, but it has no rows.');
  }
  return { columns, start, rowCount };
}

/** A refusal that says which line names the columns, if it is one of the next. */
async function headerBelow(
  rows: AsyncGenerator<CutRow, undefined>,
  { key }: FileRules,
): Promise<ImportFileFault | null> {
  for (let above = 1; above <= ROWS_ABOVE_MAX; above += 1) {
    const { value: row } = await rows.next();
    if (row === undefined) return null;
    if (row.fault !== null || !cellsOf(row.bytes).includes(key)) continue;
    const text = `The first line should name the columns, which line ${row.line} does.`;
    return new ImportFileFault('header', `${text} Remove the lines above it.`);
  }
  return null;
}

/** A name of other systems is the same but for capitals and signs, or a part of ours. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const plain = plainOf(name);
  const byPlain = new Map(known.map((each) => [plainOf(each), each]));
  const isPart = (each: string): boolean => plain.length >= PART_LENGTH_MIN && each.includes(plain);
  const found = nearest(plain, byPlain.keys()) ?? [...byPlain.keys()].find(isPart);
  return found === undefined ? null : (byPlain.get(found) ?? null);
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
