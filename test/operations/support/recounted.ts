/** A second calculation of reports, from the documents alone: invoices, charges, money that is left. */
import { formatAmount } from '../../../domain/money/money.ts';
import { standingStatus } from '../../../db/queries/context/invoices.ts';
import type { Books } from './books.ts';
import { reported, type Days } from './reports.ts';

type CountedBooks = Pick<Books, 'dependencies' | 'tenantId' | 'read' | 'today'>;

const late = (condition: string): string =>
  `coalesce(sum(owed) filter (where ${condition}), 0)::text`;

/** What is open today. */
const agedText = `
  select customer_id, currency, ${late('days <= 0')} as not_due,
    ${late('days between 1 and 30')} as days1_to30,
    ${late('days between 31 and 60')} as days31_to60,
    ${late('days between 61 and 90')} as days61_to90, ${late('days > 90')} as days_over90,
    ${late('days is null')} as without_due_date, sum(owed)::text as receivables,
    sum(money)::text as unapplied, sum(balance)::text as balance
  from (
    select customer_id, currency, outstanding_balance as owed, 0 as money, 0 as balance,
      $2::date - due_date as days
    from invoice where tenant_id = $1
    union all
    select customer_id, currency, greatest(-balance, 0), greatest(balance, 0), 0, null
    from payment where tenant_id = $1
    union all
    select customer_id, currency, 0, 0, balance, null from customer_balance where tenant_id = $1) each
  group by 1, 2 having sum(owed) <> 0 or sum(money) <> 0 or sum(balance) <> 0 order by 1, 2`;

/** What stands of charges; what is cancelled goes back whole. */
const revenueText = `
  select coalesce(c.accounting_code, '4000') as code, i.currency, sum(c.amount)::text as revenue
  from invoice i
  join invoice_line n on n.tenant_id = $1 and n.invoice_id = i.id
  join invoice_charge c on c.tenant_id = $1 and c.invoice_line_id = n.id
  where i.tenant_id = $1 and ${standingStatus('i')} <> 'Cancelled' and not i.is_imported and c.kind <> 'tax'
    and not c.is_usage_charge_sub_total
  group by 1, 2 having sum(c.amount) <> 0 order by 1, 2`;

const agedColumns = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'daysOver90'].concat(
  'withoutDueDate',
  'receivables',
  'unapplied',
  'balance',
);

type Row = Readonly<Record<string, unknown>>;

const money = (row: Row, columns: readonly string[]): string =>
  columns.map((name) => formatAmount(String(row['currency']), String(row[name]))).join(' ');

/** Both calculations of the reports that documents alone can tell, of books without unused days. */
export async function bothCounts(
  books: CountedBooks,
  days: Days,
): Promise<{ readonly reported: readonly string[]; readonly recounted: readonly string[] }> {
  const aged = (await reported(books, 'agedReceivables')).rows;
  const revenue = (await reported(books, 'revenue', days)).rows;
  const own = [books.tenantId, books.today()];
  const [agedAgain, revenueAgain] = await books.read((tx) =>
    Promise.all([tx.query<Row>(agedText, own), tx.query<Row>(revenueText, own.slice(0, 1))]),
  );
  const ofAged = (id: string, rows: readonly Row[]): string[] =>
    rows.map((row) => `${row[id]} ${row['currency']} ${money(row, agedColumns)}`);
  return {
    reported: [...ofAged('customer', aged), ...summed(revenue, 'accountingCode')],
    recounted: [...ofAged('customerId', agedAgain), ...summed(revenueAgain, 'code')],
  };
}

/** Over all months. */
function summed(rows: readonly Row[], code: string): string[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = `${row[code]} ${row['currency']}`;
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(row['revenue']) * 100));
  }
  return [...sums].filter(([, cents]) => cents !== 0).map(([key, cents]) => `${key} ${cents}`);
}
