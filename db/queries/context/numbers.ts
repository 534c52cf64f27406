/** What the series of documents have given. */
import type { NumberSeries } from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';

/**
 * Whether a series gave an invoice its number; null of another system's number.
 *
 * @param prefix placeholder of the series' prefix
 * @param yearly placeholder of whether it is yearly
 */
export const isSeriesOf = (invoice: string, prefix: string, yearly: string): string =>
  `(${invoice}.number_prefix = ${prefix} and (${invoice}.number_year <> 0) = ${yearly})`;

/** The next number of a series by the year of its counter; without one it has given none. */
export async function nextNumbers(
  tx: Tx,
  { prefix, yearly }: Pick<NumberSeries, 'prefix' | 'yearly'>,
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ year: number; next: number }>(
    `select year, next from counter
     where tenant_id = $1 and kind = 'invoice' and prefix = $2 and (year <> 0) = $3`,
    [tx.tenantId, prefix, yearly],
    'next-numbers',
  );
  return new Map(rows.map(({ year, next }) => [year, next]));
}
