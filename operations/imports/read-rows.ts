/** Reads the rows of a chunk as values, each with what is wrong with it. */
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { errorText, type RowFault } from '../../domain/imports/rows.ts';
import type { ImportRow } from './rows.ts';

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
