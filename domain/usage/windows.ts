/** Places the usage of an order line in windows, one for each billing period, and says when they are due. */
import {
  addDays,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
  type IsoDate,
  type Schedule,
} from '../calendar/calendar.ts';

/** The fields of an order and of one of its lines that place the line's windows. */
export interface UsageTerm {
  /** The order's, whatever the line's days. */
  readonly schedule: Schedule;
  /** The line's first day, as far as the order's days go. */
  readonly start: IsoDate;
  /** The line's last day, as far as the order's days go; null if it continues. */
  readonly end: IsoDate | null;
  /** Its last window also has the records that are dated after it. */
  readonly isSuperseded: boolean;
  /** The tenant's `usageGraceDays`. */
  readonly graceDays: number;
}

/** The days in which a line's usage counts together, and the day on which they are billed. */
export interface WindowDays {
  /** The billing period's; past the last period of an ended order for late records. */
  readonly periodIndex: number;
  /** The period with its last day. */
  readonly ofPeriod: number;
  /** First and last day, inclusive. */
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly dueOn: IsoDate;
}

/**
 * The window of a billing period: its days within the line's, due after the days of grace. A window
 * past the last period of an ended order bills late records, so it repeats the days of the last one
 * and is due with it. Null before the line's first period, and for a line without days. Pauses are
 * not considered: what elapses in one is due on resumption.
 *
 * @example // months from the 1st, ended on 2027-03-12, no grace
 *   windowAt(2, term)
 *   // { periodIndex: 2, ofPeriod: 2, from: '2027-03-01', to: '2027-03-12', dueOn: '2027-03-13' }
 */
export function windowAt(periodIndex: number, term: UsageTerm): WindowDays | null {
  const { schedule, start, end, graceDays } = term;
  if (end !== null && end < start) return null;
  const last = end === null ? periodIndex : periodIndexOf(schedule, end);
  const ofPeriod = Math.min(periodIndex, last);
  const whole = periodAt(schedule, ofPeriod);
  if (whole.end < start) return null;
  const to = end === null ? whole.end : minDate(whole.end, end);
  const dueOn = addDays(to, 1 + graceDays);
  return { periodIndex, ofPeriod, from: maxDate(whole.start, start), to, dueOn };
}

/**
 * The period whose window has a record: that of its chargeDate, or, if that window is billed, the
 * first later one that is not. Null if no window ever has it: outside of the line's days.
 *
 * @param isBilled asked of the chargeDate's window, and of each one after it until one is unbilled
 * @example // the window of January, period 0, is billed
 *   windowIndexOf('2027-01-30', term, (periodIndex) => periodIndex < 1) // 1
 */
export function windowIndexOf(
  chargeDate: IsoDate,
  term: UsageTerm,
  isBilled: (periodIndex: number) => boolean,
): number | null {
  const { schedule, start, end, isSuperseded } = term;
  if (chargeDate < start || (end !== null && end < start)) return null;
  const isAfter = end !== null && chargeDate > end;
  if (isAfter && !isSuperseded) return null;
  let periodIndex = periodIndexOf(schedule, isAfter ? end : chargeDate);
  while (isBilled(periodIndex)) periodIndex += 1;
  return periodIndex;
}
