/** What pages say a plan, or an order that runs, costs: in each period, once, and with its coupon. */
import { kindOf, isDiscounted, isUsage } from '../billing/kinds.ts';
import { percentOf } from '../billing/rate/percent.ts';
import { periodIndexOf, type IsoDate, type Schedule } from '../calendar/calendar.ts';
import type { Coupon } from '../discounts/coupon.ts';
import { discountsPeriod, lastDiscountedDay, type CouponUses } from '../discounts/uses.ts';
import type { Plan } from '../plans/plan.ts';
import { add, compare, negate, sum, type Decimal } from '../money/money.ts';
import {
  pricedParts,
  wholePeriod,
  type PeriodPrice,
  type PriceView,
  type RecurringLine,
} from './per-day.ts';

/** Before discounts and taxes; only a price without any part is free. */
export interface PlanPrice extends PeriodPrice {
  /** Of what is billed once, at the start. */
  readonly once: Decimal;
  /** Usage costs as well, which nobody knows ahead. */
  readonly hasUsage: boolean;
}

/**
 * @example planPrice(lines, { billingPeriod: 'Monthly', currency: 'USD', today: '2027-01-15' })
 *   // { amount: '29.95', billingPeriod: 'Monthly', once: '49.00', hasUsage: false }
 */
export function planPrice(
  lines: readonly RecurringLine[],
  { billingPeriod, ...view }: PriceView & Pick<PeriodPrice, 'billingPeriod'>,
): PlanPrice {
  const active = lines.filter(({ isActive }) => isActive);
  const once = active.filter(({ charge }) => kindOf(charge) === 'oneTime');
  return {
    amount: sum(pricedParts(lines, view).map(({ amount }) => amount)),
    billingPeriod,
    once: sum(once.map((line) => wholePeriod(line, view.currency))),
    hasUsage: active.some(({ charge }) => isUsage(charge)),
  };
}

/**
 * Of a whole plan that somebody may order.
 *
 * @example listPrice(gold, { currency: 'USD', today: '2027-01-15' }).once // '49.00'
 */
export function listPrice({ charges, billingPeriod }: Plan, view: PriceView): PlanPrice {
  const lines = charges.map((charge) => ({
    charge,
    quantity: charge.standardQuantity,
    unitPrice: null,
    isActive: !charge.isPenalty,
  }));
  return planPrice(lines, { ...view, billingPeriod });
}

/** What a coupon takes off the order's period of today. */
export interface RunningCoupon {
  readonly code: string;
  /** Of the whole period, with the coupon. */
  readonly amount: Decimal;
  readonly isOnce: boolean;
  /** The last day that it discounts; null for one that holds on, or counts once. */
  readonly until: IsoDate | null;
}

export interface RunningPrice extends PlanPrice {
  readonly coupon: RunningCoupon | null;
}

/** An order with the coupon that it has. */
export interface CouponOrder {
  readonly schedule: Schedule;
  /** The period of its first day, counted from the anchor. */
  readonly firstPeriod: number;
  readonly couponPeriodsBefore: number;
  readonly couponUses: CouponUses;
}

/**
 * Null once the coupon is used up, or if it takes nothing off.
 *
 * @example // 29.95 a month with 10 percent off the first three months
 *   runningCoupon(welcome, order, { lines, currency: 'USD', today: '2027-02-01' })
 *   // { code: 'WELCOME10', amount: '26.95', isOnce: false, until: '2027-04-14' }
 */
export function runningCoupon(
  coupon: Coupon,
  { schedule, firstPeriod, couponPeriodsBefore, couponUses: uses }: CouponOrder,
  { lines, ...view }: PriceView & { readonly lines: readonly RecurringLine[] },
): RunningCoupon | null {
  const { code, percent, isOnce } = coupon;
  const countsFrom = firstPeriod - couponPeriodsBefore;
  const period = Math.max(firstPeriod, periodIndexOf(schedule, view.today));
  const once = { firstPeriod, countsFrom, sharedBy: 0, periodsSharedBy: 0, uses };
  if (!discountsPeriod({ coupon, ...once }, period)) return null;
  const parts = pricedParts(lines, view);
  const discounted = parts.filter(({ kind, amount }) => isDiscounted(kind) && isAbove(amount));
  const cost = sum(discounted.map(({ amount }) => amount));
  const off =
    percent === null
      ? least(coupon.amount ?? '0', cost)
      : sum(discounted.map(({ amount }) => percentOf(percent, amount, view.currency)));
  if (!isAbove(off)) return null;
  const amount = add(sum(parts.map((part) => part.amount)), negate(off));
  return { code, amount, isOnce, until: lastDiscountedDay(coupon, schedule, countsFrom) };
}

const isAbove = (amount: Decimal): boolean => compare(amount, '0') > 0;
const least = (one: Decimal, other: Decimal): Decimal => (compare(one, other) < 0 ? one : other);
