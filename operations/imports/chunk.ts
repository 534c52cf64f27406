/** Imports one chunk of the rows of a file, in one transaction; rows at fault are found by halving. */
import assert from 'node:assert';
import { sqlStateOf, sqlStates, violatedKeyOf } from '../../db/connection/faults.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import {
  type Advance,
  type ImportJob,
  advanceJobs,
  readJob,
} from '../../db/queries/imports/jobs.ts';
import {
  type StagedInsert,
  deleteStaged,
  stageLines as insertStaged,
} from '../../db/queries/imports/lines.ts';
import {
  type ImportRowInsert,
  insertImportRows,
  readTaken,
} from '../../db/queries/imports/rows.ts';
import { DomainError } from '../../domain/errors.ts';
import { lineFaults } from '../../domain/imports/line.ts';
import type { CustomerRow, InvoiceRow, LineRow } from '../../domain/imports/rows.ts';
import { isBug, isCollision } from '../billing/faults.ts';
import { inHalves, retried } from '../billing/batch.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import type { Seal } from './add-customers.ts';
import { addInvoices } from './add-invoices.ts';
import { CUSTOMER_KEY, importCustomers } from './import-customers.ts';
import { INVOICE_KEY, judgeInvoices } from './import-invoices.ts';
import {
  type Candidate,
  type ImportRow,
  type RowReader,
  failedRow,
  keyOf,
  readCandidates,
} from './rows.ts';

/* Stages a chunk of the rows of a file of line items, until the rows of their invoices are read. */

const LINE_KEY = 'invoiceNumber';

/**
 * Stages the rows in the transaction that it is given; returns the outcomes of the bad ones. A bad
 * row that names its invoice is staged as well, since the invoice fails with it.
 */
async function stageLines(
  { tx }: OperationContext,
  job: ImportJob,
  rows: readonly ImportRow[],
  reader: RowReader<LineRow>,
): Promise<readonly ImportRowInsert[]> {
  const { columns, parentId } = job;
  assert(columns && parentId !== null, 'line items have a parent, and the file was read once');
  const candidates = readCandidates(rows, {
    reader,
    columns,
    keyColumn: LINE_KEY,
    check: lineFaults,
  });
  const good = candidates.filter(({ value }) => value !== null);
  const staged = await insertStaged(tx, good.map(stagedOf).toSorted(byPosition));
  const bad = candidates.flatMap((each): Candidate<LineRow>[] => {
    if (each.value === null) return [each];
    if (staged.has(each.line)) return [];
    const { line, key, value } = each;
    const message = `an earlier line item of the invoice has position ${value.position}`;
    const fault = { code: 'import.repeated', column: 'position', message };
    return [{ line, key, value: null, faults: [fault] }];
  });
  await insertStaged(
    tx,
    bad.flatMap((each) => markOf(job, each)),
  );
  return bad.map(({ line, faults }) => failedRow(job.id, line, faults ?? [], null));

  function stagedOf({ line, value }: Candidate<LineRow>): StagedInsert {
    assert(value && parentId !== null);
    return {
      batchId: job.id,
      line,
      parentId,
      invoiceNumber: value.invoiceNumber,
      position: value.position,
      invoiceText: value.invoiceText,
      priceCode: value.priceCode,
      contractCode: value.contractCode,
      orderNumber: value.orderNumber,
      accountingCode: value.accountingCode,
      unitPrice: value.unitPrice,
      quantity: value.quantity,
      amount: value.amount,
      billingStartDate: value.billingStartDate,
      billingEndDate: value.billingEndDate,
    };
  }
}

/** The invoice of a bad row fails. */
async function failInvoice(tx: Tx, job: ImportJob, row: BadRow): Promise<void> {
  await insertStaged(tx, markOf(job, row));
}

/** As any other file of the invoices would insert them; of the same positions the first row. */
function byPosition(one: StagedInsert, other: StagedInsert): number {
  if (one.invoiceNumber !== other.invoiceNumber) {
    return one.invoiceNumber < other.invoiceNumber ? -1 : 1;
  }
  return (one.position ?? 0) - (other.position ?? 0);
}

type BadRow = Pick<Candidate<LineRow>, 'line' | 'key'>;

function markOf({ id, parentId }: ImportJob, { line, key }: BadRow): StagedInsert[] {
  assert(parentId !== null, 'line items have a parent');
  return key === null || key.length > INVOICE_NUMBER_LENGTH_MAX
    ? []
    : [{ ...noLine, batchId: id, line, parentId, invoiceNumber: key }];
}

/** No invoice has a longer number. */
const INVOICE_NUMBER_LENGTH_MAX = 10;

const noLine = {
  position: null,
  invoiceText: null,
  priceCode: null,
  contractCode: null,
  orderNumber: null,
  accountingCode: null,
  unitPrice: null,
  quantity: null,
  amount: null,
  billingStartDate: null,
  billingEndDate: null,
} as const;

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

/** The column whose cells name the rows of a file. */
export const keyColumns = {
  customers: CUSTOMER_KEY,
  invoices: INVOICE_KEY,
  lines: LINE_KEY,
} as const satisfies Readonly<Record<keyof RowReaders, string>>;

/**
 * Imports the rows, the next of their job, each once: the transaction moves the job on, and does
 * nothing if another one has done so.
 */
export async function importChunk(
  importing: Importing,
  jobId: number,
  rows: readonly ImportRow[],
): Promise<ChunkDone> {
  const ends = new Map(rows.slice(1).map((row, index) => [row, rows[index]?.offset]));
  const partOf = (some: readonly ImportRow[]): Part => ({
    jobId,
    rows: some,
    begins: some[0] && ends.get(some[0]),
  });
  const parts = await inHalves(rows, {
    work: (some) => again(() => importPart(importing, partOf(some))),
    alone: (row, error, code) => {
      // No row takes that long by itself: the database stood still, and the row is done later.
      if (sqlStateOf(error) === sqlStates.queryCanceled) throw error;
      return again(() => failAlone(importing, partOf([row]), { error, code }));
    },
  });
  const failures = new Map<string, number>();
  for (const part of parts) {
    for (const [code, count] of part.failures) {
      failures.set(code, (failures.get(code) ?? 0) + count);
    }
  }
  return { failures, goesOn: parts.every(({ goesOn }) => goesOn) };
}

/** A chunk of a job, or a part of one. */
interface Part {
  readonly jobId: number;
  readonly rows: readonly ImportRow[];
  /** The byte after the row before; undefined at the beginning of a chunk. */
  readonly begins: number | undefined;
}

/** A key that somebody else has just taken is found taken at the next attempt. */
function again(work: () => Promise<ChunkDone>): Promise<ChunkDone> {
  return retried(work, {
    isCollision: (error) => isCollision(error) || violatedKeyOf(error) !== null,
  });
}

function importPart(importing: Importing, part: Part): Promise<ChunkDone> {
  const { rows } = part;
  return onJob(importing, part, async (context, job) => {
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

/** The row fails, and with it nothing else but, of a line item, its invoice. */
async function failAlone(
  importing: Importing,
  part: Part,
  { error, code }: { readonly error: unknown; readonly code: string },
): Promise<ChunkDone> {
  if (isBug(error) && error instanceof Error) importing.dependencies.onBug?.(error);
  const message = error instanceof DomainError ? error.message : `it could not be stored (${code})`;
  const fault = {
    code: error instanceof DomainError ? code : 'import.failed',
    column: '',
    message,
  };
  return onJob(importing, part, async ({ tx }, job) => {
    const [row] = part.rows;
    assert(row && job.columns, 'a row of a file that was read once');
    const key = keyOf(row, job.columns.indexOf(keyColumns[job.kind]));
    if (job.kind === 'lines') {
      await failInvoice(tx, job, { line: row.line, key });
      return [failedRow(job.id, row.line, [fault], null)];
    }
    const keys = key === null ? [] : [key];
    const taken = await readTaken(tx, job.id, { keys, logins: [] });
    const isFirst = key !== null && !taken.keys.has(key);
    return [failedRow(job.id, row.line, [fault], isFirst ? key : null)];
  });
}

type Work = (context: OperationContext, job: ImportJob) => Promise<readonly ImportRowInsert[]>;

/** Runs the work on the locked job, stores its outcomes, and moves the job on past the rows. */
function onJob(
  { dependencies, tenantId }: Importing,
  { jobId, rows, begins }: Part,
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
      // Another process may have done a part of the chunk.
      const isNext =
        begins === undefined
          ? job !== null && job.nextOffset < last.offset && job.nextLine <= first.line
          : job?.nextOffset === begins;
      if (job === null || !isNext || job.status !== 'Queued' || job.cancelReason !== null) {
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
  const byBatch = Map.groupBy(outcomes, ({ batchId }) => batchId);
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

/* Undoes what a job that only validates has stored. */

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
    return error.outcomes.map((each) => ({ ...each, objectId: null }));
  }
}

/** Carries the outcomes of a dry run out of what is undone. */
class Undone extends Error {
  readonly outcomes: readonly ImportRowInsert[];

  constructor(outcomes: readonly ImportRowInsert[]) {
    super('a dry run stores nothing');
    this.outcomes = outcomes;
  }
}
