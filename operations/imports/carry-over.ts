/**
 * A step of a BatchInit: carries the books of the next customers over in one transaction, or
 * finishes the job. A step that is repeated, or cut off, carries nothing twice.
 */
import type { Tx } from '../../db/connection/tenancy.ts';
import { inHalves, retried } from '../billing/halves.ts';
import { inOperation, type Dependencies, type OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { carryCustomers, countCarriable, type CarriedCounts } from './carried-rows.ts';
import {
  addToJob,
  beginJob,
  finishJob,
  lockJob,
  readJob,
  type CarryJob,
  type JobStatus,
} from './carry-over-job.ts';

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
