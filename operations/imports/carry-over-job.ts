/** The rows of a BatchInit: the job counts its customers, each job below it what it has carried. */
import { DomainError } from '../../domain/errors.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { carriedKinds, type CarriedCounts, type CarriedKind } from './carried-rows.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';

export type JobStatus = 'Queued' | 'Success' | 'PartialSuccess' | 'Failure';

/** The job, with the counts of the jobs below it. */
export interface CarryJob {
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
export function lockJob(tx: Tx, id: number): Promise<CarryJob> {
  return selectJob(tx, id, { text: 'for no key update of b', name: 'lock-carry-over' });
}

export function readJob(tx: Tx, id: number): Promise<CarryJob> {
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
export async function beginJob(
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
export function addToJob(
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
export async function finishJob(context: OperationContext, job: CarryJob): Promise<void> {
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
