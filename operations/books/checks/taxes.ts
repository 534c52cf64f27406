/** Invariants of taxes by rate: the charges that each one taxes, and its amount. */
import { givesBack, invoiceOf, type Check } from './check.ts';
import { standsOf } from '../../../db/queries/context/billed.ts';
import { standingStatus } from '../../../db/queries/context/invoices.ts';

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
  select c.invoice_line_id, c.position, c.tax_codes
  from invoice_charge c where c.tenant_id = $1 and c.kind = 'manual' and c.tax_codes <> '{}'
  union all
  select c.invoice_line_id, c.position, g.tax_codes
  from invoice_charge c
  left join order_line n on n.tenant_id = $1 and n.id = c.order_line_id
  join plan_charge g on g.tenant_id = $1 and g.id = case when c.charge_id is null then n.charge_id else c.charge_id end
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
      select t.invoice_id, t.line, t.position, 'invoice ' || t.invoice_number as object,
             t.invoice_text || ' says ' || trim_scale(t.amount) || ', ' || trim_scale(t.unit_price)
               || ' percent of ' || trim_scale(coalesce(b.base, 0)) || ' is '
               || trim_scale(coalesce(b.base, 0) * t.unit_price / 100) as detail
      from taxes t left join bases b on b.id = t.id
      -- Currencies have 0, 2, 3 or 4 decimals.
      where not t.is_provided and t.amount not in (select round(coalesce(b.base, 0) * t.unit_price / 100, digits)
                             from unnest(array[0, 2, 3, 4]) digits)
      union all
      select i.id, 0, 0, ${invoiceOf('i')},
             'its taxes come to ' || trim_scale(s.amount) || ', the tax provider is told '
               || trim_scale(r.expected_tax)
      from tax_record r
      join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
      left join provided p on p.invoice_id = r.invoice_id
      left join carried k on k.invoice_id = r.invoice_id
      cross join lateral (select coalesce(p.amount, 0) + coalesce(k.amount, 0) as amount) s
      where r.tenant_id = $1 and r.payment_id is null and s.amount <> r.expected_tax) found
      order by invoice_id, line, position`,
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
      order by t.invoice_id, t.line, t.position`,
  },
];

/* Invariants of what credits give back of taxes: their amounts, and what a tax provider is told. */

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
        -- What credit notes leave is checked by itself.
        and not exists (select from charge_credit k
          join invoice_charge o on o.tenant_id = $1 and o.id = k.invoice_charge_id
          where k.tenant_id = $1 and k.by_note and o.invoice_line_id = l.id)
        and case when b.size_back = 0 then t.back <> 0
          -- Currencies have 0, 2, 3 or 4 decimals.
          else case when is_provided then t.back else t.amount - t.back end
            not in (select round(due, digits) from unnest(array[0, 2, 3, 4]) digits) end
      order by i.id, l.position, t.position`,
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
      order by payment_id, i.id`,
  },
];

/* Invariants of records at tax providers: each invoice has its own, and both come to the same. */

/** A pass looks as soon as one is due; after a longer time no worker records. */
const STUCK_MINUTES = 60;
/** A provider that does not answer for longer needs a person. */
const OPEN_HOURS_MAX = 24;

const money = (total: string, tax: string): string =>
  `trim_scale(${total}) || ' and ' || trim_scale(${tax}) || ' of tax'`;

/** The first of these that holds of a record. */
const faults: readonly (readonly [when: string, detail: string])[] = [
  [
    `${standingStatus('i')} = 'Cancelled' and r.state in ('toRecord', 'recorded')`,
    `'is Cancelled, but its record is ' || r.state`,
  ],
  [
    `${standingStatus('i')} <> 'Cancelled' and r.state in ('toVoid', 'voided')`,
    `'is ' || i.status || ', but its record is ' || r.state`,
  ],
  [`r.trouble = 'refused'`, `'the tax provider refuses it, ' || r.state || ': ' || r.error_code`],
  [
    `r.state = 'recorded'
      and (r.recorded_total <> r.expected_total or r.recorded_tax <> r.expected_tax)`,
    `'the tax provider has ' || ${money('r.recorded_total', 'r.recorded_tax')}
      || ', the invoice says ' || ${money('r.expected_total', 'r.expected_tax')}`,
  ],
  [
    `r.state in ('toRecord', 'toVoid')
      and r.next_attempt_at < now() - interval '${STUCK_MINUTES} minutes'`,
    `'is ' || r.state || ', and nothing was done since it was due'`,
  ],
  [
    `r.state in ('toRecord', 'toVoid')
      and r.opened_at < now() - interval '${OPEN_HOURS_MAX} hours'`,
    `'is ' || r.state || ' for more than ${OPEN_HOURS_MAX} hours: ' || coalesce(r.error_code, '-')`,
  ],
];

const faultOf = `case ${faults.map(([when, detail]) => `when ${when} then ${detail}`).join(' ')} end`;

export const taxRecordChecks: readonly Check[] = [
  {
    name: 'tax.recorded',
    rule: 'An invoice that a tax provider taxed, and what is returned of it, is recorded there with its own sums, voided if it is Cancelled, or soon will be.',
    sql: `
      select what || invoice_number as object, detail from (
        select case when r.payment_id is null then 'invoice ' else 'return of invoice ' end as what,
               i.id, i.invoice_number, ${faultOf} as detail
        from tax_record r join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
        where r.tenant_id = $1
        union all
        -- The answer that it bears says that it is of a provider; the table has none.
        select 'invoice ', i.id, i.invoice_number, 'bears the taxes of an answer, but has no record'
        from tax_answer a
        join invoice i on i.tenant_id = $1 and i.customer_id = a.customer_id
          and i.invoice_date = a.invoice_date
        cross join lateral (
          select sum((t->>'amount')::numeric) as amount
          from jsonb_array_elements(a.answer) l, jsonb_array_elements(l->'taxes') t) answered
        cross join lateral (
          select sum(c.amount) as amount from invoice_line l
          join invoice_charge c on c.tenant_id = $1 and c.invoice_line_id = l.id
          where l.tenant_id = $1 and l.invoice_id = i.id and c.kind = 'tax' and c.charge_id is null
        ) billed
        where a.tenant_id = $1 and answered.amount = billed.amount
          and not exists (select from tax_record r
            where r.tenant_id = $1 and r.invoice_id = i.id and r.payment_id is null)
        group by i.tenant_id, i.id) found
      where detail is not null
      order by id, object, detail`,
  },
];
