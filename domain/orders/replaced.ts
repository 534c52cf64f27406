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

/** The order before, as far as a new order depends on it. */
export interface Replaced {
  readonly id: number;
  readonly startDate: IsoDate;
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
 * the same; else its own, from its startDate on.
 *
 * @example // GOLD monthly since 2027-01-15, replaced on 2027-02-01 by another monthly plan
 *   scheduleAfter(silver, '2027-02-01', gold).anchor // '2027-01-15'
 */
export function scheduleAfter(
  plan: Alignment,
  startDate: IsoDate,
  replaced: Pick<Replaced, 'schedule'> | null,
): Schedule {
  const own = scheduleOf(plan, startDate);
  return replaced !== null && isAlignedAlike(own, replaced.schedule) ? replaced.schedule : own;
}

/**
 * How many of a coupon's periods are used before the order's first one, if the coupon is that of the
 * order that it replaces. A period that goes on counts once; of other periods each one begun counts.
 *
 * @example // three periods; the first one goes on
 *   couponPeriodsBefore(welcome, schedule, '2027-02-01', gold) // 0
 */
export function couponPeriodsBefore(
  coupon: Pick<Coupon, 'id'> | null,
  schedule: Schedule,
  startDate: IsoDate,
  replaced: Omit<Replaced, 'taken' | 'term' | 'request'> | null,
): number {
  if (coupon === null || replaced === null || coupon.id !== replaced.couponId) return 0;
  const { firstPeriod, couponPeriodsBefore: before } = replaced;
  if (isSameSchedule(schedule, replaced.schedule)) {
    return before + periodIndexOf(schedule, startDate) - firstPeriod;
  }
  if (startDate <= replaced.startDate) return before;
  return before + periodIndexOf(replaced.schedule, addDays(startDate, -1)) - firstPeriod + 1;
}
