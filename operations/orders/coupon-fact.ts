/** Says for the Web UI how far the coupon of an order is used. */
import { periodAt } from '../../domain/calendar/calendar.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { WokenCoupon } from '../../db/queries/orders/wake.ts';

/** @example couponFact(welcome) // 'coupon WELCOME10: 2 of 3 periods, to 2027-04-14' */
export function couponFact(coupon: WokenCoupon): string {
  const { code, isOnce, periods, used } = coupon;
  if (isOnce) return `coupon ${code}: once, ${used === null ? 'not used yet' : 'used'}`;
  if (periods === null) return `coupon ${code}: for ever`;
  const counted = `${used ?? 0} of ${periods} period${periods === 1 ? '' : 's'}`;
  return `coupon ${code}: ${counted}, to ${couponEnd(coupon)}`;
}

/** The last day of its last period; null if it counts no periods. */
export function couponEnd(coupon: WokenCoupon): IsoDate | null {
  const { isOnce, periods, firstPeriod } = coupon;
  return isOnce || periods === null ? null : periodAt(coupon, firstPeriod + periods - 1).end;
}
