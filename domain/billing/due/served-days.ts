/** The served days of an order: those outside pauses. */
import {
  addDays,
  daysFromTo,
  lastDate,
  maxDate,
  minDate,
  type IsoDate,
} from '../../calendar/calendar.ts';
import type { BilledDays, ServicePause } from '../../standing/line.ts';

/** Days from the first to the last, both inclusive. */
export interface Days {
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** The served days among some days: the first, the last, and how many there are. */
export interface ServedDays extends Days {
  readonly count: number;
}

/**
 * The days that are not served, as disjoint runs in order of time. A pause without an end runs to
 * the end of the calendar.
 *
 * @example unservedDays([{ suspendedOn: '2027-01-10', resumedOn: '2027-01-20' }])
 *   // [{ from: '2027-01-11', to: '2027-01-19' }]
 */
export function unservedDays(pauses: readonly ServicePause[]): readonly Days[] {
  if (pauses.length === 0) return [];
  const runs = pauses
    .map(({ suspendedOn, resumedOn }) => ({
      from: addDays(suspendedOn, 1),
      to: resumedOn === null ? lastDate : addDays(resumedOn, -1),
    }))
    .filter(({ from, to }) => from <= to)
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const merged: Days[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    // Adjacent runs become one, so that the day before and the day after a run are served.
    if (last === undefined || run.from > addDays(last.to, 1)) merged.push(run);
    else merged[merged.length - 1] = { from: last.from, to: maxDate(last.to, run.to) };
  }
  return merged;
}

/** The served days among some days; null if there are none. */
export function servedAmong(days: Days, unserved: readonly Days[]): ServedDays | null {
  let { from, to } = days;
  let count = daysFromTo(from, to);
  for (const run of unserved) {
    if (run.to < days.from || run.from > days.to) continue;
    count -= daysFromTo(maxDate(run.from, days.from), minDate(run.to, days.to));
    // Runs are in order of time, so the first served day never moves back.
    if (run.from <= from) from = addDays(run.to, 1);
    if (run.to >= to) to = minDate(to, addDays(run.from, -1));
  }
  return count > 0 ? { from, to, count } : null;
}

/** The first served day at or after a day; null if it is in a pause without an end. */
export function servedFrom(date: IsoDate, unserved: readonly Days[]): IsoDate | null {
  let served = date;
  for (const run of unserved) {
    if (run.from <= served && served <= run.to) {
      if (run.to === lastDate) return null;
      served = addDays(run.to, 1);
    }
  }
  return served;
}

/** The runs of days that remain after removing the billed ones. */
export function daysWithout(days: Days, billed: readonly BilledDays[]): readonly Days[] {
  if (billed.length === 0) return [days];
  const remaining: Days[] = [];
  let { from } = days;
  for (const taken of billed.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (taken.to < from || taken.from > days.to) continue;
    if (taken.from > from) remaining.push({ from, to: addDays(taken.from, -1) });
    from = addDays(taken.to, 1);
  }
  if (from <= days.to) remaining.push({ from, to: days.to });
  return remaining;
}
