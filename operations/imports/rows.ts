/** Reads the rows of an import file, from its start or from where an earlier reading came to. */
import assert from 'node:assert';
import { parse } from 'csv-parse/sync';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { type CutRow, type FilePosition, cutRows } from './cut-rows.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { type RowFault, errorText } from '../../domain/imports/rows.ts';

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

/* Reads the rows of a chunk as values, each with what is wrong with it. */

/** A fault by any of the interface's codes; the column is empty if the whole row is at fault. */
export interface CellFault extends Omit<RowFault, 'code'> {
  readonly code: string;
}

/** Decodes cells by the types of the interface's elements, which know nothing of imports. */
export interface RowReader<Value> {
  /** The columns that a file may have. */
  readonly columns: readonly string[];
  readonly read: (
    columns: readonly string[],
    cells: readonly string[],
  ) =>
    | { readonly value: Value; readonly faults: null }
    | { readonly value: null; readonly faults: readonly CellFault[] };
}

/** A row with its value, or with its faults. */
export type Candidate<Value> = {
  readonly line: number;
  /** See `keyOf`. */
  readonly key: string | null;
} & (
  | { readonly value: Value; readonly faults: null }
  | { readonly value: null; readonly faults: readonly CellFault[] }
);

export interface Reading<Value> {
  readonly reader: RowReader<Value>;
  readonly columns: readonly string[];
  readonly keyColumn: string;
  /** What is wrong with a value by rules that depend on nothing stored. */
  readonly check: (value: Value) => readonly CellFault[];
}

export function readCandidates<Value>(
  rows: readonly ImportRow[],
  { reader, columns, keyColumn, check }: Reading<Value>,
): readonly Candidate<Value>[] {
  const keyIndex = columns.indexOf(keyColumn);
  return rows.map((row): Candidate<Value> => {
    const { line } = row;
    const key = keyOf(row, keyIndex);
    if ('fault' in row) {
      const fault = { code: 'import.cells', column: '', message: row.fault };
      return { line, key, value: null, faults: [fault] };
    }
    const read = reader.read(columns, row.cells);
    if (read.faults !== null) return { line, key, ...read };
    const faults = check(read.value);
    return faults.length === 0 ? { line, key, ...read } : { line, key, value: null, faults };
  });
}

/** A longer key is bad, however often it is there, and too long for an index. */
const KEY_LENGTH_MAX = 255;

/** Of the key column, trimmed; null if the row has no cells, or none that can be a key. */
export function keyOf(row: ImportRow, keyIndex: number): string | null {
  const key = 'cells' in row ? row.cells[keyIndex]?.trim() : undefined;
  return key === undefined || key === '' || key.length > KEY_LENGTH_MAX ? null : key;
}

interface SucceededRow {
  /** Of what the row made or changed. */
  readonly id: number;
  readonly key: string | null;
  readonly login?: string | null;
}

/** The outcome of a good row. */
export function succeededRow(
  batchId: number,
  line: number,
  { id, key, login = null }: SucceededRow,
): ImportRowInsert {
  const good = { status: 'Success', code: null, error: null } as const;
  return { batchId, line, ...good, objectId: id, key, login };
}

/** The outcome of a bad row; the key is null if an earlier row has it. */
export function failedRow(
  batchId: number,
  line: number,
  faults: readonly CellFault[],
  key: string | null,
): ImportRowInsert {
  const code = faults[0]?.code ?? 'import.failed';
  const error = errorText(line, faults);
  return {
    batchId,
    line,
    status: 'Failure',
    objectId: null,
    code,
    error,
    key,
    login: null,
  };
}

/** Of repeated keys the first row counts, whether it is good or not. */
export function byFirstKey<Value>(
  candidates: readonly Candidate<Value>[],
  taken: ReadonlySet<string>,
  keyColumn: string,
): { readonly first: readonly Candidate<Value>[]; readonly repeated: readonly Candidate<Value>[] } {
  const seen = new Set(taken);
  const first: Candidate<Value>[] = [];
  const repeated: Candidate<Value>[] = [];
  for (const each of candidates) {
    if (each.key === null || !seen.has(each.key)) first.push(each);
    else {
      const message = 'an earlier row of the file has the same value, and the first one counts';
      const fault = { code: 'import.repeated', column: keyColumn, message };
      repeated.push({ line: each.line, key: null, value: null, faults: [fault] });
    }
    if (each.key !== null) seen.add(each.key);
  }
  return { first, repeated };
}
