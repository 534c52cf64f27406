/** Finalizes jobs whose files have been uploaded: from then on they are processed. */
import { DomainError } from '../../domain/errors.ts';
import { inTenant, type Tx } from '../../db/connection/tenancy.ts';
import { lockQueue } from '../../db/queries/imports/jobs.ts';
import type { StoredFile } from '../../providers/storage/storage.ts';
import {
  findBatch,
  lockBatch,
  type AddressedBatch,
  type BatchAddress,
} from '../context/batch-lock.ts';
import type { OperationContext } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import type { ImportDependencies } from './dependencies.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';

/** By the ids of the jobs. */
export type Uploads = ReadonlyMap<number, StoredFile>;

const LOOKS_AT_ONCE_MAX = 8;

/**
 * The uploaded files of a Draft and of those below it. It asks the storage, so it is called before
 * the transaction. Throws batch.unknown.
 */
export async function findUploads(
  { db, storage }: Pick<ImportDependencies, 'db' | 'storage'>,
  tenantId: number,
  address: BatchAddress,
): Promise<Uploads> {
  const jobs = await inTenant(
    db,
    tenantId,
    async (tx) => {
      const root = await findBatch(tx, address);
      return root.status === 'Draft' ? familyOf(tx, root) : [];
    },
    { readOnly: true },
  );
  const found = new Map<number, StoredFile>();
  const look = async ({ id: batchId }: Job): Promise<void> => {
    const file = await storage.head({ tenantId, batchId, kind: 'upload' });
    if (file !== null) found.set(batchId, file);
  };
  await inLanes(jobs, look, { lanes: LOOKS_AT_ONCE_MAX });
  return found;
}

/**
 * Queues a Draft with its children, and returns its id; a job that is no Draft stays as it is. A
 * child that was made after `findUploads` counts as one without a file. Throws batch.unknown,
 * batch.child or batch.noFile.
 */
export async function finalizeBatch(
  context: OperationContext,
  address: BatchAddress,
  uploads: Uploads,
): Promise<number> {
  const root = await lockBatch(context.tx, address);
  if (root.kind === 'lines') {
    const message = 'a job of line items is finalized with the job of its invoices';
    throw new DomainError('batch.child', message, { value: root.jobId });
  }
  if (root.status !== 'Draft') return root.id;
  const jobs = await familyOf(context.tx, root);
  queue(
    context,
    jobs.map((job) => ({ id: job.id, ...uploadOf(job, uploads) })),
  );
  enqueue(context, [{ kind: 'batch', objectId: root.id }]);
  return root.id;
}

type Job = Pick<AddressedBatch, 'id' | 'jobId'>;

/** The job and those below it. No child is added or finalized while its parent is locked. */
export async function familyOf(tx: Pick<Tx, 'query'>, root: Job): Promise<Job[]> {
  const children = await tx.query<Job & Record<string, unknown>>(
    'select id, job_id from batch where parent_id = $1 order by id',
    [root.id],
    'batch-children',
  );
  return [root, ...children];
}

function uploadOf({ id, jobId }: Job, uploads: Uploads): StoredFile {
  const file = uploads.get(id);
  if (file !== undefined) return file;
  throw new DomainError('batch.noFile', `the file of the job ${jobId} has not been uploaded`, {
    value: jobId,
  });
}

const uploaded = given(Batch, { id: 'id', etag: 'uploadEtag', size: 'uploadBytes' });

function queue({ tx, time }: OperationContext, files: readonly (StoredFile & Pick<Job, 'id'>)[]) {
  lockQueue(tx);
  tx.send(
    `update batch b set status = 'Queued', finalized_at = $3, updated_at = $3,
       version = version + 1, upload_etag = r.etag, upload_bytes = r.size,
       queue_number = case when b.parent_id is null then nextval('id_seq') end
     from ${uploaded.recordset}
     where b.tenant_id = $1 and b.id = r.id`,
    [tx.tenantId, uploaded.json(files), time.now],
    'finalize-batch',
  );
}
