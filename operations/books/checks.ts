/** Invariants of a tenant's books that one statement each can see: each row answered is a fault. */
import { applicationChecks } from './application-checks.ts';
import { chargeChecks } from './charge-checks.ts';
import { customerOf, type Check } from './check.ts';
import { findingChecks } from './finding-checks.ts';
import { paymentChecks } from './payment-checks.ts';
import { sandboxChecks } from './sandbox-checks.ts';

const ledger: readonly Check[] = [
  {
    name: 'balance.ledger',
    rule: "A customer's balance is the sum of its ledger entries.",
    sql: `
      with entries as (
        select customer_id, currency, sum(amount) as total from ledger_entry
        where tenant_id = $1 group by 1, 2)
      select ${customerOf('both_sides')} as object,
             'balance ' || trim_scale(both_sides.balance) || ', ledger '
               || trim_scale(both_sides.total) as detail
      from (select coalesce(b.customer_id, e.customer_id) as customer_id,
                   coalesce(b.currency, e.currency) as currency,
                   coalesce(b.balance, 0) as balance, coalesce(e.total, 0) as total
            from (select * from customer_balance where tenant_id = $1) b
            full join entries e using (customer_id, currency)) both_sides
      where balance <> total order by customer_id`,
  },
  {
    name: 'balance.lastTotalDue',
    rule: "The total that the next invoice goes on from is the last made invoice's.",
    sql: `
      with last as (
        select distinct on (customer_id, currency) customer_id, currency, total_due
        from invoice where tenant_id = $1
        order by customer_id, currency, invoice_number desc)
      select ${customerOf('both_sides')} as object,
             'kept ' || trim_scale(kept) || ', last invoice ' || trim_scale(total) as detail
      from (select coalesce(b.customer_id, l.customer_id) as customer_id,
                   coalesce(b.currency, l.currency) as currency,
                   coalesce(b.last_total_due, 0) as kept, coalesce(l.total_due, 0) as total
            from (select * from customer_balance where tenant_id = $1) b
            full join last l using (customer_id, currency)) both_sides
      where kept <> total order by customer_id`,
  },
  {
    name: 'ledger.invoice',
    rule: 'An invoice is entered once with its amount, and reversed exactly when it is cancelled.',
    sql: `
      with entries as (
        select invoice_id,
               coalesce(sum(amount) filter (where kind = 'invoice'), 0) as entered,
               count(*) filter (where kind = 'invoice') as times,
               coalesce(sum(amount) filter (where kind = 'invoiceCancelled'), 0) as reversed,
               count(*) filter (where kind = 'invoiceCancelled') as reversals
        from ledger_entry where tenant_id = $1 and invoice_id is not null group by 1)
      select 'invoice ' || i.invoice_number as object,
             i.status || ' over ' || trim_scale(i.current_amount_due) || ', entered '
               || trim_scale(coalesce(e.entered, 0)) || ', reversed '
               || trim_scale(coalesce(e.reversed, 0)) as detail
      from invoice i left join entries e on e.invoice_id = i.id
      where i.tenant_id = $1
        and (e.times is distinct from 1 or e.entered <> i.current_amount_due
          or e.reversals <> case when i.status = 'Cancelled' then 1 else 0 end
          or e.reversed <> case when i.status = 'Cancelled' then -i.current_amount_due else 0 end)
      order by i.invoice_number`,
  },
];

const invoices: readonly Check[] = [
  {
    name: 'invoice.lineSum',
    rule: 'A line is the sum of its charges, subtotals left out.',
    sql: `
      with sums as (
        select l.id, l.invoice_id, l.position, l.line_amount_total,
               coalesce(sum(c.amount) filter (where c.kind <> 'usageSubTotal'), 0) as total
        from invoice_line l
        left join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
        where l.tenant_id = $1 group by l.id, l.invoice_id, l.position, l.line_amount_total)
      select 'invoice ' || i.invoice_number as object,
             'line ' || s.position || ' says ' || trim_scale(s.line_amount_total)
               || ', its charges ' || trim_scale(s.total) as detail
      from sums s join invoice i on i.tenant_id = $1 and i.id = s.invoice_id
      where s.line_amount_total <> s.total order by i.invoice_number, s.position`,
  },
  {
    name: 'invoice.sum',
    rule: 'currentAmountDue is the sum of the lines.',
    sql: `
      with sums as (
        select invoice_id, sum(line_amount_total) as total from invoice_line
        where tenant_id = $1 group by 1)
      select 'invoice ' || i.invoice_number as object,
             'currentAmountDue ' || trim_scale(i.current_amount_due) || ', lines '
               || trim_scale(coalesce(s.total, 0)) as detail
      from invoice i left join sums s on s.invoice_id = i.id
      where i.tenant_id = $1 and i.current_amount_due <> coalesce(s.total, 0)
      order by i.invoice_number`,
  },
  {
    name: 'invoice.total',
    rule: 'totalDue = previousBalance + paymentsAndAdjustments + currentAmountDue.',
    sql: `
      select 'invoice ' || invoice_number as object,
             'totalDue ' || trim_scale(total_due) || ', its parts ' || trim_scale(
               previous_balance + payments_and_adjustments + current_amount_due) as detail
      from invoice
      where tenant_id = $1
        and total_due <> previous_balance + payments_and_adjustments + current_amount_due
      order by invoice_number`,
  },
  {
    name: 'invoice.chain',
    rule: "previousBalance is totalDue of the customer's invoice before, by number.",
    sql: `
      select 'invoice ' || invoice_number as object,
             'previousBalance ' || trim_scale(previous_balance) || ', the invoice before '
               || trim_scale(before) as detail
      from (select invoice_number, previous_balance,
                   lag(total_due, 1, 0) over (
                     partition by customer_id, currency order by invoice_number) as before
            from invoice where tenant_id = $1) chained
      where previous_balance <> before order by invoice_number`,
  },
  {
    name: 'invoice.balance',
    rule: 'totalDue is the ledger balance right after the invoice.',
    // A customer's entries are written under its lock, so their ids are in the order of commit.
    sql: `
      with running as (
        select invoice_id, kind,
               sum(amount) over (partition by customer_id, currency order by id) as balance
        from ledger_entry where tenant_id = $1)
      select 'invoice ' || i.invoice_number as object,
             'totalDue ' || trim_scale(i.total_due) || ', ledger then '
               || trim_scale(r.balance) as detail
      from running r join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
      where r.kind = 'invoice' and r.balance <> i.total_due order by i.invoice_number`,
  },
  {
    name: 'invoice.open',
    rule: 'Only an Outstanding invoice has something open, and no more than its amount.',
    sql: `
      select 'invoice ' || invoice_number as object,
             status || ' over ' || trim_scale(current_amount_due) || ', open '
               || trim_scale(outstanding_balance) as detail
      from invoice
      where tenant_id = $1 and not case status
        when 'Outstanding' then outstanding_balance > 0
          and outstanding_balance <= current_amount_due
        when 'CarriedOver' then outstanding_balance >= 0
        else outstanding_balance = 0 end
      order by invoice_number`,
  },
];

const numbers: readonly Check[] = [
  numbering('order', 'subscription_order', 'order_number'),
  numbering('invoice', 'invoice', 'invoice_number'),
];

function numbering(kind: string, table: string, column: string): Check {
  return {
    name: `number.${kind}`,
    rule: `Every ${kind} number from the first to the last given is used, once, but for those skipped.`,
    sql: `
      with edges as (
        select ${column} as number from ${table} where tenant_id = $1
        union all
        select unnest(array[first - 1, next]) from counter
        where tenant_id = $1 and kind = '${kind}'),
      steps as (
        select number, lead(number) over (order by number) as following from edges)
      select '${kind} number ' || number + 1 as object,
             case when following = number then number || ' is used twice, or was not given yet'
                  when following = number + 2 then 'is missing'
                  else 'up to ' || following - 1 || ': ' || following - number - 1
                    || ' numbers are missing' end as detail
      from steps where following <> number + 1
        and (following = number or not exists (
          select from counter where tenant_id = $1 and kind = '${kind}'
            and skipped @> int8range(number + 1, greatest(following, number + 1))))
      union all
      select '${kind} numbers', 'have no counter'
      where not exists (select from counter where tenant_id = $1 and kind = '${kind}')`,
  };
}

const periods: readonly Check[] = [
  {
    name: 'period.overlap',
    rule: 'No day of an order line is billed twice, unless rolled back.',
    sql: `
      select 'order ' || o.order_number as object,
             'line ' || l.position || ' is billed again for ' || p.billed_from || ' to '
               || p.billed_to || ', period ' || p.period_index as detail
      from (select order_line_id, period_index, billed_from, billed_to,
                   max(billed_to) over (partition by order_line_id, charge_id
                     order by billed_from, period_index, segment
                     rows between unbounded preceding and 1 preceding) as until
            from billed_period where tenant_id = $1 and voided_at is null) p
      join order_line l on l.tenant_id = $1 and l.id = p.order_line_id
      join subscription_order o on o.tenant_id = $1 and o.id = l.order_id
      where p.billed_from <= p.until or p.billed_to < p.billed_from
      order by o.order_number, l.position, p.billed_from`,
  },
  {
    name: 'period.charge',
    rule: 'A billed period and its charges are of one invoice and one order line.',
    sql: `
      select 'invoice ' || i.invoice_number as object,
             'charges for period ' || p.period_index || ' of order line ' || c.order_line_id
               || ', which was billed elsewhere' as detail
      from invoice_charge c
      join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      join billed_period p on p.tenant_id = $1 and p.id = c.billed_period_id
      where c.tenant_id = $1 and (p.invoice_id is distinct from l.invoice_id
        or p.order_line_id is distinct from c.order_line_id)
      union all
      select 'order line ' || p.order_line_id,
             'period ' || p.period_index || ' was billed, but on no invoice'
      from billed_period p
      join plan_charge g on g.tenant_id = $1 and g.id = p.charge_id
      where p.tenant_id = $1 and not exists (
          select from invoice_charge c where c.tenant_id = $1 and c.billed_period_id = p.id)
        -- Nothing but one-time charges of zero makes no invoice.
        and not (p.invoice_id is null and g.charge_type = 'OneTimeCharge')`,
  },
  {
    name: 'period.rollback',
    rule: 'Only a cancelled invoice had its periods rolled back.',
    sql: `
      select 'invoice ' || i.invoice_number as object,
             'is ' || i.status || ', but its period ' || p.period_index || ' of order line '
               || p.order_line_id || ' was rolled back' as detail
      from billed_period p join invoice i on i.tenant_id = $1 and i.id = p.invoice_id
      where p.tenant_id = $1 and p.voided_at is not null and i.status <> 'Cancelled'
      order by i.invoice_number`,
  },
];

export const checks: readonly Check[] = [
  ...ledger,
  ...invoices,
  ...numbers,
  ...periods,
  ...chargeChecks,
  ...paymentChecks,
  ...applicationChecks,
  ...sandboxChecks,
  ...findingChecks,
];
