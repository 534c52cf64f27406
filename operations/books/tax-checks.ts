/** Invariants of taxes by rate: the charges that each one taxes, and its amount. */
import type { Check } from './check.ts';

/** Taxes of the table; a plan's isTax charges are of the plan. */
const taxes = `taxes as (
  select c.id, c.invoice_line_id, c.position, c.invoice_text, c.tax_code, c.unit_price, c.amount,
         coalesce(c.base_positions, '{}') as base_positions, l.position as line, i.invoice_number,
         row_number() over (partition by c.invoice_line_id, c.tax_code, c.invoice_text,
           c.unit_price, c.tax_category order by c.position) as times
  from invoice_charge c
  join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
  join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
  where c.tenant_id = $1 and c.kind = 'tax' and c.charge_id is null)`;

/** What taxes see, with its codes: a discount has those of what it discounts. */
const taxable = `taxable as (
  select c.invoice_line_id, c.position, g.tax_codes
  from invoice_charge c
  left join billed_period b on b.tenant_id = $1 and b.id = c.billed_period_id
  left join order_line n on n.tenant_id = $1 and n.id = c.order_line_id
  join plan_charge g on g.tenant_id = $1 and g.id = coalesce(c.charge_id, b.charge_id, n.charge_id)
  where c.tenant_id = $1 and g.tax_codes <> '{}' and not g.is_tax
    and c.kind in ('period', 'oneTime', 'penalty', 'percent', 'usage', 'discount'))`;

export const taxChecks: readonly Check[] = [
  {
    name: 'tax.amount',
    rule: 'A tax by rate is its percentage of the charges that it taxes, rounded once.',
    sql: `
      with ${taxes},
      seen as (
        select distinct id, invoice_line_id, unnest(base_positions) as position from taxes),
      bases as (
        select s.id, sum(o.amount) as base
        from seen s
        -- One key: by the line alone, a merge would compare each charge of a line with each other.
        join invoice_charge o on o.tenant_id = $1
          and array[o.invoice_line_id, o.position] = array[s.invoice_line_id, s.position]
        group by s.id)
      select 'invoice ' || t.invoice_number as object,
             t.invoice_text || ' says ' || trim_scale(t.amount) || ', ' || trim_scale(t.unit_price)
               || ' percent of ' || trim_scale(coalesce(b.base, 0)) || ' is '
               || trim_scale(coalesce(b.base, 0) * t.unit_price / 100) as detail
      from taxes t left join bases b on b.id = t.id
      -- Currencies have 0, 2, 3 or 4 decimals.
      where t.amount not in (select round(coalesce(b.base, 0) * t.unit_price / 100, digits)
                             from unnest(array[0, 2, 3, 4]) digits)
      order by t.invoice_number, t.line, t.position`,
  },
  {
    name: 'tax.base',
    rule: 'A tax by rate is of all charges of its line with its code, and of their discounts; one for each rate.',
    sql: `
      with ${taxes}, ${taxable},
      expected as (
        select t.id, array_agg(c.position order by c.position) as positions
        from taxes t join taxable c on c.invoice_line_id = t.invoice_line_id
        where t.tax_code = any(c.tax_codes)
        group by t.id)
      select 'invoice ' || t.invoice_number as object,
             t.invoice_text || ' at ' || t.position || ' of line ' || t.line || case
               when t.times > 1 then ' taxes the same charges again'
               else ' is of charges ' || t.base_positions::text || ', should be of '
                 || coalesce(e.positions, '{}')::text end as detail
      from taxes t left join expected e on e.id = t.id
      where t.times > 1 or t.base_positions <> coalesce(e.positions, '{}')
      order by t.invoice_number, t.line, t.position`,
  },
];
