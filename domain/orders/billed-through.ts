/** Refuses a day to which an order cannot be billed elsewhere. */
import { type IsoDate, addMonths } from '../calendar/calendar.ts';
import { invalid } from './terms.ts';

/** Longer terms than this are not paid ahead, so a later day is a slip of the pen. */
const BILLED_AHEAD_MONTHS_MAX = 24;

export interface ElsewhereBounds {
  /** Of an order that replaces another, the day before its startDate: then none of its days is. */
  readonly first: IsoDate;
  /** The end of the order, or of its present term. */
  readonly endDate: IsoDate | null;
  readonly today: IsoDate;
}

/**
 * Refuses days that would be both free and billed elsewhere.
 *
 * @example refuseTrialBeside(14, '2027-01-20') // throws field.invalid
 */
export function refuseTrialBeside(
  trialDays: number | null | undefined,
  billedThrough: IsoDate | null,
): void {
  if (trialDays == null || trialDays === 0 || billedThrough === null) return;
  const text = `days to ${billedThrough} are billed elsewhere, so there are no trialDays above 0`;
  throw invalid('billedThrough', text, billedThrough);
}

/** @example refuseBilledThrough('2027-01-01', { first: '2027-01-15', endDate: null, today }) // throws */
export function refuseBilledThrough(
  billedThrough: IsoDate,
  { first, endDate, today }: ElsewhereBounds,
): void {
  const refuse = (why: string): never => {
    throw invalid('billedThrough', `billedThrough is ${why}`, billedThrough);
  };
  if (billedThrough < first) refuse(`before ${first}`);
  if (endDate !== null && billedThrough > endDate) refuse(`after endDate ${endDate}`);
  const last = addMonths(today, BILLED_AHEAD_MONTHS_MAX);
  if (billedThrough > last) refuse(`after ${last}, two years from today`);
}
