/** What every storage does: tests that run for each adapter. */
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import {
  StorageError,
  type FileName,
  type FileStorage,
  type StorageErrorKind,
} from '../../../providers/storage/storage.ts';

export const TENANT = 7;
const MIB = 1024 * 1024;

/** A limit fires only when a test says so. */
export interface Limits {
  readonly startLimit: (ms: number, onOver: () => void) => () => void;
  readonly fire: () => void;
}

export function limitsByHand(): Limits {
  const armed = new Set<() => void>();
  return {
    startLimit(_ms, onOver) {
      armed.add(onOver);
      return () => armed.delete(onOver);
    },
    fire: () => [...armed].forEach((onOver) => onOver()),
  };
}

export interface Setting {
  readonly storage: FileStorage;
  readonly limits: Limits;
  /** The same files under a clock of its own, in milliseconds. */
  readonly at: (now: number) => FileStorage;
  /** Calls an address as somebody without credentials does; returns the status, as the API's. */
  readonly upload: (url: string, content: Buffer) => Promise<number>;
  readonly download: (
    url: string,
  ) => Promise<{ readonly status: number; readonly content: Buffer }>;
}

type Rule = (t: ExecutionContext, setting: Setting) => Promise<void>;

let batchId = 31_000_100;
/** A name that no other test has. */
export function nextName(kind: FileName['kind']): FileName {
  batchId += 1;
  return { tenantId: TENANT, batchId, kind };
}

export async function* bytesOf(...chunks: readonly (string | Buffer)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

export async function contentOf(
  storage: FileStorage,
  name: FileName,
  options: { readonly from?: number; readonly etag?: string } = {},
): Promise<Buffer> {
  const { content } = await storage.get(name, options);
  return buffer(content);
}

export async function throwsKind(
  t: ExecutionContext,
  work: Promise<unknown>,
  kind: StorageErrorKind,
): Promise<StorageError | undefined> {
  const error = await t.throwsAsync(work, { instanceOf: StorageError });
  t.is(error?.kind, kind);
  return error;
}

/** 20 MiB, of which no part is like another. */
function large(): Buffer {
  const content = Buffer.alloc(20 * MIB);
  for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(at, at);
  return content;
}

const kept: Readonly<Record<string, Rule>> = {
  async 'a file that was put is read as it was, with its size and ETag'(t, { storage }) {
    const name = nextName('upload');
    const stored = await storage.put(name, bytesOf('a,b\n', '1,ü\n'));
    t.is(stored.size, 9);
    t.deepEqual(await storage.head(name), stored);
    const { content, ...opened } = await storage.get(name, { etag: stored.etag });
    t.deepEqual(opened, stored);
    t.is((await buffer(content)).toString(), 'a,b\n1,ü\n');
  },

  async 'a file may be empty'(t, { storage }) {
    const name = nextName('upload');
    t.is((await storage.put(name, bytesOf())).size, 0);
    t.is((await contentOf(storage, name)).length, 0);
    t.is((await contentOf(storage, name, { from: 5 })).length, 0);
  },

  async 'a large file is read as it was, also from its middle'(t, { storage }) {
    const name = nextName('result');
    const content = large();
    const pieces = [content.subarray(0, 3), content.subarray(3, 9 * MIB)];
    const stored = await storage.put(name, bytesOf(...pieces, content.subarray(9 * MIB)));
    t.is(stored.size, content.length);
    t.true(content.equals(await contentOf(storage, name)));
    const from = 17 * MIB + 1;
    t.true(content.subarray(from).equals(await contentOf(storage, name, { from })));
  },

  async 'reading goes on from a byte, and beyond the end there is nothing'(t, { storage }) {
    const name = nextName('upload');
    const { etag } = await storage.put(name, bytesOf('0123456789'));
    const opened = await storage.get(name, { from: 7, etag });
    t.is(opened.size, 10);
    t.is((await buffer(opened.content)).toString(), '789');
    for (const from of [10, 11, 1_000]) {
      t.is((await contentOf(storage, name, { from, etag })).length, 0, `from ${from}`);
    }
  },

  async 'a result may be replaced, and the new one has another ETag'(t, { storage }) {
    const name = nextName('result');
    const before = await storage.put(name, bytesOf('one'));
    const after = await storage.put(name, bytesOf('two'));
    t.not(after.etag, before.etag);
    t.is((await contentOf(storage, name, { etag: after.etag })).toString(), 'two');
    await throwsKind(t, storage.get(name, { etag: before.etag }), 'changed');
    await throwsKind(t, storage.get(name, { etag: before.etag, from: 100 }), 'changed');
  },

  async 'a file that is not there is missing, and deleting it changes nothing'(t, { storage }) {
    const name = nextName('upload');
    t.is(await storage.head(name), null);
    await throwsKind(t, storage.get(name), 'missing');
    await throwsKind(t, storage.get(name, { from: 3 }), 'missing');
    await storage.delete(name);
    await storage.put(name, bytesOf('x'));
    await storage.delete(name);
    t.is(await storage.head(name), null);
  },

  async 'files of another kind, batch or tenant are other files'(t, { storage }) {
    const name = nextName('upload');
    await storage.put(name, bytesOf('x'));
    for (const other of [
      { ...name, kind: 'result' as const },
      { ...name, batchId: name.batchId * 10 },
      { ...name, tenantId: TENANT + 1 },
    ]) {
      t.is(await storage.head(other), null);
    }
  },

  async 'a file that is opened and not read is let go'(t, { storage }) {
    const name = nextName('upload');
    await storage.put(name, bytesOf('x'));
    const { content } = await storage.get(name);
    content.destroy();
    t.true(content.destroyed);
  },
};

const refused: Readonly<Record<string, Rule>> = {
  async 'a broken upload throws its own error, leaves nothing, and may be repeated'(t, setting) {
    const { storage } = setting;
    for (const pieces of [1, 9]) {
      const name = nextName('upload');
      const broken = new Error('the connection is gone');
      const content = (async function* () {
        for (let piece = 0; piece < pieces; piece += 1) yield Buffer.alloc(MIB, 'x');
        throw broken;
      })();
      const error = await t.throwsAsync(storage.put(name, content));
      t.is(error, broken);
      t.is(await storage.head(name), null);
      await storage.put(name, bytesOf('whole'));
      t.is((await contentOf(storage, name)).toString(), 'whole');
    }
  },

  async 'an upload above 1 GiB ends at its limit and leaves nothing'(t, { storage }) {
    const name = nextName('upload');
    let isReleased = false;
    const content = (async function* () {
      try {
        yield Buffer.from('x');
        // Never written to, so it takes no memory.
        yield new Uint8Array(1024 ** 3);
      } finally {
        isReleased = true;
      }
    })();
    await throwsKind(t, storage.put(name, content), 'tooLarge');
    t.true(isReleased);
    t.is(await storage.head(name), null);
  },

  async 'a sender that falls silent ends its upload'(t, { storage, limits }) {
    const name = nextName('upload');
    const content = (async function* () {
      yield Buffer.from('x');
      limits.fire();
      await new Promise(() => undefined);
    })();
    await throwsKind(t, storage.put(name, content), 'stalled');
    t.is(await storage.head(name), null);
  },

  async 'an upload that is called off ends with the reason'(t, { storage }) {
    const name = nextName('upload');
    const calling = new AbortController();
    const reason = new Error('called off');
    const content = (async function* () {
      yield Buffer.from('x');
      calling.abort(reason);
      await new Promise(() => undefined);
    })();
    const error = await t.throwsAsync(storage.put(name, content, { signal: calling.signal }));
    t.is(error, reason);
    t.is(await storage.head(name), null);
  },

  async 'what has no id of ours as its name is a bug'(t, { storage }) {
    for (const batch of ['1/../../2', 0, -1, 1.5, Number.NaN] as number[]) {
      const name: FileName = { tenantId: TENANT, batchId: batch, kind: 'upload' };
      await t.throwsAsync(async () => storage.put(name, bytesOf('x')), { instanceOf: TypeError });
    }
  },
};

const addressed: Readonly<Record<string, Rule>> = {
  async 'an upload comes through its address, and a result goes through its own'(t, setting) {
    const { storage, upload, download } = setting;
    const [sent, made] = [nextName('upload'), nextName('result')];
    const base = 'https://demo.example.com/rest';
    const status = await upload(await storage.address(sent, base), Buffer.from('a,b\n'));
    t.true(status === 200 || status === 201, `${status}`);
    t.is((await contentOf(storage, sent)).toString(), 'a,b\n');
    await storage.put(made, bytesOf('1,ok\n'));
    const got = await download(await storage.address(made, base));
    t.deepEqual(got, { status: 200, content: Buffer.from('1,ok\n') });
  },

  async 'an address is valid for 30 minutes'(t, { storage, at, download }) {
    const name = nextName('result');
    await storage.put(name, bytesOf('x'));
    const valid = await at(Date.now() - 29 * 60_000).address(name, 'https://a.example/rest');
    t.is((await download(valid)).status, 200);
    const over = await at(Date.now() - 31 * 60_000).address(name, 'https://a.example/rest');
    const { status } = await download(over);
    t.true(status === 403 || status === 410, `${status}`);
  },

  async 'an address opens no other file, and nothing for another method'(t, setting) {
    const { storage, upload, download } = setting;
    const [name, other] = [nextName('result'), nextName('result')];
    await storage.put(name, bytesOf('x'));
    await storage.put(other, bytesOf('y'));
    const url = await storage.address(name, 'https://a.example/rest');
    const changed = url.replace(String(name.batchId), String(other.batchId));
    t.not(changed, url);
    t.is((await download(changed)).status, 403);
    t.is(await upload(url, Buffer.from('z')), 403);
    t.is((await contentOf(storage, name)).toString(), 'x');
  },
};

export const contract = Object.entries({ ...kept, ...refused, ...addressed });
