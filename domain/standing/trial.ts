/** The free days of an order, and the day on which its billing begins. */
import { addDays, type IsoDate } from '../calendar/calendar.ts';

/** The days of an order that decide from when it bills. */
export interface TrialDays {
  readonly startDate: IsoDate;
  /** The last free day; null: it has no trial. */
  readonly trialEndDate: IsoDate | null;
}

/**
 * The day from which an order bills: of its periods, its term, its one-time charges and the periods of
 * its coupon it is the first one.
 *
 * @example billsFrom({ startDate: '2027-01-18', trialEndDate: '2027-01-31' }) // '2027-02-01'
 */
export function billsFrom({ startDate, trialEndDate }: TrialDays): IsoDate {
  return trialEndDate === null ? startDate : addDays(trialEndDate, 1);
}

/**
 * Whether an order is in its trial, or has one to come.
 *
 * @example isInTrial({ trialEndDate: '2027-01-31' }, '2027-01-31') // true
 */
export function isInTrial(
  { trialEndDate }: Pick<TrialDays, 'trialEndDate'>,
  day: IsoDate,
): boolean {
  return trialEndDate !== null && day <= trialEndDate;
}
