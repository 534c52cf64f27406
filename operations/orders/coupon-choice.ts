/** Finds the coupon that an order takes, or keeps. */
import { refuseMisused, type Coupon } from '../../domain/discounts/coupon.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import type { OrderInput } from '../../domain/orders/input.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { checkedCoupon, couponHint, couponVersions, findCoupon } from '../discounts/coupons.ts';

const path = 'subscriptionOrder/couponCode';

/** What an order would be with the coupon. */
export interface CouponBasis {
  readonly plan: Plan;
  readonly currency: string;
  readonly today: IsoDate;
}

/** The coupon that a new order names; null if it names none. Throws as `checkedCoupon`. */
export async function chosenCoupon(
  tx: Tx,
  { couponCode }: Pick<OrderInput, 'couponCode'>,
  { plan: { contractCode }, currency, today }: CouponBasis,
): Promise<Coupon | null> {
  if (!couponCode) return null;
  const coupon = await findCoupon(tx, couponCode);
  const hint = coupon === undefined ? await couponHint(tx, couponCode) : '';
  return checkedCoupon(coupon, couponCode, { contractCode, currency, today, path, hint });
}

/**
 * The coupon of an order that replaces another: the one that the caller names; the current order's
 * own goes on in its version, also beyond its endDate. Throws as `checkedCoupon`.
 */
export async function keptCoupon(
  tx: Tx,
  own: Coupon | null,
  input: Pick<OrderInput, 'couponCode'>,
  basis: CouponBasis,
): Promise<Coupon | null> {
  if (own === null || input.couponCode !== own.code) return chosenCoupon(tx, input, basis);
  const { plan, currency } = basis;
  refuseMisused(own, { contractCode: plan.contractCode, currency, path });
  return own;
}

/**
 * The coupon of a stored order after a change: the one that the caller names, or else the one that
 * it has, in the version that it has. Throws as `checkedCoupon`.
 */
export async function couponAfter(
  db: Database,
  tx: Tx,
  stored: { readonly couponId?: number | null | undefined },
  change: CouponBasis &
    Pick<OrderInput, 'couponCode'> & {
      /** The coupon of the order that it will replace. */
      readonly ofCurrent: number | null;
    },
): Promise<number | null> {
  const { couponCode, ofCurrent } = change;
  const id = stored.couponId ?? null;
  const versions = await couponVersions(db, tx, [id, ofCurrent]);
  const coupon = versions.get(id ?? 0);
  const isKept = couponCode === undefined || couponCode === coupon?.code;
  if (!isKept) {
    const own = versions.get(ofCurrent ?? 0) ?? null;
    return (await keptCoupon(tx, own, change, change))?.id ?? null;
  }
  if (coupon === undefined) return null;
  const { plan, currency } = change;
  refuseMisused(coupon, { contractCode: plan.contractCode, currency, path });
  return coupon.id;
}
