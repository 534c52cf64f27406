/** Stores files in a bucket of S3, or of a server that speaks its protocol. */
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type GetObjectCommandOutput,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { guardOf, type Guard, type GuardedErrors } from '../../guard.ts';
import { limited, storing, type StartLimit } from '../limits.ts';
import {
  ADDRESS_SECONDS,
  FILE_BYTES_MAX,
  keyOf,
  namedByKey,
  StorageError,
  type FileName,
  type FileStorage,
  type OpenedFile,
  type StoredFile,
  plainCode,
} from '../storage.ts';
import type { S3Location } from './location.ts';

/* What an error of the SDK means; its texts, which name keys and quote what was signed, stay here. */

interface SdkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

/** A StorageError stays itself. */
function failureOf(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { name, code, $metadata } = (error ?? {}) as SdkError;
  if (name === 'NoSuchKey' || name === 'NotFound') return new StorageError('missing');
  if (name === 'TimeoutError') return new StorageError('failed', 'timeout');
  const status = $metadata?.httpStatusCode;
  const http = typeof status === 'number' ? `http_${status}` : null;
  // An answer without a body has no name of its own.
  const own = name === 'Unknown' || name === 'UnknownError' ? null : name;
  return new StorageError('failed', plainCode(code, own, http));
}

/** Whether a range begins beyond the end of its file. */
function isUnsatisfiable(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  return name === 'InvalidRange' || $metadata?.httpStatusCode === 416;
}

/** Of the first try and its retries, without the content of a file. */
export const CALL_MS_MAX = 30_000;
/** The SDK's own retries, with its pauses. */
const TRIES_MAX = 3;
const CONNECT_MS_MAX = 5_000;
/** One request up to its answer; a part of an upload needs 140 kB a second. */
const REQUEST_MS_MAX = 60_000;
/** S3 takes 10,000 parts: a result of 64 GiB has 8,192. An upload holds three in memory. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE_MAX = 2;

export interface S3Options {
  /** Real time in milliseconds. */
  readonly realNow: () => number;
  /** Instead of those that the SDK finds in its environment. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  readonly startLimit?: StartLimit;
}

interface Bucket {
  readonly client: S3Client;
  readonly call: Guard;
  readonly where: (name: FileName) => { readonly Bucket: string; readonly Key: string };
  readonly options: S3Options;
}

export function s3Storage(location: S3Location, options: S3Options): FileStorage {
  const { bucket: Bucket, prefix } = location;
  const { realNow: now, startLimit } = options;
  const client = clientOf(location, options);
  const call = guardOf(errors, {
    timeLimitMs: CALL_MS_MAX,
    now,
    ...(startLimit && { startLimit }),
  });
  const where: Bucket['where'] = (name) => ({ Bucket, Key: prefix + keyOf(name) });
  const bucket: Bucket = { client, call, where, options };
  return {
    place: `bucket ${Bucket}${prefix === '' ? '' : `, below ${prefix}`}`,
    async check() {
      try {
        await call((abortSignal) =>
          client.send(new HeadBucketCommand({ Bucket }), { abortSignal }),
        );
        return null;
      } catch (error) {
        return failureOf(error).code ?? 'NoSuchBucket';
      }
    },
    put: (name, content, { signal } = {}) => put(bucket, name, content, signal),
    get: (name, { from = 0, etag } = {}) => get(bucket, name, { from, etag }),
    head: (name) => head(bucket, name),
    list: () => listed(bucket, location),
    async delete(name) {
      const command = new DeleteObjectCommand(where(name));
      await call((abortSignal) => client.send(command, { abortSignal }));
    },
    address: (name) => address(bucket, name),
    verify: null,
  };
}

function clientOf(location: S3Location, { credentials }: S3Options): S3Client {
  const { region, endpoint } = location;
  return new S3Client({
    ...(region !== undefined && { region }),
    // Few other servers have a host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts: TRIES_MAX,
    // Otherwise a presigned address demands the checksum of an empty file, and other servers fail.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      throwOnRequestTimeout: true,
    },
  });
}

/** An answer that there is no such file is none of a server that is down. */
const errors: GuardedErrors = {
  isKnown: (error) => error instanceof StorageError,
  isOutage: (error) => !(error instanceof StorageError) || error.kind === 'failed',
  timedOut: () => new StorageError('failed', 'timeout'),
  isOpen: () => new StorageError('failed', 'circuit_open'),
  failed: failureOf,
};

/** A page of S3 has 1,000 names. */
async function* listed(
  { client, call }: Bucket,
  { bucket: Bucket, prefix: Prefix }: S3Location,
): AsyncGenerator<FileName> {
  let ContinuationToken: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
    const page = await call((abortSignal) => client.send(command, { abortSignal }));
    for (const { Key = '' } of page.Contents ?? []) {
      const name = namedByKey(Key.slice(Prefix.length));
      if (name !== null) yield name;
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function put(
  bucket: Bucket,
  name: FileName,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<StoredFile> {
  const limits = {
    bytesMax: FILE_BYTES_MAX[name.kind],
    stalled: () => new StorageError('stalled'),
    signal,
    startLimit: bucket.options.startLimit,
  };
  const { client } = bucket;
  const where = bucket.where(name);
  const upload = async (within: AsyncIterable<Uint8Array>): Promise<void> => {
    const params = { ...where, Body: Readable.from(within), ContentType: 'text/csv' };
    const parts = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE_MAX };
    await new Upload({ client, params, ...parts }).done();
  };
  await storing(content, limits, upload, failureOf);
  const stored = await head(bucket, name);
  // Somebody else deleted it at once.
  if (stored === null) throw new StorageError('missing');
  return stored;
}

async function get(
  { client, call, where, options }: Bucket,
  name: FileName,
  { from, etag }: { readonly from: number; readonly etag: string | undefined },
): Promise<OpenedFile> {
  const range = from === 0 ? {} : { Range: `bytes=${from}-` };
  const command = new GetObjectCommand({ ...where(name), ...range });
  const opened = await call(async (abortSignal) => {
    try {
      return await client.send(command, { abortSignal });
    } catch (error) {
      if (isUnsatisfiable(error)) return null;
      throw error;
    }
  });
  const file =
    opened === null ? await head({ client, call, where, options }, name) : fileOf(opened);
  const body = opened?.Body instanceof Readable ? opened.Body : Readable.from([]);
  if (from > 0 && opened !== null && opened.ContentRange === undefined) {
    body.destroy();
    throw new StorageError('failed', 'no_range');
  }
  if (file === null || (etag !== undefined && etag !== file.etag)) {
    body.destroy();
    throw new StorageError(file === null ? 'missing' : 'changed');
  }
  return { ...file, content: contentOf(body, options) };
}

/** The size of the whole file, of which an answer to a range has a part. */
function fileOf({ ContentRange, ContentLength, ETag }: GetObjectCommandOutput): StoredFile {
  const [, whole = ContentLength] = /\/(\d+)$/.exec(ContentRange ?? '') ?? [];
  return { size: Number(whole ?? 0), etag: ETag ?? '' };
}

/** A server that falls silent within a file is a failure as well. */
function contentOf(body: Readable, { startLimit }: S3Options): Readable {
  const stalled = (): Error => new StorageError('failed', 'timeout');
  const limits = { bytesMax: Number.POSITIVE_INFINITY, stalled, startLimit };
  const content = Readable.from(limited(body, limits), { objectMode: false });
  content.once('close', () => body.destroy());
  // Whoever reads it sees the error; without a listener it would end the process before that.
  body.on('error', () => undefined);
  return content;
}

async function head({ client, call, where }: Bucket, name: FileName): Promise<StoredFile | null> {
  const command = new HeadObjectCommand(where(name));
  try {
    return await call(async (abortSignal) => {
      const { ContentLength = 0, ETag = '' } = await client.send(command, { abortSignal });
      return { size: ContentLength, etag: ETag };
    });
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'missing') return null;
    throw error;
  }
}

async function address({ client, where, options }: Bucket, name: FileName): Promise<string> {
  const download = {
    ResponseContentType: 'text/csv; charset=utf-8',
    ResponseContentDisposition: `attachment; filename="batch-${name.batchId}.csv"`,
  };
  const command =
    name.kind === 'upload'
      ? new PutObjectCommand(where(name))
      : new GetObjectCommand({ ...where(name), ...download });
  const signing = { expiresIn: ADDRESS_SECONDS, signingDate: new Date(options.realNow()) };
  try {
    return await getSignedUrl(client, command, signing);
  } catch (error) {
    throw failureOf(error);
  }
}
