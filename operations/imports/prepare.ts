/** Reads a finalized file once, before anything of it is stored: its columns, and how many rows. */
import type { UploadKind } from '../../domain/imports/batch.ts';
import { ImportFileFault } from '../../domain/imports/file-fault.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import {
  beginJob,
  isQueuedInit,
  readChildIds,
  readJob,
  refuseFile,
  type ImportJob,
} from '../../db/queries/imports/jobs.ts';
import { FILE_BYTES_MAX, StorageError } from '../../providers/storage/storage.ts';
import { checkFile } from './check-file.ts';
import { keyColumns } from './chunk.ts';
import type { SliceHooks, SliceOptions } from './slice.ts';
import { watched } from './watched.ts';

export interface PreparedImport {
  /** `init` carries books over, and has no file. */
  readonly kind: UploadKind | 'init';
  /** The jobs of line items. */
  readonly childIds: readonly number[];
  /** 0 of a file that was refused. */
  readonly rowCount: number;
}

export const LOST_FILE = 'The file is no longer the one that was finalized.';

/** Null if there is no such job to be done. Repeating it is harmless. */
export async function prepareImport(
  options: SliceOptions,
  jobId: number,
  hooks: SliceHooks,
): Promise<PreparedImport | null> {
  const { dependencies, tenantId } = options;
  const [job, childIds, isInit] = await inTenant(
    dependencies.db,
    tenantId,
    (tx) => Promise.all([readJob(tx, jobId), readChildIds(tx, jobId), isQueuedInit(tx, jobId)]),
    { readOnly: true },
  );
  if (isInit) return { kind: 'init', childIds: [], rowCount: 0 };
  if (job === null || job.status !== 'Queued') return null;
  const { kind } = job;
  if (job.columns !== null) return { kind, childIds, rowCount: job.rowCount ?? 0 };
  const now = new Date(dependencies.realNow());
  try {
    const { columns, rowCount, start } = await readOnce(options, job, hooks);
    const found = { columns, rowCount, ...start };
    await inTenant(dependencies.db, tenantId, async (tx) => beginJob(tx, jobId, found, now));
    return { kind, childIds, rowCount };
  } catch (error) {
    const message = refusalOf(error);
    if (message === null) throw error;
    await inTenant(dependencies.db, tenantId, async (tx) => refuseFile(tx, jobId, message, now));
    return { kind, childIds, rowCount: 0 };
  }
}

async function readOnce(
  { dependencies: { storage }, tenantId, readers }: SliceOptions,
  { id: batchId, kind, etag }: ImportJob,
  hooks: SliceHooks,
) {
  const file = await storage.get({ tenantId, batchId, kind: 'upload' }, { etag });
  try {
    if (file.size > FILE_BYTES_MAX.upload) {
      throw new ImportFileFault('tooLarge', 'The file is larger than 1 GiB.');
    }
    const rules = { known: readers[kind].columns, key: keyColumns[kind] };
    return await checkFile(watched(file.content, hooks), rules);
  } finally {
    file.content.destroy();
  }
}

/** Why the file cannot be imported; null if the error says nothing about it. */
function refusalOf(error: unknown): string | null {
  if (error instanceof ImportFileFault) return error.message;
  return isLost(error) ? LOST_FILE : null;
}

/** Whether the upload is not the one that was finalized: nothing can be done about it. */
export function isLost(error: unknown): boolean {
  return error instanceof StorageError && (error.kind === 'missing' || error.kind === 'changed');
}
