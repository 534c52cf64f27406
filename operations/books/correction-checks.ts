/** Invariants of what corrections of usage give back: of the usage, and of what was taken of it. */
import { givenBackOf, givesBack, invoiceOf, type Check } from './check.ts';
import { about, windows } from './usage-checks.ts';

export const correctionChecks: readonly Check[] = [
  {
    name: 'usage.corrected',
    rule: 'What corrections of billed records come to is given back of the charges that billed these.',
    sql: `
      with ${windows},
      corrections as (
        select r.window_id as id, k.corrected_percent is not null as is_percent,
               -coalesce(sum(k.amount), 0) as amount
        from activity k
        join activity r on r.tenant_id = $1 and r.id = k.corrects_id
        join windows kw on kw.id = k.window_id and kw.closed_at is not null
          and not kw.corrects_plainly
        where k.tenant_id = $1 and k.corrects_billed
        group by 1, 2),
      credited as (
        select c.usage_window_id as id, c.is_percent, sum(x.amount) as amount
        from charge_credit x
        join invoice_charge c on c.tenant_id = $1 and c.id = x.invoice_charge_id and c.kind = 'usage'
        where x.tenant_id = $1 and x.voided_at is null
        group by 1, 2),
      found as (
        select coalesce(k.id, c.id) as id, coalesce(c.amount, 0) as given,
               case when not coalesce(k.is_percent, c.is_percent) then coalesce(k.amount, 0)
                 else round(s.amount * w.percent * 0.01, w.digits)
                   - round((s.amount - coalesce(k.amount, 0)) * w.percent * 0.01, w.digits)
                 end as expected
        from corrections k
        full join credited c on c.id = k.id and c.is_percent = k.is_percent
        join windows w on w.id = coalesce(k.id, c.id)
        left join lateral (
          select sum(a.amount) as amount from activity a
          where coalesce(k.is_percent, c.is_percent) and a.tenant_id = $1 and a.window_id = w.id
            and not a.corrects_billed) s on true)
      select ${about} || ', invoice ' || w.invoice_number || ': its corrections give back '
        || trim_scale(f.given) || ', should give back ' || trim_scale(f.expected) as detail
      from found f join windows w on w.id = f.id
      where f.given is distinct from f.expected
      order by w.order_number, w.position, w.period_index`,
  },
  {
    name: 'credit.discount',
    rule: 'After corrections of usage, a discount in percent is its percentage of the usage that stands.',
    sql: `
      with ${windows},
      charges as (
        select c.*, c.amount - coalesce(${givenBackOf('c')}, 0) as stands
        from invoice_charge c
        where c.tenant_id = $1 and c.usage_window_id is not null and c.kind in ('usage', 'discount')
          and not ${givesBack('c')} and c.invoice_line_id in (
            select o.invoice_line_id from charge_credit r
            join invoice_charge o on o.tenant_id = $1 and o.id = r.invoice_charge_id
            where r.tenant_id = $1 and r.voided_at is null and r.unused_from is null))
      select ${invoiceOf('i')} as object,
             'the discount at ' || d.position || ' of line ' || l.position || ' stands at '
               || trim_scale(d.stands) || ', ' || trim_scale(d.unit_price) || ' percent of '
               || trim_scale(b.base) as detail
      from charges d
      cross join lateral (select sum(u.stands) as base from charges u
        where u.invoice_line_id = d.invoice_line_id and u.usage_window_id = d.usage_window_id
          and u.kind = 'usage') b
      join windows w on w.id = d.usage_window_id and not w.corrects_plainly
      join invoice_line l on l.tenant_id = $1 and l.id = d.invoice_line_id
      join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
      where d.kind = 'discount' and d.is_percent
        -- Currencies have 0, 2, 3 or 4 decimals.
        and -d.stands not in (select round(b.base * d.unit_price / 100, digits)
                              from unnest(array[0, 2, 3, 4]) digits)
      order by i.invoice_number, l.position, d.position`,
  },
];
