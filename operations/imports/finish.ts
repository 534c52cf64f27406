/** Ends a job: its result file, its status, and the event that says so. */
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  advanceJobs,
  endJob,
  readJob,
  readTotals,
  type EndOfJob,
  type ImportJob,
} from '../../db/queries/imports/jobs.ts';
import { dropStaged } from '../../db/queries/imports/lines.ts';
import { inOperation, type OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { isLost } from './prepare.ts';
import { resultFile, holdsSecrets, type RowResult } from './result-file.ts';
import type { SliceHooks, SliceOptions } from './slice.ts';
import { loseFile } from './steer.ts';
import { watched } from './watched.ts';
import assert from 'node:assert';
import { readImportRows, type StoredRow } from '../../db/queries/imports/rows.ts';
import { openRows } from './rows.ts';

/** How many line items without an invoice one transaction takes. */
const DROPPED_AT_ONCE_MAX = 5_000;

export interface FinishedImport {
  readonly status: EndOfJob['status'];
  readonly successes: number;
  readonly failures: number;
}

/**
 * Ends a job whose rows are done, or that was cancelled; of an invoice job those of its line items
 * have ended before. Line items that no invoice took fail. Of an upload that is lost meanwhile the
 * result says so. Repeating it is harmless.
 */
export async function finishImport(
  options: SliceOptions,
  jobId: number,
  hooks: SliceHooks,
): Promise<FinishedImport> {
  const { dependencies, tenantId } = options;
  const { storage } = dependencies;
  await dropRest(options, jobId, hooks);
  const job = await inTenant(dependencies.db, tenantId, (tx) => readJob(tx, jobId), {
    readOnly: true,
  });
  if (job === null) throw new Error(`there is no import ${jobId}`);
  if (job.status === 'Queued') {
    try {
      await writeResult(options, job, hooks);
    } catch (error) {
      if (!isLost(error)) throw error;
      await loseFile(dependencies, tenantId, jobId);
      return finishImport(options, jobId, hooks);
    }
  }
  const ended = await inOperation(dependencies, tenantId, (context) =>
    end(context, jobId, new Date(dependencies.realNow())),
  );
  await storage.delete({ tenantId, batchId: jobId, kind: 'upload' });
  return ended;
}

async function writeResult(
  options: SliceOptions,
  job: ImportJob,
  hooks: SliceHooks,
): Promise<void> {
  const { dependencies, tenantId } = options;
  const { columns, rows } = resultRows(options, job);
  await dependencies.storage.put(
    { tenantId, batchId: job.id, kind: 'result' },
    watched(resultFile(columns, rows), hooks),
    { signal: hooks.signal },
  );
}

async function dropRest(
  { dependencies, tenantId }: SliceOptions,
  jobId: number,
  { onProgress, signal }: SliceHooks,
): Promise<void> {
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    isMore = await inOperation(dependencies, tenantId, async ({ tx }) => {
      const job = await readJob(tx, jobId, 'update');
      if (job?.kind !== 'lines' || job.status !== 'Queued') return false;
      const fails = job.cancelReason === null;
      const dropped = await dropStaged(tx, jobId, { limit: DROPPED_AT_ONCE_MAX, fails });
      const { taken, failed: failures } = dropped;
      advanceJobs(tx, [{ batchId: jobId, successes: 0, failures, offset: null, line: null }]);
      return taken === DROPPED_AT_ONCE_MAX;
    });
    onProgress(0);
  }
}

async function end(context: OperationContext, jobId: number, now: Date): Promise<FinishedImport> {
  const { tx } = context;
  const job = await readJob(tx, jobId, 'update');
  if (job === null) throw new Error(`there is no import ${jobId}`);
  const totals = await readTotals(tx, jobId);
  const ended = endOf(job, totals);
  if (await endJob(tx, jobId, ended, now)) {
    if (job.parentId === null) {
      raise(context, [{ type: 'batch.finished', customerId: null, objectId: jobId }]);
    }
  }
  return { status: ended.status, ...totals };
}

function endOf(
  job: ImportJob,
  { successes, failures }: { readonly successes: number; readonly failures: number },
): EndOfJob {
  const own = job.successCount + job.failCount;
  const isCut = job.errorMessage !== null || own < (job.rowCount ?? 0);
  const isWhole = failures === 0 && !isCut;
  const status = successes === 0 ? 'Failure' : isWhole ? 'Success' : 'PartialSuccess';
  const cancelled = job.cancelReason === null ? null : `Cancelled: ${job.cancelReason}`;
  return { status, errorMessage: job.errorMessage ?? (isCut ? cancelled : null) };
}

/** What the result file of a job says of each row: the rows of the upload, and what became of them. */
const PAGE_ROWS = 5_000;

interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<RowResult>;
}

/** A file that was refused, or is lost, has one row, which says why, and none of its own cells. */
function resultRows(options: SliceOptions, job: ImportJob): ResultRows {
  const { columns, errorMessage } = job;
  if (errorMessage !== null) return { columns: [], rows: withoutFile(options, job, errorMessage) };
  return { columns: columns ?? [], rows: withFile(options, job) };
}

async function* withFile(options: SliceOptions, job: ImportJob): AsyncGenerator<RowResult> {
  const { dependencies, tenantId } = options;
  const { id: batchId, etag } = job;
  const { content } = await dependencies.storage.get(
    { tenantId, batchId, kind: 'upload' },
    { etag },
  );
  const outcomes = storedRows(options, job);
  const isSecret = holdsSecrets(job.columns ?? []);
  try {
    const { rows } = await openRows(content);
    let { value: next } = await outcomes.next();
    for await (const row of rows) {
      const { line } = row;
      const cells = 'cells' in row ? row.cells : isSecret ? null : row.sent;
      if (next?.line === line) {
        yield { ...next, cells };
        ({ value: next } = await outcomes.next());
      } else {
        assert(job.cancelReason !== null, `line ${line} of batch ${job.id} has no outcome`);
        yield { line, cells, status: 'Cancelled', id: null, error: null };
      }
    }
  } finally {
    content.destroy();
  }
}

async function* withoutFile(
  options: SliceOptions,
  job: ImportJob,
  error: string,
): AsyncGenerator<RowResult> {
  let line = 0;
  for await (const row of storedRows(options, job)) {
    yield { ...row, cells: [] };
    line = row.line;
  }
  yield { line: line + 1, cells: [], status: 'Failure', id: null, error };
}

async function* storedRows(
  { dependencies, tenantId }: SliceOptions,
  { id }: ImportJob,
): AsyncGenerator<StoredRow, undefined> {
  for (let after = 0; ;) {
    const from = { after, limit: PAGE_ROWS };
    const page = await inTenant(dependencies.db, tenantId, (tx) => readImportRows(tx, id, from), {
      readOnly: true,
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last.line;
  }
}
