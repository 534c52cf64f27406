/** Imports rows of a file for some seconds, a chunk after the other. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { type ImportJob, readJob, readProgress } from '../../db/queries/imports/jobs.ts';
import { type Dependencies, tenantInfo } from '../context/context.ts';
import { since } from '../context/work-log.ts';
import { type Importing, importChunk } from './chunk.ts';
import { type ImportRow, resumeRows } from './rows.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';

/** A transaction takes so many rows, or fewer if they are long. */
const CHUNK_ROWS_MAX = 1_000;
const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
/** Then other imports of the queue have their turn. */
const SLICE_MS = 10_000;

export interface SliceHooks {
  /** Called after each chunk, with the byte of the file at which the next one begins. */
  readonly onProgress: (offset: number) => void;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
}

export interface SliceProgress {
  /** The file is read to its end, or no further. */
  readonly isDone: boolean;
  /** By code. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of all rows of the file, staged line items apart. */
  readonly rowsDone: number;
  /** How many passwords wait to be hashed. */
  readonly passwords: number;
}

export interface SliceOptions extends Importing {
  readonly dependencies: ImportDependencies;
}

/**
 * Goes on with a job from where it has come to. Throws StorageError: `missing` and `changed` if the
 * upload is no longer the one that was finalized.
 */
export async function importSlice(
  options: SliceOptions,
  jobId: number,
  hooks: SliceHooks,
): Promise<SliceProgress> {
  const { dependencies, tenantId } = options;
  const read = { readOnly: true };
  const job = await inTenant(dependencies.db, tenantId, (tx) => readJob(tx, jobId), read);
  const failures = new Map<string, number>();
  const began = performance.now();
  const isDone = await importUntil(options, job, failures, hooks);
  const progress = await inTenant(dependencies.db, tenantId, (tx) => readProgress(tx, jobId), read);
  await logSlice(options, job, {
    failures,
    rowsDone: progress.rowsDone,
    milliseconds: since(began),
  });
  return { isDone, failures: Object.fromEntries(failures), ...progress };
}

interface SliceDone {
  readonly failures: ReadonlyMap<string, number>;
  readonly rowsDone: number;
  readonly milliseconds: number;
}

/** Logs one line for the slice. */
async function logSlice(
  { dependencies, tenantId }: SliceOptions,
  job: ImportJob | null,
  { failures, ...told }: SliceDone,
): Promise<void> {
  if (job === null || !dependencies.onWork) return;
  const { label: tenant } = await tenantInfo(dependencies, tenantId);
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  dependencies.onWork({ work: 'import', tenant, batchId: job.id, of: job.kind, failed, ...told });
}

/** Returns whether the job needs no further slice. */
async function importUntil(
  options: SliceOptions,
  job: ImportJob | null,
  failures: Map<string, number>,
  hooks: SliceHooks,
): Promise<boolean> {
  if (job === null || job.columns === null || isOver(job)) return true;
  const { content, rows } = await remainingRows(options, job);
  const until = performance.now() + SLICE_MS;
  try {
    const chunks = inChunks(rows);
    for (let next = chunks.next(); ;) {
      const { value: chunk } = await next;
      if (chunk === undefined) return true;
      // The next rows are read while these are written.
      next = chunks.next();
      next.catch(() => undefined);
      const done = await importChunk(options, job.id, chunk);
      for (const [code, count] of done.failures) {
        failures.set(code, (failures.get(code) ?? 0) + count);
      }
      hooks.onProgress(chunk.at(-1)?.offset ?? 0);
      const isLater = performance.now() > until || hooks.signal.aborted;
      if (!done.goesOn || isLater) return false;
    }
  } finally {
    content.destroy();
  }
}

const isOver = ({ status, cancelReason, errorMessage, rowCount }: ImportJob): boolean =>
  status !== 'Queued' || cancelReason !== null || errorMessage !== null || rowCount === 0;

async function remainingRows({ dependencies, tenantId }: SliceOptions, job: ImportJob) {
  const { id: batchId, columns, nextOffset, nextLine, etag } = job;
  const name = { tenantId, batchId, kind: 'upload' } as const;
  const { content } = await dependencies.storage.get(name, { from: nextOffset, etag });
  const rows = resumeRows(content, columns ?? [], { offset: nextOffset, line: nextLine });
  return { content, rows };
}

async function* inChunks(
  rows: AsyncIterable<ImportRow>,
): AsyncGenerator<readonly ImportRow[], undefined> {
  let chunk: ImportRow[] = [];
  let start: number | null = null;
  for await (const row of rows) {
    chunk.push(row);
    start ??= row.offset;
    if (chunk.length < CHUNK_ROWS_MAX && row.offset - start < CHUNK_BYTES_MAX) continue;
    yield chunk;
    chunk = [];
    start = null;
  }
  if (chunk.length > 0) yield chunk;
}

/* Watches the bytes of a file that is read or written to its end. */

/** The bytes, with the calls that a long reading or writing owes. */
export async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  { onProgress, signal }: SliceHooks,
): AsyncGenerator<Uint8Array, undefined> {
  let offset = 0;
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    offset += chunk.length;
    onProgress(offset);
    yield chunk;
  }
}

/* What operations of batches are handed besides what every operation is. */

export interface ImportDependencies extends Dependencies {
  /** Where the uploads and the results are. */
  readonly storage: FileStorage;
}
