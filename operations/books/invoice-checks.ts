/** Invariants of invoices: their sums, the sequence of their totals, their open balances. */
import { enteredOf } from '../../db/queries/context/invoices.ts';
import { invoiceOf, type Check } from './check.ts';

export const invoiceChecks: readonly Check[] = [
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
      where s.line_amount_total <> s.total order by i.invoice_number, i.id, s.position`,
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
      order by i.invoice_number, i.id`,
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
      order by invoice_number, id`,
  },
  {
    name: 'invoice.chain',
    rule: "previousBalance is totalDue of the customer's previous invoice in that currency, by number.",
    // An imported invoice has no place in the sequence.
    sql: `
      select 'invoice ' || invoice_number as object,
             'previousBalance ' || trim_scale(previous_balance) || ', the invoice before '
               || trim_scale(before) as detail
      from (select invoice_number, previous_balance,
                   lag(total_due, 1, 0) over (
                     partition by customer_id, currency order by invoice_number) as before
            from invoice where tenant_id = $1 and imported_number is null) chained
      where previous_balance <> before order by invoice_number`,
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
      where r.kind = 'invoice' and r.balance <> i.total_due order by i.invoice_number, i.id`,
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
      order by invoice_number, id`,
  },
];
