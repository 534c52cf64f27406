/** The days of a statement, as a form asks for them. */
import { addDays, addMonths, isDate, minDate, type IsoDate } from '../calendar/calendar.ts';

/** Both days are included. */
export interface StatementPeriod {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

export interface StatementFault {
  readonly field: 'from' | 'to';
  readonly key: 'date.form' | 'date.order';
}

/** As they were typed; undefined or empty: nothing. */
export interface AskedPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const MONTHS = 12;

/**
 * The period that was asked for, or what is wrong with it: up to today, from a year before its end.
 *
 * @example statementPeriod({}, '2027-01-15').period // { from: '2026-01-16', to: '2027-01-15' }
 */
export function statementPeriod(
  { from = '', to = '' }: AskedPeriod,
  today: IsoDate,
):
  | { readonly period: StatementPeriod; readonly faults: readonly [] }
  | { readonly period: null; readonly faults: readonly StatementFault[] } {
  const faults = Object.entries({ from, to }).flatMap(([field, day]): StatementFault[] =>
    day.trim() === '' || isDate(day.trim())
      ? []
      : [{ field: field === 'from' ? 'from' : 'to', key: 'date.form' }],
  );
  if (faults.length > 0) return { period: null, faults };
  const last = to.trim() === '' ? today : to.trim();
  const first = from.trim() === '' ? yearBefore(last) : from.trim();
  if (first <= last) return { period: { from: first, to: last }, faults: [] };
  return { period: null, faults: [{ field: 'from', key: 'date.order' }] };
}

/** At the beginning of the calendar a year is shorter. */
function yearBefore(last: IsoDate): IsoDate {
  return minDate(addDays(addMonths(last, -MONTHS), 1), last);
}
