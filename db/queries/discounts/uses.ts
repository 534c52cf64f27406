/** Reads what orders have used of their coupons: the discounts that were billed and stand. */
import { noUses, type CouponUses } from '../../../domain/discounts/uses.ts';
import type { Decimal } from '../../../domain/money/money.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { discountsOf, isOf, standsBy, standsOf } from '../context/billed.ts';

export interface CouponHolder {
  readonly id: number;
  readonly couponId: number | null;
}

interface UseRow {
  readonly orderId: number;
  /** Null for a coupon for one invoice. */
  readonly period: number | null;
  readonly amount: Decimal;
}

/**
 * By order, with what the other orders of its chain used of the same coupon. It reads coupons with a
 * fixed amount, from the first period on that may bill something more, and coupons for one invoice;
 * of other coupons nothing depends on what was used.
 */
export async function couponUses(
  tx: Tx,
  orders: readonly CouponHolder[],
): Promise<ReadonlyMap<number, CouponUses>> {
  const ids = orders.flatMap(({ id, couponId }) => (couponId === null ? [] : [id]));
  return ids.length === 0 ? new Map() : readUses(tx, ids, null);
}

/**
 * What is used of an order's coupon as the order that replaces it sees it.
 * @param from the new order's first period, if it keeps those of the order; null if not
 */
export async function readNextUses(
  tx: Tx,
  orderId: number,
  from: number | null,
): Promise<CouponUses> {
  const uses = (await readUses(tx, [orderId], from)).get(orderId) ?? noUses;
  return from === null ? { ...uses, byPeriod: new Map() } : uses;
}

const samePeriods = `u.same_periods and o.anchor = h.anchor
         and p.billing_period = h.billing_period
         and p.alignment_day is not distinct from h.alignment_day`;

const plan = 'plan p on p.tenant_id = o.tenant_id and p.id = o.plan_id';

const usesText = `with recursive holder as (
  select o.tenant_id, o.id, o.coupon_id, c.is_once, o.first_period, o.previous_order_id,
         o.anchor, p.billing_period, p.alignment_day
  from subscription_order o
  join ${plan}
  join coupon c on c.tenant_id = o.tenant_id and c.id = o.coupon_id
   and (c.amount is not null or c.is_once)
  where o.id = any($1)),
-- With the orders of its chain that use the same coupon: their periods are its own if they have the same.
before as (
  select h.id as holder, h.id, h.first_period, h.previous_order_id, true as same_periods
  from holder h
  union all
  select h.id, o.id, o.first_period, o.previous_order_id, ${samePeriods}
  from before u
  join holder h on h.id = u.holder
  join subscription_order o on o.id = u.previous_order_id and o.coupon_id = h.coupon_id
  join ${plan}),
-- An order bills usage also after the one that replaces it has begun.
after as (
  select h.id as holder, h.id, h.first_period, true as same_periods from holder h
  union all
  select h.id, o.id, o.first_period, ${samePeriods}
  from after u
  join holder h on h.id = u.holder
  join subscription_order o on o.previous_order_id = u.id and o.coupon_id = h.coupon_id
  join ${plan}),
user_order as (
  select holder, id, first_period, same_periods from before
  union
  select holder, id, first_period, same_periods from after),
open_from as (
  select h.id as holder,
         coalesce($2::int, min(case when g.charge_type = 'OneTimeCharge'
                    then case when l.next_period_index = 0 then h.first_period end
                  when g.charge_type = 'UsageCharge' then least(l.next_period_index, w.of_period)
                  else l.next_period_index end)) as period
  from holder h
  join order_line l on l.tenant_id = h.tenant_id and l.order_id = h.id and l.is_active
  join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id and not g.is_penalty
  -- What comes late of an ended line is of the line's last period.
  left join lateral (
    select b.of_period from billed b
    where ${standsOf('l')} and g.charge_type = 'UsageCharge' and b.is_usage
    order by b.period_index desc limit 1) w on true
  group by h.id),
line as (
  select h.tenant_id, h.id as holder, h.coupon_id, h.is_once, u.same_periods, u.first_period,
         l.id, g.charge_type = 'OneTimeCharge' as is_one_time, f.period as first_open
  from holder h
  join user_order u on u.holder = h.id
  join order_line l on l.tenant_id = h.tenant_id and l.order_id = u.id
  join plan_charge g on g.tenant_id = l.tenant_id and g.id = l.charge_id
  left join open_from f on f.holder = h.id)
select l.holder as order_id,
       case when l.is_one_time then l.first_period else b.of_period end as period,
       (-sum(d.amount - coalesce(r.amount, 0)))::text as amount
from line l
join billed b on ${standsOf('l')}
 and b.period_index >= case when l.is_one_time then 0 else l.first_open end
 and (l.is_one_time or b.of_period >= l.first_open)
cross join lateral ${discountsOf('l.coupon_id')} d
left join lateral (select sum(c.amount) as amount from charge_credit c
  where c.tenant_id = l.tenant_id and c.invoice_charge_id = d.id and c.voided_at is null
    and not c.by_note) r on true
where not l.is_once and l.same_periods
  and (not l.is_one_time or l.first_open <= l.first_period)
group by 1, 2
union all
select h.id, null, '0' from holder h
where h.is_once and exists (
  select from line l
  join invoice_charge d on d.tenant_id = l.tenant_id and d.order_line_id = l.id
   and d.coupon_id = l.coupon_id
  join invoice_line n on n.tenant_id = d.tenant_id and n.id = d.invoice_line_id
  join billed b on ${isOf('d')} and ${standsBy('n.invoice_id')}
  where l.holder = h.id)`;

async function readUses(
  tx: Tx,
  ids: readonly number[],
  from: number | null,
): Promise<ReadonlyMap<number, CouponUses>> {
  const rows = await tx.query<UseRow & Record<string, unknown>>(
    usesText,
    [ids, from],
    'coupon-uses',
  );
  const byOrder = Map.groupBy(rows, (row) => row.orderId);
  return new Map([...byOrder].map(([id, uses]) => [id, usesOf(uses)]));
}

function usesOf(rows: readonly UseRow[]): CouponUses {
  const byPeriod = rows.flatMap(({ period, amount }) =>
    period === null ? [] : [[period, amount] as const],
  );
  return { ...noUses, isUsed: true, byPeriod: new Map(byPeriod) };
}
