/** Reads what orders have used of their coupons: the discounts that were billed and stand. */
import type { CouponUses } from '../../../domain/discounts/uses.ts';
import type { Decimal } from '../../../domain/model.ts';
import type { Tx } from '../../connection/tenancy.ts';

export interface CouponHolder {
  readonly id: number;
  readonly coupon_id: number | null;
}

interface UseRow {
  readonly order_id: number;
  /** Null for a coupon for one invoice. */
  readonly period: number | null;
  readonly amount: Decimal;
}

/** The index of an order's first period, which one-time charges belong to. */
const firstPeriod = 'case when o.anchor > o.start_date then -1 else 0 end';

/**
 * By order. It reads coupons with a fixed amount, from the first period on that may bill something
 * more, and coupons for one invoice; of other coupons nothing depends on what was used.
 */
export async function couponUses(
  tx: Tx,
  orders: readonly CouponHolder[],
): Promise<ReadonlyMap<number, CouponUses>> {
  const ids = orders.flatMap(({ id, coupon_id }) => (coupon_id === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const rows = await tx.query<UseRow & Record<string, unknown>>(
    `with holder as (
       select o.tenant_id, o.id, o.coupon_id, c.is_once, ${firstPeriod} as first_period
       from subscription_order o
       join coupon c on c.tenant_id = o.tenant_id and c.id = o.coupon_id
        and (c.amount is not null or c.is_once)
       where o.id = any($1)),
     line as (
       select o.*, l.id as line_id, l.charge_id, g.charge_type = 'OneTimeCharge' as is_one_time,
              min(case when g.charge_type = 'OneTimeCharge'
                         then case when l.next_period_index = 0 then o.first_period end
                       when g.charge_type = 'RecurringCharge' then l.next_period_index end)
                filter (where l.is_active and not g.is_penalty) over (partition by o.id)
                as first_open
       from holder o
       join order_line l on l.tenant_id = o.tenant_id and l.order_id = o.id
       join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id)
     select l.id as order_id,
            case when l.is_one_time then l.first_period else b.period_index end as period,
            (-sum(d.amount - coalesce(r.amount, 0)))::text as amount
     from line l
     join billed_period b on b.tenant_id = l.tenant_id and b.order_line_id = l.line_id
      and b.charge_id = l.charge_id and b.voided_at is null
      and b.period_index >= case when l.is_one_time then 0 else l.first_open end
     join invoice_charge d on d.tenant_id = b.tenant_id and d.billed_period_id = b.id
      and d.coupon_id = l.coupon_id
     left join charge_credit r on r.tenant_id = d.tenant_id and r.invoice_charge_id = d.id
      and r.voided_at is null
     where not l.is_once and (not l.is_one_time or l.first_open <= l.first_period)
     group by 1, 2
     union all
     select o.id, null, '0' from holder o
     where o.is_once and exists (
       select from order_line l
       join invoice_charge d on d.tenant_id = l.tenant_id and d.order_line_id = l.id
        and d.coupon_id = o.coupon_id
       join billed_period b on b.tenant_id = d.tenant_id and b.id = d.billed_period_id and b.voided_at is null
       where l.tenant_id = o.tenant_id and l.order_id = o.id)`,
    [ids],
    'coupon-uses',
  );
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return new Map([...byOrder].map(([id, uses]) => [id, usesOf(uses)]));
}

function usesOf(rows: readonly UseRow[]): CouponUses {
  const byPeriod = rows.flatMap(({ period, amount }) =>
    period === null ? [] : [[period, amount] as const],
  );
  return { isUsed: true, byPeriod: new Map(byPeriod) };
}
