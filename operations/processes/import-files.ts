/** Deletes the files of batch jobs when they were kept for long enough, with what became of their rows. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { deleteImportRows, markDeleted, readOldJobs } from '../../db/queries/imports/jobs.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import { fileKinds } from '../../providers/storage/storage.ts';
import type { ImportDependencies } from '../imports/slice.ts';
import { type Loop, startLoop } from '../context/loop.ts';

/** In days of real time. */
export const FILES_KEPT_DAYS = 90;
const PASS_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** What a tenant has beyond this is left to the next pass. */
const JOBS_OF_TENANT_MAX = 100;
const ROWS_AT_ONCE_MAX = 1_000;

export interface ImportFilesOptions {
  readonly dependencies: ImportDependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startImportFiles(options: ImportFilesOptions): Loop {
  return startLoop(async (signal) => {
    await importFilesPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

/** A failure of one job is reported, and does not stop the others: the next pass tries it again. */
export async function importFilesPass(
  { dependencies, relayDb, onError }: ImportFilesOptions,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(dependencies.realNow() - FILES_KEPT_DAYS * DAY_MS);
  const choice = { before, limit: JOBS_OF_TENANT_MAX };
  for (const tenantId of await allTenantIds(relayDb.pool)) {
    if (signal?.aborted) return;
    const jobs = await inTenant(dependencies.db, tenantId, (tx) => readOldJobs(tx, choice), {
      readOnly: true,
    });
    for (const id of jobs) {
      if (signal?.aborted) return;
      await deleteFiles(dependencies, tenantId, id, signal).catch(onError);
    }
  }
}

/** The mark comes first: nobody may find counts without their rows. */
async function deleteFiles(
  { db, storage, realNow }: ImportDependencies,
  tenantId: number,
  batchId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const kind of fileKinds) await storage.delete({ tenantId, batchId, kind });
  await inTenant(db, tenantId, async (tx) => markDeleted(tx, batchId, new Date(realNow())));
  while (!signal?.aborted) {
    const deleted = await inTenant(db, tenantId, (tx) =>
      deleteImportRows(tx, batchId, ROWS_AT_ONCE_MAX),
    );
    if (deleted < ROWS_AT_ONCE_MAX) return;
  }
}
