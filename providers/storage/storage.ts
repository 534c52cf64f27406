/** The port to the storage of files: uploads of batches, and their results. */
import type { Readable } from 'node:stream';

const GIB = 1024 ** 3;

export const fileKinds = ['upload', 'result'] as const;
export type FileKind = (typeof fileKinds)[number];

/** How large a file may be. A result repeats the rows of its upload with a few columns more. */
export const FILE_BYTES_MAX: Readonly<Record<FileKind, number>> = {
  upload: GIB,
  result: 64 * GIB,
};

/** How long an address is valid, in real time. */
export const ADDRESS_SECONDS = 1_800;

/** How long the sender of a file may send nothing. */
export const SILENCE_MS_MAX = 60_000;

/** A file by our own ids: no name contains a text of a caller. */
export interface FileName {
  readonly tenantId: number;
  readonly batchId: number;
  readonly kind: FileKind;
}

export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Differs if another file was stored under the name; opaque. */
  readonly etag: string;
}

export interface PutOptions {
  /** `put` throws its reason once it is aborted, and stores nothing. */
  readonly signal?: AbortSignal | undefined;
}

export interface UploadOptions extends PutOptions {
  /** The etag of the upload that this one replaces; without it the name must be free. */
  readonly replaces?: string | null | undefined;
}

export interface GetOptions {
  /** The first byte; 0 without it. Beyond the end the content is empty. */
  readonly from?: number | undefined;
  /** The file that is expected: `changed` is thrown if it is another one. */
  readonly etag?: string | undefined;
}

export interface OpenedFile extends StoredFile {
  /** The bytes from `from` on. Whoever does not read to its end destroys it. */
  readonly content: Readable;
}

/** Every function throws StorageError. */
export interface FileStorage {
  /** Where the files are, for people; without credentials. */
  readonly place: string;
  /** The code of what keeps every file from being stored; null if files can be stored. */
  readonly check: () => Promise<string | null>;
  /**
   * Stores a file, and returns once it is stored for good; until then, and after any error, no file
   * has the name. A folder replaces an upload only by one that names it (`taken`); whatever else has
   * the name is replaced. An error of the content itself is thrown as it is. After an error a stream is not
   * destroyed: the owner of a request may still have to answer it.
   */
  readonly put: (
    name: FileName,
    content: AsyncIterable<Uint8Array>,
    options?: UploadOptions,
  ) => Promise<StoredFile>;
  /** Throws `missing` if there is no such file. */
  readonly get: (name: FileName, options?: GetOptions) => Promise<OpenedFile>;
  /** Null if there is no such file. */
  readonly head: (name: FileName) => Promise<StoredFile | null>;
  /** All files, in no order; what has another kind of name is left out. */
  readonly list: () => AsyncIterable<FileName>;
  /** Deletes a file, if there is one. */
  readonly delete: (name: FileName) => Promise<void>;
  /**
   * An address that needs no credentials and is valid for ADDRESS_SECONDS: for a PUT of an upload,
   * for a GET of a result. It is a secret: no log may contain it. An address of the API takes one
   * upload: it names the file that the job has, which the upload replaces.
   *
   * @param base of the tenant's API with its path, for addresses that the API answers:
   *   `https://demo.example.com/rest`
   */
  readonly address: (name: FileName, base: string) => Promise<string>;
  /**
   * Checks the `token` of an address that the API answers; null if the storage answers its addresses
   * itself.
   */
  readonly verify: VerifyToken | null;
}

/**
 * The file that a token opens. Throws `forged`, also if the token is one of another tenant or kind,
 * and `expired` only for a token of ours.
 */
export type VerifyToken = (
  token: string,
  expected: Pick<FileName, 'tenantId' | 'kind'>,
) => AddressedFile;

export interface AddressedFile extends FileName {
  /** The etag of the upload that the address replaces; null if there was none. */
  readonly replaces: string | null;
}

/**
 * - `missing`: there is no such file.
 * - `taken`: another upload is there.
 * - `changed`: the file is another one than expected.
 * - `tooLarge`: above FILE_BYTES_MAX.
 * - `stalled`: the sender was silent for SILENCE_MS_MAX.
 * - `forged`, `expired`: the address is not ours, or no longer valid.
 * - `failed`: the storage did not do it, and a later call may succeed.
 */
export type StorageErrorKind =
  | 'missing'
  | 'taken'
  | 'changed'
  | 'tooLarge'
  | 'stalled'
  | 'forged'
  | 'expired'
  | 'failed';

export class StorageError extends Error {
  readonly kind: StorageErrorKind;
  /** What failed: `ENOSPC`, `AccessDenied`, `timeout`; null for the other kinds. */
  readonly code: string | null;

  // It has no cause: errors of S3 name the access key and quote what was signed.
  constructor(kind: StorageErrorKind, code: string | null = null) {
    super(`storage: ${kind}${code === null ? '' : ` (${code})`}`);
    this.name = 'StorageError';
    this.kind = kind;
    this.code = code;
  }
}

/** `7/2101-upload.csv`: the name of a file below a folder, or in a bucket. */
export function keyOf({ tenantId, batchId, kind }: FileName): string {
  for (const id of [tenantId, batchId]) {
    if (!Number.isSafeInteger(id) || id <= 0) throw new TypeError(`not an id: ${id}`);
  }
  if (!fileKinds.includes(kind)) throw new TypeError('not a kind of file');
  return `${tenantId}/${batchId}-${kind}.csv`;
}

/** What a name below a folder, or in a bucket, names; null for one that is none of ours. */
export function namedByKey(key: string): FileName | null {
  const [, tenantId, batchId, kind] = keyForm.exec(key) ?? [];
  if (kind === undefined) return null;
  return { tenantId: Number(tenantId), batchId: Number(batchId), kind: kind as FileKind };
}

const keyForm = new RegExp(
  String.raw`^([1-9]\d{0,15})/([1-9]\d{0,15})-(${fileKinds.join('|')})\.csv$`,
);

/** The first code of these that is a name and nothing else, so that no text of a server is one. */
export function plainCode(...codes: readonly unknown[]): string {
  const isPlain = (code: unknown): code is string =>
    typeof code === 'string' && /^[A-Za-z][A-Za-z0-9_]{1,63}$/.test(code) && code !== 'Error';
  return codes.find(isPlain) ?? 'unknown';
}
