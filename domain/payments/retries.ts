/** On which day a declined automatic payment is tried again. */
import { addDays, addMonths, type IsoDate } from '../calendar/calendar.ts';

/** Days after the first decline, or days of each month. */
export type RetryDays =
  | { readonly days: readonly number[] }
  | { readonly daysOfMonth: readonly number[] };

export const defaultRetryDays: RetryDays = { days: [1, 3, 5, 7] };

/** By days of the month it is tried again for this long. */
const RETRY_MONTHS_MAX = 3;

export interface RetryBasis {
  /** The day of the first decline. */
  readonly declinedOn: IsoDate;
  readonly today: IsoDate;
}

/**
 * The next day of the schedule after today; null once the schedule is used up. A day of the month
 * that the month does not have is its last day.
 *
 * @example nextRetryDay({ days: [1, 3] }, { declinedOn: '2027-01-31', today: '2027-02-01' })
 *   // '2027-02-03'
 */
export function nextRetryDay(
  retryDays: RetryDays,
  { declinedOn, today }: RetryBasis,
): IsoDate | null {
  if ('days' in retryDays) {
    const days = retryDays.days.map((count) => addDays(declinedOn, count));
    return first(days, today);
  }
  const last = addMonths(declinedOn, RETRY_MONTHS_MAX);
  const months = [0, 1].map((count) => `${addMonths(today, count).slice(0, 7)}-01`);
  const days = months.flatMap((begin) => {
    const end = addDays(addMonths(begin, 1), -1);
    return retryDays.daysOfMonth.map((day) => {
      const date = addDays(begin, day - 1);
      return date < end ? date : end;
    });
  });
  const next = first(days, today);
  return next !== null && next <= last ? next : null;
}

function first(days: readonly IsoDate[], today: IsoDate): IsoDate | null {
  return days.filter((day) => day > today).toSorted()[0] ?? null;
}
