/** Terms of orders, their renewals, and due dates of invoices. */
import assert from 'node:assert';
import { addDays, addMonths, daysFromTo, lastDate, type IsoDate } from './calendar.ts';

export const termUnits = ['Days', 'Months'] as const;
export type TermUnit = (typeof termUnits)[number];

/** Due terms or payment terms: `{ value: 30, units: 'Days' }`. */
export interface Terms {
  readonly value: number;
  readonly units: TermUnit;
}

/** An order's original term: its start and its first end, both inclusive. */
export interface OrderTerm {
  readonly termStart: IsoDate;
  readonly termFirstEnd: IsoDate;
}

/**
 * The length of a term: in months if it is whole months, else in days.
 *
 * @example termOf('2027-01-01', '2027-12-31') // { value: 12, units: 'Months' }
 */
export function termOf(start: IsoDate, end: IsoDate): Terms {
  const days = daysFromTo(start, end);
  assert(days > 0, `a term from ${start} to ${end}`);
  assert(addDays(end, 1) < lastDate, `a term to ${end}, where the calendar ends`);
  const about = Math.floor(days / 31);
  // This number of days is `about` months or a few more, depending on their lengths.
  for (let months = Math.max(1, about); ; months += 1) {
    const monthsEnd = endOfTerms(start, { value: months, units: 'Months' });
    if (monthsEnd === end) return { value: months, units: 'Months' };
    if (monthsEnd > end) return { value: days, units: 'Days' };
  }
}

/**
 * The end of the term's n-th renewal, computed from the term's own start each time (n 0: the first
 * end).
 *
 * @example renewedEnd({ termStart: '2027-01-31', termFirstEnd: '2027-02-27' }, 1) // '2027-03-30'
 */
export function renewedEnd(term: OrderTerm, renewals: number): IsoDate {
  const { value, units } = termOf(term.termStart, term.termFirstEnd);
  return endOfTerms(term.termStart, { value: value * (renewals + 1), units });
}

/** The first and last day of the term, or renewal, that contains a day. */
export function termOn(term: OrderTerm, date: IsoDate): { start: IsoDate; end: IsoDate } {
  const { value, units } = termOf(term.termStart, term.termFirstEnd);
  const lengthMax = units === 'Days' ? value : value * 31;
  let renewals = Math.max(0, Math.floor((daysFromTo(term.termStart, date) - 1) / lengthMax));
  const endAfter = (n: number) => endOfTerms(term.termStart, { value: value * (n + 1), units });
  assert(addDays(date, 1) < lastDate, `a renewal around ${date}, where the calendar ends`);
  while (endAfter(renewals) < date) renewals += 1;
  const start = renewals === 0 ? term.termStart : addDays(endAfter(renewals - 1), 1);
  return { start, end: endAfter(renewals) };
}

/** @example dueDate('2027-01-31', { value: 1, units: 'Months' }) // '2027-02-28' */
export function dueDate(invoiceDate: IsoDate, terms: Terms): IsoDate {
  return terms.units === 'Days'
    ? addDays(invoiceDate, terms.value)
    : addMonths(invoiceDate, terms.value);
}

/** The first terms that are set: the order's, else its plan's, the customer's, the tenant's. */
export function firstTerms(...candidates: readonly (Terms | null)[]): Terms | null {
  return candidates.find((terms) => terms !== null) ?? null;
}

/**
 * Terms from their two columns; null if they are not set.
 *
 * @example termsOf(30, 'Days') // { value: 30, units: 'Days' }
 */
export function termsOf(value: number | null, units: Terms['units'] | null): Terms | null {
  return value === null || units === null ? null : { value, units };
}

function endOfTerms(start: IsoDate, terms: Terms): IsoDate {
  return addDays(dueDate(start, terms), -1);
}
