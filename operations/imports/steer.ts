/** What happens to a job besides its rows: it is cancelled, or its file is lost. */
import { writeUpdate } from '../access/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { cancelJob, readJob, refuseFile } from '../../db/queries/imports/jobs.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { LOST_FILE } from './prepare.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { type UpdateRequest, answeredOnce } from '../context/update-answers.ts';
import { type BatchAddress, lockBatch } from '../context/batch-lock.ts';
import { familyOf } from './finalize.ts';

export interface Steering {
  readonly reason: string;
  /** Who asks for it. */
  readonly by?: string | undefined;
}

/**
 * Stops a job, and those below it, after the chunk under way. Throws update.refused for a job that
 * is over, and for one of line items.
 */
export async function cancelImport(
  dependencies: Dependencies,
  tenantId: number,
  jobId: number,
  { reason, by }: Steering,
): Promise<void> {
  await inOperation(dependencies, tenantId, async ({ tx }) => {
    const job = await readJob(tx, jobId, 'update');
    if (job?.kind === 'lines') {
      const text = `line items go with their invoices: cancel batch ${job.parentId}`;
      throw new DomainError('update.refused', text);
    }
    const now = new Date(dependencies.realNow());
    if (!(await cancelJob(tx, jobId, reason, now))) {
      throw new DomainError('update.refused', 'the job has ended');
    }
    writeUpdate(tx, { by, update: 'cancel', object: { type: 'batchProcess', id: jobId } });
  });
}

/** The workflow goes on by itself; the audit log says who wanted it. */
export async function noteResumed(
  { db }: Dependencies,
  tenantId: number,
  jobId: number,
  { by, requestId }: Steering & Pick<UpdateRequest, 'requestId'>,
): Promise<void> {
  const request = { kind: 'batch', objectId: jobId, requestId } as const;
  await inTenant(db, tenantId, (tx) =>
    answeredOnce(tx, request, () => {
      writeUpdate(tx, { by, update: 'resume', object: { type: 'batchProcess', id: jobId } });
      return Promise.resolve({});
    }),
  );
}

/** The upload is no longer the one that was finalized: no further row of it can be imported. */
export async function loseFile(
  { db, realNow }: Dependencies,
  tenantId: number,
  jobId: number,
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    const job = await readJob(tx, jobId, 'update');
    if (job?.status !== 'Queued' || job.errorMessage !== null) return;
    if (job.columns === null) refuseFile(tx, jobId, LOST_FILE, new Date(realNow()));
    else {
      tx.send('update batch set error_message = $3 where tenant_id = $1 and id = $2', [
        tx.tenantId,
        jobId,
        LOST_FILE,
      ]);
    }
  });
}

/* Withdraws a Draft: the job is gone with its file, and with the Drafts of its line items. */

/**
 * The jobId is free again. The files go while the job is locked, so that nobody finalizes it without
 * its file; if the storage fails, the Draft stays. Throws batch.unknown or batch.notDraft.
 */
export async function withdrawBatch(
  { tx }: OperationContext,
  address: BatchAddress,
  storage: Pick<FileStorage, 'delete'>,
): Promise<void> {
  const root = await lockBatch(tx, address);
  if (root.status !== 'Draft') {
    const message = `the job ${root.jobId} was finalized; its workflow takes the Update cancel`;
    throw new DomainError('batch.notDraft', message, { value: root.jobId });
  }
  const jobs = await familyOf(tx, root);
  for (const { id: batchId } of jobs) {
    await storage.delete({ tenantId: tx.tenantId, batchId, kind: 'upload' });
  }
  tx.send('delete from batch where tenant_id = $1 and id = any($2)', [
    tx.tenantId,
    jobs.map(({ id }) => id),
  ]);
}
