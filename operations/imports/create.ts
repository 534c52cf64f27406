/** Makes the jobs that a file is uploaded for. */
import {
  checkNamedParent,
  checkParent,
  type NamedParent,
  type UploadKind,
} from '../../domain/imports/batch.ts';
import { DomainError } from '../../domain/errors.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { lockBatch, type AddressedBatch, type BatchAddress } from '../context/batch-lock.ts';
import type { OperationContext } from '../context/context.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';

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
const jobRow = oneRow({
  into: Batch,
  columns: [
    'id',
    'jobId',
    'kind',
    'parentId',
    'inputFilename',
    'isValidateOnly',
    'createdAt',
    'updatedAt',
  ],
  values: { status: `'Draft'` },
  ending: 'on conflict (tenant_id, job_id) do nothing returning id',
});

export async function createUploadJob(context: OperationContext, job: UploadJob): Promise<number> {
  const { tx, time } = context;
  checkNamedParent(job.kind, job.parent);
  const parent = job.parent === null ? null : await lockParent(context, job.parent);
  const [id = 0] = await takeIds(tx, 1);
  const jobId = job.jobId ?? String(id);
  const { kind, inputFilename } = job;
  const values = jobRow.values(tx.tenantId, {
    id,
    jobId,
    kind,
    parentId: parent?.id ?? null,
    inputFilename,
    isValidateOnly: parent?.isValidateOnly ?? job.isValidateOnly,
    createdAt: time.now,
    updatedAt: time.now,
  });
  const [made] = await tx.query(jobRow.text, values, 'insert-upload-job');
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
