/** Reports that are written to a file: the job that asks for one, and its writing. */
import {
  daysOf,
  headerOf,
  lineOf,
  wrongDays,
  type ReportAsked,
  type ReportDays,
  type ReportName,
} from '../../domain/ledger/reports.ts';
import { noteObject } from '../../db/connection/audited.ts';
import { inSnapshot, type SnapshotReader } from '../../db/connection/snapshot.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { Batch } from '../../db/entities/imports.ts';
import { advanceJobs, endJob } from '../../db/queries/imports/jobs.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import type { RowOf } from '../../db/entities/rows.ts';
import { type OperationContext, inOperation } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { ImportDependencies } from '../imports/slice.ts';
import { reportRows, type RefusalOfDays } from './report.ts';

const jobRow = oneRow({
  into: Batch,
  columns: [
    'id',
    'jobId',
    'kind',
    'reportName',
    'reportFrom',
    'reportTo',
    'createdAt',
    'finalizedAt',
    'updatedAt',
  ],
  values: { status: `'Queued'` },
  ending: '',
});

/** Inserts the job, Queued, and nudges its workflow; returns its id. Throws what refuses its days. */
export async function createReport(
  context: OperationContext,
  asked: ReportAsked,
  refusal: RefusalOfDays,
): Promise<number> {
  const { tx, time } = context;
  const days = daysOf(asked, time.today);
  const wrong = wrongDays(asked.name, days, time.today);
  if (wrong !== null) throw refusal(wrong);
  const [id = 0] = await takeIds(tx, 1);
  noteObject(tx, 'batchProcess', id);
  const values = jobRow.values(tx.tenantId, {
    id,
    jobId: `report-${id}`,
    kind: 'report',
    reportName: asked.name,
    reportFrom: days.from,
    reportTo: days.to,
    createdAt: time.now,
    finalizedAt: time.now,
    updatedAt: time.now,
  });
  tx.send(jobRow.text, values, 'insert-report-job');
  enqueue(context, [{ kind: 'report', objectId: id }]);
  return id;
}

/* Its writing. */

export interface WrittenReport {
  readonly name: ReportName;
  readonly rowsDone: number;
}

export interface ReportHooks {
  /** Called with how many rows are written. */
  readonly onProgress: (rows: number) => void;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
}

/** A statement of a tenant with many millions of facts takes minutes. */
const STATEMENT_TIMEOUT_MS = 2 * 3_600_000;

interface ReportJob extends RowOf<typeof Batch, 'status' | 'successCount'>, ReportDays {
  readonly name: ReportName;
}

/**
 * Writes the file, then ends the job; null if there is no such report. A report is of one moment, so
 * what is repeated begins anew, and the file appears whole; one that is written already stays.
 */
export async function writeReport(
  dependencies: ImportDependencies,
  tenantId: number,
  batchId: number,
  { onProgress, signal }: ReportHooks,
): Promise<WrittenReport | null> {
  const { db, storage, realNow } = dependencies;
  const job = await inTenant(db, tenantId, (tx) => readJob(tx, batchId), { readOnly: true });
  if (job === null) return null;
  const { name } = job;
  if (job.status !== 'Queued') return { name, rowsDone: job.successCount };
  let rowsDone = 0;
  const written = (rows: number): void => {
    signal.throwIfAborted();
    rowsDone += rows;
    onProgress(rowsDone);
  };
  const file = { tenantId, batchId, kind: 'result' } as const;
  await storage.put(file, fileOf(db, tenantId, job, written), { signal });
  await inOperation(dependencies, tenantId, (context) =>
    end(context, { batchId, rowsDone, now: new Date(realNow()) }),
  );
  return { name, rowsDone };
}

/** @param written called with how many rows a chunk has */
async function* fileOf(
  db: ImportDependencies['db'],
  tenantId: number,
  { name, from, to }: ReportJob,
  written: (rows: number) => void,
): AsyncGenerator<Buffer, void> {
  yield Buffer.from(headerOf(name));
  const read = (tx: SnapshotReader) => reportRows({ db, tx }, name, { from, to });
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  for await (const rows of inSnapshot(db, tenantId, read, limits)) {
    yield Buffer.from(rows.map((row) => lineOf(name, row)).join(''));
    written(rows.length);
  }
}

interface Ending {
  readonly batchId: number;
  readonly rowsDone: number;
  readonly now: Date;
}

async function end(context: OperationContext, { batchId, rowsDone, now }: Ending): Promise<void> {
  const { tx } = context;
  const job = await readJob(tx, batchId, 'for no key update');
  // Another worker, which this one's engine took for dead, may have ended it.
  if (job?.status !== 'Queued') return;
  advanceJobs(tx, [{ batchId, successes: rowsDone, failures: 0, offset: null, line: null }]);
  await endJob(tx, batchId, { status: 'Success', errorMessage: null }, now);
  raise(context, [{ type: 'batch.finished', customerId: null, objectId: batchId }]);
}

async function readJob(tx: Tx, id: number, lock = ''): Promise<ReportJob | null> {
  const [job] = await tx.query<ReportJob & Record<string, unknown>>(
    `select status, success_count, report_name as name, report_from as "from", report_to as "to"
     from batch where tenant_id = $1 and id = $2 and kind = 'report' ${lock}`,
    [tx.tenantId, id],
    `report-job${lock && '-locked'}`,
  );
  return job ?? null;
}
