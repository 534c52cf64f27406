/** Makes the jobs that a file is uploaded for. */
import {
  type NamedParent,
  type UploadKind,
  checkNamedParent,
  checkParent,
} from '../../domain/imports/batch.ts';
import { DomainError } from '../../domain/errors.ts';
import { noteObject } from '../../db/connection/audited.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { type AddressedBatch, type BatchAddress, lockBatch } from '../context/batch-lock.ts';
import type { OperationContext } from '../context/context.ts';
import { oneRow } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';
import type { Reader } from '../context/listing.ts';

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
  noteObject(tx, 'batchProcess', id);
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

/* Says whether an upload of a job is welcome, and whether it is the one that counts. */

/** A job that is finalized takes no file. */
export async function isDraft(tx: Reader, batchId: number): Promise<boolean> {
  const [batch] = await tx.query<{ status: string }>(
    'select status from batch where id = $1',
    [batchId],
    'status-of-batch',
  );
  return batch?.status === 'Draft';
}

/** Whether the job was finalized with another file than the one of this ETag. */
export async function isOtherUpload(tx: Reader, batchId: number, etag: string): Promise<boolean> {
  const [batch] = await tx.query<{ isOther: boolean }>(
    `select status <> 'Draft' and upload_etag is distinct from $2 as is_other
     from batch where id = $1`,
    [batchId, etag],
    'is-other-upload',
  );
  return batch?.isOther ?? true;
}
