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
    rule: 'What credit notes leave of a tax by rate is its percentage of what they leave of its base, but for the cents of shares.',
    sql: `
      with noted as (
        select distinct l.id, l.invoice_id
        from charge_credit k
        join invoice_charge c on c.tenant_id = $1 and c.id = k.invoice_charge_id
        join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
        where k.tenant_id = $1 and k.by_note
          and not exists (select from tax_record r
            where r.tenant_id = $1 and r.invoice_id = l.invoice_id)),
      stands as (
        select c.invoice_line_id, c.position, c.kind, c.is_percent, c.unit_price, c.invoice_text,
               c.base_positions, c.amount - coalesce(${givenBackOf('c')}, 0) as amount
        from noted n
        join invoice_charge c on c.tenant_id = $1 and c.invoice_line_id = n.id),
      taxes as (
        select t.invoice_line_id, t.position, t.invoice_text, t.amount, t.unit_price,
               count(b.position) as charges, coalesce(sum(b.amount), 0) as base
        from stands t
        left join stands b on b.invoice_line_id = t.invoice_line_id
          and b.position = any(t.base_positions)
        where t.kind = 'tax' and t.is_percent and t.base_positions is not null
        group by 1, 2, 3, 4, 5)
      select ${invoiceOf('i')} as object,
             coalesce(t.invoice_text, 'a tax') || ' stands with ' || trim_scale(t.amount) || ', '
               || trim_scale(t.unit_price) || ' percent of ' || trim_scale(t.base) || ' is '
               || trim_scale(round(t.base * t.unit_price / 100, 4)) as detail
      from taxes t
      join noted n on n.id = t.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = n.invoice_id
      where abs(t.amount - t.base * t.unit_price / 100)
        > ${CENTS_OF_CHARGE} * (t.charges + 1) * power(10::numeric, -${digitsOf('i.currency')})
      order by i.id, t.position`,
  },
];
