/** What an order takes over from the one that it replaces: periods, term, coupon, lines. */
import {
  addDays,
  isAlignedAlike,
  isSameSchedule,
  periodIndexOf,
  scheduleOf,
  type Alignment,
  type IsoDate,
  type Schedule,
} from '../calendar/calendar.ts';
import type { Coupon } from '../discounts/coupon.ts';
import type { EndSetAside } from './end.ts';
import type { TakenOver } from './lines.ts';
import { billsFrom, type TrialDays } from '../standing/trial.ts';

/** The order before, as far as a new order depends on it. */
export interface Replaced extends TrialDays {
  readonly id: number;
  readonly schedule: Schedule;
  readonly firstPeriod: number;
  readonly couponId: number | null;
  readonly couponPeriodsBefore: number;
  /** The term that goes on; null if the caller gave another end. */
  readonly term: { readonly termStart: IsoDate; readonly termFirstEnd: IsoDate | null } | null;
  /** Its requested end, if that goes on with the term. */
  readonly request: EndSetAside;
  readonly taken: TakenOver;
}

/**
 * The periods of an order: those of the order that it replaces, if billing period and alignment are
 * the same, and that one has billed days; else its own, from the day on from which it bills.
 *
 * @example // GOLD monthly since 2027-01-15, replaced on 2027-02-01 by another monthly plan
 *   scheduleAfter(silver, { startDate: '2027-02-01', trialEndDate: null }, gold).anchor // '2027-01-15'
 */
export function scheduleAfter(
  plan: Alignment,
  days: TrialDays,
  replaced: Pick<Replaced, 'schedule' | keyof TrialDays> | null,
): Schedule {
  const own = scheduleOf(plan, billsFrom(days));
  if (replaced === null || isBeforeBilling(days, replaced)) return own;
  return isAlignedAlike(own, replaced.schedule) ? replaced.schedule : own;
}

/** An order that is replaced in its trial has no periods that could go on. */
function isBeforeBilling({ startDate }: TrialDays, replaced: TrialDays): boolean {
  return startDate < billsFrom(replaced);
}

/**
 * How many of a coupon's periods are used before the order's first one, if the coupon is that of the
 * order that it replaces. A period that goes on counts once; of other periods each one begun counts.
 *
 * @example // three periods; the first one goes on
 *   couponPeriodsBefore(welcome, schedule, { startDate: '2027-02-01', trialEndDate: null }, gold) // 0
 */
export function couponPeriodsBefore(
  coupon: Pick<Coupon, 'id'> | null,
  schedule: Schedule,
  days: TrialDays,
  replaced: Omit<Replaced, 'taken' | 'term' | 'request'> | null,
): number {
  if (coupon === null || replaced === null || coupon.id !== replaced.couponId) return 0;
  const { firstPeriod, couponPeriodsBefore: before } = replaced;
  if (isBeforeBilling(days, replaced)) return before;
  if (isSameSchedule(schedule, replaced.schedule)) {
    return before + periodIndexOf(schedule, billsFrom(days)) - firstPeriod;
  }
  const { startDate } = days;
  if (startDate <= billsFrom(replaced)) return before;
  return before + periodIndexOf(replaced.schedule, addDays(startDate, -1)) - firstPeriod + 1;
}
