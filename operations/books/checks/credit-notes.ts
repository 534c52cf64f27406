/** Invariants of credit notes: what they may give back of an invoice, and of its taxes. */
import { digitsOf, givenBackOf, invoiceOf, type Check } from './check.ts';

/** A note by an amount gives each charge its own rounded share, so a tax may differ by that. */
const CENTS_OF_CHARGE = 1;

export const creditNoteChecks: readonly Check[] = [
  {
    name: 'creditNote.limit',
    rule: 'The credit notes of an invoice give back at most its total, and each at least something.',
    sql: `
      with notes as (
        select credit_note_of, -sum(current_amount_due) as back,
               bool_or(current_amount_due >= 0) as has_other
        from invoice where tenant_id = $1 and credit_note_of is not null group by 1)
      select ${invoiceOf('i')} as object,
             case when n.has_other then 'has a credit note that gives nothing back'
               else 'comes to ' || trim_scale(i.current_amount_due) || ', its credit notes give back '
                 || trim_scale(n.back) end as detail
      from notes n join invoice i on i.tenant_id = $1 and i.id = n.credit_note_of
      where n.has_other or n.back > i.current_amount_due
      order by i.id`,
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
