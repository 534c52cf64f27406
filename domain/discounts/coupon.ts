/** The terms of a coupon, and whether a new order may take it. */
import { DomainError } from '../errors.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';

/** One version of a coupon of the tenant's file; it never changes. */
export interface Coupon {
  readonly id: number;
  readonly code: string;
  /** Either this or `amount`. */
  readonly percent: Decimal | null;
  /** For each period of an order, in `currency`. */
  readonly amount: Decimal | null;
  readonly currency: string | null;
  /** On one invoice only. Without this and `periods`, for ever. */
  readonly isOnce: boolean;
  /** The number of an order's periods that it discounts, from the first on. */
  readonly periods: number | null;
  /** The contractCodes of its plans; null: every plan. */
  readonly plans: readonly string[] | null;
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  /** How many chains of orders may have it at a time; null: any number. */
  readonly maxRedemptions: number | null;
  /** A customer may have it in one chain of orders only. */
  readonly oncePerCustomer: boolean;
}

/** What a coupon is to be used for. */
export interface CouponUse {
  readonly contractCode: string;
  readonly currency: string;
  /** Where the caller named the coupon: an element or a parameter. */
  readonly path: string;
}

/**
 * Refuses a coupon on a day outside its dates; an order that has it keeps it beyond them.
 *
 * @example refuseEnded(welcome, '2028-01-01', 'promo') // throws coupon.notValid
 */
export function refuseEnded(
  { code, startDate, endDate }: Coupon,
  today: IsoDate,
  path: string,
): void {
  const where = { path, value: code };
  if (startDate !== null && today < startDate) {
    throw new DomainError('coupon.notValid', `coupon ${code} begins on ${startDate}`, where);
  }
  if (endDate !== null && today > endDate) {
    throw new DomainError('coupon.notValid', `coupon ${code} ended on ${endDate}`, where);
  }
}

/**
 * Refuses a coupon of other plans, or of another currency.
 *
 * @example refuseMisused(welcome, { contractCode: 'SILVER', currency: 'USD', path: 'promo' })
 *   // throws coupon.plan
 */
export function refuseMisused({ code, plans, currency }: Coupon, use: CouponUse): void {
  const where = { path: use.path, value: code };
  if (plans !== null && !plans.includes(use.contractCode)) {
    throw new DomainError('coupon.plan', `coupon ${code} is not for ${use.contractCode}`, where);
  }
  if (currency !== null && currency !== use.currency) {
    const text = `coupon ${code} is an amount in ${currency}, not in ${use.currency}`;
    throw new DomainError('coupon.currency', text, where);
  }
}

/** The redemptions that a coupon has before another one. */
export interface Redeemed {
  readonly count: number;
  /** One of them is of the customer that asks for another. */
  readonly isCustomers: boolean;
}

/**
 * Refuses a coupon that is used up, or that its customer has used.
 *
 * @example refuseRedeemed(launch, { count: 100, isCustomers: false }, 'promo') // throws coupon.usedUp
 */
export function refuseRedeemed(
  { code, maxRedemptions, oncePerCustomer }: Coupon,
  { count, isCustomers }: Redeemed,
  path: string,
): void {
  if (oncePerCustomer && isCustomers) throw usedByCustomer(code, path);
  if (maxRedemptions !== null && count >= maxRedemptions) throw usedUp(code, path);
}

/** @example throw usedByCustomer('LAUNCH', 'couponCode') */
export function usedByCustomer(code: string, path: string): DomainError {
  const text = `coupon ${code} is for one order of a customer`;
  return new DomainError('coupon.usedByCustomer', text, { path, value: code });
}

/** @example throw usedUp('LAUNCH', 'promo') */
export function usedUp(code: string, path: string): DomainError {
  return new DomainError('coupon.usedUp', `coupon ${code} is used up`, { path, value: code });
}
