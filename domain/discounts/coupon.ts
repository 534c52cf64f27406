/** The terms of a coupon, and whether a new order may take it. */
import { DomainError } from '../errors.ts';
import type { Decimal, IsoDate } from '../model.ts';

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
}

/** What a coupon is to be used for. */
export interface CouponUse {
  readonly contractCode: string;
  readonly currency: string;
  readonly today: IsoDate;
  /** Where the caller named the coupon: an element or a parameter. */
  readonly path: string;
}

/**
 * Refuses a coupon outside its dates, of other plans, or of another currency.
 *
 * @example refuseCoupon(welcome, { contractCode: 'SILVER', currency: 'USD', today, path: 'promo' })
 *   // throws coupon.plan
 */
export function refuseCoupon(
  { code, startDate, endDate, plans, currency }: Coupon,
  use: CouponUse,
): void {
  const where = { path: use.path, value: code };
  if (startDate !== null && use.today < startDate) {
    throw new DomainError('coupon.notValid', `coupon ${code} begins on ${startDate}`, where);
  }
  if (endDate !== null && use.today > endDate) {
    throw new DomainError('coupon.notValid', `coupon ${code} ended on ${endDate}`, where);
  }
  if (plans !== null && !plans.includes(use.contractCode)) {
    throw new DomainError('coupon.plan', `coupon ${code} is not for ${use.contractCode}`, where);
  }
  if (currency !== null && currency !== use.currency) {
    const text = `coupon ${code} is an amount in ${currency}, not in ${use.currency}`;
    throw new DomainError('coupon.currency', text, where);
  }
}
