/** The statements of reports: sums of the pieces that are derived from facts. */
import type { ReportDays, ReportName } from '../../../domain/ledger/reports.ts';
import { currencyDigits } from '../../../domain/money/money.ts';
import type { Statement } from '../../connection/snapshot.ts';
import { piecesText, sumOf } from './entries.ts';
import { everyFact, factsText, type FactKind, type ValueOf } from './facts.ts';

const revenueKinds: readonly FactKind[] = ['invoice', 'invoiceCancelled', 'credit'];
const cashKinds: readonly FactKind[] = [
  'payment',
  'paymentCanceled',
  'paymentReturned',
  'paymentDisputed',
  'refund',
];

/** Those that are sums of the ledger. */
export type LedgerReport = Exclude<ReportName, 'mrr'>;

/** The statement of a report; `day` reports take the day `to`. */
export function reportStatement(
  name: LedgerReport,
  tenantId: number,
  { from, to }: ReportDays,
): Statement {
  // The tenant is $1.
  const values: unknown[] = [tenantId];
  const text = texts[name]((value) => `$${values.push(value)}`, { from, to });
  return { text, values };
}

type Text = (value: ValueOf, days: ReportDays) => string;

const texts: Readonly<Record<LedgerReport, Text>> = {
  agedReceivables,
  revenue,
  recognizedRevenue,
  tax,
  payments,
};

const monthOf = (day: string): string => `to_char(${day}, 'YYYY-MM')`;

/** Of what an account of revenue has: more of it is credited. */
const gained = (condition: string): string =>
  `coalesce(-sum(amount) filter (where ${condition}), 0)`;

const creditNotes = `(select i.id from invoice i
  where i.tenant_id = $1 and i.credit_note_of is not null) note`;

/**
 * Debts by days past their due date at the end of the day; debits, opening balances too, have none.
 */
function agedReceivables(value: ValueOf, { to }: ReportDays): string {
  const facts = factsText({ ...everyFact, to }, value);
  const late = `${value(to)}::date - i.due_date`;
  const accounts = ['receivables', 'unapplied', 'carriedOver'] as const;
  const dueFor = (condition: string): string =>
    `coalesce(sum(open) filter (where account = 'receivables' and ${condition}), 0)`;
  return `
    with debt as (
      select fact_customer_id as customer_id, fact_currency as currency, account,
             case when account = 'receivables' then fact_invoice_id end as invoice_id,
             sum(amount) as open
      from (${piecesText(facts, { accounts })}) piece group by 1, 2, 3, 4 having sum(amount) <> 0),
    aged as (
      select d.*, case when d.invoice_id is not null then ${late} end as late
      from debt d left join invoice i on i.tenant_id = $1 and i.id = d.invoice_id)
    select a.customer_id as customer, c.ext_customer_ref, a.currency,
      ${dueFor('late <= 0')} as not_due, ${dueFor('late between 1 and 30')} as days1_to30,
      ${dueFor('late between 31 and 60')} as days31_to60,
      ${dueFor('late between 61 and 90')} as days61_to90, ${dueFor('late > 90')} as days_over90,
      ${dueFor('late is null')} as without_due_date, ${dueFor('true')} as receivables,
      -coalesce(sum(open) filter (where account = 'unapplied'), 0) as unapplied,
      coalesce(sum(open) filter (where account = 'carriedOver'), 0) as carried_over,
      sum(open) as balance
    from aged a join customer c on c.tenant_id = $1 and c.id = a.customer_id
    group by a.customer_id, c.ext_customer_ref, a.currency
    order by a.customer_id, a.currency`;
}

const revenueOf = (facts: string): string =>
  piecesText(facts, { accounts: ['revenue'], kinds: revenueKinds });

function revenue(value: ValueOf, days: ReportDays): string {
  const facts = factsText({ ...everyFact, ...days, kinds: revenueKinds }, value);
  const isCredit = `fact_kind = 'credit' or fact_kind = 'invoice' and note.id is not null`;
  return `
    select * from (
      select ${monthOf('fact_day')} as month, accounting_code,
        fact_currency as currency,
        ${gained(`fact_kind = 'invoice' and note.id is null`)} as invoiced,
        ${gained(`fact_kind = 'invoiceCancelled'`)} as cancelled, ${gained(isCredit)} as credited,
        -sum(amount) as revenue
      from (${revenueOf(facts)}) piece left join ${creditNotes} on note.id = fact_invoice_id
      group by 1, 2, 3) each
    where invoiced <> 0 or cancelled <> 0 or credited <> 0
    order by month, accounting_code, currency`;
}

/** Decimals by the currency, as in `minorDigits`. */
const digits = ((): string => {
  const others = [...currencyDigits].filter(([, count]) => count !== 2);
  const cases = others.map(([currency, count]) => `when '${currency}' then ${count}`);
  return `case currency ${cases.join(' ')} else 2 end`;
})();

/**
 * What of a piece is recognized by the end of a day: it is shared out by days, from the day on which it
 * was booked.
 */
const recognizedBy = (day: string): string => `case when ${day} < booked then 0
  when ${day} >= last_day then amount when ${day} < first_day then 0
  else round(amount * (${day} - first_day + 1) / (last_day - first_day + 1), digits) end`;

function recognizedRevenue(value: ValueOf, { from, to }: ReportDays): string {
  const facts = factsText({ ...everyFact, to, kinds: revenueKinds }, value);
  const [first, last] = [`${value(from)}::date`, `${value(to)}::date`];
  const before = '(month_start - 1)';
  // Many charges are of the same days and amount: each is shared out once.
  return `
    with piece as materialized (
      select booked, accounting_code, currency, digits, amount, first_day, last_day,
        count(*) as times
      from (
        select fact_day as booked, accounting_code, currency, ${digits} as digits, -amount as amount,
          case when first_day is null or last_day is null then fact_day else first_day end
            as first_day,
          case when first_day is null or last_day is null then fact_day else last_day end as last_day
        from (select *, fact_currency as currency from (${revenueOf(facts)}) p) p) each
      where greatest(last_day, booked) >= ${first}
      group by 1, 2, 3, 4, 5, 6, 7),
    months as (
      select greatest(m::date, ${first}) as month_start,
        least((m + interval '1 month')::date - 1, ${last}) as month_end
      from generate_series(date_trunc('month', ${first}::timestamp), ${last}::timestamp,
        interval '1 month') m),
    sums as (
      select month_start, accounting_code, currency,
        sum(times * (case when booked < month_start then amount else 0 end
          - (${recognizedBy(before)}))) as deferred_start,
        sum(times * case when booked >= month_start then amount else 0 end) as invoiced,
        sum(times * ((${recognizedBy('month_end')}) - (${recognizedBy(before)}))) as recognized
      from months join piece on booked <= month_end and greatest(last_day, booked) >= month_start
      group by 1, 2, 3)
    select ${monthOf('month_start')} as month, accounting_code, currency,
      deferred_start, invoiced, recognized,
      deferred_start + invoiced - recognized as deferred_end
    from sums where deferred_start <> 0 or invoiced <> 0 or recognized <> 0
    order by month, accounting_code, currency`;
}

/** Revenue of which no tax was taken is a row of its own, which has nothing but its base. */
function tax(value: ValueOf, days: ReportDays): string {
  const facts = factsText({ ...everyFact, ...days, kinds: revenueKinds }, value);
  const pieces = (account: 'revenue' | 'tax'): string =>
    piecesText('select * from fact', { accounts: [account], kinds: revenueKinds });
  return `
    with fact as materialized (${facts})
    select * from (
      select jurisdiction, tax_name, tax_percent::text as tax_percent,
        tax_category, accounting_code,
        fact_currency as currency, coalesce(sum(tax_base), 0) as tax_base, -sum(amount) as tax
      from (${pieces('tax')}) piece group by 1, 2, 3, 4, 5, 6
      union all
      select null, null, null, null, null, fact_currency, -sum(amount), null
      from (${pieces('revenue')}) piece
      where not exists (select from invoice_charge x
        where x.tenant_id = $1 and x.kind = 'tax' and x.invoice_line_id = piece.charge_line
          and piece.charge_position = any(x.base_positions))
      group by fact_currency) each
    where tax_base <> 0 or tax <> 0
    order by jurisdiction nulls last, tax_name nulls last, tax_percent::numeric nulls last,
      tax_category nulls last, accounting_code nulls last, currency`;
}

function payments(value: ValueOf, days: ReportDays): string {
  const facts = factsText({ ...everyFact, ...days, kinds: cashKinds }, value);
  const cash = (condition: string): string =>
    `coalesce(sum(amount) filter (where ${condition}), 0)`;
  return `
    select gateway, payment_method_type, fact_currency as currency,
      count(distinct fact_id) filter (where fact_kind = 'payment')::int as payment_count,
      ${cash(`fact_kind = 'payment'`)} as payments, ${cash(`fact_kind = 'refund'`)} as refunds,
      ${cash(`fact_kind <> 'payment' and fact_kind <> 'refund'`)} as reversed, ${sumOf('cash')} as net
    from (${piecesText(facts, { accounts: ['cash'], kinds: cashKinds })}) piece where amount <> 0
    group by 1, 2, 3 order by gateway nulls last, payment_method_type nulls last, currency`;
}
