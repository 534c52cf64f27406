/** Which numbers the counters of a tenant go on with after a restoration. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { yearOf } from '../../domain/invoices/number-series.ts';
import type { CounterRow } from '../../db/queries/processes/restoration.ts';
import type { TenantInfo } from '../context/context.ts';

export interface GivenNumbers {
  /** The last number of a series, by its name. */
  readonly numbers: ReadonlyMap<string, number>;
  /** All other series go on so many numbers after what is known. */
  readonly leap?: number | undefined;
}

export interface Series extends Pick<CounterRow, 'kind' | 'prefix' | 'year'> {
  /** `demo/invoice/INV-{YYYY}-@2027` */
  readonly name: string;
  /** The last number that the backup has. */
  readonly last: number;
  /** The highest that is known of it. */
  readonly highest: number;
  /** The last one that may have been given; null if nobody knows. */
  readonly upTo: number | null;
}

interface Known {
  readonly tenant: Pick<TenantInfo, 'label' | 'numbering'>;
  readonly today: IsoDate;
  /** Of an order, as Temporal knows it. */
  readonly highestOrder: number | undefined;
  readonly given: GivenNumbers;
}

/** Of all counters, and of those that may have begun since: of a new year, of a series without a document. */
export function seriesOf(counters: readonly CounterRow[], known: Known): readonly Series[] {
  return [...counters, ...begunSince(counters, known)].map((counter) => {
    const { kind, prefix, year, next } = counter;
    const last = next - 1;
    const { tenant, given, highestOrder = 0 } = known;
    const name = nameOf(tenant.label, counter);
    const highest = Math.max(last, kind === 'order' ? highestOrder : 0);
    return { kind, prefix, year, name, last, highest, upTo: upToOf(name, highest, given) };
  });
}

function upToOf(name: string, highest: number, { numbers, leap }: GivenNumbers): number | null {
  const told = numbers.get(name);
  if (told !== undefined) return Math.max(told, highest);
  return leap === undefined ? null : highest + leap;
}

const nameOf = (label: string, { kind, prefix, year }: CounterRow): string =>
  `${label}/${kind}${prefix === '' ? '' : `/${prefix}`}${year === 0 ? '' : `@${year}`}`;

function begunSince(counters: readonly CounterRow[], { tenant, today }: Known): CounterRow[] {
  const { invoice, creditNote } = tenant.numbering;
  return [invoice, ...(creditNote === null ? [] : [creditNote])].flatMap(
    ({ prefix, start, yearly }, index, all) => {
      if (all.findIndex((other) => other.prefix === prefix) < index) return [];
      const own = counters.filter(
        (each) => each.kind === 'invoice' && each.prefix === prefix && (each.year !== 0) === yearly,
      );
      const lastYear = Math.max(...own.map(({ year }) => year));
      if (!yearly) return own.length > 0 ? [] : [newCounter(prefix, 0, start)];
      const from = own.length > 0 ? lastYear + 1 : yearOf(today);
      const years = Math.max(0, yearOf(today) - from + 1);
      return Array.from({ length: years }, (_, ahead) => newCounter(prefix, from + ahead, start));
    },
  );
}

const newCounter = (prefix: string, year: number, start: number): CounterRow => ({
  kind: 'invoice',
  prefix,
  year,
  first: start,
  next: start,
});
