/** Invariants of discounts: what they discount, by how much, and in which periods of an order. */
import { isOf, standsBy } from '../../../db/queries/context/billed.ts';
import { redemptionsText } from '../../../db/queries/discounts/redemptions.ts';
import { givenBackOf, givesBack, type Check } from './check.ts';

/** Orders with a coupon, and the first order of each chain that uses it in the same periods. */
const chains = `recursive couponed as (
  select o.id, o.order_number, o.coupon_id, o.previous_order_id, o.anchor, p.billing_period,
         p.alignment_day
  from subscription_order o join plan p on p.tenant_id = $1 and p.id = o.plan_id
  where o.tenant_id = $1 and o.coupon_id is not null),
steps as (
  select o.id, b.id as before
  from couponed o
  left join couponed b on b.id = o.previous_order_id and b.coupon_id = o.coupon_id
   and b.anchor = o.anchor and b.billing_period = o.billing_period
   and b.alignment_day is not distinct from o.alignment_day),
chains as (
  select id, id as first from steps where before is null
  union all
  select s.id, c.first from chains c join steps s on s.before = c.id)`;

/**
 * Discounts with their coupon and order. `of_period` is the order's period, to whose first one-time
 * charges belong; `period` counts the coupon's periods from 1, also those of orders before. A discount
 * stands unless what it discounts was rolled back.
 */
const discounts = `discounts as (
  select c.id, c.tenant_id, c.invoice_line_id, c.order_line_id, b.id as billed_id, c.position, c.amount, c.is_percent, c.unit_price, c.coupon_id,
         l.invoice_id, l.position as line, i.invoice_number, k.code, k.percent,
         k.amount as fixed, k.is_once, k.periods, o.id as order_id, o.order_number,
         o.coupon_id as order_coupon_id, o.previous_order_id is not null as goes_on,
         p.of_period, o.coupon_periods_before + 1 + p.of_period - o.first_period as period,
         ${standsBy('l.invoice_id')} as stands
  from invoice_charge c
  join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
  join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
  join coupon k on k.tenant_id = $1 and k.id = c.coupon_id
  left join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
  left join billed b on ${isOf('c')}
  left join order_line n on n.tenant_id = $1 and n.id = c.order_line_id
  left join plan_charge g on g.tenant_id = $1 and g.id = n.charge_id
  cross join lateral (select case when g.charge_type = 'OneTimeCharge' then o.first_period
                                  else b.of_period end as of_period) p
  where c.tenant_id = $1 and c.kind = 'discount')`;

/**
 * What each discount is of: its order line's charges above zero of one period, or what those of a window
 * come to. Before corrections carried their discounts it was those above zero of a window, too.
 */
const bases = `bases as (
  select d.id, coalesce(sum(o.amount) filter (where o.amount > 0), 0) as base,
         coalesce(sum(o.amount) filter (where o.amount > 0 or o.kind = 'usage'), 0) as net
  from discounts d
  left join invoice_charge o on o.tenant_id = $1 and o.invoice_line_id = d.invoice_line_id
   and o.order_line_id = d.order_line_id
   and coalesce(o.billed_period_id, o.usage_window_id) = d.billed_id
   and o.kind in ('period', 'oneTime', 'usage', 'percent') and not ${givesBack('o')}
  group by d.id)`;

export const discountChecks: readonly Check[] = [
  {
    name: 'discount.amount',
    rule: 'A discount is its percentage, rounded once, or what its amount for the period leaves; never above its charges.',
    sql: `
      with ${chains}, ${discounts}, ${bases}
      select 'invoice ' || d.invoice_number as object,
             d.code || ' takes ' || trim_scale(-d.amount) || ' off ' || trim_scale(b.base)
               || ' of line ' || d.line || coalesce(', ' || trim_scale(d.unit_price)
               || ' percent of which is ' || trim_scale(b.base * d.unit_price / 100), '') as detail
      from discounts d join bases b on b.id = d.id
      where b.base > 0 and (d.amount > 0 or -d.amount > b.base or d.percent is not null
        and (not d.is_percent or d.unit_price is distinct from d.percent
          -- Currencies have 0, 2, 3 or 4 decimals.
          or -d.amount not in (select round(of * d.percent / 100, digits)
                               from unnest(array[0, 2, 3, 4]) digits, unnest(array[b.base, b.net]) of)
          -- A change leaves of a coupon for once what it credits of it.
          and not (d.is_once and d.goes_on and -d.amount <= b.base * d.percent / 100)))
      union all
      select 'order ' || min(d.order_number),
             d.code || ' takes ' || trim_scale(-sum(d.amount - coalesce(r.amount, 0)))
               || coalesce(' off period ' || min(d.period) filter (where not d.is_once), '')
               || ', at most ' || trim_scale(d.fixed)
      from discounts d
      join chains c on c.id = d.order_id
      cross join lateral (select ${givenBackOf('d')} as amount) r
      where d.stands and d.fixed is not null and d.coupon_id = d.order_coupon_id
      -- A fixed amount is for a period of all orders of a chain, and for once is for them once.
      group by c.first, d.coupon_id, d.code, d.fixed, case when d.is_once then null else d.of_period end
      having -sum(d.amount - coalesce(r.amount, 0)) > d.fixed
      order by object, detail`,
  },
  {
    name: 'discount.period',
    rule: "A coupon discounts only the order's first periods, as many as it has; one for once, one invoice.",
    sql: `
      with ${discounts}
      select 'order ' || order_number as object,
             code || ' discounts period ' || period || ' on invoice ' || invoice_number || ', but is for '
               || periods || ' periods' as detail
      from discounts where stands and period > periods
      union all
      select 'order ' || order_number,
             code || ' is for once, but discounts invoices '
               || string_agg(distinct invoice_number, ', ')
      from discounts where stands and is_once
      group by order_id, order_number, coupon_id, code having count(distinct invoice_id) > 1
      order by object, detail`,
  },
  {
    name: 'discount.kind',
    rule: "A discount is of its order's coupon, and of charges above zero that coupons discount, once.",
    sql: `
      with ${discounts}, ${bases},
      counted as (
        select d.*, b.base, row_number() over (
                 partition by d.invoice_line_id, d.order_line_id, d.coupon_id, d.billed_id
                 order by d.position) as times
        from discounts d join bases b on b.id = d.id)
      select 'invoice ' || d.invoice_number as object,
             d.code || ' at ' || d.position || ' of line ' || d.line || case
               when d.base = 0 then ' is of no charge above zero that coupons discount'
               when d.times > 1 then ' discounts the same charges again'
               else ' is not the coupon of the order' end as detail
      from counted d
      -- What was billed once keeps its coupon, also after a rollback.
      where d.base = 0 or d.times > 1 or d.coupon_id is distinct from d.order_coupon_id
      order by d.invoice_id, d.line, d.position`,
  },
  {
    name: 'coupon.redemptions',
    rule: 'A coupon has no more redemptions than it may have had since, and of a customer one if it is for one.',
    sql: `
      with recursive ${redemptionsText('true')},
      -- What a later version allows, an order of before may have taken by a change.
      allowed as (
        select k.id, k.code, bool_and(l.once_per_customer) as is_once,
               case when bool_and(l.max_redemptions is not null) then max(l.max_redemptions) end as most
        from coupon k
        join coupon l on l.tenant_id = $1 and l.code = k.code and l.version >= k.version
        where k.tenant_id = $1
        group by k.id, k.code),
      ranked as (
        select a.code, a.most, a.is_once, r.first, r.customer_id,
               row_number() over (partition by a.code order by r.first) as place,
               row_number() over (partition by a.code, r.customer_id order by r.first) as of_customer
        from redeemed r join allowed a on a.id = r.coupon_id)
      select 'order ' || o.order_number as object,
             case when r.place > r.most
               then 'is redemption ' || r.place || ' of ' || r.code || ', which has ' || r.most
               else 'is redemption ' || r.of_customer || ' of ' || r.code || ' of its customer'
               end as detail
      from ranked r join subscription_order o on o.tenant_id = $1 and o.id = r.first
      where r.place > r.most
         -- A sign-up that nothing proves, and that no mail can, is not asked.
         or r.is_once and r.of_customer > 1
           and not exists (select from signup s where s.tenant_id = $1 and s.order_id = r.first)
      order by o.id`,
  },
];
