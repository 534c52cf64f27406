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

/** Waits for uploads of usage of the order, and keeps others from beginning. */
export function lockUsage(tx: Tx, id: number): void {
  tx.send(
    `with line as materialized (
       select id from order_line where tenant_id = $1 and order_id = $2 order by id for update)
     select w.id from line join usage_window w on w.tenant_id = $1 and w.order_line_id = line.id
     order by w.order_line_id, w.period_index for update of w`,
    [tx.tenantId, id],
    'lock-usage-of-order',
  );
}

/** Whether records of usage name a line of the order. */
export async function hasUsage(tx: Pick<Tx, 'query'>, id: number): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    `select exists (select from order_line l
       join activity a on a.tenant_id = l.tenant_id and a.order_line_id = l.id
       where l.order_id = $1) as found`,
    [id],
    'order-has-usage',
  );
  return row?.found ?? false;
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
