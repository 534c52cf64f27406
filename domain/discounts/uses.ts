/** The coupon of an order, and what the order has used of it. */
import { periodAt, type IsoDate, type Schedule } from '../calendar/calendar.ts';
import { add, compare, negate, type Decimal } from '../money/money.ts';
import type { Coupon } from './coupon.ts';

/**
 * What an order has used of its coupon: derived from the discounts that were billed and not rolled
 * back, never counted.
 */
export interface CouponUses {
  /** A discount of it stands. */
  readonly isUsed: boolean;
  /**
   * Of a fixed amount: what was taken off, above zero, by the index of the order's period. Periods
   * that bill nothing more may be left out.
   */
  readonly byPeriod: ReadonlyMap<number, Decimal>;
  /** What a change credits of it on the invoice that is being made, above zero. */
  readonly givenBack: Decimal;
}

export const noUses: CouponUses = { isUsed: false, byPeriod: new Map(), givenBack: '0' };

/**
 * What orders of one chain have used of the same coupon, each of which may know less; what a change
 * gives back is of each order alone.
 *
 * @example joinedUses(current, next) // of each period, the larger amount
 */
export function joinedUses(left: CouponUses, right: CouponUses): CouponUses {
  const byPeriod = new Map(left.byPeriod);
  for (const [period, amount] of right.byPeriod) {
    const other = byPeriod.get(period);
    if (other === undefined || compare(amount, other) > 0) byPeriod.set(period, amount);
  }
  return { ...left, isUsed: left.isUsed || right.isUsed, byPeriod };
}

/**
 * Uses with what others took of the same periods meanwhile.
 *
 * @example withTaken(uses, { ...noUses, byPeriod: new Map([[0, '5.00']]) }) // 5.00 less is left of period 0
 */
export function withTaken(uses: CouponUses, taken: CouponUses): CouponUses {
  const byPeriod = new Map(uses.byPeriod);
  for (const [period, amount] of taken.byPeriod) {
    byPeriod.set(period, add(byPeriod.get(period) ?? '0', amount));
  }
  return { ...uses, byPeriod };
}

/** A discount that a change gives back in part: its period, and how much, above zero. */
export interface GivenBack {
  readonly periodIndex: number;
  readonly amount: Decimal;
}

/** @example usesWithout(uses, [{ periodIndex: 0, amount: '0.86' }]) // 0.86 more is left of period 0 */
export function usesWithout(uses: CouponUses, given: readonly GivenBack[]): CouponUses {
  const byPeriod = new Map(uses.byPeriod);
  let { givenBack } = uses;
  for (const { periodIndex, amount } of given) {
    const used = byPeriod.get(periodIndex);
    if (used !== undefined) byPeriod.set(periodIndex, add(used, negate(amount)));
    givenBack = add(givenBack, amount);
  }
  return { ...uses, byPeriod, givenBack };
}

export interface OrderCoupon {
  readonly coupon: Coupon;
  /** The index of the order's first period, to which one-time charges belong. */
  readonly firstPeriod: number;
  /** The index of the period from which the coupon's count: earlier if orders before used it. */
  readonly countsFrom: number;
  /** The first of the orders that use it up together, by its id. */
  readonly sharedBy: number;
  /** The first of those of them that have the same periods, by its id. */
  readonly periodsSharedBy: number;
  readonly uses: CouponUses;
}

/**
 * Whether the coupon discounts what an order bills for a period.
 *
 * @example // three periods from the first one, whose index is -1
 *   discountsPeriod(welcome, 2) // false: the fourth
 */
export function discountsPeriod(
  { coupon: { isOnce, periods }, countsFrom, uses }: OrderCoupon,
  periodIndex: number,
): boolean {
  if (isOnce) return !uses.isUsed || compare(uses.givenBack, '0') > 0;
  return periods === null || periodIndex - countsFrom < periods;
}

/**
 * The last day of the last period that the coupon discounts; null if it counts no periods.
 *
 * @param countsFrom the index of the period from which its periods count
 */
export function lastDiscountedDay(
  { isOnce, periods }: Pick<Coupon, 'isOnce' | 'periods'>,
  schedule: Schedule,
  countsFrom: number,
): IsoDate | null {
  return isOnce || periods === null ? null : periodAt(schedule, countsFrom + periods - 1).end;
}
