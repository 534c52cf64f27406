/** Invariants of what credits give back of taxes: their amounts, and what a tax provider is told. */
import { standsOf } from '../../db/queries/context/billed.ts';
import { standingStatus } from '../../db/queries/context/carried-over.ts';
import { invoiceOf, type Check } from './check.ts';

/** Each charge of invoice lines of which something was credited, with what is credited of it. */
const credited = `credited as (
  select c.*, coalesce(sum(k.amount), 0) as back
  from invoice_charge c
  left join charge_credit k on k.tenant_id = $1 and k.invoice_charge_id = c.id
   and k.voided_at is null
  where c.tenant_id = $1 and c.invoice_line_id in (
    select o.invoice_line_id from charge_credit k
    join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id
    where k.tenant_id = $1 and k.voided_at is null)
  group by c.tenant_id, c.id)`;

export const creditTaxChecks: readonly Check[] = [
  {
    name: 'credit.tax',
    rule: 'Of a tax whose base is credited stands its percentage of what stands of the base; of one of a provider goes back as large a part.',
    sql: `
      with ${credited},
      seen as (
        select distinct t.id, t.invoice_line_id, unnest(t.base_positions) as position
        from credited t where t.kind = 'tax' and t.is_percent),
      bases as (
        select s.id, sum(b.amount) as billed, sum(b.back) as back, sum(abs(b.amount)) as size,
               sum(abs(b.back)) as size_back
        from seen s
        join credited b on b.invoice_line_id = s.invoice_line_id and b.position = s.position
        group by s.id)
      select ${invoiceOf('i')} as object,
             coalesce(t.price_code, 'tax') || ' at ' || t.position || ' of line ' || l.position
               || ' is credited ' || trim_scale(t.back) || ', by its base '
               || trim_scale(round(case when is_provided then due else t.amount - due end, 4))
               as detail
      from credited t
      join invoice_line l on l.tenant_id = $1 and l.id = t.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      join bases b on b.id = t.id
      cross join lateral (
        select t.charge_id is null and exists (select from tax_record r
          where r.tenant_id = $1 and r.invoice_id = i.id) as is_provided) p
      -- What goes back of a provider's tax, and what stands of another.
      cross join lateral (
        select case when not is_provided then (b.billed - b.back) * t.unit_price / 100
          when b.billed <> 0 then t.amount * b.back / b.billed
          when b.size <> 0 then t.amount * b.size_back / b.size else 0 end as raw) x
      cross join lateral (
        select case when t.amount < 0 then least(0, greatest(t.amount, raw))
          else greatest(0, least(t.amount, raw)) end as due) d
      where t.kind = 'tax' and t.is_percent and ${standingStatus('i')} <> 'Cancelled'
        and case when b.size_back = 0 then t.back <> 0
          -- Currencies have 0, 2, 3 or 4 decimals.
          else case when is_provided then t.back else t.amount - t.back end
            not in (select round(due, digits) from unnest(array[0, 2, 3, 4]) digits) end
      order by i.invoice_number, l.position, t.position`,
  },
  {
    name: 'change.tax',
    rule: 'A tax of the plan that a change gives back is borne by the new order from its first charges on.',
    sql: `
      select distinct 'order ' || o.order_number as object,
             g.price_code || ' begins on ' || n.starts_on || ', but the change gave it back on '
               || ${invoiceOf('i')} || ', and charges begin on ' || first as detail
      from subscription_order o
      join order_line n on n.tenant_id = $1 and n.order_id = o.id and n.is_active
      join plan_charge g on g.tenant_id = $1 and g.id = n.charge_id and g.is_tax
      -- What the replaced order was credited; a line of a later day was added since.
      join invoice_line l on l.tenant_id = $1 and l.order_id = o.previous_order_id
      join invoice_charge k on k.tenant_id = $1 and k.invoice_line_id = l.id
        and k.kind = 'credit' and k.price_code = g.price_code
      join charge_credit r on r.tenant_id = $1 and r.credit_charge_id = k.id
        and r.unused_from is not null
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id and i.id > n.id
        and ${standingStatus('i')} <> 'Cancelled'
      cross join lateral (
        select min(b.billed_from) as first from order_line m
        join plan_charge h on h.tenant_id = $1 and h.id = m.charge_id and not h.is_tax
        join billed b on ${standsOf('m')} and not b.is_usage
        where m.tenant_id = $1 and m.order_id = o.id) f
      where o.tenant_id = $1 and o.previous_order_id is not null and first < n.starts_on
      order by 1, 2`,
  },
  {
    name: 'tax.returned',
    rule: 'What the credit of a cancelled order gives back of the taxes of an invoice of a tax provider is told to it as a return of the invoice.',
    sql: `
      with given as (
        select k.payment_id, l.invoice_id, sum(k.amount) as tax
        from charge_credit k
        join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id
          and o.kind = 'tax' and o.charge_id is null
        join invoice_line l on l.tenant_id = $1 and l.id = o.invoice_line_id
        where k.tenant_id = $1 and k.payment_id is not null
          and exists (select from tax_record r
            where r.tenant_id = $1 and r.invoice_id = l.invoice_id and r.payment_id is null)
        group by k.payment_id, l.invoice_id),
      returned as (
        select payment_id, invoice_id, -expected_tax as tax from tax_record
        where tenant_id = $1 and payment_id is not null)
      select 'credit ' || payment_id as object,
             'gives back ' || trim_scale(coalesce(g.tax, 0)) || ' of the tax of '
               || ${invoiceOf('i')} || ', the tax provider is told '
               || coalesce(trim_scale(r.tax)::text, 'nothing') as detail
      from given g full join returned r using (payment_id, invoice_id)
      join invoice i on i.tenant_id = $1 and i.id = invoice_id
      where coalesce(g.tax, 0) <> coalesce(r.tax, 0)
      order by payment_id, i.invoice_number`,
  },
];
