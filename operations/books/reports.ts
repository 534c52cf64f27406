/** Invariants of the reports: those of the last month are the sums of the ledger, and of documents. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { piecesText } from '../../db/queries/ledger/entries.ts';
import { everyFact, factsText } from '../../db/queries/ledger/facts.ts';
import { reportStatement, type LedgerReport } from '../../db/queries/ledger/reports.ts';
import { addDays, addMonths, type IsoDate } from '../../domain/calendar/calendar.ts';
import type { LedgerAccount } from '../../domain/ledger/accounts.ts';
import type { ReportDays, ReportRow } from '../../domain/ledger/reports.ts';
import { add, compare, formatAmount, negate, type Decimal } from '../../domain/money/money.ts';
import type { Fault } from './report.ts';

/** A column of a report, and the account whose sum it is. */
interface Sum {
  readonly report: LedgerReport;
  readonly column: string;
  readonly account: LedgerAccount;
  /** What the report shows is above zero for a credit. */
  readonly isCredit: boolean;
  /** Of the codes that rows name. */
  readonly byCode: boolean;
}

const sums: readonly Sum[] = [
  { report: 'revenue', column: 'revenue', account: 'revenue', isCredit: true, byCode: true },
  {
    report: 'recognizedRevenue',
    column: 'invoiced',
    account: 'revenue',
    isCredit: true,
    byCode: true,
  },
  { report: 'tax', column: 'tax', account: 'tax', isCredit: true, byCode: true },
  { report: 'payments', column: 'net', account: 'cash', isCredit: false, byCode: false },
  ...(['receivables', 'unapplied', 'carriedOver'] as const).map((account) => ({
    report: 'agedReceivables' as const,
    column: account,
    account,
    isCredit: account === 'unapplied',
    byCode: false,
  })),
];

/** Of accounts of balances all days to the end of the month count, of others those of the month. */
const isBalance = `account = any('{receivables,unapplied,carriedOver}')`;

interface LedgerSum extends Record<string, unknown> {
  readonly account: LedgerAccount;
  readonly code: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/** Facts by their days alone: reports choose them by their transactions. */
const ledgerText = (facts: string): string => `
  select account, accounting_code as code, fact_currency as currency, sum(amount)::text as amount
  from (${piecesText(`select * from (${facts}) f where f.day <= $3`)}) piece
  where ${isBalance} or fact_day >= $2
  group by 1, 2, 3`;

/* The same from documents. */

/** Reports that come to the totals of documents, by their columns. */
const totals = {
  income: [
    { report: 'revenue', column: 'revenue' },
    { report: 'tax', column: 'tax' },
  ],
  cash: [{ report: 'payments', column: 'net' }],
} as const;

/**
 * What invoices say is due for their charges, less what credits gave back of such; and what payments
 * and refunds say of their amounts. The books say on which day.
 */
const documentsText = `
  select e.currency,
    coalesce(sum(case e.kind when 'invoice' then i.current_amount_due
      when 'invoiceCancelled' then -i.current_amount_due when 'credit' then -g.amount end), 0)::text
      as income,
    coalesce(sum(case when e.kind in ('payment', 'refund') then p.amount
      when e.payment_id is not null and e.kind <> 'credit' then -e.amount end), 0)::text as cash
  from ledger_entry e
  left join invoice i on i.tenant_id = $1 and i.id = e.invoice_id
  left join payment p on p.tenant_id = $1 and p.id = e.payment_id
  left join (
    select payment_id, sum(amount) as amount from charge_credit
    where tenant_id = $1 and payment_id is not null group by payment_id) g on g.payment_id = p.id
  where e.tenant_id = $1 and e.entered_on between $2 and $3
    and e.kind in ('invoice', 'invoiceCancelled', 'credit', 'payment', 'refund', 'paymentCanceled',
      'paymentReturned', 'paymentDisputed')
    and i.is_imported is not true
  group by e.currency`;

type DocumentSum = { readonly currency: string } & Readonly<Record<keyof typeof totals, Decimal>>;

/** The month before that of the day. */
function lastMonth(today: IsoDate): ReportDays {
  const first = `${today.slice(0, 7)}-01`;
  return { from: addMonths(first, -1), to: addDays(first, -1) };
}

/** Each report of the last month has the sums of the ledger and of documents (`report.sums`). */
export async function auditReports(tx: Tx, today: IsoDate): Promise<Fault[]> {
  const days = lastMonth(today);
  const facts = factsText(everyFact, () => {
    throw new Error('all facts are chosen without a value');
  });
  await tx.query('set local jit = off');
  const own = [tx.tenantId, days.from, days.to];
  const ledger = await tx.query<LedgerSum>(ledgerText(facts), own, 'audit-report-sums');
  const documents = await tx.query<DocumentSum>(documentsText, own, 'audit-report-documents');
  const month = days.to.slice(0, 7);
  const faults: Fault[] = [];
  const found = new Map<LedgerReport, readonly ReportRow[]>();
  for (const [report, columns] of Map.groupBy(sums, (sum) => sum.report)) {
    const { text, values } = reportStatement(report, tx.tenantId, days);
    const rows = await tx.query<ReportRow>(text, values);
    found.set(report, rows);
    for (const sum of columns) {
      const other = ledgerTotals(ledger, sum);
      const named = { object: `${report} of ${month}`, column: sum.column };
      const against = `${sum.account} of the ledger`;
      faults.push(...differences({ ...named, against }, totalsOf(rows, sum), other));
    }
  }
  for (const total of ['income', 'cash'] as const) {
    const shown = new Map<string, Decimal>();
    for (const { report, column } of totals[total]) {
      for (const [key, amount] of totalsOf(found.get(report) ?? [], { column, byCode: false }))
        addTo(shown, key, amount);
    }
    const other = new Map(documents.map((row) => [row.currency, row[total]]));
    const object = `${totals[total].map(({ report }) => report).join(' and ')} of ${month}`;
    faults.push(...differences({ object, column: total, against: 'documents' }, shown, other));
  }
  return faults;
}

type Totals = ReadonlyMap<string, Decimal>;

function totalsOf(
  rows: readonly ReportRow[],
  { column, byCode }: Pick<Sum, 'column' | 'byCode'>,
): Totals {
  const found = new Map<string, Decimal>();
  for (const row of rows) {
    const value = row[column] ?? null;
    if (value === null) continue;
    const code = byCode ? `${row['accountingCode']} ` : '';
    addTo(found, `${code}${row['currency']}`, String(value));
  }
  return found;
}

function ledgerTotals(rows: readonly LedgerSum[], { account, isCredit, byCode }: Sum): Totals {
  const found = new Map<string, Decimal>();
  for (const row of rows) {
    if (row.account !== account) continue;
    const key = byCode ? `${row.code} ${row.currency}` : row.currency;
    addTo(found, key, isCredit ? negate(row.amount) : row.amount);
  }
  return found;
}

function addTo(sumsOf: Map<string, Decimal>, key: string, amount: Decimal): void {
  sumsOf.set(key, add(sumsOf.get(key) ?? '0', amount));
}

interface Compared {
  readonly object: string;
  readonly column: string;
  /** Whose sum the other is. */
  readonly against: string;
}

function differences(
  { object, column, against }: Compared,
  shown: Totals,
  others: Totals,
): Fault[] {
  return [...new Set([...shown.keys(), ...others.keys()])].flatMap((key) => {
    const [one, other] = [shown.get(key) ?? '0', others.get(key) ?? '0'];
    if (compare(one, other) === 0) return [];
    const currency = key.slice(-3);
    const [is, be] = [one, other].map((each) => formatAmount(currency, each));
    return [
      { check: 'report.sums', object, detail: `${column} of ${key} is ${is}, ${against} ${be}` },
    ];
  });
}
