/** What the series of documents have given, and the numbers that statements take of them. */
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import {
  type NumberSeries,
  counterOf,
  filledPrefix,
  yearOf,
} from '../../../domain/invoices/number-series.ts';
import type { Tx } from '../../connection/tenancy.ts';
import { type GivenBy, givenOf } from './insertion.ts';

/**
 * Whether a series gave a document its number; null of another system's number.
 *
 * @param prefix placeholder of the series' prefix
 * @param yearly placeholder of whether it is yearly
 */
export const isSeriesOf = (document: string, prefix: string, yearly: string): string =>
  `(${document}.number_prefix = ${prefix} and (${document}.number_year <> 0) = ${yearly})`;

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

/* Takes numbers in the statement that inserts their documents. */

/** How many numbers the counter of a series gives at once. */
const wantedNumbers = (rows: `$${number}`) =>
  givenOf({ key: 'text', prefix: 'text', year: 'int', start: 'bigint', count: 'int' }, rows);

/**
 * The first parts of the statement. The counters come in one order, so that two transactions never wait
 * for each other; that of a new year is made by its first number.
 *
 * @param counters the parameter that has what `numbersFor` wants of them
 */
export const takenNumbers = (counters: `$${number}`): string => `wanted as (
    select * from ${wantedNumbers(counters).recordset}),
  taken as (
    insert into counter (tenant_id, kind, prefix, year, first, next)
    select $1, 'invoice', prefix, year, start, start + count from wanted order by prefix, year
    on conflict (tenant_id, kind, prefix, year) do update
      set next = counter.next + excluded.next - excluded.first
    returning prefix, year, next),
  numbered as (
    select w.key, t.prefix, t.year, t.next - w.count as first
    from wanted w join taken t on t.prefix = w.prefix and t.year = w.year)`;

/** What the rows of the documents have beside their columns. */
export const placed = { counter: 'text', place: 'int', filled: 'text', digits: 'int' } as const;

const taken = (column: string): string =>
  `(select n.${column} from numbered n where n.key = r.counter)`;
const place = `${taken('first')} + r.place`;

export const numberColumns = {
  numberPrefix: taken('prefix'),
  numberYear: taken('year'),
  numberValue: place,
} as const;
export const numberText = `document_number(r.filled, r.digits, ${place})`;

interface Numbered {
  readonly series: NumberSeries;
  /** The document's. */
  readonly date: IsoDate;
}

/** The documents of a series are numbered in their order. */
export function numbersFor<Row>(rows: readonly Row[], numberedBy: (row: Row) => Numbered) {
  const counters = new Map<string, GivenBy<ReturnType<typeof wantedNumbers>>>();
  const numbered = rows.map((row) => {
    const { series, date } = numberedBy(row);
    const { prefix, year } = counterOf(series, date);
    const counter = `${year} ${prefix}`;
    const before = counters.get(counter)?.count ?? 0;
    counters.set(counter, { key: counter, prefix, year, start: series.start, count: before + 1 });
    const filled = filledPrefix(prefix, yearOf(date));
    return { ...row, counter, place: before, filled, digits: series.digits };
  });
  return { numbered, counters: JSON.stringify([...counters.values()]) };
}
