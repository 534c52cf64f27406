/** Says for the Web UI how far the coupon of an order is used. */
import { firstIndex, periodAt } from '../../domain/calendar/calendar.ts';
import type { WokenCoupon } from '../../db/queries/orders/wake.ts';

/** @example couponFact(welcome) // 'coupon WELCOME10: 2 of 3 periods, to 2027-04-14' */
export function couponFact(coupon: WokenCoupon): string {
  const { code, isOnce, periods, used, startDate } = coupon;
  if (isOnce) return `coupon ${code}: once, ${used === null ? 'not used yet' : 'used'}`;
  if (periods === null) return `coupon ${code}: for ever`;
  const last = periodAt(coupon, firstIndex(coupon, startDate) + periods - 1);
  const counted = `${used ?? 0} of ${periods} period${periods === 1 ? '' : 's'}`;
  return `coupon ${code}: ${counted}, to ${last.end}`;
}
