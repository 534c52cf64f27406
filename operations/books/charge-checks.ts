/** Invariants of invoice charges: their kinds, and their credits. */
import type { Check } from './check.ts';

/** The kind of a plan's charge, as in `kindOf`. */
const kindOfPlanCharge = `case when g.is_penalty then 'penalty' when g.is_tax then 'tax'
  when g.charge_type = 'UsageCharge'
    then case when c.is_usage_charge_sub_total then 'usageSubTotal' else 'usage' end
  when exists (select from pricing_tier t where t.tenant_id = g.tenant_id and t.charge_id = g.id
    and t.percent is not null) then 'percent'
  when g.charge_type = 'OneTimeCharge' then 'oneTime' else 'period' end`;

const kinds: readonly Check[] = [
  {
    name: 'charge.kind',
    rule: "A charge has its plan charge's kind; without one it is manual, a discount, a credit or tax.",
    sql: `
      with expected as (
        select c.id, c.invoice_line_id, c.position, c.kind,
               case when g.id is not null then ${kindOfPlanCharge}
                    when c.kind in ('discount', 'credit', 'tax') then c.kind
                    else 'manual' end as right_kind
        from invoice_charge c
        left join plan_charge g on g.tenant_id = c.tenant_id and g.id = c.charge_id
        where c.tenant_id = $1)
      select 'invoice ' || i.invoice_number as object,
             'charge ' || e.position || ' of line ' || l.position || ' is of kind ' || e.kind
               || ', should be ' || e.right_kind as detail
      from expected e join invoice_line l on l.tenant_id = $1 and l.id = e.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where e.kind <> e.right_kind order by i.invoice_number, l.position, e.position`,
  },
  {
    name: 'charge.percent',
    rule: "A percentage charge is that percentage of its line's other charges, rounded once.",
    // Several periods of one percentage share a base, so this check skips them.
    sql: `
      with percentages as (
        select c.*, count(*) over (partition by c.invoice_line_id, c.order_line_id) as periods
        from invoice_charge c
        where c.tenant_id = $1 and c.is_percent and c.kind in ('percent', 'tax')),
      bases as (
        select p.id, coalesce(sum(o.amount), 0) as base
        from percentages p
        left join invoice_charge o on o.tenant_id = $1 and o.invoice_line_id = p.invoice_line_id
         and o.kind not in ('tax', 'usageSubTotal') and (p.kind = 'tax' or o.kind <> 'percent')
        group by p.id)
      select 'invoice ' || i.invoice_number as object,
             coalesce(p.price_code, 'charge') || ' says ' || trim_scale(p.amount) || ', '
               || trim_scale(p.unit_price) || ' percent of ' || trim_scale(b.base) || ' is '
               || trim_scale(b.base * p.unit_price / 100) as detail
      from percentages p join bases b on b.id = p.id
      join invoice_line l on l.tenant_id = $1 and l.id = p.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      -- Currencies have 0, 2, 3 or 4 decimals.
      where p.periods = 1 and p.amount not in (
        select round(b.base * p.unit_price / 100, digits) from unnest(array[0, 2, 3, 4]) digits)
      order by i.invoice_number, l.position, p.position`,
  },
];

const credits: readonly Check[] = [
  {
    name: 'credit.sum',
    rule: 'A credit for unused days is the sum of the amounts that it credits for each charge.',
    sql: `
      select 'credit ' || p.id as object,
             'amount ' || trim_scale(p.amount) || ', its charges ' || trim_scale(sum(r.amount))
               as detail
      from charge_credit r join payment p on p.tenant_id = $1 and p.id = r.payment_id
      where r.tenant_id = $1
      group by p.id, p.amount having p.amount <> sum(r.amount) order by p.id`,
  },
  {
    name: 'credit.charge',
    rule: 'A credit of a charge is at most the charge, has its customer, and its invoice is not cancelled.',
    sql: `
      select 'credit ' || p.id as object,
             'gives back ' || trim_scale(r.amount) || ' of charge ' || c.position || ' of line '
               || l.position || ' over ' || trim_scale(c.amount) || ', invoice '
               || i.invoice_number || ' is ' || i.status as detail
      from charge_credit r join payment p on p.tenant_id = $1 and p.id = r.payment_id
      join invoice_charge c on c.tenant_id = $1 and c.id = r.invoice_charge_id
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where r.tenant_id = $1 and (i.status = 'Cancelled' or p.payment_type <> 'Credit'
        or i.customer_id <> p.customer_id or i.currency <> p.currency
        or sign(r.amount) <> sign(c.amount) or abs(r.amount) > abs(c.amount)) order by r.id`,
  },
  {
    name: 'credit.unused',
    rule: 'Unused days are credited only for an order that has ended, and only those after its end.',
    sql: `
      select 'credit ' || r.payment_id as object,
             'days from ' || r.unused_from || ' of order ' || o.order_number || ', which is '
               || o.status || coalesce(' since ' || o.ended_on, '')
               || coalesce(', billed to ' || b.billed_to, '') as detail
      from charge_credit r
      join invoice_charge c on c.tenant_id = $1 and c.id = r.invoice_charge_id
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
      left join billed_period b on b.tenant_id = $1 and b.id = c.billed_period_id
        and c.kind <> 'tax'
      where r.tenant_id = $1 and (o.status not in ('Canceled', 'Superseded')
        or o.ended_on >= r.unused_from or b.billed_to < r.unused_from) order by r.id`,
  },
];

export const chargeChecks: readonly Check[] = [...kinds, ...credits];
