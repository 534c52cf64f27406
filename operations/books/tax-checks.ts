/** Invariants of taxes by rate: the charges that each one taxes, and its amount. */
import { givesBack, invoiceOf, type Check } from './check.ts';

/** Taxes by rate, of the table or of a provider; a plan's isTax charges are of the plan. */
const taxes = `taxes as (
  select c.id, i.id as invoice_id, r.invoice_id is not null as is_provided, c.invoice_line_id, c.position, c.invoice_text, c.tax_code, c.unit_price, c.amount,
         coalesce(c.base_positions, '{}') as base_positions, l.position as line, i.invoice_number,
         row_number() over (partition by c.invoice_line_id, c.tax_code, c.invoice_text,
           c.unit_price, c.tax_category order by c.position) as times
  from invoice_charge c
  join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
  join invoice i on i.tenant_id = $1 and i.id = l.invoice_id
  left join tax_record r on r.tenant_id = $1 and r.invoice_id = i.id and r.payment_id is null
  where c.tenant_id = $1 and c.kind = 'tax' and c.charge_id is null)`;

/** What tax charges of an invoice carry back: their credits with a tax code. */
const carried = `carried as (
  select l.invoice_id, sum(c.amount) as amount
  from charge_credit k
  join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id
    and o.kind = 'tax' and o.charge_id is null
  join invoice_charge c on c.tenant_id = $1 and c.id = k.credit_charge_id
  join invoice_line l on l.tenant_id = $1 and l.id = c.invoice_line_id
  where k.tenant_id = $1
  group by l.invoice_id)`;

/** What taxes see, with its codes: a discount has those of what it discounts. */
const taxable = `taxable as (
  select c.invoice_line_id, c.position, g.tax_codes
  from invoice_charge c
  left join order_line n on n.tenant_id = $1 and n.id = c.order_line_id
  join plan_charge g on g.tenant_id = $1 and g.id = coalesce(c.charge_id, n.charge_id)
  where c.tenant_id = $1 and g.tax_codes <> '{}' and not g.is_tax
    and c.kind in ('period', 'oneTime', 'penalty', 'percent', 'usage', 'discount')
    and not ${givesBack('c')})`;

export const taxChecks: readonly Check[] = [
  {
    name: 'tax.amount',
    rule: 'A tax by rate is its percentage of the charges that it taxes, rounded once; those of a tax provider, and what credits carry back, sum to what it is to record.',
    sql: `
      with ${taxes}, ${carried},
      seen as (
        select distinct id, invoice_line_id, unnest(base_positions) as position from taxes),
      bases as (
        select s.id, sum(o.amount) as base
        from seen s
        -- One key: by the line alone, a merge would compare each charge of a line with each other.
        join invoice_charge o on o.tenant_id = $1
          and array[o.invoice_line_id, o.position] = array[s.invoice_line_id, s.position]
        group by s.id),
      provided as (
        select invoice_id, sum(amount) as amount from taxes where is_provided group by invoice_id)
      select object, detail from (
      select t.invoice_number, t.line, t.position, 'invoice ' || t.invoice_number as object,
             t.invoice_text || ' says ' || trim_scale(t.amount) || ', ' || trim_scale(t.unit_price)
               || ' percent of ' || trim_scale(coalesce(b.base, 0)) || ' is '
               || trim_scale(coalesce(b.base, 0) * t.unit_price / 100) as detail
      from taxes t left join bases b on b.id = t.id
      -- Currencies have 0, 2, 3 or 4 decimals.
      where not t.is_provided and t.amount not in (select round(coalesce(b.base, 0) * t.unit_price / 100, digits)
                             from unnest(array[0, 2, 3, 4]) digits)
      union all
      select i.invoice_number, 0, 0, ${invoiceOf('i')},
             'its taxes come to ' || trim_scale(s.amount) || ', the tax provider is told '
               || trim_scale(r.expected_tax)
      from tax_record r
      join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
      left join provided p on p.invoice_id = r.invoice_id
      left join carried k on k.invoice_id = r.invoice_id
      cross join lateral (select coalesce(p.amount, 0) + coalesce(k.amount, 0) as amount) s
      where r.tenant_id = $1 and r.payment_id is null and s.amount <> r.expected_tax) found
      order by invoice_number, line, position`,
  },
  {
    name: 'tax.base',
    rule: 'A tax by rate is of all charges of its line with its code, and of their discounts; one for each rate. One of a tax provider is of some charges whose first code it has.',
    sql: `
      with ${taxes}, ${taxable},
      expected as (
        select t.id, array_agg(c.position order by c.position) as positions
        from taxes t join taxable c on c.invoice_line_id = t.invoice_line_id
        where t.tax_code = any(case when t.is_provided then c.tax_codes[:1] else c.tax_codes end)
        group by t.id)
      select 'invoice ' || t.invoice_number as object,
             t.invoice_text || ' at ' || t.position || ' of line ' || t.line || case
               when t.times > 1 and not t.is_provided then ' taxes the same charges again'
               else ' is of charges ' || t.base_positions::text || ', should be of '
                 || coalesce(e.positions, '{}')::text end as detail
      from taxes t left join expected e on e.id = t.id
      -- A provider may have two jurisdictions of one name and rate, and tax none of some charges.
      where case when t.is_provided
        then t.base_positions = '{}' or not t.base_positions <@ coalesce(e.positions, '{}')
        else t.times > 1 or t.base_positions <> coalesce(e.positions, '{}') end
      order by t.invoice_number, t.line, t.position`,
  },
];
