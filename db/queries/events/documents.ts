/** Documents of events that were kept for long enough. */
import type { Tx } from '../../connection/tenancy.ts';

/** Deletes the oldest of them, and returns their number. */
export async function deleteOldDocuments(
  tx: Tx,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const deleted = await tx.query(
    `delete from event_document where tenant_id = $1 and event_id in (
       select event_id from event_document
       where tenant_id = $1 and kept_at < now() - make_interval(days => $2)
       order by kept_at limit $3)
     returning event_id`,
    [tx.tenantId, days, limit],
    'delete-old-documents',
  );
  return deleted.length;
}
