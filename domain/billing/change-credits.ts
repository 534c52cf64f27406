/** The credits of orders that were replaced, and what they give back of coupons that go on. */
import type { CreditCharge } from './charges.ts';
import { creditCharges, creditDueOn } from './credit.ts';
import { isSameSchedule } from '../calendar/calendar.ts';
import { usesWithout, type CouponUses, type GivenBack } from '../discounts/uses.ts';
import type { OpenedOrder, RatingBasis } from './open-orders.ts';

/** The credits that are billed now, by order; none may be left of a credit that was due. */
export type Credits = ReadonlyMap<OpenedOrder, readonly CreditCharge[]>;

/** @example creditsDue(opened, basis).get(replaced) // the credit of its unused days */
export function creditsDue(orders: readonly OpenedOrder[], basis: RatingBasis): Credits {
  const credits = new Map<OpenedOrder, readonly CreditCharge[]>();
  for (const opened of orders) {
    const { order, upTo } = opened;
    const unusedFrom = creditDueOn(order);
    if (unusedFrom === null || upTo === null || unusedFrom > upTo) continue;
    const { schedule, pauses, currency, startDate } = order;
    const isWhole = unusedFrom === startDate;
    const view = { unusedFrom, isWhole, schedule, pauses, currency };
    credits.set(opened, creditCharges(basis.unused.get(order.id) ?? [], view));
  }
  return credits;
}

/** What an order has used of its coupon, and with which others it uses it up. */
export interface SharedUses {
  readonly uses: CouponUses;
  /** Afterwards, but for what this rating takes: what a change gives back is free for all of them. */
  readonly usesAfter: CouponUses;
  /** The first of them in this rating, by its id. */
  readonly sharedBy: number;
  /** The first of those of them that have the same periods. */
  readonly periodsSharedBy: number;
}

/**
 * The coupon uses of orders in one rating: orders of a chain with the same coupon use it up
 * together, and what their credits give back is free again. By order; one whose uses are its own
 * may be left out.
 *
 * @example sharedUses(opened, credits).get(gold.id)?.sharedBy
 */
export function sharedUses(
  orders: readonly OpenedOrder[],
  credits: Credits,
): ReadonlyMap<number, SharedUses> {
  const isShared = orders.some(({ row }) => row.couponId !== null && row.previousOrderId !== null);
  if (!isShared) return new Map();
  const rootOf = new Map<number, number>();
  const periodsRootOf = new Map<number, number>();
  const byId = new Map(orders.map((opened) => [opened.row.id, opened]));
  for (const { row, order } of orders) {
    const { id, couponId, previousOrderId } = row;
    const before = previousOrderId === null ? undefined : byId.get(previousOrderId);
    const goesOn = couponId !== null && before?.row.couponId === couponId;
    rootOf.set(id, goesOn ? (rootOf.get(before.row.id) ?? id) : id);
    const isKept = goesOn && isSameSchedule(before.order.schedule, order.schedule);
    periodsRootOf.set(id, isKept ? (periodsRootOf.get(before.row.id) ?? id) : id);
  }
  const given = new Map<number, GivenBack[]>();
  for (const [{ row }, charges] of credits) {
    const root = rootOf.get(row.id) ?? row.id;
    const back = charges.flatMap(({ credits: { discount }, amount }) =>
      discount?.couponId === row.couponId ? [{ periodIndex: discount.periodIndex, amount }] : [],
    );
    given.set(root, [...(given.get(root) ?? []), ...back]);
  }
  return new Map(
    orders.map((opened) => {
      const { id, couponUses } = opened.row;
      const sharedBy = rootOf.get(id) ?? id;
      const back = given.get(sharedBy) ?? [];
      const usesAfter = back.length === 0 ? couponUses : usesWithout(couponUses, back);
      // What is given back is for the order that goes on, not for the last charges of this one.
      const uses = credits.has(opened) ? couponUses : usesAfter;
      return [id, { uses, usesAfter, sharedBy, periodsSharedBy: periodsRootOf.get(id) ?? id }];
    }),
  );
}
