/** Imports one chunk of the rows of a file, in one transaction; rows at fault are found by halving. */
import { DomainError } from '../../domain/errors.ts';
import type { CustomerRow, InvoiceRow, LineRow } from '../../domain/imports/rows.ts';
import { advanceJobs, readJob, type Advance } from '../../db/queries/imports/jobs.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { deleteStaged } from '../../db/queries/imports/lines.ts';
import { insertImportRows, type ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { isBug } from '../billing/faults.ts';
import { inHalves, retried } from '../billing/halves.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import type { Seal } from './add-customers.ts';
import { addInvoices } from './add-invoices.ts';
import { importCustomers } from './import-customers.ts';
import { judgeInvoices } from './import-invoices.ts';
import { failedRow, type RowReader } from './read-rows.ts';
import type { ImportRow } from './rows.ts';
import { stageLines } from './stage-lines.ts';

/** How the rows of each kind of file are read. */
export interface RowReaders {
  readonly customers: RowReader<CustomerRow>;
  readonly invoices: RowReader<InvoiceRow>;
  readonly lines: RowReader<LineRow>;
}

export interface Importing {
  readonly dependencies: Dependencies;
  readonly tenantId: number;
  readonly readers: RowReaders;
  readonly seal: Seal;
}

/** What a chunk came to. */
export interface ChunkDone {
  /** The failures of all files, by code. */
  readonly failures: ReadonlyMap<string, number>;
  /** The job goes on after the chunk; false if it was cancelled, or if another process did the rows. */
  readonly goesOn: boolean;
}

const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * Imports the rows, the next of their job, each once: the transaction moves the job on, and does
 * nothing if another one has done so.
 */
export async function importChunk(
  importing: Importing,
  jobId: number,
  rows: readonly ImportRow[],
): Promise<ChunkDone> {
  const parts = await inHalves(rows, {
    work: (some) => retried(() => importPart(importing, jobId, some)),
    alone: (row, error, code) => retried(() => failAlone(importing, jobId, row, { error, code })),
  });
  const failures = new Map<string, number>();
  for (const part of parts) {
    for (const [code, count] of part.failures) {
      failures.set(code, (failures.get(code) ?? 0) + count);
    }
  }
  return { failures, goesOn: parts.every(({ goesOn }) => goesOn) };
}

function importPart(
  importing: Importing,
  jobId: number,
  rows: readonly ImportRow[],
): Promise<ChunkDone> {
  return onJob(importing, jobId, rows, async (context, job) => {
    if (job.kind === 'lines') {
      return stageLines(context, job, rows, importing.readers.lines);
    }
    if (job.kind === 'customers') {
      const { seal, readers } = importing;
      return undone(context, job, () =>
        importCustomers(context, job, rows, { reader: readers.customers, seal }),
      );
    }
    const judged = await judgeInvoices(context, job, rows, importing.readers.invoices);
    const added = await undone(context, job, () => addInvoices(context, job.id, judged.good));
    deleteStaged(context.tx, [
      ...judged.badLines.map(({ staged }) => staged),
      ...judged.good.flatMap(({ items }) => items.map(({ staged }) => staged)),
    ]);
    return [...judged.failed, ...judged.badLines.map(({ outcome }) => outcome), ...added];
  });
}

/** The row fails, and with it nothing else. */
async function failAlone(
  importing: Importing,
  jobId: number,
  row: ImportRow,
  { error, code }: { readonly error: unknown; readonly code: string },
): Promise<ChunkDone> {
  if (isBug(error) && error instanceof Error) importing.dependencies.onBug?.(error);
  const message = error instanceof DomainError ? error.message : `it could not be stored (${code})`;
  const fault = {
    code: error instanceof DomainError ? code : 'import.failed',
    column: '',
    message,
  };
  return onJob(importing, jobId, [row], async (_, job) => [
    failedRow(job.id, row.line, [fault], null),
  ]);
}

type Work = (context: OperationContext, job: ImportJob) => Promise<readonly ImportRowInsert[]>;

/** Runs the work on the locked job, stores its outcomes, and moves the job on past the rows. */
function onJob(
  { dependencies, tenantId }: Importing,
  jobId: number,
  rows: readonly ImportRow[],
  work: Work,
): Promise<ChunkDone> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    return Promise.resolve({ failures: new Map(), goesOn: true });
  }
  return inOperation(
    dependencies,
    tenantId,
    async (context) => {
      const { tx } = context;
      const job = await readJob(tx, jobId, 'update');
      const isNext = job !== null && job.status === 'Queued' && job.nextOffset < last.offset;
      if (!isNext || job.cancelReason !== null || job.nextLine > first.line) {
        return { failures: new Map(), goesOn: false };
      }
      const outcomes = await work(context, job);
      insertImportRows(tx, outcomes);
      advanceJobs(tx, advancesOf(outcomes, job.id, last));
      return { failures: failuresOf(outcomes), goesOn: true };
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  );
}

function advancesOf(
  outcomes: readonly ImportRowInsert[],
  jobId: number,
  last: ImportRow,
): readonly Advance[] {
  const byBatch = Map.groupBy(outcomes, ({ batch_id }) => batch_id);
  const batchIds = new Set([jobId, ...byBatch.keys()]);
  return [...batchIds].map((batchId) => {
    const own = byBatch.get(batchId) ?? [];
    const successes = own.filter(({ status }) => status === 'Success').length;
    const isOwn = batchId === jobId;
    return {
      batchId,
      successes,
      failures: own.length - successes,
      offset: isOwn ? last.offset : null,
      line: isOwn ? last.nextLine : null,
    };
  });
}

function failuresOf(outcomes: readonly ImportRowInsert[]): ReadonlyMap<string, number> {
  const codes = outcomes.flatMap(({ code }) => code ?? []);
  const byCode = Map.groupBy(codes, (code) => code);
  return new Map([...byCode].map(([code, each]) => [code, each.length]));
}

/** Carries the outcomes of a dry run out of what is undone. */
class Undone extends Error {
  readonly outcomes: readonly ImportRowInsert[];

  constructor(outcomes: readonly ImportRowInsert[]) {
    super('a dry run stores nothing');
    this.outcomes = outcomes;
  }
}

/** Of a job that only validates, undoes what the work has stored, and its outcomes name nothing. */
async function undone(
  { tx, nudges }: OperationContext,
  { isValidateOnly }: ImportJob,
  work: () => Promise<readonly ImportRowInsert[]>,
): Promise<readonly ImportRowInsert[]> {
  if (!isValidateOnly) return work();
  try {
    return await tx.attempt(async () => {
      throw new Undone(await work());
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    nudges.length = 0;
    return error.outcomes.map((each) => ({ ...each, object_id: null }));
  }
}
