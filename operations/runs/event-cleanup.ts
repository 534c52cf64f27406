/** Deletes documents of events that were kept for long enough. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { deleteOldDocuments } from '../../db/queries/events/documents.ts';
import { allTenantIds } from '../../db/queries/outbox/missing-workflows.ts';
import type { Dependencies } from '../context/context.ts';
import { startLoop, type Loop } from '../context/loop.ts';

/** A resend of an older event sends today's document. */
export const DOCUMENT_DAYS_MAX = 90;
const PASS_MS = 3_600_000;
export const DELETED_AT_ONCE_MAX = 1_000;
/** What remains is left to the next pass. */
const BATCHES_OF_TENANT_MAX = 100;

export interface CleanupOptions {
  readonly dependencies: Dependencies;
  /** A connection with the role sundial_relay, which sees all tenants. */
  readonly relayDb: Database;
  readonly onError: (error: unknown) => void;
}

export function startDocumentCleanup(options: CleanupOptions): Loop {
  return startLoop(async (signal) => {
    await cleanupPass(options, signal).catch(options.onError);
    return PASS_MS;
  });
}

/** Deletes in small transactions, tenant by tenant. */
export async function cleanupPass(
  { dependencies, relayDb }: CleanupOptions,
  signal?: AbortSignal,
): Promise<void> {
  const choice = { days: DOCUMENT_DAYS_MAX, limit: DELETED_AT_ONCE_MAX };
  for (const tenantId of await allTenantIds(relayDb.pool)) {
    for (let batch = 0; batch < BATCHES_OF_TENANT_MAX; batch += 1) {
      if (signal?.aborted) return;
      const deleted = await inTenant(dependencies.db, tenantId, (tx) =>
        deleteOldDocuments(tx, choice),
      );
      if (deleted < DELETED_AT_ONCE_MAX) break;
    }
  }
}
