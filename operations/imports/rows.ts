/** Reads the rows of an import file, from its start or from where an earlier reading came to. */
import assert from 'node:assert';
import { parse } from 'csv-parse/sync';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { cutRows, type CutRow, type FilePosition } from './cut-rows.ts';

/** A row: its cells, one for each column, or why it cannot be read, with its text in as many cells. */
export type ImportRow = {
  /** The line of the file on which the row begins, from 1 on. */
  readonly line: number;
  /** The byte after the row, from which `resumeRows` reads the next one, and its line. */
  readonly offset: number;
  readonly nextLine: number;
} & (
  | { readonly cells: readonly string[] }
  | { readonly fault: string; readonly sent: readonly string[] }
);

export interface ImportFile {
  /** The first line's cells, unchecked. */
  readonly columns: readonly string[];
  /** Where the rows begin. */
  readonly start: FilePosition;
  /** The rest of the file, to be read once. Who stops early closes the bytes, once begun. */
  readonly rows: AsyncGenerator<ImportRow, undefined>;
}

/**
 * Opens a file that `checkFile` has accepted. Throws an ImportFileFault for a file without a line
 * and for a first line that cannot be read.
 */
export async function openRows(bytes: AsyncIterable<Uint8Array>): Promise<ImportFile> {
  const rows = cutRows(bytes);
  const { columns, start } = await readHeader(rows);
  return { columns, start, rows: withCells(rows, columns.length) };
}

/**
 * The remaining rows of a file.
 *
 * @param bytes The file from `from.offset` on.
 * @param from The `offset` and `nextLine` of a row, or the `start` of the file.
 */
export function resumeRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly string[],
  from: FilePosition,
): AsyncGenerator<ImportRow, undefined> {
  return withCells(cutRows(bytes, from), columns.length);
}

/** Takes the first row; ends the reading if it is no header. */
export async function readHeader(
  rows: AsyncGenerator<CutRow, undefined>,
): Promise<Pick<ImportFile, 'columns' | 'start'>> {
  const { value: header } = await rows.next();
  if (header === undefined) throw new ImportFileFault('noRows', 'The file is empty.');
  if (header.fault !== null) {
    await rows.return(undefined);
    const text = `Line ${header.line} should name the columns, but ${header.fault}.`;
    throw new ImportFileFault('header', text);
  }
  const { offset, nextLine } = header;
  return { columns: cellsOf(header.bytes), start: { offset, line: nextLine } };
}

async function* withCells(
  rows: AsyncIterable<CutRow>,
  columnCount: number,
): AsyncGenerator<ImportRow, undefined> {
  for await (const { bytes, fault, ...place } of rows) {
    if (fault !== null) {
      const sent = inColumns(textOf(bytes).split(','), columnCount);
      yield { ...place, fault, sent };
      continue;
    }
    const cells = cellsOf(bytes);
    if (cells.length === columnCount) yield { ...place, cells };
    else {
      const counts = `the number of cells is ${cells.length}, and that of columns ${columnCount}`;
      yield { ...place, fault: counts, sent: inColumns(cells, columnCount) };
    }
  }
}

/** The last column has the rest of a longer row; a shorter one ends in empty cells. */
function inColumns(cells: readonly string[], columnCount: number): readonly string[] {
  const last = Math.max(columnCount - 1, 0);
  const row = [...cells.slice(0, last), cells.slice(last).join(',')];
  return [...row, ...Array.from({ length: columnCount }, () => '')].slice(0, columnCount);
}

const QUOTE = 34;

const textOf = (bytes: Buffer): string => bytes.toString().replace(/\r?\n?$/, '');

export function cellsOf(bytes: Buffer): readonly string[] {
  // A parser for each row takes five times as long as all else that is done with it.
  if (!bytes.includes(QUOTE)) return textOf(bytes).split(',');
  const [cells, ...others] = parse(bytes, { record_delimiter: ['\r\n', '\n', '\r'] });
  assert(cells !== undefined && others.length === 0, 'the bytes are one row');
  return cells;
}
