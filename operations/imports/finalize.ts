/** Finalizes jobs whose files have been uploaded: from then on they are processed. */
import { DomainError } from '../../domain/errors.ts';
import { noteChanges } from '../../db/connection/audited.ts';
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import {
  firstInQueue,
  isBelowAnother,
  lockQueue,
  readPlace,
} from '../../db/queries/imports/jobs.ts';
import type { StoredFile } from '../../providers/storage/storage.ts';
import {
  type AddressedBatch,
  type BatchAddress,
  findBatch,
  lockBatch,
} from '../context/batch-lock.ts';
import { type Dependencies, type OperationContext, inOperation } from '../context/context.ts';
import { inLanes } from '../context/lanes.ts';
import type { ImportDependencies } from './slice.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { given } from '../../db/queries/context/insertion.ts';
import { Batch } from '../../db/entities/imports.ts';
import type { Dispatcher } from '../outbox/dispatch-after-commit.ts';

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
  noteChanges(context.tx, { type: 'batchProcess', id: root.id }, [
    { field: 'status', before: root.status, after: 'Queued' },
  ]);
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

/* The turns of a tenant's batch jobs: one after the other, in the order of their finalizing. */

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
