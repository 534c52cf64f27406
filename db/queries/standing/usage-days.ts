/** Finds tenants and orders whose dates may not follow usageGraceDays. */
import type { Pool } from 'pg';
import { rowTypes } from '../../connection/database.ts';
import type { Tx } from '../../connection/tenancy.ts';
import type { SubscriptionOrder } from '../../entities/orders.ts';
import type { RowOf } from '../../entities/rows.ts';

/** The marked tenants, in real time; runs as the relay's role, which sees all tenants. */
export async function movedTenants(relay: Pool, sinceSeconds: number): Promise<number[]> {
  const { rows } = await relay.query<{ id: number }>({
    text: `select id from tenant
           where usage_days_moved_at <= now() - make_interval(secs => $1) order by id`,
    values: [sinceSeconds],
    types: rowTypes,
  });
  return rows.map(({ id }) => id);
}

/** When the tenant was marked, as text; null if the dates of its orders follow. */
export async function usageDaysMovedAt(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ at: string | null }>(
    'select usage_days_moved_at::text as at from tenant where id = $1',
    [tx.tenantId],
  );
  return row?.at ?? null;
}

/** Removes the mark, unless another change has set it again. */
export function unmarkUsageDays(tx: Tx, movedAt: string): void {
  tx.send(
    `update tenant set usage_days_moved_at = null
     where id = $1 and usage_days_moved_at = $2::timestamptz`,
    [tx.tenantId, movedAt],
  );
}

export type OwnedOrder = RowOf<typeof SubscriptionOrder, 'id' | 'customerId'>;

/** Orders with an active usage line, by customer, then id; also ended ones, with late usage. */
export function usageOrdersAfter(tx: Tx, after: OwnedOrder, limit: number): Promise<OwnedOrder[]> {
  return tx.query<OwnedOrder & Record<string, unknown>>(
    `select o.id, o.customer_id
     from subscription_order o
     where o.tenant_id = $1 and (o.customer_id, o.id) > ($2, $3) and o.status <> 'Draft'
       and o.plan_id = any(array(
         select plan_id from plan_charge where tenant_id = $1 and charge_type = 'UsageCharge'))
       and exists (
         select from order_line l
         join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
         where l.tenant_id = $1 and l.order_id = o.id and l.is_active
           and g.charge_type = 'UsageCharge')
     order by o.customer_id, o.id limit $4`,
    [tx.tenantId, after.customerId, after.id, limit],
    'usage-orders-after',
  );
}
