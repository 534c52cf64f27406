/** Discounts of an order's coupon on the charges that one invoice has of the order. */
import { discountsPeriod, type CouponUses, type OrderCoupon } from '../../discounts/uses.ts';
import {
  add,
  compare,
  formatAmount,
  negate,
  shareOf,
  sum,
  type Decimal,
} from '../../money/money.ts';
import { givesBack, isPriced, type DiscountCharge, type RatedCharge } from '../charges.ts';
import type { DueCharge, UsageWindow } from '../due/due-charges.ts';
import { isDiscounted } from '../kinds.ts';
import { percentOf } from './percent.ts';

export interface Discounted {
  /** Each discount follows what it discounts. */
  readonly charges: readonly RatedCharge[];
  /** After these discounts. */
  readonly uses: CouponUses;
}

/** What one discount is taken off: a line's period or window, its tiers together. */
interface Discountable {
  readonly what: DueCharge | UsageWindow;
  readonly periodIndex: number;
  /** What it costs, above zero. */
  readonly amount: Decimal;
}

/**
 * Takes a coupon off the charges above zero that its periods cover, never more than they cost. A
 * fixed amount is shared out over the charges of each period, as far as earlier invoices left it.
 *
 * @example // 49.00 once and a fee of 29.95, a coupon of 5.00
 *   withDiscounts(charges, coupon, 'USD') // 49.00, -3.10, 29.95, -1.90
 */
export function withDiscounts(
  charges: readonly RatedCharge[],
  order: OrderCoupon,
  currency: string,
): Discounted {
  const found = discountables(charges, order).filter(({ periodIndex }) =>
    discountsPeriod(order, periodIndex),
  );
  const { id, code, percent } = order.coupon;
  const amounts =
    percent === null
      ? fixedAmounts(found, order, currency)
      : found.map(({ amount }) => percentOf(percent, amount, currency));
  const taken = atMost(leftOfOnce(order), amounts, currency);
  const coupon = { id, code, percent };
  const discounts = found.flatMap(({ what, periodIndex }, index): DiscountCharge[] => {
    const amount = formatAmount(currency, negate(taken[index] ?? '0'));
    if (compare(amount, '0') === 0) return [];
    return [{ kind: 'discount', coupon, discounts: what, periodIndex, amount }];
  });
  return { charges: inserted(charges, discounts), uses: usesAfter(order.uses, discounts) };
}

/** @example usesAfter(noUses, [discount]).isUsed // true */
export function usesAfter(uses: CouponUses, discounts: readonly DiscountCharge[]): CouponUses {
  if (discounts.length === 0) return uses;
  const byPeriod = new Map(uses.byPeriod);
  for (const { periodIndex, amount } of discounts) {
    byPeriod.set(periodIndex, add(byPeriod.get(periodIndex) ?? '0', negate(amount)));
  }
  const given = add(uses.givenBack, sum(discounts.map(({ amount }) => amount)));
  return { isUsed: true, byPeriod, givenBack: compare(given, '0') > 0 ? given : '0' };
}

/** What a coupon for one invoice has left; null if nothing limits it but its own terms. */
function leftOfOnce({ coupon, uses }: OrderCoupon): Decimal | null {
  return coupon.isOnce && uses.isUsed ? uses.givenBack : null;
}

/** Discounts of some charges, reduced to a limit by what each takes. */
function atMost(
  limit: Decimal | null,
  amounts: readonly Decimal[],
  currency: string,
): readonly Decimal[] {
  const cost = sum(amounts);
  if (limit === null || compare(cost, limit) <= 0) return amounts;
  const parts = amounts.map((amount) => ({ amount }));
  return sharedOut(limit, parts, { cost, currency });
}

function discountables(
  charges: readonly RatedCharge[],
  order: OrderCoupon,
): readonly Discountable[] {
  const amounts = new Map<DueCharge | UsageWindow, Decimal>();
  for (const charge of charges) {
    const what = discountedBy(charge);
    if (what === null || !isPriced(charge)) continue;
    // A supplied amount below zero reduces what a window costs.
    if (charge.kind !== 'usage' && compare(charge.amount, '0') <= 0) continue;
    amounts.set(what, add(amounts.get(what) ?? '0', charge.amount));
  }
  return [...amounts].flatMap(([what, amount]) => {
    if (compare(amount, '0') <= 0) return [];
    const isOnce = what.line.charge.chargeType === 'OneTimeCharge';
    return [{ what, amount, periodIndex: isOnce ? order.firstPeriod : periodOf(what) }];
  });
}

function periodOf(what: DueCharge | UsageWindow): number {
  return 'ofPeriod' in what ? what.ofPeriod : what.periodIndex;
}

/** The period or window of a charge that coupons discount; null for charges of other kinds. */
function discountedBy(charge: RatedCharge): DueCharge | UsageWindow | null {
  if (!isDiscounted(charge.kind) || givesBack(charge)) return null;
  if ('window' in charge) return charge.window;
  return 'due' in charge ? charge.due : null;
}

/** In the order of what is found. A coupon for one invoice has its amount once, not for each period. */
function fixedAmounts(
  found: readonly Discountable[],
  { coupon, uses }: OrderCoupon,
  currency: string,
): readonly Decimal[] {
  const amounts = new Map<Discountable, Decimal>();
  const whole = formatAmount(currency, coupon.amount ?? '0');
  const groups = Map.groupBy(found, ({ periodIndex }) => (coupon.isOnce ? null : periodIndex));
  for (const [periodIndex, together] of groups) {
    const used = periodIndex === null ? '0' : (uses.byPeriod.get(periodIndex) ?? '0');
    const left = add(whole, negate(used));
    const cost = sum(together.map(({ amount }) => amount));
    if (compare(left, '0') <= 0) continue;
    const shares = sharedOut(least(left, cost), together, { cost, currency });
    for (const [index, each] of together.entries()) amounts.set(each, shares[index] ?? '0');
  }
  return found.map((each) => amounts.get(each) ?? '0');
}

/**
 * Shares an amount out by what each part costs. What rounding leaves goes to the last one, and to
 * those before it as far as it would be more than they cost.
 */
function sharedOut(
  amount: Decimal,
  parts: readonly Pick<Discountable, 'amount'>[],
  { cost, currency }: { readonly cost: Decimal; readonly currency: string },
): Decimal[] {
  let left = amount;
  const shares = parts.map((part) => {
    const share = least(left, shareOf(amount, { part: part.amount, whole: cost, currency }));
    left = add(left, negate(share));
    return { part, share };
  });
  return shares
    .toReversed()
    .map(({ part, share }) => {
      const more = least(left, add(part.amount, negate(share)));
      left = add(left, negate(more));
      return add(share, more);
    })
    .toReversed();
}

function least(left: Decimal, right: Decimal): Decimal {
  return compare(left, right) < 0 ? left : right;
}

/** The charges with each discount after the last charge of what it discounts. */
function inserted(
  charges: readonly RatedCharge[],
  discounts: readonly DiscountCharge[],
): readonly RatedCharge[] {
  const lastOf = new Map(charges.map((charge) => [discountedBy(charge), charge]));
  const after = new Map(discounts.map((each) => [lastOf.get(each.discounts), each]));
  return charges.flatMap((charge) => {
    const discount = after.get(charge);
    return discount === undefined ? [charge] : [charge, discount];
  });
}
