/** Invariants of the reports: those of the last month are the sums of the ledger. */
import type { Tx } from '../../db/connection/tenancy.ts';
import { piecesOfEach } from '../../db/queries/ledger/entries.ts';
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

/** Facts by their days alone, and their rows fact by fact: reports choose and join otherwise. */
const ledgerText = (facts: string): string => `
  select account, accounting_code as code, fact_currency as currency, sum(amount)::text as amount
  from (${piecesOfEach(`select * from (${facts}) f where f.day <= $3`)}) piece
  where ${isBalance} or fact_day >= $2
  group by 1, 2, 3`;

/** The month before that of the day. */
function lastMonth(today: IsoDate): ReportDays {
  const first = `${today.slice(0, 7)}-01`;
  return { from: addMonths(first, -1), to: addDays(first, -1) };
}

/** Each report of the last month has the sums of the ledger (`report.sums`). */
export async function auditReports(tx: Tx, today: IsoDate): Promise<Fault[]> {
  const days = lastMonth(today);
  const facts = factsText(everyFact, () => {
    throw new Error('all facts are chosen without a value');
  });
  await tx.query('set local jit = off');
  const own = [tx.tenantId, days.from, days.to];
  const ledger = await tx.query<LedgerSum>(ledgerText(facts), own, 'audit-report-sums');
  const faults: Fault[] = [];
  for (const [report, columns] of Map.groupBy(sums, (sum) => sum.report)) {
    const { text, values } = reportStatement(report, tx.tenantId, days);
    const rows = await tx.query<ReportRow>(text, values);
    for (const sum of columns) {
      const shown = totals(rows, sum);
      const booked = ledgerTotals(ledger, sum);
      faults.push(...differences(`${report} of ${days.to.slice(0, 7)}`, sum, { shown, booked }));
    }
  }
  return faults;
}

type Totals = ReadonlyMap<string, Decimal>;

function totals(rows: readonly ReportRow[], { column, byCode }: Sum): Totals {
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

function differences(
  object: string,
  { column, account }: Sum,
  { shown, booked }: { readonly shown: Totals; readonly booked: Totals },
): Fault[] {
  return [...new Set([...shown.keys(), ...booked.keys()])].flatMap((key) => {
    const [one, other] = [shown.get(key) ?? '0', booked.get(key) ?? '0'];
    if (compare(one, other) === 0) return [];
    const currency = key.slice(-3);
    const texts = `${formatAmount(currency, one)}, ${account} of the ledger ${formatAmount(currency, other)}`;
    return [{ check: 'report.sums', object, detail: `${column} of ${key} is ${texts}` }];
  });
}
