/** The queue of a tenant's batch jobs: those that are Queued and below no other. */
import type { Tx } from '../../connection/tenancy.ts';

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

export interface QueuedJob {
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
