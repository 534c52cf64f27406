/** Ends a job: its result file, its status, and the event that says so. */
import assert from 'node:assert';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  type EndOfJob,
  type ImportJob,
  advanceJobs,
  endJob,
  readJob,
  readTotals,
} from '../../db/queries/imports/jobs.ts';
import { dropStaged } from '../../db/queries/imports/lines.ts';
import { type StoredRow, readImportRows } from '../../db/queries/imports/rows.ts';
import { RESULT_COLUMNS } from '../../domain/imports/columns.ts';
import { BYTE_ORDER_MARK, exactCsvLine } from '../../domain/text/csv.ts';
import { type OperationContext, inOperation } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { isLost } from './prepare.ts';
import { openRows } from './rows.ts';
import { type SliceHooks, type SliceOptions, watched } from './slice.ts';
import { loseFile } from './steer.ts';

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

/* What the result file of a job says of each row: the rows of the upload, and what became of them. */

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

/* Writes the result of an import: the file that was sent, with what became of each row. */

/** What became of a row. */
export interface RowResult {
  /** The line of the sent file on which the row begins. */
  readonly line: number;
  /** The cells that were sent; null for those that stay blank. */
  readonly cells: readonly string[] | null;
  readonly status: string;
  /** The id of what the row made; null if it made nothing. */
  readonly id: number | null;
  readonly error: string | null;
}

/** Cells of these columns are blank in a result, because they hold secrets. */
const secretColumns: readonly string[] = ['passwd'];

/** Whether a row that cannot be cut may hold a secret in any of its cells. */
const holdsSecrets = (columns: readonly string[]): boolean =>
  columns.some((name) => secretColumns.includes(name));

/** About as much as a chunk of the result has. */
const CHUNK_CHARACTERS = 65_536;

/**
 * The result file in UTF-8, in chunks of about 64 KiB: the sent columns in the sent order, then
 * RESULT_COLUMNS.
 *
 * @param rows In the order of the file; one that comes late is an assertion.
 */
export async function* resultFile(
  columns: readonly string[],
  rows: AsyncIterable<RowResult> | Iterable<RowResult>,
): AsyncGenerator<Buffer, undefined> {
  let text = BYTE_ORDER_MARK + exactCsvLine([...columns, ...RESULT_COLUMNS]);
  let lastLine = 0;
  for await (const row of rows) {
    assert(row.line > lastLine, `line ${row.line} comes after line ${lastLine}`);
    lastLine = row.line;
    text += resultLine(columns, row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function resultLine(columns: readonly string[], { line, cells, ...outcome }: RowResult): string {
  assert(cells === null || cells.length === columns.length, `line ${line} has other columns`);
  const sent = columns.map((name, index) =>
    secretColumns.includes(name) ? '' : (cells?.[index] ?? ''),
  );
  // Tenants correct and resend this file: an apostrophe against formulas would be imported then.
  return exactCsvLine([...sent, line, outcome.status, outcome.id, outcome.error]);
}
