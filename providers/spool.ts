/** Keeps what is too much for memory until it is read once: in a file without a name, which ends with the process. */
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Spool<Item> {
  /** One call after the other. */
  readonly add: (items: readonly Item[]) => Promise<void>;
  /** What was added, in pages of up to so many. */
  readonly pages: (itemsMax: number) => AsyncIterable<readonly Item[]>;
  readonly close: () => Promise<void>;
}

/** @typeParam Item is the same after JSON: texts, numbers, null */
export async function openSpool<Item>(): Promise<Spool<Item>> {
  const path = join(tmpdir(), `sundial-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  async function* pages(itemsMax: number): AsyncGenerator<readonly Item[]> {
    let page: Item[] = [];
    for await (const line of file.readLines({ start: 0, autoClose: false })) {
      page.push(JSON.parse(line) as Item);
      if (page.length < itemsMax) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
  return {
    async add(items) {
      if (items.length === 0) return;
      await file.appendFile(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    },
    pages,
    close: () => file.close(),
  };
}
