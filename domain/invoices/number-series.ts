/**
 * Series of the numbers of invoices and other documents, such as `INV-2027-0412` of the prefix
 * `INV-{YYYY}-`, and the numbers that they may still give.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { compare, type Decimal } from '../money/money.ts';

/** A series is its prefix as written; a yearly one begins anew with each year. */
export interface NumberSeries {
  /** With `{YYYY}` and `{YY}` as written. */
  readonly prefix: string;
  readonly start: number;
  /** At least so many digits, filled up with zeros. */
  readonly digits: number;
  readonly yearly: boolean;
}

/** As a tenant file has it: a whole number is the start of the series without a prefix. */
export type WrittenSeries =
  | number
  | { readonly [Key in keyof NumberSeries]?: NumberSeries[Key] | undefined };

/** Of a tenant: credit notes and cancellations that have none of their own are among the invoices. */
export interface Numbering {
  readonly invoice: NumberSeries;
  readonly creditNote: NumberSeries | null;
}

/** What a number counts in: a series, and of a yearly one the year; otherwise year 0. */
export interface CounterKey {
  readonly prefix: string;
  readonly year: number;
}

const FIRST_NUMBER = 1001;
const FIRST_NUMBER_OF_YEAR = 1;
/** Nothing that is given now ends later. */
const YEARS_AHEAD = 100;

/** @example seriesOf({ prefix: 'INV-{YYYY}-', yearly: true }).start // 1 */
export function seriesOf(written: WrittenSeries = FIRST_NUMBER): NumberSeries {
  if (typeof written === 'number') return seriesOf({ start: written });
  const { prefix = '', digits = 1, yearly = false } = written;
  const { start = yearly ? FIRST_NUMBER_OF_YEAR : FIRST_NUMBER } = written;
  return { prefix, start, digits, yearly };
}

/** @param written the key `numbering` of a tenant file */
export function numberingOf(written: {
  readonly [Key in keyof Numbering]?: WrittenSeries | undefined;
}): Numbering {
  const { invoice, creditNote } = written;
  return {
    invoice: seriesOf(invoice),
    creditNote: creditNote === undefined ? null : seriesOf(creditNote),
  };
}

/** @param total of the invoice alone; below zero it is a credit note */
export function seriesOfInvoice(numbering: Numbering, total: Decimal): NumberSeries {
  return compare(total, '0') < 0 ? seriesOfCredits(numbering) : numbering.invoice;
}

/** Of credit notes and of cancellations. @example seriesOfCredits(numberingOf({})).start // 1001 */
export const seriesOfCredits = ({ invoice, creditNote }: Numbering): NumberSeries =>
  creditNote ?? invoice;

export const yearOf = (date: IsoDate): number => Number(date.slice(0, 4));

/** Where documents of that date are counted. */
export function counterOf({ prefix, yearly }: NumberSeries, date: IsoDate): CounterKey {
  return { prefix, year: yearly ? yearOf(date) : 0 };
}

/** @example filledPrefix('INV-{YYYY}-', 2027) // 'INV-2027-' */
export function filledPrefix(prefix: string, year: number): string {
  const digits = String(year).padStart(4, '0');
  return prefix.replaceAll('{YYYY}', digits).replaceAll('{YY}', digits.slice(-2));
}

/** A series with the numbers that it has given. */
export interface SeriesState {
  readonly series: NumberSeries;
  /** The next number by the year of its counter; one that is missing has given none. */
  readonly next: ReadonlyMap<number, number>;
}

/**
 * Whether the series may give the number to a document of today or later.
 *
 * @example mayStillGive({ series, next: new Map([[2027, 413]]) }, 'INV-2027-0412', '2027-06-01') // false
 */
export function mayStillGive(state: SeriesState, number: string, today: IsoDate): boolean {
  return prefixesFrom(state, today).some(({ filled, next }) => {
    if (!number.startsWith(filled)) return false;
    const digits = number.slice(filled.length);
    return isWritten(digits, state.series.digits) && Number(digits) >= next;
  });
}

/** The same as text for a regular expression of PostgreSQL: whatever a series may give matches. */
export function patternOf({ prefix }: NumberSeries): string {
  const literal = prefix.replaceAll('.', '\\.');
  return `^${literal.replaceAll('{YYYY}', '\\d{4}').replaceAll('{YY}', '\\d{2}')}\\d+$`;
}

/** Whether two series may give one number, today or later. */
export function mayMeet(one: SeriesState, other: SeriesState, today: IsoDate): boolean {
  return prefixesFrom(one, today).some((left) =>
    prefixesFrom(other, today).some((right) =>
      left.filled.length <= right.filled.length
        ? meets(left, right, [one.series, other.series])
        : meets(right, left, [other.series, one.series]),
    ),
  );
}

interface Prefix {
  readonly filled: string;
  /** The least number that it may be before. */
  readonly next: number;
}

function prefixesFrom({ series, next }: SeriesState, today: IsoDate): Prefix[] {
  const { prefix, start, yearly } = series;
  const first = yearOf(today);
  const hasYear = prefix.includes('{');
  return Array.from({ length: hasYear ? YEARS_AHEAD : 1 }, (_, ahead) => {
    const year = first + ahead;
    return { filled: filledPrefix(prefix, year), next: next.get(yearly ? year : 0) ?? start };
  });
}

/** Neither with fewer digits than the series writes, nor with further zeros before it. */
function isWritten(number: string, digits: number): boolean {
  return (
    /^\d+$/.test(number) &&
    (number.length === digits || !number.startsWith('0')) &&
    number.length >= digits
  );
}

/**
 * Whether what the longer prefix has beyond the shorter one may be the beginning of a number there.
 * Numbers have no end, so only those that zeros fill up are bounded.
 */
function meets(
  shorter: Prefix,
  longer: Prefix,
  [{ digits }, other]: readonly [NumberSeries, NumberSeries],
): boolean {
  if (!longer.filled.startsWith(shorter.filled)) return false;
  const rest = longer.filled.slice(shorter.filled.length);
  if (rest === '') return true;
  if (!/^\d+$/.test(rest)) return false;
  const least = Math.max(other.digits, String(longer.next).length);
  return !rest.startsWith('0') || rest.length + least <= digits;
}
