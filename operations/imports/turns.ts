/** The turns of a tenant's batch jobs: one after the other, in the order of their finalizing. */
import { inTenant } from '../../db/connection/tenancy.ts';
import { firstInQueue, isBelowAnother, readPlace } from '../../db/queries/imports/jobs.ts';
import { type Dependencies, inOperation } from '../context/context.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';
import { enqueue } from '../outbox/enqueue.ts';

/**
 * The job that is processed before this one may be; null if it is its turn. One that was cancelled
 * has no rows to do, so it waits for nobody; a file of line items goes with its invoices.
 */
export async function jobBefore(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: number,
  jobId: number,
): Promise<number | null> {
  return inTenant(
    db,
    tenantId,
    async (tx) => {
      const place = await readPlace(tx, jobId);
      if (place === null) return null;
      const first = await firstInQueue(tx);
      return first === null || first.queueNumber >= place ? null : first.id;
    },
    { readOnly: true },
  );
}

/**
 * After the end of a job that is below no other: nudges the one whose turn it is. Its own transaction, after that of the
 * end: a job that is finalized meanwhile either is seen here, or finds the other one ended.
 */
export async function callNextJob(
  dependencies: Dependencies,
  { tenantId, jobId }: { readonly tenantId: number; readonly jobId: number },
  { dispatch }: Pick<Dispatcher, 'dispatch'>,
): Promise<void> {
  const nudges = await inOperation(dependencies, tenantId, async (context) => {
    const isBelow = await isBelowAnother(context.tx, jobId);
    const next = isBelow ? null : await firstInQueue(context.tx);
    if (next !== null) enqueue(context, [{ kind: 'batch', objectId: next.id }]);
    return context.nudges;
  });
  dispatch(tenantId, nudges);
}
