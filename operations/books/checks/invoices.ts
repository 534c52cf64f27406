/** Invariants of invoices: their sums, the sequence of their totals, their open balances. */
import { enteredOf, standingStatus } from '../../../db/queries/context/invoices.ts';
import { type Check, customerOf, invoiceOf } from './check.ts';

export const invoiceChecks: readonly Check[] = [
  {
    name: 'parties.frozen',
    rule: 'Invoices and payments name the versions of their customer and of their tenant that held when they were made.',
    sql: `
      with documents as (
        select ${invoiceOf('i')} as object, customer_id, customer_party_id, tenant_party_id, 1 as kind, id
        from invoice i where i.tenant_id = $1
        union all
        select 'payment ' || id, customer_id, customer_party_id, tenant_party_id, 2, id
        from payment where tenant_id = $1)
      select i.object,
             case when i.customer_party_id is null or i.tenant_party_id is null then 'names none yet'
               when p.id is null then 'names a version that is not of its customer'
               else 'names a version that is not of its tenant' end as detail
      from documents i
      left join party p on p.tenant_id = $1 and p.id = i.customer_party_id
        and p.customer_id = i.customer_id
      left join party s on s.tenant_id = $1 and s.id = i.tenant_party_id and s.customer_id is null
      where p.id is null or s.id is null order by i.kind, i.id`,
  },
  {
    name: 'invoice.lineSum',
    rule: "A line's total is the sum of its charges, without subtotals.",
    sql: `
      with sums as (
        select l.id, l.invoice_id, l.position, l.line_amount_total,
               coalesce(sum(c.amount) filter (where c.kind <> 'usageSubTotal'), 0) as total
        from invoice_line l
        left join invoice_charge c on c.tenant_id = l.tenant_id and c.invoice_line_id = l.id
        where l.tenant_id = $1 group by l.id, l.invoice_id, l.position, l.line_amount_total)
      select ${invoiceOf('i')} as object,
             'line ' || s.position || ' says ' || trim_scale(s.line_amount_total)
               || ', its charges ' || trim_scale(s.total) as detail
      from sums s join invoice i on i.tenant_id = $1 and i.id = s.invoice_id
      where s.line_amount_total <> s.total order by i.id, s.position`,
  },
  {
    name: 'invoice.sum',
    rule: 'currentAmountDue is the sum of the line totals.',
    sql: `
      with sums as (
        select invoice_id, sum(line_amount_total) as total from invoice_line
        where tenant_id = $1 group by 1)
      select ${invoiceOf('i')} as object,
             'currentAmountDue ' || trim_scale(i.current_amount_due) || ', lines '
               || trim_scale(coalesce(s.total, 0)) as detail
      from invoice i left join sums s on s.invoice_id = i.id
      where i.tenant_id = $1 and i.current_amount_due <> coalesce(s.total, 0)
      order by i.id`,
  },
  {
    name: 'invoice.total',
    rule: 'totalDue = previousBalance + paymentsAndAdjustments + currentAmountDue.',
    sql: `
      select ${invoiceOf('invoice')} as object,
             'totalDue ' || trim_scale(total_due) || ', its parts ' || trim_scale(
               previous_balance + payments_and_adjustments + current_amount_due) as detail
      from invoice
      where tenant_id = $1
        and total_due <> previous_balance + payments_and_adjustments + current_amount_due
      order by id`,
  },
  {
    name: 'invoice.chain',
    rule: "previousBalance is totalDue of the customer's previous invoice in that currency, by its making.",
    // An imported invoice has no place in the sequence.
    sql: `
      select 'invoice ' || invoice_number as object,
             'previousBalance ' || trim_scale(previous_balance) || ', the invoice before '
               || trim_scale(before) as detail
      from (select id, invoice_number, previous_balance,
                   lag(total_due, 1, 0) over (
                     partition by customer_id, currency order by id) as before
            from invoice where tenant_id = $1 and not is_imported) chained
      where previous_balance <> before order by id`,
  },
  {
    name: 'invoice.balance',
    rule: "totalDue is the customer's ledger balance right after the invoice was entered.",
    // A customer's entries are written under its lock, so their ids are in the order of commit.
    sql: `
      with running as (
        select invoice_id, kind,
               sum(amount) over (partition by customer_id, currency order by id) as balance
        from ledger_entry where tenant_id = $1)
      select ${invoiceOf('i')} as object,
             'totalDue ' || trim_scale(i.total_due) || ', ledger then '
               || trim_scale(r.balance) as detail
      from running r join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
      where r.kind = 'invoice' and r.balance <> i.total_due order by i.id`,
  },
  {
    name: 'invoice.open',
    rule: 'An Outstanding invoice is open for at most what it entered; a paid or cancelled one is not.',
    sql: `
      select ${invoiceOf('invoice')} as object,
             status || ' over ' || trim_scale(${enteredOf('invoice')}) || ', open '
               || trim_scale(outstanding_balance) as detail
      from invoice
      where tenant_id = $1 and not case status
        when 'Outstanding' then outstanding_balance > 0
          and outstanding_balance <= ${enteredOf('invoice')}
        else outstanding_balance = 0 end
      order by id`,
  },
];

/** Invariants of the numbers of orders, and of each series of documents. */
export const numberChecks: readonly Check[] = [
  numbering('order', {
    numbers: `select '' as prefix, 0 as year, order_number as number from subscription_order
      where tenant_id = $1 and order_number is not null`,
    of: `''`,
  }),
  numbering('invoice', {
    numbers: `select number_prefix as prefix, number_year as year, number_value as number
      from invoice where tenant_id = $1 and not is_imported
      union all
      select number_prefix, number_year, number_value from cancellation where tenant_id = $1`,
    of: `case when prefix = '' then '' else ' of ' || prefix end
      || case when year = 0 then '' else ' in ' || year end`,
  }),
  {
    name: 'cancellation.number',
    rule: 'Only a cancelled invoice has a cancellation, whose number no invoice has.',
    sql: `
      select ${invoiceOf('i')} as object,
             case when ${standingStatus('i')} <> 'Cancelled'
               then 'is ' || i.status || ', but has the cancellation ' || k.cancellation_number
               else 'has the cancellation ' || k.cancellation_number
                 || ', which is the number of an invoice' end as detail
      from cancellation k
      join invoice i on i.tenant_id = k.tenant_id and i.id = k.invoice_id
      where k.tenant_id = $1 and (${standingStatus('i')} <> 'Cancelled'
        or exists (select from invoice o
          where o.tenant_id = $1 and o.invoice_number = k.cancellation_number))
      order by i.id`,
  },
];

interface Numbered {
  /** Selects the numbers that were given, each with its counter: prefix and year. */
  readonly numbers: string;
  /** What a counter is called, after its kind. */
  readonly of: string;
}

function numbering(kind: string, { numbers, of }: Numbered): Check {
  return {
    name: `number.${kind}`,
    // The number of a removed order counts as skipped.
    rule: `Every ${kind} number from the first to the last one assigned is used once, unless skipped.`,
    sql: `
      with counters as (
        select prefix, year, first, next, skipped from counter
        where tenant_id = $1 and kind = '${kind}'),
      given as (${numbers}),
      edges as (
        select * from given
        union all
        select prefix, year, unnest(array[first - 1, next]) from counters),
      steps as (
        select prefix, year, number,
               lead(number) over (partition by prefix, year order by number) as following
        from edges)
      select '${kind} number' || ${of} || ' ' || number + 1 as object,
             case when following = number then number || ' is used twice, or was not given yet'
                  when following = number + 2 then 'is missing'
                  else 'up to ' || following - 1 || ': ' || following - number - 1
                    || ' numbers are missing' end as detail
      from steps where following <> number + 1
        and (following = number or not exists (
          select from counters c where c.prefix = steps.prefix and c.year = steps.year
            and c.skipped @> int8range(number + 1, greatest(following, number + 1))))
      union all
      select '${kind} number' || ${of} || ' ' || number, 'was not given yet'
      from given join counters using (prefix, year) where number > next
      union all
      select distinct '${kind} numbers' || ${of}, 'have no counter'
      from (select prefix, year from given union all select '', 0
            where not exists (select from counters)) used
      where not exists (
        select from counters c where c.prefix = used.prefix and c.year = used.year)`,
  };
}

/** Invariants of ledger entries and of the balances that sum them up. */
export const ledgerChecks: readonly Check[] = [
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
    rule: "The total that the next invoice starts from is totalDue of the customer's last invoice made here.",
    sql: `
      with last as (
        select distinct on (customer_id, currency) customer_id, currency, total_due
        from invoice where tenant_id = $1 and not is_imported
        order by customer_id, currency, id desc)
      select ${customerOf('both_sides')} as object,
             'kept ' || trim_scale(kept) || ', last invoice ' || trim_scale(total) as detail
      from (select coalesce(b.customer_id, l.customer_id) as customer_id,
                   coalesce(b.currency, l.currency) as currency,
                   coalesce(b.last_total_due, 0) as kept, coalesce(l.total_due, 0) as total
            from (select * from customer_balance where tenant_id = $1) b
            full join last l using (customer_id, currency)) both_sides
      where kept <> total order by customer_id`,
  },
  enteredOnce({
    name: 'ledger.invoice',
    rule: 'An invoice has one entry of its amount, and one reversal if and only if it is cancelled.',
    which: 'not i.is_imported',
    kind: 'invoice',
  }),
  enteredOnce({
    name: 'import.invoice',
    rule: 'An imported invoice has one entry of what was open, and one reversal if it is cancelled.',
    which: 'i.is_imported',
    kind: 'import',
  }),
];

interface EnteredOnce extends Pick<Check, 'name' | 'rule'> {
  /** The invoices. */
  readonly which: string;
  /** The kind of their entries; they have none of another kind. */
  readonly kind: 'invoice' | 'import';
}

function enteredOnce({ name, rule, which, kind }: EnteredOnce): Check {
  const amount = enteredOf('i');
  return {
    name,
    rule,
    sql: `
      with entries as (
        select invoice_id,
               coalesce(sum(amount) filter (where kind <> 'invoiceCancelled'), 0) as entered,
               count(*) filter (where kind = '${kind}') as times,
               count(*) filter (where kind not in ('${kind}', 'invoiceCancelled')) as others,
               coalesce(sum(amount) filter (where kind = 'invoiceCancelled'), 0) as reversed,
               count(*) filter (where kind = 'invoiceCancelled') as reversals
        from ledger_entry where tenant_id = $1 and invoice_id is not null group by 1)
      select ${invoiceOf('i')} as object,
             i.status || ' over ' || trim_scale(${amount}) || ', entered '
               || trim_scale(coalesce(e.entered, 0)) || ', reversed '
               || trim_scale(coalesce(e.reversed, 0)) as detail
      from invoice i left join entries e on e.invoice_id = i.id
      where i.tenant_id = $1 and ${which}
        and (e.times is distinct from 1 or e.others > 0 or e.entered <> ${amount}
          or e.reversals <> case when ${standingStatus('i')} = 'Cancelled' then 1 else 0 end
          or e.reversed <> case when ${standingStatus('i')} = 'Cancelled' then -(${amount}) else 0 end)
      order by i.id`,
  };
}

/* Invariants of billed periods. */

export const periodChecks: readonly Check[] = [
  {
    name: 'price.version',
    rule: 'An order that has had one plan version has the charges of that version, and was billed them.',
    // The audit compares orders that took other prices with their days (operations/books/versions.ts).
    sql: `
      select distinct 'order ' || o.order_number as object,
             g.price_code || ' is of another plan version' as detail
      from (
        select order_id, charge_id from order_line where tenant_id = $1
        union
        select l.order_id, b.charge_id
        from billed_period b
        join order_line l on l.tenant_id = b.tenant_id and l.id = b.order_line_id
        where b.tenant_id = $1 and b.voided_at is null) c
      join subscription_order o on o.tenant_id = $1 and o.id = c.order_id
       and o.earlier_prices is null
      join plan_charge g on g.tenant_id = $1 and g.id = c.charge_id
      where g.plan_id <> o.plan_id order by 1, 2`,
  },
  {
    name: 'period.overlap',
    rule: 'No day of an order line is billed twice, unless the first billing was rolled back.',
    sql: `
      select 'order ' || o.order_number as object,
             'line ' || l.position || ' is billed again for ' || p.billed_from || ' to '
               || p.billed_to || ', period ' || p.period_index as detail
      from (select order_line_id, period_index, billed_from, billed_to,
                   max(billed_to) over (partition by order_line_id
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
    rule: 'A billed period and its charges belong to the same invoice and order line.',
    sql: `
      select ${invoiceOf('i')} as object,
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
        -- One-time charges of zero alone make no invoice.
        and not (p.invoice_id is null and g.charge_type = 'OneTimeCharge')`,
  },
  {
    name: 'period.rollback',
    rule: 'Only the periods of a cancelled invoice are rolled back.',
    sql: `
      select ${invoiceOf('i')} as object,
             'is ' || i.status || ', but its period ' || p.period_index || ' of order line '
               || p.order_line_id || ' was rolled back' as detail
      from billed_period p join invoice i on i.tenant_id = $1 and i.id = p.invoice_id
      where p.tenant_id = $1 and p.voided_at is not null
        and ${standingStatus('i')} <> 'Cancelled'
      order by i.id`,
  },
];
