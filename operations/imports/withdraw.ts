/** Withdraws a Draft: the job is gone with its file, and with the Drafts of its line items. */
import { DomainError } from '../../domain/errors.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { lockBatch, type BatchAddress } from '../context/batch-lock.ts';
import type { OperationContext } from '../context/context.ts';
import { familyOf } from './finalize.ts';

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
