/** Makes the jobs that a file is uploaded for. */
import { checkNamedParent, checkParent } from '../../domain/imports/batch.ts';
import type { NamedParent, UploadKind } from '../../domain/imports/batch.ts';
import { DomainError } from '../../domain/errors.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { lockBatch } from '../context/batch-lock.ts';
import type { AddressedBatch, BatchAddress } from '../context/batch-lock.ts';
import type { OperationContext } from '../context/context.ts';

export interface UploadJob {
  readonly kind: UploadKind;
  /** The id of the job without one. */
  readonly jobId: string | null;
  readonly inputFilename: string | null;
  readonly isValidateOnly: boolean;
  readonly parent: UploadParent | null;
}

export interface UploadParent extends NamedParent {
  readonly address: BatchAddress;
}

/**
 * Inserts a Draft, and returns its id. Throws batch.unknown for the parent, batch.duplicate,
 * field.required or field.invalid. The parent is locked, so it is not finalized meanwhile.
 */
export async function createUploadJob(context: OperationContext, job: UploadJob): Promise<number> {
  const { tx, time } = context;
  checkNamedParent(job.kind, job.parent);
  const parent = job.parent === null ? null : await lockParent(context, job.parent);
  const [id = 0] = await takeIds(tx, 1);
  const jobId = job.jobId ?? String(id);
  const [made] = await tx.query(
    `insert into batch (tenant_id, id, job_id, kind, parent_id, status, input_filename,
       is_validate_only, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'Draft', $6, $7, $8, $8)
     on conflict (tenant_id, job_id) do nothing returning id`,
    [
      tx.tenantId,
      id,
      jobId,
      job.kind,
      parent?.id ?? null,
      job.inputFilename,
      parent?.isValidateOnly ?? job.isValidateOnly,
      time.now,
    ],
    'insert-upload-job',
  );
  if (made !== undefined) return id;
  throw new DomainError('batch.duplicate', `another batch job has the jobId ${jobId}`, {
    path: 'batchProcess/jobId',
    value: jobId,
  });
}

async function lockParent({ tx }: OperationContext, named: UploadParent): Promise<AddressedBatch> {
  const parent = await lockBatch(tx, named.address);
  checkParent(parent, named);
  return parent;
}
