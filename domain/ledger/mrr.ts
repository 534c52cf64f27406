/** Monthly recurring revenue: what orders come to in a month on two days, and what moved it between them. */
import { add, compare, negate, roundedAmount, sum, type Decimal } from '../money/money.ts';
import { earlierCharges, type EarlierPrices } from '../plans/price-moves.ts';
import type { BillingPeriod, IsoDate } from '../calendar/calendar.ts';
import type { Coupon } from '../discounts/coupon.ts';
import type { Charge, Plan } from '../plans/plan.ts';
import type { DueCharge } from '../billing/due/due-charges.ts';
import { lineOn, type BillableLine } from '../standing/line.ts';
import { isPriced, type RatedCharge } from '../billing/charges.ts';
import { noUses, type OrderCoupon } from '../discounts/uses.ts';
import { rateDue } from '../billing/rate/rate.ts';
import { withDiscounts } from '../billing/rate/discount.ts';
import { withPercentages } from '../billing/rate/percent.ts';

/** Months that a period is a part of, or has: as a fraction. */
const months: Readonly<Record<BillingPeriod, readonly [numerator: number, denominator: number]>> = {
  Daily: [365, 12],
  Weekly: [52, 12],
  Monthly: [1, 1],
  Quarterly: [1, 3],
  SemiAnnual: [1, 6],
  Yearly: [1, 12],
};

/** What an order charges on a day, as far as it can recur. */
export interface RecurringTerms {
  readonly planId: number;
  readonly couponId: number | null;
  readonly currency: string;
  /** The versions of its plan that it had before, the oldest first. */
  readonly earlier: readonly EarlierPrices[] | null;
  /** The lines that it has on the day. */
  readonly lines: readonly RecurringLine[];
}

export interface RecurringLine {
  readonly chargeId: number;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal | null;
}

/** The versions that orders name. */
export interface MrrBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly coupons: ReadonlyMap<number, Coupon>;
}

/**
 * What an order comes to in a month at the prices of a day: recurring charges and percentages of whole
 * periods, less a coupon that lasts for ever, by the stages that price its invoices.
 *
 * @example monthlyOf({ planId: 7, lines: [fee], ... }, '2027-01-31', basis) // '29.95'
 */
export function monthlyOf(terms: RecurringTerms, day: IsoDate, basis: MrrBasis): Decimal {
  const plan = known(basis.plans, terms.planId, 'plan');
  const { currency, couponId } = terms;
  const due = terms.lines.flatMap((line, position) =>
    recurringOn(terms, line, position, day, basis),
  );
  const coupon = couponId === null ? null : lasting(known(basis.coupons, couponId, 'coupon'));
  let left = coupon;
  // Those with isSeparateInvoice are on an invoice of their own, after the others.
  const amounts = [false, true].flatMap((isSeparate) => {
    const own = due.filter(({ line }) => line.charge.isSeparateInvoice === isSeparate);
    const rated = rateDue({ charges: own }, currency);
    const whole = withPercentages(rated, 'percent', currency);
    if (left === null) return amountsOf(whole);
    const { charges, uses } = withDiscounts(whole, left, currency);
    left = { ...left, uses };
    return amountsOf(charges);
  });
  const [numerator, denominator] = months[plan.billingPeriod];
  return roundedAmount({ price: sum(amounts), quantity: '1', numerator, denominator, currency });
}

function recurringOn(
  { planId, earlier }: RecurringTerms,
  { chargeId, quantity, unitPrice }: RecurringLine,
  position: number,
  day: IsoDate,
  { plans }: MrrBasis,
): DueCharge[] {
  const ids = [planId, ...(earlier ?? []).map((each) => each.planId)];
  const charges = ids.flatMap((id) => known(plans, id, 'plan').charges);
  const charge = charges.find(({ id }) => id === chargeId);
  if (charge === undefined) throw new Error(`no plan of the order has the charge ${chargeId}`);
  if (!recurs(charge)) return [];
  const before = earlier === null ? [] : earlierCharges(earlier, charge, plans);
  const line = lineOn({ ...newLine(charge, position), quantity, unitPrice, earlier: before }, day);
  const share = { numerator: 1, denominator: 1 };
  return [{ line, periodIndex: 0, from: day, to: day, dueOn: day, share }];
}

const recurs = ({ chargeType, isTax, isPenalty }: Charge): boolean =>
  chargeType === 'RecurringCharge' && !isTax && !isPenalty;

const newLine = (charge: Charge, position: number): BillableLine => ({
  id: position,
  position,
  charge,
  quantity: '1',
  unitPrice: null,
  invoiceText: null,
  isActive: true,
  startsOn: null,
  endsOn: null,
  nextPeriodIndex: 0,
  billed: [],
});

/** Null for a coupon that ends. */
function lasting(coupon: Coupon): OrderCoupon | null {
  if (coupon.isOnce || coupon.periods !== null) return null;
  const uses = noUses;
  return { coupon, firstPeriod: 0, countsFrom: 0, sharedBy: 0, periodsSharedBy: 0, uses };
}

const amountsOf = (charges: readonly RatedCharge[]): Decimal[] =>
  charges.flatMap((charge) => (isPriced(charge) ? [charge.amount] : []));

function known<Value>(all: ReadonlyMap<number, Value>, id: number, what: string): Value {
  const value = all.get(id);
  if (value === undefined) throw new Error(`${what} ${id} was not read`);
  return value;
}

/* What moved it. */

/** An order on the two days; null where it does not count on one. */
export interface MrrOrder {
  readonly id: number;
  readonly previousOrderId: number | null;
  readonly contractCode: string;
  readonly currency: string;
  /** It had begun by the second day. */
  readonly hasBegun: boolean;
  readonly start: Decimal | null;
  readonly end: Decimal | null;
}

export interface MrrRow {
  readonly contractCode: string;
  readonly currency: string;
  /** That count on the second day. */
  readonly orders: number;
  readonly mrrStart: Decimal;
  readonly new: Decimal;
  readonly expansion: Decimal;
  readonly contraction: Decimal;
  readonly churn: Decimal;
  readonly moved: Decimal;
  readonly mrrEnd: Decimal;
}

type Cause = 'new' | 'expansion' | 'contraction' | 'churn';
type Sums = { -readonly [Key in keyof MrrRow]: MrrRow[Key] };

/** Sums of rows, to which customers are added one after the other. */
export interface MrrSums {
  /** @param orders all of the customer that count on a day, with those between them */
  readonly add: (orders: readonly MrrOrder[]) => void;
  /** Sorted, without rows of zeros. */
  readonly rows: () => readonly MrrRow[];
}

/**
 * The rows of the report: a chain of change orders counts as one, whose start is moved to its newest plan.
 *
 * @example sums.add([{ id: 1, contractCode: 'GOLD', start: null, end: '29.95', ... }])
 *   // a row of GOLD with 29.95 new
 */
export function mrrSums(): MrrSums {
  const sums = new Map<string, Sums>();
  const rowOf = (contractCode: string, currency: string): Sums => {
    const key = `${contractCode} ${currency}`;
    const row = sums.get(key) ?? emptyRow(contractCode, currency);
    sums.set(key, row);
    return row;
  };
  return {
    add(orders) {
      for (const own of Map.groupBy(orders, ({ currency }) => currency).values()) {
        const causeOf = causeFor(own);
        for (const chain of chainsOf(own)) addChain(rowOf, chain, causeOf);
      }
    },
    rows: () => [...sums.values()].filter(hasFigures).toSorted(byCode),
  };
}

/** By what a customer has in the currency at all. */
function causeFor(orders: readonly MrrOrder[]): (difference: Decimal) => Cause {
  const has = (key: 'start' | 'end'): boolean =>
    orders.some((order) => compare(order[key] ?? '0', '0') !== 0);
  if (!has('start')) return () => 'new';
  if (!has('end')) return () => 'churn';
  return (difference) => (compare(difference, '0') > 0 ? 'expansion' : 'contraction');
}

/** Each from its first order on. */
function chainsOf(orders: readonly MrrOrder[]): readonly (readonly MrrOrder[])[] {
  const ids = new Set(orders.map(({ id }) => id));
  const after = new Map(orders.map((order) => [order.previousOrderId, order]));
  const firsts = orders.filter(
    ({ previousOrderId }) => previousOrderId === null || !ids.has(previousOrderId),
  );
  return firsts.map((first) => {
    const chain = [first];
    for (let next = after.get(first.id); next !== undefined; next = after.get(next.id))
      chain.push(next);
    return chain;
  });
}

function addChain(
  rowOf: (contractCode: string, currency: string) => Sums,
  chain: readonly MrrOrder[],
  causeOf: (difference: Decimal) => Cause,
): void {
  const first = chain.find(({ start }) => start !== null);
  const last = chain.findLast(({ end }) => end !== null);
  if (first === undefined && last === undefined) return;
  const newest = last ?? chain.findLast(({ hasBegun }) => hasBegun) ?? first;
  if (newest === undefined) return;
  const [start, end] = [first?.start ?? '0', last?.end ?? '0'];
  const row = rowOf(newest.contractCode, newest.currency);
  if (first !== undefined) {
    const from = rowOf(first.contractCode, first.currency);
    from.mrrStart = add(from.mrrStart, start);
    from.moved = add(from.moved, negate(start));
    row.moved = add(row.moved, start);
  }
  if (last !== undefined) row.orders += 1;
  row.mrrEnd = add(row.mrrEnd, end);
  const difference = add(end, negate(start));
  if (compare(difference, '0') === 0) return;
  const cause = causeOf(difference);
  row[cause] = add(row[cause], difference);
}

const emptyRow = (contractCode: string, currency: string): Sums => ({
  contractCode,
  currency,
  orders: 0,
  mrrStart: '0',
  new: '0',
  expansion: '0',
  contraction: '0',
  churn: '0',
  moved: '0',
  mrrEnd: '0',
});

const figures = [
  'mrrStart',
  'new',
  'expansion',
  'contraction',
  'churn',
  'moved',
  'mrrEnd',
] as const;

const hasFigures = (row: MrrRow): boolean => figures.some((key) => compare(row[key], '0') !== 0);

function byCode(one: MrrRow, other: MrrRow): number {
  const [left, right] = [
    `${one.contractCode} ${one.currency}`,
    `${other.contractCode} ${other.currency}`,
  ];
  return left < right ? -1 : 1;
}
