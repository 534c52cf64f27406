/**
 * A step of a BatchInit: carries the books of the next customers over in one transaction, or
 * finishes the job. A step that is repeated, or cut off, carries nothing twice.
 */
import type { Tx } from '../../db/connection/tenancy.ts';
import { inHalves, retried } from '../billing/batch.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import {
  type CarriedCounts,
  type CarriedKind,
  carriedKinds,
  carryCustomers,
  countCarriable,
} from './carried-rows.ts';
import { DomainError } from '../../domain/errors.ts';
import { raise } from '../events/raise.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';

/** Customers in one transaction. */
export const CARRIED_AT_ONCE_MAX = 200;
/** Of customers with more invoices it takes fewer, so that their locks are soon free. */
const INVOICES_AT_ONCE_MAX = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export interface CarryOverProgress {
  /** Of the whole job, those that failed included. */
  readonly customersDone: number;
  readonly customersFailed: number;
  /** How many the job has to look at. */
  readonly customers: number;
  /** What was carried over so far. */
  readonly counts: CarriedCounts;
  /** Nothing is left to do; the job is in its last status. */
  readonly isDone: boolean;
  readonly status: JobStatus;
}

export interface CarryOverHooks {
  /** Nudges workflows after a commit; never waits, never fails. */
  readonly dispatch: Dispatcher['dispatch'];
}

/**
 * Takes the next customers by id, or finishes the job if none is left or it was cancelled. A
 * customer for whom the database refuses the work is passed over, and what it has counts as failed.
 * Throws batch.unknown if there is no such BatchInit.
 */
export async function carryOver(
  dependencies: Dependencies,
  tenantId: number,
  { batchId }: { readonly batchId: number },
  { dispatch }: CarryOverHooks,
): Promise<CarryOverProgress> {
  const run: Run = async (work) => {
    const nudges = await retried(() =>
      inOperation(
        dependencies,
        tenantId,
        async (context) => {
          const job = await lockJob(context.tx, batchId);
          if (job.status === 'Queued') await work(context, job);
          return context.nudges;
        },
        { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
      ),
    );
    dispatch(tenantId, nudges);
  };
  let next: readonly number[] = [];
  await run(async (context, job) => {
    await beginJob(context, job, new Date(dependencies.realNow()));
    next = await nextCustomers(context.tx, job);
    if (next.length === 0) await finishJob(context, job);
  });
  await inHalves(next, {
    work: (ids) => run((context, job) => carryBatch(context, job, ids)),
    alone: (id, _error, code) => run((context, job) => passOver(context, job, { id, code })),
  });
  return inOperation(dependencies, tenantId, async ({ tx }) =>
    progressOf(await readJob(tx, batchId)),
  );
}

type Run = (work: (context: OperationContext, job: CarryJob) => Promise<void>) => Promise<void>;

/** None of a job that carries nothing. */
async function nextCustomers(tx: Tx, job: CarryJob): Promise<readonly number[]> {
  if (job.isCancelled || job.kinds.length === 0) return [];
  const rows = await tx.query<{ id: number }>(
    `select id from (
       select id, row_number() over by_id as place, sum(invoices) over by_id as so_far
       from (
         select c.id, (select count(*) from invoice i
                       where i.tenant_id = $1 and i.customer_id = c.id and i.id < $3) as invoices
         from customer c where c.tenant_id = $1 and c.id > $2 and c.id < $3
         order by c.id limit $4) next
       window by_id as (order by id)) counted
     where place = 1 or so_far <= $5 order by id`,
    [tx.tenantId, job.doneCustomerId, job.takesBelow, CARRIED_AT_ONCE_MAX, INVOICES_AT_ONCE_MAX],
    'customers-to-carry',
  );
  return rows.map(({ id }) => id);
}

/** Those that another call has done meanwhile are left out. */
async function carryBatch(
  context: OperationContext,
  job: CarryJob,
  ids: readonly number[],
): Promise<void> {
  const left = ids.filter((id) => id > job.doneCustomerId);
  const last = left.at(-1);
  if (last === undefined) return;
  const locked = await lockCustomers(context.tx, left);
  const counts = await carryCustomers(
    context,
    job,
    locked.map(({ id }) => id),
  );
  addToJob(context, job, { doneCustomerId: last, succeeded: locked.length, counts });
}

async function passOver(
  context: OperationContext,
  job: CarryJob,
  { id, code }: { readonly id: number; readonly code: string },
): Promise<void> {
  if (id <= job.doneCustomerId) return;
  await lockCustomers(context.tx, [id]);
  const counts = await countCarriable(context.tx, job, id);
  const error = `customer ${id} could not be carried over: ${code}`;
  addToJob(context, job, { doneCustomerId: id, failed: 1, counts, error });
}

function progressOf(job: CarryJob): CarryOverProgress {
  return {
    customersDone: job.succeeded + job.failed,
    customersFailed: job.failed,
    customers: job.customers,
    counts: job.counts,
    isDone: job.status !== 'Queued',
    status: job.status,
  };
}

/* The rows of a BatchInit: the job counts its customers, each job below it what it has carried. */

type JobStatus = 'Queued' | 'Success' | 'PartialSuccess' | 'Failure';

/** The job, with the counts of the jobs below it. */
interface CarryJob {
  readonly id: number;
  readonly status: JobStatus;
  /** It takes what is older than this id. */
  readonly takesBelow: number;
  readonly doneCustomerId: number;
  readonly isZeroing: boolean;
  readonly isCancelled: boolean;
  readonly isBegun: boolean;
  /** Customers: to look at, done, and passed over. */
  readonly customers: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly kinds: readonly CarriedKind[];
  readonly counts: CarriedCounts;
}

/** Locks it before its customers, so that two calls of a step come one after the other. */
function lockJob(tx: Tx, id: number): Promise<CarryJob> {
  return selectJob(tx, id, { text: 'for no key update of b', name: 'lock-carry-over' });
}

function readJob(tx: Tx, id: number): Promise<CarryJob> {
  return selectJob(tx, id, { text: '', name: 'read-carry-over' });
}

async function selectJob(
  tx: Tx,
  id: number,
  { text, name }: { readonly text: string; readonly name: string },
): Promise<CarryJob> {
  const [row] = await tx.query<Omit<CarryJob, 'kinds' | 'counts'> & Record<string, unknown>>(
    `select b.id, b.status, b.takes_below,
            coalesce(b.done_customer_id, 0) as done_customer_id, b.zeroes_balances as is_zeroing,
            b.cancelled_at is not null as is_cancelled, b.started_at is not null as is_begun,
            coalesce(b.row_count, 0) as customers, b.success_count as succeeded,
            b.fail_count as failed
     from batch b where b.tenant_id = $1 and b.id = $2 and b.kind = 'init' ${text}`,
    [tx.tenantId, id],
    name,
  );
  if (!row) throw new DomainError('batch.unknown', `there is no BatchInit with id ${id}`, { id });
  const children = await tx.query<{ kind: CarriedKind; count: number }>(
    `select kind, success_count as count from batch where tenant_id = $1 and parent_id = $2`,
    [tx.tenantId, id],
    'kinds-of-carry-over',
  );
  const counted = new Map(children.map(({ kind, count }) => [kind, count]));
  const kinds = carriedKinds.filter((kind) => counted.has(kind));
  const countOf = (kind: CarriedKind): number => counted.get(kind) ?? 0;
  const counts = {
    carriedInvoices: countOf('carriedInvoices'),
    carriedCredits: countOf('carriedCredits'),
    carriedDebits: countOf('carriedDebits'),
  };
  return { ...row, kinds, counts };
}

/** Counts the customers once. */
async function beginJob(
  { tx, time }: OperationContext,
  job: CarryJob,
  startedAt: Date,
): Promise<void> {
  if (job.isBegun) return;
  await tx.query(
    `update batch b set started_at = $3, updated_at = $4, version = b.version + 1,
       row_count = case when $5 then 0 else (
         select count(*) from customer c where c.tenant_id = $1 and c.id < b.takes_below) end
     where b.tenant_id = $1 and b.id = $2`,
    [tx.tenantId, job.id, startedAt, time.now, job.kinds.length === 0],
    'begin-carry-over',
  );
}

interface Done {
  readonly doneCustomerId: number;
  readonly succeeded?: number;
  readonly failed?: number;
  /** Of each kind, what was carried, or has failed. */
  readonly counts: CarriedCounts;
  readonly error?: string;
}

const counted = given(
  Batch,
  {
    kind: 'kind',
    succeeded: 'successCount',
    failed: 'failCount',
    doneCustomerId: 'doneCustomerId',
    error: 'errorMessage',
  },
  { rows: '$3' },
);

/** Counts what a transaction has done, and moves the job on. */
function addToJob(
  { tx, time }: OperationContext,
  job: CarryJob,
  { doneCustomerId, succeeded = 0, failed = 0, counts, error }: Done,
): void {
  const hasFailed = error !== undefined;
  const children = carriedKinds.map((kind) => ({
    kind,
    succeeded: hasFailed ? 0 : counts[kind],
    failed: hasFailed ? counts[kind] : 0,
    doneCustomerId: null,
    error: hasFailed && counts[kind] > 0 ? error : null,
  }));
  const own = { kind: 'init' as const, succeeded, failed, doneCustomerId };
  const rows = [{ ...own, error: error ?? null }, ...children];
  tx.send(
    `update batch b set success_count = b.success_count + r.succeeded,
       fail_count = b.fail_count + r.failed,
       done_customer_id = coalesce(r."doneCustomerId", b.done_customer_id),
       error_message = coalesce(b.error_message, r.error), updated_at = $4,
       version = b.version + 1
     from ${counted.recordset}
     where b.tenant_id = $1 and (b.id = $2 or b.parent_id = $2) and b.kind = r.kind
       and (b.id = $2 or r.succeeded + r.failed > 0)`,
    [tx.tenantId, job.id, counted.json(rows), time.now],
    'count-carried',
  );
}

/**
 * Gives the job and those below it their last status, and raises the event of the job. Cancelled
 * counts as failed.
 */
async function finishJob(context: OperationContext, job: CarryJob): Promise<void> {
  const { tx, time } = context;
  const [finished] = await tx.query<{ version: number }>(
    `with below as (
       select coalesce(sum(fail_count), 0) as failed from batch
       where tenant_id = $1 and parent_id = $2),
     ended as (
       update batch b set finished_at = $3, updated_at = $3, version = b.version + 1,
         status = case
           when b.fail_count + case when b.id = $2 then below.failed else 0 end = 0 and not $4
             then 'Success'
           when b.success_count = 0 then 'Failure' else 'PartialSuccess' end
       from below where b.tenant_id = $1 and (b.id = $2 or b.parent_id = $2)
       returning b.id, b.version)
     select version from ended where id = $2`,
    [tx.tenantId, job.id, time.now, job.isCancelled],
    'finish-carry-over',
  );
  const event = { type: 'batch.finished', customerId: null, objectId: job.id } as const;
  raise(context, [{ ...event, objectVersion: finished?.version }]);
}
