/** Which trial an order has: the days agreed on for it, those of its plan, or those of the order before. */
import { addDays, daysFromTo, type IsoDate } from '../calendar/calendar.ts';
import type { Plan } from '../plans/plan.ts';
import { TRIAL_DAYS_MAX, isTrialDays, lengthOf, trialEnd } from '../plans/trial.ts';
import { isInTrial, type TrialDays } from '../standing/trial.ts';
import { invalid } from './terms.ts';

/** What decides the trial of an order. */
export interface TrialBasis {
  readonly plan: Pick<Plan, 'trial'>;
  readonly startDate: IsoDate;
  /** Agreed on for this order: they replace any other trial. */
  readonly trialDays: number | null;
  /** Another order of the customer has had the trial of this plan. */
  readonly isUsed: boolean;
  /** The order that it replaces. */
  readonly replaces: Pick<TrialDays, 'trialEndDate'> | null;
}

/**
 * The last free day of an order; null if it has none. An order that replaces another one in its trial
 * goes on with it if its own plan has one.
 *
 * @example // 14 days
 *   trialEndDateOf({ plan, startDate: '2027-01-18', trialDays: null, isUsed: false, replaces: null })
 *   // '2027-01-31'
 */
export function trialEndDateOf({
  plan,
  startDate,
  trialDays,
  isUsed,
  replaces,
}: TrialBasis): IsoDate | null {
  if (trialDays !== null) return trialDays === 0 ? null : addDays(startDate, trialDays - 1);
  if (plan.trial === null) return null;
  if (replaces === null) return isUsed ? null : trialEnd(plan.trial, startDate);
  return isInTrial(replaces, startDate) ? replaces.trialEndDate : null;
}

/**
 * How long the trial of an order is, in words, for the hash of its price; null without one. One that goes
 * on is named by its end, which stays, whatever the day of the change.
 *
 * @example trialLengthOf({ trialDays: 10, ... }, '2027-01-27') // '10 Days'
 */
export function trialLengthOf(
  { plan, trialDays, replaces }: TrialBasis,
  trialEndDate: IsoDate | null,
): string | null {
  if (trialEndDate === null) return null;
  if (trialDays !== null) return lengthOf({ value: trialDays, units: 'Days' });
  return replaces === null && plan.trial !== null ? lengthOf(plan.trial) : `to ${trialEndDate}`;
}

/**
 * Refuses days that no order may have.
 *
 * @example refuseTrialDays(366) // throws field.invalid
 */
export function refuseTrialDays(trialDays: number | null | undefined): void {
  if (trialDays == null || isTrialDays(trialDays)) return;
  const text = `trialDays is 0 to ${TRIAL_DAYS_MAX}`;
  throw invalid('trialDays', text, String(trialDays));
}

/**
 * Refuses days that have passed already: what was free stays free. As many as have passed end the trial,
 * so that billing begins today.
 *
 * @example // since 2027-01-18
 *   refusePassedDays('2027-01-25', gold, '2027-01-28') // throws field.invalid
 */
export function refusePassedDays(
  trialEndDate: IsoDate | null,
  { startDate }: Pick<TrialDays, 'startDate'>,
  { today, trialDays }: { readonly today: IsoDate; readonly trialDays: number | null },
): void {
  const passed = startDate < today ? daysFromTo(startDate, addDays(today, -1)) : 0;
  if (passed === 0 || (trialEndDate !== null && trialEndDate >= addDays(today, -1))) return;
  const text = `${passed} days have been free already`;
  throw invalid('trialDays', text, String(trialDays ?? ''));
}

/**
 * Whether pages demand a method of payment for an order.
 *
 * @example // the trial of the plan has the card required
 *   demandsCard(gold, order) // true
 */
export function demandsCard(
  { trial }: Pick<Plan, 'trial'>,
  { trialEndDate }: Pick<TrialDays, 'trialEndDate'>,
): boolean {
  return trialEndDate !== null && trial?.card === 'required';
}
