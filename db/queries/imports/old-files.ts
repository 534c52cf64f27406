/** Finds the jobs whose files were kept for long enough, and forgets what became of their rows. */
import type { Tx } from '../../connection/tenancy.ts';

/**
 * Finished jobs, those that were never finalized, and those of the last week whose rows are not all
 * deleted yet.
 */
export async function readOldJobs(
  tx: Tx,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select b.id from batch b
     where b.tenant_id = $1 and b.kind in ('customers', 'invoices', 'lines')
       and (b.finished_at < $2 or b.status = 'Draft' and b.created_at < $2)
       and (b.result_deleted_at is null or b.result_deleted_at > now() - interval '7 days' and exists (
         select from import_row r where r.tenant_id = b.tenant_id and r.batch_id = b.id))
     order by b.id limit $3`,
    [tx.tenantId, before, limit],
    'old-jobs',
  );
  return rows.map(({ id }) => id);
}

/** Returns how many rows it has deleted. */
export async function deleteImportRows(tx: Tx, batchId: number, limit: number): Promise<number> {
  const [gone] = await tx.query<{ count: number }>(
    `with gone as (
       delete from import_row where tenant_id = $1 and batch_id = $2 and line in (
         select line from import_row where tenant_id = $1 and batch_id = $2 order by line limit $3)
       returning 1)
     select count(*)::int as count from gone`,
    [tx.tenantId, batchId, limit],
    'delete-import-rows',
  );
  return gone?.count ?? 0;
}

/** From then on nobody misses the rows. */
export function markDeleted(tx: Tx, batchId: number, now: Date): void {
  tx.send(
    `update batch set result_deleted_at = $3, updated_at = $3, version = version + 1
     where tenant_id = $1 and id = $2`,
    [tx.tenantId, batchId, now],
    'mark-result-deleted',
  );
}
