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
