/** Invariants of commissions: paid invoices have theirs, others none, and each is taken back once. */
import { isPaidInFull } from '../../../db/queries/context/invoices.ts';
import { basesText } from '../../../db/queries/commissions/due.ts';
import type { Check } from './check.ts';

/** What stands of each row that was earned: `left_base`, `left_amount`. */
const standing = `standing as (
  select x.*, x.base_amount + coalesce(r.base_amount, 0) as left_base,
         x.amount + coalesce(r.amount, 0) as left_amount, coalesce(r.is_reversed, false) as is_reversed
  from commission x
  left join lateral (
    select sum(r.base_amount) as base_amount, sum(r.amount) as amount,
           bool_or(r.is_whole) as is_reversed
    from commission r where r.tenant_id = $1 and r.reversal_of = x.id) r on true
  where x.tenant_id = $1 and x.reversal_of is null)`;

const bases = `bases as (
  select invoice_id, order_id, amount::numeric as amount
  from (${basesText('n.tenant_id = $1 and exists (select from order_agent l where l.tenant_id = $1 and l.order_id = n.order_id)')}) b)`;

/** The decimals that currencies have. */
const roundings = (amount: string): string =>
  `(select round(${amount}, digits) from unnest(array[0, 2, 3, 4]) digits)`;

const money = (sum: string): string => `coalesce(trim_scale(${sum})::text, '0')`;

export const commissionChecks: readonly Check[] = [
  {
    name: 'commission.earned',
    rule: 'A Paid invoice of an order with sales agents has their commissions, those of another sum to zero.',
    // Terms that changed since, and links that came later, say nothing about what was earned.
    sql: `
      with ${standing}, ${bases},
      paid as (
        select i.id, i.invoice_number, i.invoice_date, b.order_id, b.amount,
               coalesce(max(p.id), i.id) as paid_id,
               coalesce(max(p.created_at), i.created_at) as paid_at
        from bases b
        join invoice i on i.tenant_id = $1 and i.id = b.invoice_id and ${isPaidInFull('i')}
        left join invoice_payment p on p.tenant_id = $1 and p.invoice_id = i.id
        group by i.tenant_id, i.id, b.order_id, b.amount)
      select 'invoice ' || invoice_number as object, detail from (
        select i.id, i.invoice_number, 'is ' || i.status || ', but ' || ${money('sum(x.left_amount)')}
                 || ' of commissions stand' as detail
        from standing x
        join invoice i on i.tenant_id = $1 and i.id = x.invoice_id and not ${isPaidInFull('i')}
        group by i.tenant_id, i.id having bool_or(x.left_amount <> 0 or x.left_base <> 0)
        union all
        select f.id, f.invoice_number, 'is Paid, but ' || c.code || ' of sales agent ' || s.code
                 || ' was not earned' as detail
        from paid f
        join order_agent a on a.tenant_id = $1 and a.order_id = f.order_id
          and a.first_id < f.paid_id and a.joining_date <= f.invoice_date
        join sales_agent s on s.tenant_id = $1 and s.id = a.sales_agent_id
        join commission_plan p on p.tenant_id = $1 and p.id = a.commission_plan_id
          and p.is_active and p.updated_at < f.paid_at
        join commission_charge c on c.tenant_id = $1 and c.commission_plan_id = p.id
          and c.is_in_file and c.charge_type = 'RecurringCharge' and c.updated_at < f.paid_at
        where (f.amount > 0 or (f.amount < 0 and c.commission_type = 'Percent'))
          and not exists (select from standing x
            where x.order_agent_id = a.id and x.commission_charge_id = c.id
              and x.invoice_id = f.id and not x.is_reversed)) found
      order by found.id, detail`,
  },
  {
    name: 'commission.amount',
    rule: 'What stands of a percentage is that percentage of the base that the charges leave, rounded once.',
    sql: `
      with ${standing}, ${bases}
      select 'commission ' || x.id as object,
             'is ' || ${money('x.left_amount')} || ' of ' || ${money('x.left_base')} || ', '
               || trim_scale(x.rate) || ' percent of ' || ${money('b.amount')} as detail
      from standing x
      left join lateral (
        select coalesce(sum(b.amount), 0) as amount from bases b
        where b.invoice_id = x.invoice_id and b.order_id = any(x.order_ids)) b on true
      where x.commission_type = 'Percent' and not x.is_reversed
        and (x.left_base <> b.amount
          or x.left_amount not in ${roundings('x.left_base * x.rate / 100')})
      union all
      select 'commission ' || x.id, 'is ' || ${money('x.amount')} || ', not ' || trim_scale(x.rate)
      from standing x
      where x.commission_type = 'Amount' and x.amount not in ${roundings('x.rate')}
      order by 1`,
  },
  {
    name: 'commission.reversal',
    rule: 'A reversal takes back a commission of the same link, charge and invoice: once, and no more than was left.',
    sql: `
      with ${standing}
      select 'commission ' || r.id as object, case
               when x.id is null then 'reverses another reversal'
               when x.is_reversed then 'leaves ' || ${money('x.left_amount')} || ' of ' || x.id
               else 'is ' || ${money('r.amount')} || ', but ' || x.id || ' is '
                 || ${money('x.amount')} end as detail
      from commission r
      left join standing x on x.id = r.reversal_of
      where r.tenant_id = $1 and r.reversal_of is not null and (x.id is null
        or (x.order_agent_id, x.commission_charge_id, x.invoice_id, x.currency)
          is distinct from (r.order_agent_id, r.commission_charge_id, r.invoice_id, r.currency)
        or (x.is_reversed and (x.left_amount <> 0 or x.left_base <> 0))
        or sign(x.left_amount) = -sign(x.amount))
      order by r.id`,
  },
  {
    name: 'commission.due',
    rule: 'Each date-based charge of a link has its next date, unless it can earn nothing more.',
    sql: `
      select 'order ' || o.order_number as object,
             'has no date of ' || c.code || ' for sales agent ' || s.code as detail
      from order_agent a
      join subscription_order o on o.tenant_id = $1 and o.id = a.order_id
      join sales_agent s on s.tenant_id = $1 and s.id = a.sales_agent_id
      join commission_charge c on c.tenant_id = $1 and c.commission_plan_id = a.commission_plan_id
        and c.is_in_file and c.date_to_charge_value > 0
      where a.tenant_id = $1
        -- What would have been due before the order began is not.
        and (c.charge_type = 'DateBasedCharge' or a.joining_date >= o.start_date)
        and not exists (select from commission_due d
          where d.tenant_id = $1 and d.order_agent_id = a.id and d.commission_charge_id = c.id)
      order by o.order_number, c.code, s.code`,
  },
];
