/** What a new order costs from period to period once its first price is paid, and how long its coupon holds. */
import { periodAt } from '../../domain/calendar/calendar.ts';
import type { IsoDate } from '../../domain/model.ts';
import type { OrderProposal } from '../../domain/orders/propose.ts';
import { recurringPrice } from '../../domain/self-service/per-day.ts';
import type { PeriodPrice } from '../../domain/self-service/per-day.ts';

export interface Lasting {
  /** Of a whole period, before discounts and taxes, and without usage. */
  readonly regular: PeriodPrice;
  readonly coupon: {
    readonly code: string;
    readonly isOnce: boolean;
    /** Its last day; null for one that holds on, or counts once. */
    readonly until: IsoDate | null;
  } | null;
}

export function lastingOf(order: OrderProposal, today: IsoDate): Lasting {
  const { plan, coupon, lines, currency, anchor, firstPeriod, couponPeriodsBefore } = order;
  const { billingPeriod, alignmentDay } = plan;
  const regular = { amount: recurringPrice(lines, { currency, today }), billingPeriod };
  if (coupon === null) return { regular, coupon: null };
  const { code, isOnce, periods } = coupon;
  const schedule = { billingPeriod, anchor, alignmentDay };
  const last = firstPeriod - couponPeriodsBefore + (periods ?? 1) - 1;
  const until = isOnce || periods === null ? null : periodAt(schedule, last).end;
  return { regular, coupon: { code, isOnce, until } };
}
