/** Recomputes what a coupon takes off: percentages, amounts per period, and coupons for once. */
import type { CouponTerms, ShownOrder } from './documents.ts';
import { periodOf } from './days.ts';
import { groupOf } from './fees.ts';
import { asText, exact, inMinor, percentOf, rounded, sumOf } from './figures.ts';
import {
  keptFrom,
  nameOf,
  objectOf,
  type BilledLine,
  type Charge,
  type Findings,
  type Reading,
  billedFrom,
} from './reading.ts';
import { isDiscountable, sumBy } from './shares.ts';

/** Charges of one order line and its days, which one discount is taken off. */
interface Group {
  readonly key: string;
  readonly charges: readonly Charge[];
  readonly total: bigint;
  /** Counted from the period in which the coupon began. */
  readonly period: number;
}

/**
 * @example recomputeDiscounts(reading, line, findings)
 */
export function recomputeDiscounts(reading: Reading, line: BilledLine, findings: Findings): void {
  const coupon = reading.shown.coupons.get(line.order.id);
  const discounts = line.charges.filter(({ kind }) => kind === 'discount');
  const wrong = (detail: string): void =>
    findings.fault('recompute.discount', objectOf(line.invoice), detail);
  if (!coupon) {
    for (const each of discounts) wrong(`${nameOf(line, each)} is of no coupon of the order`);
    return;
  }
  const all = groupsOf(reading, line);
  const groups = all.filter(({ period }) => coupon.periods === null || period <= coupon.periods);
  const should = shouldBe(reading, line, { coupon, groups });
  if (typeof should === 'string') return findings.skip(should);
  findings.counted(discounts.length);
  const billed = Map.groupBy(discounts, groupOf);
  for (const { key, charges, period } of all) {
    const takes = sumBy(billed.get(key) ?? [], ({ minor }) => minor);
    const amount = -(should.get(key) ?? 0n);
    billed.delete(key);
    if (takes === amount) continue;
    const of = charges.map((each) => nameOf(line, each)).join(', ');
    const [is, be] = [takes, amount].map((each) => asText(each, line.digits));
    wrong(`${coupon.code} takes ${is} off ${of} in period ${period}, should be ${be}`);
  }
  for (const [each] of billed.values()) {
    if (each) wrong(`${nameOf(line, each)} discounts no charge above zero`);
  }
}

/** What each group loses, by its key; a text says why it cannot be told. */
function shouldBe(
  reading: Reading,
  line: BilledLine,
  { coupon, groups }: { readonly coupon: CouponTerms; readonly groups: readonly Group[] },
): Map<string, bigint> | string {
  if (coupon.isOnce) {
    const isFirst = isFirstDiscounted(reading, line);
    if (typeof isFirst === 'string') return isFirst;
    if (!isFirst) return new Map();
  }
  const { percent, amount } = coupon;
  if (percent !== null) {
    return new Map(groups.map(({ key, total }) => [key, percentOf(total, percent)]));
  }
  const whole = inMinor(exact(amount ?? '0'), line.digits);
  if (coupon.isOnce) return spread(groups, whole);
  const taken = new Map<string, bigint>();
  for (const [period, each] of Map.groupBy(groups, (group) => group.period)) {
    const used = usedBefore(reading, line, period);
    if (typeof used === 'string') return used;
    for (const [key, share] of spread(each, whole - used)) taken.set(key, share);
  }
  return taken;
}

/** By the amounts, rounded; the last takes the rest. Never more than they cost. */
function spread(groups: readonly Group[], amount: bigint): Map<string, bigint> {
  const total = sumOf(groups.map((group) => group.total));
  const all = amount < 0n ? 0n : amount < total ? amount : total;
  let rest = all;
  return new Map(
    groups.map(({ key, total: own }, index): [string, bigint] => {
      const isLast = index === groups.length - 1;
      const share = isLast ? rest : rounded({ over: all * own, under: total });
      rest -= share;
      return [key, share];
    }),
  );
}

function groupsOf(reading: Reading, line: BilledLine): Group[] {
  const groups = Map.groupBy(line.charges.filter(isDiscountable), groupOf);
  const above = [...groups].filter(([, charges]) => sumBy(charges, ({ minor }) => minor) > 0n);
  return above.map(([key, charges]) => ({
    key,
    charges,
    total: sumBy(charges, ({ minor }) => minor),
    period: Math.max(...charges.map((charge) => couponPeriod(reading, line.order, charge))),
  }));
}

/** One-time charges belong to the first period, a usage window to that of its last day. */
function couponPeriod(reading: Reading, order: ShownOrder, charge: Charge): number {
  const isOnce = charge.of?.chargeType === 'OneTimeCharge';
  return periodNumber(reading, order, isOnce ? billedFrom(order) : (charge.billingEndDate ?? ''));
}

/** A change that names the coupon again goes on with its periods; each that was begun is used. */
function periodNumber(reading: Reading, order: ShownOrder, day: string): number {
  const { orders } = reading.shown;
  const schedule = reading.scheduleOf(order);
  const before = orders.get(order.previousOrderId ?? 0);
  const goesOn = before !== undefined && isSameCoupon(reading, before, order);
  if (goesOn && keptFrom(reading.shown, order)) return periodNumber(reading, before, day);
  const used =
    goesOn && before.endDate !== null && before.endDate >= billedFrom(before)
      ? periodNumber(reading, before, before.endDate)
      : 0;
  return used + periodOf(schedule, day).index - periodOf(schedule, billedFrom(order)).index + 1;
}

function isSameCoupon({ shown }: Reading, one: ShownOrder, other: ShownOrder): boolean {
  const [a, b] = [one, other].map(({ id }) => shown.coupons.get(id)?.code);
  return a !== undefined && a === b;
}

/** Orders that use up the same periods of one coupon: those that changes kept the periods of. */
function sharers(reading: Reading, order: ShownOrder): ShownOrder[] {
  const { orders } = reading.shown;
  const isKept = (before: ShownOrder, after: ShownOrder): boolean =>
    keptFrom(reading.shown, after)?.id === before.id && isSameCoupon(reading, before, after);
  const chain = [order];
  for (let at = order; ;) {
    const before = orders.get(at.previousOrderId ?? 0);
    if (!before || !isKept(before, at)) break;
    chain.push(before);
    at = before;
  }
  for (let at = order; ;) {
    const after = orders.get(at.nextOrderId ?? 0);
    if (!after || !isKept(at, after)) break;
    chain.push(after);
    at = after;
  }
  return chain;
}

/** What stands of a period's amount before a line is billed. */
function usedBefore(reading: Reading, line: BilledLine, period: number): bigint | string {
  let used = 0n;
  for (const sharer of sharers(reading, line.order)) {
    const lines = reading.linesOf(sharer.id);
    if (lines.length < sharer.invoiceIds.length) return 'a fixed coupon of an order of long ago';
    for (const at of lines) {
      const isSame = at.invoice.id === line.invoice.id && sharer.id < line.order.id;
      if (at.invoice.id >= line.invoice.id && !isSame) continue;
      for (const charge of at.charges) {
        const givesBack = charge.kind === 'credit' && charge.priceCode === 'DISCOUNT';
        if (!givesBack && charge.kind !== 'discount') continue;
        if (couponPeriodOfDays(reading, at, charge) !== period) continue;
        if (at.invoice.status === 'Cancelled') return 'a fixed coupon beside a cancelled invoice';
        used -= charge.minor;
      }
    }
  }
  return used;
}

function couponPeriodOfDays(reading: Reading, at: BilledLine, charge: Charge): number {
  const orderLine = at.plan.charges?.find(({ id }) => id === charge.orderLine?.contractChargeId);
  return couponPeriod(reading, at.order, { ...charge, of: orderLine ?? null });
}

/**
 * Whether no standing invoice before this one discounts anything of the order, or of one that follows
 * it with the coupon: usage of days before a change may be billed after it.
 */
function isFirstDiscounted(reading: Reading, { order, invoice }: BilledLine): boolean | string {
  const before = reading.shown.orders.get(order.previousOrderId ?? 0);
  if (before && isSameCoupon(reading, before, order)) return 'a coupon for once after a change';
  const orders = [order, ...successorsOf(reading, order)];
  if (orders.some(({ id, invoiceIds }) => reading.linesOf(id).length < invoiceIds.length)) {
    return 'a coupon for once of an order of long ago';
  }
  const earlier = orders
    .flatMap(({ id }) => reading.linesOf(id))
    .filter((at) => at.invoice.id < invoice.id)
    .filter(({ charges }) => charges.some(({ kind }) => kind === 'discount'));
  if (earlier.some((at) => at.invoice.status !== 'Cancelled')) return false;
  return earlier.length === 0 || 'a coupon for once beside a cancelled invoice';
}

/** The orders that changes put in the place of an order, as far as they name its coupon. */
function successorsOf(reading: Reading, order: ShownOrder): ShownOrder[] {
  const next = reading.shown.orders.get(order.nextOrderId ?? 0);
  if (!next || !isSameCoupon(reading, order, next)) return [];
  return [next, ...successorsOf(reading, next)];
}
