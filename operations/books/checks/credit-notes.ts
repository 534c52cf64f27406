/** Invariants of credit notes and of refunds of invoices: what may go back of an invoice, and of its taxes. */
import { digitsOf, givenBackOf, invoiceOf, type Check } from './check.ts';

/** A note by an amount gives each charge its own rounded share, so a tax may differ by that. */
const CENTS_OF_CHARGE = 1;

export const creditNoteChecks: readonly Check[] = [
  {
    name: 'creditNote.limit',
    rule: 'The credit notes of an invoice, with those that refunds under way will make, give back at most its total, and each at least something.',
    sql: `
      with notes as (
        select credit_note_of, sum(back) as back, bool_or(back <= 0) as has_other
        from (
          select credit_note_of, -current_amount_due as back
          from invoice where tenant_id = $1 and credit_note_of is not null
          union all
          select invoice_id, amount from refund_reservation where tenant_id = $1 and with_note) each
        group by 1)
      select ${invoiceOf('i')} as object,
             case when n.has_other then 'has a credit note that gives nothing back'
               else 'comes to ' || trim_scale(i.current_amount_due) || ', its credit notes give back '
                 || trim_scale(n.back) end as detail
      from notes n join invoice i on i.tenant_id = $1 and i.id = n.credit_note_of
      where n.has_other or n.back > i.current_amount_due
      order by i.id`,
  },
  {
    name: 'creditNote.refund',
    rule: 'The refund of a note returns at most what the note gives back; notes of a refund of invoices give back at most what it returned of these.',
    sql: `
      with noted as (
        select refund_id as id, -sum(current_amount_due) as back, count(*) as notes,
               array_agg(credit_note_of) as of, min(customer_id) as customer_id,
               max(customer_id) as other_id
        from invoice where tenant_id = $1 and refund_id is not null group by 1)
      select 'refund ' || n.id as object,
             concat_ws(' ', r.status, 'over', trim_scale(-r.amount) || ',', n.notes,
               'credit notes over', trim_scale(n.back)) as detail
      from noted n
      join payment r on r.tenant_id = $1 and r.id = n.id
      where n.customer_id <> r.customer_id or n.other_id <> r.customer_id or not case
        when r.named_invoice_ids = '{}' then n.notes = 1 and n.back >= -r.amount
        else r.status = 'Paid' and n.back <= -r.amount and n.of <@ r.named_invoice_ids end
      order by n.id`,
  },
  {
    name: 'refund.reserved',
    rule: 'While a refund of invoices is under way, each of its shares is reserved of what its payment has paid on them.',
    sql: `
      with reserved as (
        select v.refund_id, v.payment_id, sum(v.amount) as amount, bool_and(v.invoice_id = any(r.named_invoice_ids)
            and r.status = 'Pending') as is_named,
          bool_and(i.status = 'Cancelled' or v.amount <= (
            select coalesce(sum(a.amount_applied), 0) from invoice_payment a
            where a.tenant_id = $1 and a.payment_id = v.payment_id
              and a.invoice_id = v.invoice_id)) as is_applied
        from refund_reservation v
        join payment r on r.tenant_id = $1 and r.id = v.refund_id
        join invoice i on i.tenant_id = $1 and i.id = v.invoice_id
        where v.tenant_id = $1 group by 1, 2),
      shares as (
        select s.* from refund_share s
        join payment r on r.tenant_id = $1 and r.id = s.refund_id and r.status = 'Pending'
          and r.named_invoice_ids <> '{}'
        where s.tenant_id = $1)
      select 'refund ' || coalesce(v.refund_id, s.refund_id) as object,
             'reserves ' || coalesce(trim_scale(v.amount), 0) || ' of payment '
               || coalesce(v.payment_id, s.payment_id) || ', its share is '
               || coalesce(trim_scale(s.amount), 0)
               || case when v.is_named is false then ', of another invoice, or it has ended' else '' end
               || case when v.is_applied is false then ', and less is applied' else '' end as detail
      from reserved v full join shares s
        on s.refund_id = v.refund_id and s.payment_id = v.payment_id
      where v.amount is distinct from s.amount or not v.is_named or not v.is_applied
      order by 1, coalesce(v.payment_id, s.payment_id)`,
  },
  {
    name: 'creditNote.tax',
    rule: 'What credit notes leave of a tax is its percentage of what they leave of its base, of one of a provider as large a part, but for the cents of shares.',
    sql: `
      with noted as (
        select distinct l.id, l.invoice_id
        from charge_credit k
        join invoice_charge c on c.tenant_id = $1 and c.id = k.invoice_charge_id
        join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
        where k.tenant_id = $1 and k.by_note),
      stands as (
        select n.invoice_id, c.id, c.invoice_line_id, c.position, c.kind, c.is_percent, c.charge_id,
               c.unit_price, c.invoice_text, c.base_positions, c.amount as billed,
               c.amount - coalesce(${givenBackOf('c')}, 0) as amount
        from noted n
        join invoice_charge c on c.tenant_id = $1 and c.invoice_line_id = n.id),
      bases as (
        select t.id, count(b.id) as charges, coalesce(sum(b.billed), 0) as billed,
               coalesce(sum(b.amount), 0) as amount
        from stands t
        left join stands b on b.invoice_line_id = t.invoice_line_id
          and b.position = any(t.base_positions)
        group by t.id)
      select ${invoiceOf('i')} as object,
             coalesce(t.invoice_text, 'a tax') || ' stands with ' || trim_scale(t.amount)
               || ', by its base ' || trim_scale(round(due, 4)) as detail
      from stands t
      join bases b on b.id = t.id
      join invoice i on i.tenant_id = $1 and i.id = t.invoice_id
      cross join lateral (
        select case
          when t.charge_id is null and b.billed <> 0 and exists (select from tax_record r
            where r.tenant_id = $1 and r.invoice_id = i.id) then t.billed * b.amount / b.billed
          else b.amount * t.unit_price / 100 end as due) d
      where t.kind = 'tax' and t.is_percent and t.base_positions is not null
        and abs(t.amount - due)
          > ${CENTS_OF_CHARGE} * (b.charges + 1) * power(10::numeric, -${digitsOf('i.currency')})
      order by i.id, t.position`,
  },
];
