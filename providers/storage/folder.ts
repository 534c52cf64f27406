/**
 * Stores files in a folder, which all processes of the service share. A file is written aside and gets
 * its name when it is complete.
 */
import { randomUUID, createHmac } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import {
  access,
  constants,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { derivedKeys, isSignedByAny, type SecretKeys } from '../vault.ts';
import { storing, type StartLimit } from './limits.ts';
import {
  FILE_BYTES_MAX,
  keyOf,
  namedByKey,
  plainCode,
  StorageError,
  type FileName,
  type FileStorage,
  type StoredFile,
  ADDRESS_SECONDS,
  type FileKind,
  type VerifyToken,
} from './storage.ts';

const CHUNK_BYTES = 64 * 1024;
const HOUR_MS = 3_600_000;
/** A part that has not grown for so long was left by a process that died. */
const PART_AGE_MS_MAX = HOUR_MS;
const SWEEP_INTERVAL_MS = HOUR_MS;

export interface FolderOptions {
  /** Of them the keys of the addresses are derived. */
  readonly secretKeys: SecretKeys;
  /** Real time in milliseconds. */
  readonly realNow: () => number;
  readonly startLimit?: StartLimit;
}

/** @param folder is made on first use, on a file system with hard links */
export function folderStorage(folder: string, options: FolderOptions): FileStorage {
  const signer = tokenSigner(options.secretKeys, options.realNow);
  const parts = join(folder, 'parts');
  const pathOf = (name: FileName): string => join(folder, keyOf(name));
  const head = (name: FileName): Promise<StoredFile | null> => headOf(pathOf(name));
  const sweep = sweeper(parts, options.realNow);

  return {
    place: `folder ${folder}`,
    async check() {
      try {
        await makeFolder(parts);
        await access(parts, constants.W_OK);
        return null;
      } catch (error) {
        return failureOf(error).code;
      }
    },
    async put(name, content, { signal, replaces = null } = {}) {
      const path = pathOf(name);
      const part = join(parts, `${randomUUID()}.part`);
      const limits = {
        bytesMax: FILE_BYTES_MAX[name.kind],
        stalled: () => new StorageError('stalled'),
        signal,
        startLimit: options.startLimit,
      };
      const write = async (within: AsyncIterable<Uint8Array>): Promise<StoredFile> => {
        // Found out before a gigabyte is on its way; the link below decides.
        if (name.kind === 'upload') await refuseOther(path, replaces);
        await Promise.all([makeFolder(parts), makeFolder(dirname(path))]);
        await sweep();
        try {
          const stored = await written(part, within);
          await (name.kind === 'upload' ? replaced(part, path, replaces) : rename(part, path));
          await syncFolder(dirname(path));
          return stored;
        } finally {
          await rm(part, { force: true });
        }
      };
      return storing(content, limits, write, failureOf);
    },
    async get(name, { from = 0, etag } = {}) {
      const handle = await open(pathOf(name)).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? new StorageError('missing') : failureOf(error);
      });
      try {
        const file = storedFile(await handle.stat({ bigint: true }));
        if (etag !== undefined && etag !== file.etag) throw new StorageError('changed');
        const content = handle.createReadStream({ start: from, highWaterMark: CHUNK_BYTES });
        return { ...file, content };
      } catch (error) {
        await handle.close();
        throw failureOf(error);
      }
    },
    head,
    list: () => listed(folder),
    delete: (name) => removed(pathOf(name)),
    async address(name, base) {
      const found = name.kind === 'upload' ? await head(name) : null;
      return `${base}/file?token=${signer.sign(name, found?.etag)}`;
    },
    verify: signer.verify,
  };
}

async function removed(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw failureOf(error);
  });
}

async function* listed(folder: string): AsyncGenerator<FileName> {
  try {
    const files = await readdir(folder, { recursive: true }).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    for (const file of files) {
      const name = namedByKey(file.replaceAll(sep, '/'));
      if (name !== null) yield name;
    }
  } catch (error) {
    throw failureOf(error);
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

async function headOf(path: string): Promise<StoredFile | null> {
  try {
    return await existing(path);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Null if there is no such file. */
async function existing(path: string): Promise<StoredFile | null> {
  try {
    return storedFile(await stat(path, { bigint: true }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Throws `taken` unless the upload that is there is the one that is replaced. */
async function refuseOther(path: string, replaces: string | null): Promise<void> {
  const found = await existing(path);
  if ((found?.etag ?? null) !== replaces) throw new StorageError('taken');
}

/** Of two files of one size that are written at the same instant, the numbers differ. */
function storedFile({ size, mtimeNs, ino }: BigIntStats): StoredFile {
  return { size: Number(size), etag: [ino, mtimeNs, size].map((it) => it.toString(36)).join('-') };
}

async function written(part: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const handle = await open(part, 'wx', 0o600);
  try {
    await writeFile(handle, content);
    await handle.sync();
    return storedFile(await handle.stat({ bigint: true }));
  } finally {
    await handle.close();
  }
}

async function replaced(part: string, path: string, replaces: string | null): Promise<void> {
  await refuseOther(path, replaces);
  await (replaces === null ? linked(part, path) : rename(part, path));
}

/** Unlike a rename it never replaces a file: of uploads that end at once one wins. */
async function linked(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? new StorageError('taken') : error;
  }
}

/** A name outlives a loss of power only once its folder is on the disk. */
async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

/** Deletes, once an hour, the parts that processes left when they died. */
function sweeper(parts: string, now: () => number): () => Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - sweptAt < SWEEP_INTERVAL_MS) return;
    sweptAt = now();
    for (const name of await readdir(parts)) {
      const path = join(parts, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && now() - found.mtimeMs > PART_AGE_MS_MAX)
        await rm(path, { force: true });
    }
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function failureOf(error: unknown): StorageError {
  return error instanceof StorageError
    ? error
    : new StorageError('failed', plainCode(codeOf(error)));
}

/* Signs and verifies the tokens of the addresses under which the API itself takes and gives files. */

/**
 * `upload.7.2101.1798761600.` and a signature; the third number is the end in seconds of Unix time. The
 * etag of the upload that is replaced comes before the signature.
 */
const form =
  /^(upload|result)\.([1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,11})(?:\.([a-z\d-]{1,60}))?\.([\w-]{43})$/;

interface TokenSigner {
  /** @param replaces the etag of the upload that is there */
  readonly sign: (name: FileName, replaces?: string | null) => string;
  readonly verify: VerifyToken;
}

/** @param now real time in milliseconds */
export function tokenSigner(secretKeys: SecretKeys, now: () => number): TokenSigner {
  // Derived for this use only, so that no signature of another use opens a file.
  const keys = derivedKeys(secretKeys, 'sundial files v1');
  const signatureBy = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  return {
    sign({ kind, tenantId, batchId }, replaces = null) {
      const until = Math.floor(now() / 1_000) + ADDRESS_SECONDS;
      const text = textOf(kind, tenantId, batchId, until, replaces);
      return `${text}.${signatureBy(keys[0], text).toString('base64url')}`;
    },
    verify(token, expected) {
      const [, kind, tenantId, batchId, until, replaces = null, signature = ''] =
        form.exec(token) ?? [];
      const text = textOf(kind, tenantId, batchId, until, replaces);
      const given = Buffer.from(signature, 'base64url');
      if (!isSignedByAny(keys, given, (key) => signatureBy(key, text)))
        throw new StorageError('forged');
      const name = {
        kind: kind as FileKind,
        tenantId: Number(tenantId),
        batchId: Number(batchId),
        replaces,
      };
      if (name.kind !== expected.kind || name.tenantId !== expected.tenantId) {
        throw new StorageError('forged');
      }
      if (now() >= Number(until) * 1_000) throw new StorageError('expired');
      return name;
    },
  };
}

const textOf = (...parts: readonly (string | number | null | undefined)[]): string =>
  parts.filter((part) => part !== null).join('.');
