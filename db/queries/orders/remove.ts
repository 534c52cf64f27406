/** Deletes an order, and finds the order that took its place. */
import type { Tx } from '../../connection/tenancy.ts';

/**
 * Its lines and pauses go with it by their foreign keys. What a test clock knows of its workflow has
 * no key, as it is of objects of any kind.
 */
export function deleteOrder(tx: Tx, id: number): void {
  tx.send(
    `with seen as (
       delete from workflow_seen where tenant_id = $1 and kind = 'order' and object_id = $2),
     unseen as (
       delete from workflow_unseen where tenant_id = $1 and kind = 'order' and object_id = $2)
     delete from subscription_order where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
    'delete-order',
  );
}

/** The number of the order that took the place of a removed one; null if there is none. */
export async function numberInPlaceOf(tx: Tx, removedId: number): Promise<number | null> {
  const [row] = await tx.query<{ number: number }>(
    `select order_number as number from subscription_order
     where tenant_id = $1 and removed_order_id = $2`,
    [tx.tenantId, removedId],
    'order-in-place-of',
  );
  return row?.number ?? null;
}
