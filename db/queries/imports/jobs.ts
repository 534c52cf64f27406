/** Reads and moves on the jobs of imports: rows of `batch` whose files are imported. */
import type { BatchStatus, UploadKind } from '../../../domain/imports/batch.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { Batch } from '../../entities/imports.ts';
import type { RowOf } from '../../entities/rows.ts';
import { given, type GivenBy } from '../context/insertion.ts';

/** A job, and where its reading of the file has come to. */
export interface ImportJob extends RowOf<
  typeof Batch,
  | 'id'
  | 'jobId'
  | 'status'
  /** Of a file of line items: the job of its invoices. */
  | 'parentId'
  | 'isValidateOnly'
  /** Null until the file was read once. */
  | 'columns'
  | 'rowCount'
  | 'successCount'
  | 'failCount'
  | 'startedAt'
  /** Why no row of its file can be imported. */
  | 'errorMessage'
> {
  readonly kind: UploadKind;
  /** Of the upload that was finalized. */
  readonly etag: string;
  /** Where the rows begin that are still to be done, and their first line. */
  readonly nextOffset: number;
  readonly nextLine: number;
  /** Why it was cancelled, itself or its parent; null if it goes on. */
  readonly cancelReason: string | null;
}

/** @param lock 'update' keeps the job for this transaction, the first lock after the clock's */
export async function readJob(
  tx: Tx,
  id: number,
  lock: 'update' | 'none' = 'none',
): Promise<ImportJob | null> {
  const [job] = await tx.query<ImportJob & Record<string, unknown>>(
    `select b.id, b.job_id, b.kind, b.status, b.parent_id,
       b.is_validate_only, coalesce(b.upload_etag, '') as etag, b.columns,
       b.row_count, coalesce(b.next_offset, 0) as next_offset,
       coalesce(b.next_line, 1) as next_line, b.success_count,
       b.fail_count, b.started_at,
       coalesce(b.cancel_reason, (select p.cancel_reason from batch p
         where p.tenant_id = b.tenant_id and p.id = b.parent_id)) as cancel_reason,
       b.error_message
     from batch b where b.tenant_id = $1 and b.id = $2 and b.kind in ('customers', 'invoices', 'lines')
     ${lock === 'update' ? 'for no key update of b' : ''}`,
    [tx.tenantId, id],
    `import-job-${lock}`,
  );
  return job ?? null;
}

/** Whether the job is a BatchInit that is still to be done. */
export async function isQueuedInit(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from batch where tenant_id = $1 and id = $2 and kind = 'init' and status = 'Queued'`,
    [tx.tenantId, id],
  );
  return rows.length > 0;
}

export async function readChildIds(tx: Tx, id: number): Promise<readonly number[]> {
  const rows = await tx.query<{ id: number }>(
    'select id from batch where tenant_id = $1 and parent_id = $2 order by id',
    [tx.tenantId, id],
  );
  return rows.map((row) => row.id);
}

/** What the first reading of a file has found. */
export interface FoundFile {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly offset: number;
  readonly line: number;
}

/** @param now real time: the rate of the rows is counted from here */
export function beginJob(tx: Tx, id: number, found: FoundFile, now: Date): void {
  const { columns, rowCount, offset, line } = found;
  tx.send(
    `update batch set columns = $3, row_count = $4, next_offset = $5, next_line = $6,
       started_at = $7, updated_at = $7
     where tenant_id = $1 and id = $2 and columns is null`,
    [tx.tenantId, id, columns, rowCount, offset, line, now],
  );
}

/** No row of the file can be imported. A job that was begun, or has ended, stays as it is. */
export function refuseFile(tx: Tx, id: number, message: string, now: Date): void {
  tx.send(
    `update batch set columns = '{}', row_count = 0, error_message = $3, started_at = $4,
       updated_at = $4
     where tenant_id = $1 and id = $2 and status = 'Queued' and columns is null`,
    [tx.tenantId, id, message, now],
  );
}

const advances = given(Batch, {
  batchId: 'id',
  successes: 'successCount',
  failures: 'failCount',
  // Null if its reading does not move.
  offset: 'nextOffset',
  line: 'nextLine',
});

/** How many rows of a job are done by this transaction, and up to where. */
export type Advance = GivenBy<typeof advances>;

export function advanceJobs(tx: Tx, rows: readonly Advance[]): void {
  tx.send(
    `update batch b set success_count = b.success_count + r.successes,
       fail_count = b.fail_count + r.failures,
       next_offset = coalesce(r."offset", b.next_offset),
       next_line = coalesce(r.line, b.next_line)
     from ${advances.recordset}
     where b.tenant_id = $1 and b.id = r."batchId"`,
    [tx.tenantId, advances.json(rows)],
    'advance-jobs',
  );
}

/** Returns false if the job is over. */
export async function cancelJob(tx: Tx, id: number, reason: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update batch set cancel_reason = coalesce(cancel_reason, $3),
       cancelled_at = coalesce(cancelled_at, $4), updated_at = $4
     where tenant_id = $1 and id = $2 and status = 'Queued' returning id`,
    [tx.tenantId, id, reason, now],
  );
  return rows.length > 0;
}

export interface EndOfJob {
  readonly status: Exclude<BatchStatus, 'Draft' | 'Queued'>;
  readonly errorMessage: string | null;
}

/** Returns false if the job has ended before. */
export async function endJob(
  tx: Tx,
  id: number,
  { status, errorMessage }: EndOfJob,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update batch set status = $3, error_message = $4, finished_at = $5, updated_at = $5,
       version = version + 1
     where tenant_id = $1 and id = $2 and status = 'Queued' returning id`,
    [tx.tenantId, id, status, errorMessage, now],
  );
  return rows.length > 0;
}

/** For people: how many rows are done, and how many passwords of them wait to be hashed. */
export async function readProgress(
  tx: Tx,
  id: number,
): Promise<{ readonly rowsDone: number; readonly passwords: number }> {
  const [found] = await tx.query<{ rowsDone: number; passwords: number }>(
    `select success_count + fail_count as rows_done, (select count(*)::int from password_to_hash w
       where w.tenant_id = b.tenant_id and w.batch_id = b.id) as passwords
     from batch b where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    'import-progress',
  );
  return found ?? { rowsDone: 0, passwords: 0 };
}

/** Of a job and the jobs below it. */
export async function readTotals(
  tx: Tx,
  id: number,
): Promise<{ readonly successes: number; readonly failures: number }> {
  const [totals] = await tx.query<{ successes: number; failures: number }>(
    `select coalesce(sum(success_count), 0)::int as successes,
       coalesce(sum(fail_count), 0)::int as failures
     from batch where tenant_id = $1 and (id = $2 or parent_id = $2)`,
    [tx.tenantId, id],
  );
  return totals ?? { successes: 0, failures: 0 };
}

/* The queue of a tenant's batch jobs: those that are Queued and below no other. */

/**
 * To be called before a job takes its place. Until the commit no other job of the tenant takes one:
 * so of two that are finalized at once, the one that commits first has the first place.
 */
export function lockQueue(tx: Pick<Tx, 'tenantId' | 'send'>): void {
  tx.send(
    'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    [`batch-queue/${tx.tenantId}`],
    'lock-batch-queue',
  );
}

/** Null for a job that does not wait for others: it is below one, was cancelled, or has ended. */
export async function readPlace(tx: Tx, jobId: number): Promise<number | null> {
  const [job] = await tx.query<{ place: number | null }>(
    `select queue_number as place from batch
     where tenant_id = $1 and id = $2 and status = 'Queued' and cancelled_at is null`,
    [tx.tenantId, jobId],
    'place-in-batch-queue',
  );
  return job?.place ?? null;
}

export async function isBelowAnother(tx: Tx, jobId: number): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from batch where tenant_id = $1 and id = $2 and parent_id is not null',
    [tx.tenantId, jobId],
    'is-below-batch',
  );
  return rows.length > 0;
}

interface QueuedJob {
  readonly id: number;
  readonly queueNumber: number;
}

export async function firstInQueue(tx: Tx): Promise<QueuedJob | null> {
  const [first] = await tx.query<QueuedJob & Record<string, unknown>>(
    `select id, queue_number from batch
     where tenant_id = $1 and status = 'Queued' and queue_number is not null
     order by queue_number limit 1`,
    [tx.tenantId],
    'first-in-batch-queue',
  );
  return first ?? null;
}

/* Finds the jobs whose files were kept for long enough, and forgets what became of their rows. */

/**
 * Finished jobs, those that were never finalized, and those of the last week whose rows are not all
 * deleted yet.
 */
export async function readOldJobs(
  tx: Tx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select b.id from batch b
     where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines', 'report')
       and (b.finished_at < $2 or b.status = 'Draft' and b.created_at < $2)
       and (b.result_deleted_at is null or b.result_deleted_at > now() - interval '7 days' and exists (
         select from import_row r where r.tenant_id = b.tenant_id and r.batch_id = b.id))
     order by b.id limit $3`,
    [tx.tenantId, before, limit],
    'old-jobs',
  );
  return rows.map(({ id }) => id);
}

/** Returns how many rows it has deleted. */
export async function deleteImportRows(tx: Tx, batchId: number, limit: number): Promise<number> {
  const [gone] = await tx.query<{ count: number }>(
    `with gone as (
       delete from import_row where tenant_id = $1 and batch_id = $2 and line in (
         select line from import_row where tenant_id = $1 and batch_id = $2 order by line limit $3)
       returning 1)
     select count(*)::int as count from gone`,
    [tx.tenantId, batchId, limit],
    'delete-import-rows',
  );
  return gone?.count ?? 0;
}

/** From then on nobody misses the rows. */
export function markDeleted(tx: Tx, batchId: number, now: Date): void {
  tx.send(
    `update batch set result_deleted_at = $3, updated_at = $3, version = version + 1
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, batchId, now],
    'mark-result-deleted',
  );
}
