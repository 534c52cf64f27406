/** Reads what was billed of orders, with the charge and the plan version that priced it. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** What stands of a line, with the charge that priced it. */
export interface Priced extends Record<string, unknown> {
  readonly orderId: number;
  readonly lineId: number;
  readonly ofPeriod: number;
  readonly from: IsoDate;
  readonly chargeId: number;
  readonly version: number;
}

export function pricedOf(tx: Tx, orderIds: readonly number[]): Promise<readonly Priced[]> {
  return tx.query<Priced>(
    `select b.order_id, b.line_id, b.of_period, b."from", b.charge_id, v.version
     from (
       select l.order_id, l.id as line_id, p.period_index as of_period, p.billed_from as "from",
              p.charge_id
       from order_line l
       join billed_period p on p.tenant_id = l.tenant_id and p.order_line_id = l.id
        and p.voided_at is null
       where l.tenant_id = $1 and l.order_id = any($2)
       union
       select l.order_id, l.id, w.of_period, w.billed_from, c.charge_id
       from order_line l
       join usage_window w on w.tenant_id = l.tenant_id and w.order_line_id = l.id
       join invoice_charge c on c.tenant_id = w.tenant_id and c.usage_window_id = w.id
        and c.kind = 'usageSubTotal'
       join invoice_line n on n.tenant_id = c.tenant_id and n.id = c.invoice_line_id
        and n.invoice_id = w.invoice_id
       where l.tenant_id = $1 and l.order_id = any($2)) b
     join plan_charge g on g.tenant_id = $1 and g.id = b.charge_id
     join plan v on v.tenant_id = $1 and v.id = g.plan_id
     order by b.order_id, b.line_id, b."from"`,
    [tx.tenantId, orderIds],
    'audit-priced',
  );
}
