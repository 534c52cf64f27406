/** The reports of a test's books as text. */
import { columnsOf, type ReportName } from '../../../domain/ledger/reports.ts';
import { formatAmount } from '../../../domain/money/money.ts';
import { readReport } from '../../../operations/ledger/report.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import type { Books } from './books.ts';

type ReportBooks = Pick<Books, 'dependencies' | 'tenantId'>;

export interface Days {
  readonly from?: string;
  readonly to?: string;
}

export async function reported(
  { dependencies, tenantId }: ReportBooks,
  name: ReportName,
  { from, to }: Days = {},
) {
  const tenant = await tenantInfo(dependencies, tenantId);
  const asked = { name, from: from ?? null, to: to ?? null };
  return readReport(dependencies, tenant, asked, ({ path, why }) => new Error(`${path}: ${why}`));
}

/** The cells of each row, `-` where one is empty. */
export async function rowsOf(
  books: ReportBooks,
  name: ReportName,
  days: Days = {},
): Promise<string[]> {
  const { rows } = await reported(books, name, days);
  return rows.map((row) =>
    columnsOf(name)
      .filter(([, kind]) => kind !== 'customer')
      .map(([key, kind]) => {
        const value = row[key] ?? null;
        if (value === null) return '-';
        return kind === 'amount' ? formatAmount(String(row['currency']), String(value)) : value;
      })
      .join(' '),
  );
}
