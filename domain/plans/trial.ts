/** Trials that a plan gives: how long one is, and whether it asks for a card. */
import { addDays, addMonths, type IsoDate } from '../calendar/calendar.ts';

export const trialUnits = ['Days', 'Weeks', 'Months'] as const;
export type TrialUnit = (typeof trialUnits)[number];

export const trialCards = ['optional', 'required'] as const;
export type TrialCard = (typeof trialCards)[number];

/** The longest trial of a plan in each unit. */
export const TRIAL_VALUE_MAX: Readonly<Record<TrialUnit, number>> = {
  Days: 365,
  Weeks: 52,
  Months: 12,
};

/** The most days that an order may agree on. */
export const TRIAL_DAYS_MAX = 365;

/** Whether an order may agree on so many free days. @example isTrialDays(366) // false */
export const isTrialDays = (days: number): boolean => days >= 0 && days <= TRIAL_DAYS_MAX;

export interface Trial {
  readonly value: number;
  readonly units: TrialUnit;
  /** Whether a page demands a method of payment. */
  readonly card: TrialCard;
}

const DAYS_PER_WEEK = 7;

/**
 * The last free day of a trial.
 *
 * @example trialEnd({ value: 1, units: 'Months' }, '2027-01-31') // '2027-02-27'
 */
export function trialEnd({ value, units }: Omit<Trial, 'card'>, startDate: IsoDate): IsoDate {
  if (units === 'Months') return addDays(addMonths(startDate, value), -1);
  return addDays(startDate, (units === 'Weeks' ? value * DAYS_PER_WEEK : value) - 1);
}

/**
 * A trial from its three columns; null if they are not set.
 *
 * @example trialOf(14, 'Days', 'optional') // { value: 14, units: 'Days', card: 'optional' }
 */
export function trialOf(
  value: number | null,
  units: TrialUnit | null,
  card: TrialCard | null,
): Trial | null {
  return value === null || units === null || card === null ? null : { value, units, card };
}

/**
 * How long a trial is, in the fewest units: two weeks are 14 days.
 *
 * @example lengthOf({ value: 2, units: 'Weeks' }) // '14 Days'
 */
export function lengthOf({ value, units }: Omit<Trial, 'card'>): string {
  return units === 'Months'
    ? `${value} Months`
    : `${units === 'Weeks' ? value * DAYS_PER_WEEK : value} Days`;
}
