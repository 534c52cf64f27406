/** Import files of tests: as streams of bytes, and what is read of them. */
import type { ImportRow } from '../../../operations/imports/rows.ts';

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
