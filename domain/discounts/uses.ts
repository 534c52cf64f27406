/** The coupon of an order, and what the order has used of it. */
import type { Decimal } from '../model.ts';
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
}

export const noUses: CouponUses = { isUsed: false, byPeriod: new Map() };

export interface OrderCoupon {
  readonly coupon: Coupon;
  /** The index of the order's first period, from which the coupon's periods count. */
  readonly firstPeriod: number;
  readonly uses: CouponUses;
}

/**
 * Whether the coupon discounts what an order bills for a period.
 *
 * @example // three periods from the first one, whose index is -1
 *   discountsPeriod(welcome, 2) // false: the fourth
 */
export function discountsPeriod(
  { coupon: { isOnce, periods }, firstPeriod, uses }: OrderCoupon,
  periodIndex: number,
): boolean {
  if (isOnce) return !uses.isUsed;
  return periods === null || periodIndex - firstPeriod < periods;
}
