/** Coupons: by the code that a caller names, and by the version that an order keeps. */
import {
  refuseEnded,
  refuseMisused,
  refuseRedeemed,
  type Coupon,
  type CouponUse,
} from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { lockRedemptions, readRedemptions } from '../../db/queries/discounts/redemptions.ts';
import { COMPARED_MAX, didYouMean } from '../context/nearest.ts';
import { versionsById } from '../context/versions.ts';

const columns = `id, code, trim_scale(percent)::text as percent, trim_scale(amount)::text as amount,
  currency, is_once, periods, plans, start_date, end_date, max_redemptions, once_per_customer`;

const versions = versionsById((tx, ids) =>
  tx.query<Coupon & Record<string, unknown>>(
    `select ${columns} from coupon where id = any($1)`,
    [ids],
    'coupons-by-id',
  ),
);

/**
 * The versions of these ids; null stands for an order without a coupon.
 * @param db the database that the transaction belongs to
 */
export const couponVersions = (
  db: Database,
  tx: Pick<Tx, 'query'>,
  ids: Iterable<number | null>,
): Promise<ReadonlyMap<number, Coupon>> =>
  versions(
    db,
    tx,
    [...ids].filter((id) => id !== null),
  );

/** The coupon of a code, as a new order takes it. */
export async function findCoupon(tx: Tx, code: string): Promise<Coupon | undefined> {
  const [coupon] = await tx.query<Coupon & Record<string, unknown>>(
    `select ${columns} from coupon where code = $1 and is_newest`,
    [code],
    'coupon-by-code',
  );
  return coupon;
}

/**
 * What the refusal of an unknown code ends with: the code that it resembles. Only for calls, since
 * visitors of pages must not learn codes.
 */
export async function couponHint(tx: Tx, code: string): Promise<string> {
  const coupons = await tx.query<{ code: string }>(
    'select code from coupon where tenant_id = $1 and is_newest limit $2',
    [tx.tenantId, COMPARED_MAX],
    'coupon-codes',
  );
  return didYouMean(
    code,
    coupons.map((coupon) => coupon.code),
  );
}

/** Throws coupon.unknown, coupon.notValid, coupon.plan or coupon.currency. */
export function checkedCoupon(
  coupon: Coupon | undefined,
  code: string,
  { today, hint = '', ...use }: CouponUse & { readonly today: IsoDate; readonly hint?: string },
): Coupon {
  if (coupon === undefined) {
    const where = { path: use.path, value: code };
    throw new DomainError('coupon.unknown', `there is no coupon ${code}${hint}`, where);
  }
  refuseEnded(coupon, today, use.path);
  refuseMisused(coupon, use);
  return coupon;
}

/** Who redeems a coupon. */
export interface Redeeming {
  /** Null: nobody that is known, or proven. */
  readonly customerId: number | null;
  /** The order is about to be stored; a quote locks nobody. */
  readonly isForGood: boolean;
  readonly path: string;
}

/**
 * Throws coupon.usedUp or coupon.usedByCustomer. For good it counts alone until the transaction ends,
 * which holds the customer's lock already.
 */
export async function refuseUsed(
  tx: Tx,
  coupon: Coupon,
  { customerId, isForGood, path }: Redeeming,
): Promise<void> {
  const { code, maxRedemptions: limit, oncePerCustomer } = coupon;
  if (limit === null && !oncePerCustomer) return;
  if (limit !== null && isForGood) await lockRedemptions(tx, code);
  const asked = { code, limit, customerId: oncePerCustomer ? customerId : null };
  refuseRedeemed(coupon, await readRedemptions(tx, asked), path);
}

/** Whether the customer has used a coupon that is for one order of it. */
export async function isCustomers(tx: Tx, coupon: Coupon, customerId: number): Promise<boolean> {
  if (!coupon.oncePerCustomer) return false;
  const asked = { code: coupon.code, limit: null, customerId };
  return (await readRedemptions(tx, asked)).isCustomers;
}
