/** Usage of a whole order, while no upload of it is under way. */
import type { Tx } from '../../connection/tenancy.ts';

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

/** Opens the windows of an order without records again, all of which have closed empty. */
export function openWindows(tx: Tx, id: number): void {
  tx.send(
    `update usage_window w set closed_at = null from order_line l
     where l.tenant_id = $1 and l.order_id = $2 and w.tenant_id = $1 and w.order_line_id = l.id`,
    [tx.tenantId, id],
    'open-windows-of-order',
  );
}
