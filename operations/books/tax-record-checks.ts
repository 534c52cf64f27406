/** Invariants of records at tax providers: each invoice has its own, and both come to the same. */
import { standingStatus } from '../../db/queries/context/carried-over.ts';
import type { Check } from './check.ts';

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
               i.invoice_number, ${faultOf} as detail
        from tax_record r join invoice i on i.tenant_id = $1 and i.id = r.invoice_id
        where r.tenant_id = $1
        union all
        -- The answer that it bears says that it is of a provider; the table has none.
        select 'invoice ', i.invoice_number, 'bears the taxes of an answer, but has no record'
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
        group by i.invoice_number) found
      where detail is not null
      order by invoice_number, object, detail`,
  },
];
