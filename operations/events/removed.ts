/** Records that an object was deleted, so that the audit expects no fact for its events. */
import type { Tx } from '../../db/connection/tenancy.ts';

export function noteRemoved(tx: Tx, objectId: number): void {
  tx.send(
    'insert into removed_object (tenant_id, object_id) values ($1, $2)',
    [tx.tenantId, objectId],
    'note-removed',
  );
}
