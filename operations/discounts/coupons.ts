/** Coupons: by the code that a caller names, and by the version that an order keeps. */
import {
  refuseEnded,
  refuseMisused,
  type Coupon,
  type CouponUse,
} from '../../domain/discounts/coupon.ts';
import { DomainError } from '../../domain/errors.ts';
import type { IsoDate } from '../../domain/model.ts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { onceFor } from '../context/once-for.ts';

const CACHED_COUPONS_MAX = 10_000;
/** Ids are unique over all tenants of a database, and versions never change. */
const cacheFor = onceFor(
  (_db: Database) => new LRUCache<number, Coupon>({ max: CACHED_COUPONS_MAX }),
);

const columns = `id, code, trim_scale(percent)::text as percent, trim_scale(amount)::text as amount,
  currency, is_once as "isOnce", periods, plans, start_date as "startDate", end_date as "endDate"`;

/**
 * The versions of these ids; null stands for an order without a coupon.
 * @param db the database that the transaction belongs to
 */
export async function couponVersions(
  db: Database,
  tx: Tx,
  ids: Iterable<number | null>,
): Promise<ReadonlyMap<number, Coupon>> {
  const cache = cacheFor(db);
  const found = new Map<number, Coupon>();
  const missing: number[] = [];
  for (const id of new Set(ids)) {
    if (id === null) continue;
    const coupon = cache.get(id);
    if (coupon) found.set(id, coupon);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const rows = await tx.query<Coupon & Record<string, unknown>>(
    `select ${columns} from coupon where id = any($1)`,
    [missing],
    'coupons-by-id',
  );
  for (const coupon of rows) {
    cache.set(coupon.id, coupon);
    found.set(coupon.id, coupon);
  }
  return found;
}

/** The coupon of a code, as a new order takes it. */
export async function findCoupon(tx: Tx, code: string): Promise<Coupon | undefined> {
  const [coupon] = await tx.query<Coupon & Record<string, unknown>>(
    `select ${columns} from coupon where code = $1 and is_newest`,
    [code],
    'coupon-by-code',
  );
  return coupon;
}

/** Throws coupon.unknown, coupon.notValid, coupon.plan or coupon.currency. */
export function checkedCoupon(
  coupon: Coupon | undefined,
  code: string,
  { today, ...use }: CouponUse & { readonly today: IsoDate },
): Coupon {
  if (coupon === undefined) {
    const where = { path: use.path, value: code };
    throw new DomainError('coupon.unknown', `there is no coupon ${code}`, where);
  }
  refuseEnded(coupon, today, use.path);
  refuseMisused(coupon, use);
  return coupon;
}
