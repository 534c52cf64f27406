/** What an order costs from period to period once its first price is paid, until when its coupon holds, and its term. */
import type { IsoDate } from '../calendar/calendar.ts';
import { lastDiscountedDay } from '../discounts/uses.ts';
import type { OrderProposal } from '../orders/propose.ts';
import { billsFrom } from '../standing/trial.ts';
import { recurringPrice, type PeriodPrice } from './per-day.ts';

export interface Lasting {
  /** Its last free day, and the day on which it bills first; null without a trial. */
  readonly trial: { readonly to: IsoDate; readonly from: IsoDate } | null;
  /** Of a whole period, before discounts and taxes, and without usage. */
  readonly regular: PeriodPrice;
  readonly coupon: {
    readonly code: string;
    readonly isOnce: boolean;
    /** Its last day; null for one that holds on, or counts once. */
    readonly until: IsoDate | null;
  } | null;
  /** Of its term; null: it has none. */
  readonly end: { readonly on: IsoDate; readonly isRenewed: boolean } | null;
}

/**
 * What the order goes on with, by the terms that were decided on.
 *
 * @example lastingOf(gold, '2027-01-15').regular // { amount: '29.95', billingPeriod }
 */
export function lastingOf(order: OrderProposal, today: IsoDate): Lasting {
  const { plan, lines, currency, endDate, isAutoRenew, trialEndDate: to } = order;
  const { billingPeriod } = plan;
  const regular = { amount: recurringPrice(lines, { currency, today }), billingPeriod };
  const end = endDate === null ? null : { on: endDate, isRenewed: isAutoRenew };
  const trial = to === null ? null : { to, from: billsFrom(order) };
  return { trial, regular, coupon: couponOf(order), end };
}

/** Null also for one whose periods the orders before it have used up. */
function couponOf({
  plan: { billingPeriod, alignmentDay },
  coupon,
  anchor,
  firstPeriod,
  couponPeriodsBefore,
}: OrderProposal): Lasting['coupon'] {
  if (coupon === null) return null;
  const { code, isOnce, periods } = coupon;
  if (periods !== null && couponPeriodsBefore >= periods) return null;
  const schedule = { billingPeriod, anchor, alignmentDay };
  const until = lastDiscountedDay(coupon, schedule, firstPeriod - couponPeriodsBefore);
  return { code, isOnce, until };
}
