/** Invariants of usage: what a window was billed for follows from its records, and corrections fit. */
import { standingStatus } from '../../../db/queries/context/invoices.ts';

import { digitsOf, type Check } from './check.ts';

/** Windows, as people find them. */
export const windows = `windows as materialized (
  select w.*, o.order_number, n.position, i.invoice_number, ${digitsOf('o.currency')} as digits
  from usage_window w
  join order_line n on n.tenant_id = $1 and n.id = w.order_line_id
  join subscription_order o on o.tenant_id = $1 and o.id = n.order_id
  left join invoice i on i.tenant_id = $1 and i.id = w.invoice_id
  where w.tenant_id = $1)`;

/**
 * Their charges on the invoice that they name. What corrections give back of a percentage follows from
 * all corrections of its window. @see correctionChecks
 */
const charges = `charges as (
  select w.id, count(*) filter (where c.kind = 'usageSubTotal') as subtotals,
         sum(c.amount) filter (where c.kind = 'usageSubTotal') as subtotal,
         sum(c.quantity) filter (where c.kind = 'usageSubTotal') as quantity,
         sum(c.amount) filter (where c.kind = 'usage') as amount,
         coalesce(sum(c.amount) filter (where c.kind = 'usage' and c.is_percent and c.quantity < 0), 0)
           as given
  from windows w
  join invoice_charge c on c.tenant_id = $1 and c.usage_window_id = w.id
  join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
   and l.invoice_id = w.invoice_id
  group by w.id)`;

/** The share of a quantity in its window `w`; the function computes in cents. */
const shareBy = (quantity: string): string => `round(usage_share(
  w.shared_amount * 10::numeric ^ w.digits, ${quantity}, w.shared_quantity)
  / 10::numeric ^ w.digits, w.digits)`;

/**
 * Their records: first those of one quantity together, which have one share, then those that share
 * a charge and its rounding. The factor 0.01 is exact, unlike a division.
 */
const records = `alike as (
  select w.id, k.kind, k.percent, a.quantity as each, count(*) as count,
         sum(a.quantity) as quantity, sum(a.amount) as amount,
         max(array[a.charge_date - date '1970-01-01', a.id]) as last
  from windows w
  join activity a on a.tenant_id = $1 and a.window_id = w.id
  cross join lateral (select
    case when a.corrects_billed then 'correction' when a.amount is null then 'shared'
      else 'supplied' end as kind,
    case when a.corrects_billed then a.corrected_percent when a.amount is not null then w.percent
      end as percent) k
  group by w.id, k.kind, k.percent, a.quantity),
together as (
  select w.id, g.kind, sum(g.count) as count, sum(g.quantity) as quantity, max(g.last) as last,
         case when g.kind = 'shared' then w.shared_amount
           when g.kind = 'correction' and g.percent is not null then 0
           when g.percent is null then sum(g.amount)
           else round(sum(g.amount) * g.percent * 0.01, w.digits) end as amount,
         sum(g.count * ${shareBy('g.each')})
           filter (where g.kind = 'shared') as rounded
  from windows w join alike g on g.id = w.id
  group by w.id, w.shared_amount, w.digits, g.kind, g.percent),
records as (
  select id, sum(count) as count, sum(quantity) as quantity, sum(amount) as amount,
         sum(rounded) as rounded, sum(quantity) filter (where kind = 'shared') as shared_quantity,
         (max(last) filter (where kind = 'shared'))[2] as last_id
  from together group by id)`;

/** The window `w`, as people name it. */
export const about = `'order ' || w.order_number as object,
  'line ' || w.position || ', usage of period ' || w.period_index`;

export const usageChecks: readonly Check[] = [
  {
    name: 'usage.window',
    rule: 'A billed usage window is on its invoice once, for what its records come to; the shares of its records sum to what they share.',
    sql: `
      with ${windows}, ${charges}, ${records}
      select object, detail from (
      select w.order_number, w.position, w.period_index, ${about} || ', invoice '
        || w.invoice_number || ': ' || f.fault as detail
      from windows w
      left join charges c on c.id = w.id
      left join records r on r.id = w.id
      left join activity l on l.tenant_id = $1 and l.id = w.last_activity_id
      cross join lateral (values
        (case when coalesce(c.subtotals, 0) <> 1
           then 'it has ' || coalesce(c.subtotals, 0) || ' subtotals' end),
        (case when c.subtotals = 1 and (c.subtotal <> w.amount or c.quantity <> w.quantity)
           then 'its subtotal is ' || trim_scale(c.quantity) || ' = ' || trim_scale(c.subtotal)
             || ', it was billed ' || trim_scale(w.quantity) || ' = ' || trim_scale(w.amount) end),
        (case when c.subtotals = 1 and c.amount is distinct from w.amount
           then 'its charges come to ' || trim_scale(coalesce(c.amount, 0))
             || ', it was billed ' || trim_scale(w.amount) end),
        (case when r.quantity is distinct from w.quantity or r.amount + coalesce(c.given, 0) is distinct from w.amount
           then 'its records come to ' || trim_scale(coalesce(r.quantity, 0)) || ' = '
             || trim_scale(coalesce(r.amount, 0) + coalesce(c.given, 0)) || ', it was billed ' || trim_scale(w.quantity)
             || ' = ' || trim_scale(w.amount) end),
        (case when r.shared_quantity is distinct from w.shared_quantity
           or r.last_id is distinct from w.last_activity_id
           then 'its records share by ' || coalesce(trim_scale(r.shared_quantity)::text, 'nothing')
             || ', it says ' || coalesce(trim_scale(w.shared_quantity)::text, 'nothing')
             || ' up to record ' || coalesce(w.last_activity_id::text, 'none') end),
        (case when w.last_amount <> w.shared_amount - r.rounded
             + ${shareBy('l.quantity')}
           then 'the amount of its last record is ' || trim_scale(w.last_amount) || ', should be '
             || trim_scale(w.shared_amount - r.rounded
               + ${shareBy('l.quantity')}) end)
        ) as f(fault)
      where w.invoice_id is not null and f.fault is not null
      union all
      select w.order_number, w.position, w.period_index, ${about} || ': was closed without an '
        || 'invoice, but has ' || r.count || ' records'
      from windows w join records r on r.id = w.id
      where w.invoice_id is null and w.closed_at is not null
      union all
      select distinct w.order_number, w.position, w.period_index, ${about}
        || ': is on invoice ' || i.invoice_number || ', but '
        || coalesce('was billed by invoice ' || w.invoice_number, 'is not billed')
      from invoice_charge c
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
        and ${standingStatus('i')} <> 'Cancelled'
      join windows w on w.id = c.usage_window_id
      where c.tenant_id = $1 and c.usage_window_id is not null
        and w.invoice_id is distinct from l.invoice_id) found
      order by order_number, position, period_index, detail`,
  },
  {
    name: 'usage.correction',
    rule: 'Corrections take away at most their record, of the same line; one of an unbilled record is in its window, one of a billed record has an amount.',
    sql: `
      with corrections as (
        select c.id, c.window_id, c.order_line_id as line, c.amount, c.corrects_billed, r.id as of,
               r.window_id as of_window, r.order_line_id as of_line, r.corrects_id as of_of
        from activity c
        join activity r on r.tenant_id = $1 and r.id = c.corrects_id
        where c.tenant_id = $1 and c.corrects_id is not null)
      select object, detail from (
      select c.id, 'usage record ' || c.id as object, f.fault as detail
      from corrections c
      cross join lateral (values
        (case when c.line <> c.of_line then 'is of order line ' || c.line || ', but corrects record '
           || c.of || ' of order line ' || c.of_line end),
        (case when c.of_of is not null then 'corrects record ' || c.of
           || ', which is itself a correction' end),
        (case when c.corrects_billed and c.amount is null then 'corrects the billed record '
           || c.of || ', but has no amount' end),
        (case when not c.corrects_billed and c.line = c.of_line
             and c.window_id is distinct from c.of_window
           then 'is to be billed with record ' || c.of || ', but is in another window' end)
        ) as f(fault)
      where f.fault is not null
      union all
      select r.id, 'usage record ' || r.id, 'is of ' || trim_scale(r.quantity)
        || ', its corrections take away ' || trim_scale(k.quantity)
      from (select corrects_id, -sum(quantity) as quantity from activity
            where tenant_id = $1 and corrects_id is not null group by corrects_id) k
      join activity r on r.tenant_id = $1 and r.id = k.corrects_id
      where k.quantity > r.quantity and r.corrects_id is null) found
      order by id, object, detail`,
  },
];
