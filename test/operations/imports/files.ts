/** Import files of tests: as streams of bytes, and what is read of them. */
import { parse } from 'csv-parse/sync';
import type { ImportRow } from '../../../operations/imports/rows.ts';
import type { FileStorage } from '../../../providers/storage/storage.ts';

export const bytesOf = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))),
  );

/** A file in chunks, whose sizes repeat. */
export async function* chunksOf(
  file: Buffer | string,
  sizes: readonly number[] = [65_536],
): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return await Array.fromAsync(items);
}

/** A row in short: its line, and its cells or its fault. */
export function brief(row: ImportRow): readonly [number, readonly string[] | string] {
  return [row.line, 'cells' in row ? row.cells : row.fault];
}

/** `line status error` of each row of a result, and the ids. */
export interface Result {
  readonly rows: readonly string[];
  readonly ids: readonly number[];
  readonly cells: readonly (readonly string[])[];
}

/** Reads the result file of a job. */
export async function resultOf(
  storage: FileStorage,
  tenantId: number,
  batchId: number,
): Promise<Result> {
  const { content } = await storage.get({ tenantId, batchId, kind: 'result' });
  const [, ...cells] = parse(Buffer.concat(await allOf(content)));
  return {
    rows: cells.map((row) => [row.at(-4), row.at(-3), row.at(-1)].filter(Boolean).join(' ')),
    ids: cells.map((row) => Number(row.at(-2))),
    cells,
  };
}
