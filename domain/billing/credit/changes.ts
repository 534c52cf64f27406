/** Carries out the change of an order: what becomes of it, and of the order that replaces it. */
import {
  type IsoDate,
  addDays,
  isSameSchedule,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
} from '../../calendar/calendar.ts';
import { type CouponUses, joinedUses } from '../../discounts/uses.ts';
import { dueOf } from '../due/due.ts';
import { laterStart, startsElsewhere } from '../due/elsewhere.ts';
import { isDueBySchedule, isTaxPercentage } from '../kinds.ts';
import { lastDayBefore, replacedOn, statusOn } from '../../standing/status.ts';
import { billsFrom } from '../../standing/trial.ts';
import {
  type BillableOrder,
  type LineToRate,
  type OrderToRate,
  billableOn,
  scheduleOfOrder,
  termsOfOrder,
} from '../order-to-rate.ts';
import type { Charge, Plan } from '../../plans/plan.ts';
import type { BillableLine } from '../../standing/line.ts';

/** What a change makes of a line. */
export type LineChange = Pick<LineToRate, 'id' | 'startsOn' | 'penaltySince'>;

/** What a change makes of an order, beyond its status and dates. */
export interface OrderChange extends Pick<OrderToRate, 'id' | 'previousOrderId'> {
  readonly endedOn: IsoDate | null;
  readonly changeOn: IsoDate | null;
  readonly creditFrom: IsoDate | null;
}

/** @example orderChangeOf(replaced).endedOn // '2027-01-31' */
export function orderChangeOf(order: OrderToRate): OrderChange {
  const { id, previousOrderId, endedOn = null, changeOn = null, creditFrom = null } = order;
  return { id, previousOrderId, endedOn, changeOn, creditFrom };
}

/** The order that is replaced, and the one that replaces it. */
export interface ChangedPair {
  readonly current: OrderToRate;
  readonly next: OrderToRate;
}

export interface CarriedOut extends ChangedPair {
  /** What differs in the lines of both. */
  readonly lines: readonly LineChange[];
}

export interface ChangeBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly today: IsoDate;
}

/**
 * Both orders after their change, if its day has come, or after the end of an order that ended before
 * it; null while the change is pending.
 *
 * @example carriedOut({ current, next }, { plans, today: '2027-02-01' })?.current.status // 'Superseded'
 */
export function carriedOut(pair: ChangedPair, { plans, today }: ChangeBasis): CarriedOut | null {
  const { current, next } = pair;
  const plan = plans.get(current.planId);
  const nextPlan = plans.get(next.planId);
  if (plan === undefined || nextPlan === undefined) return null;
  const terms = termsOfOrder(current);
  const changeOn = replacedOn(terms, today);
  if (changeOn === null) {
    return statusOn(terms, today).status === 'Complete' ? abandoned({ current, next }) : null;
  }
  const endedOn = lastDayBefore(changeOn, current.startDate);
  const replaced = {
    ...current,
    status: 'Superseded',
    endDate: endedOn,
    endedOn,
    changeOn: null,
    creditFrom: changeOn,
  } as const;
  const codesOf = new Map([...plan.charges, ...nextPlan.charges].map((each) => [each.id, each]));
  const codeOf = (line: LineToRate): string => codesOf.get(line.chargeId)?.priceCode ?? '';
  const marks = new Map(current.lines.map((line) => [codeOf(line), line.penaltySince]));
  // Whether the customer is suspended, and when usage is due, decides what is billed now, not who serves.
  const served = billableOn(replaced, plans, {
    customerStatus: 'Active',
    today,
    usageGraceDays: 0,
  });
  const paid = paidUntil(served, { today, isLeft: leftElsewhere(served, { current, next }) });
  const starts = withTaxes(paid, next, codesOf);
  const begun = next.lines.map((line) => ({
    ...line,
    startsOn: laterStart(starts.get(codeOf(line)) ?? null, line.startsOn),
    penaltySince: marks.get(codeOf(line)) ?? line.penaltySince,
  }));
  const goesOn = new Set(next.lines.map(codeOf));
  // A penalty goes on with the order that replaces this one.
  const left = current.lines.map((line) =>
    goesOn.has(codeOf(line)) ? { ...line, penaltySince: null } : line,
  );
  return {
    current: { ...replaced, lines: left },
    next: {
      ...next,
      status: 'Active',
      lines: begun,
      couponUses: usesWith(current, next, plans),
    },
    lines: [...changesOf(next.lines, begun), ...changesOf(current.lines, left)],
  };
}

/**
 * What an order has used of its coupon, with what the order before or after it in its chain used of
 * the same.
 *
 * @example usesWith(current, next, plans) // those of both, if they have the same coupon
 */
export function usesWith(
  other: OrderToRate,
  own: OrderToRate,
  plans: ReadonlyMap<number, Plan>,
): CouponUses {
  const [plan, otherPlan] = [plans.get(own.planId), plans.get(other.planId)];
  const isSameCoupon = own.couponId !== null && own.couponId === other.couponId;
  if (!isSameCoupon || plan === undefined || otherPlan === undefined) return own.couponUses;
  const isSamePeriods = isSameSchedule(
    scheduleOfOrder(other, otherPlan),
    scheduleOfOrder(own, plan),
  );
  const others = isSamePeriods
    ? other.couponUses
    : { ...other.couponUses, byPeriod: own.couponUses.byPeriod };
  return joinedUses(others, own.couponUses);
}

function changesOf(
  before: readonly LineToRate[],
  after: readonly LineToRate[],
): readonly LineChange[] {
  return after.flatMap(({ id, startsOn, penaltySince }, index) =>
    startsOn === before[index]?.startsOn && penaltySince === before[index].penaltySince
      ? []
      : [{ id, startsOn, penaltySince }],
  );
}

/** The orders of a change that comes to nothing: the order that would have begun is Canceled. */
function abandoned({ current, next }: ChangedPair): CarriedOut {
  return {
    lines: [],
    current: { ...current, changeOn: null },
    next: { ...next, status: 'Canceled', endDate: null, previousOrderId: null },
  };
}

/**
 * Whether a line begins after days that are billed elsewhere, and the order that follows has not taken
 * these along: it has a billedThrough of its own, or none.
 */
function leftElsewhere(
  { schedule, startDate, lines }: BillableOrder,
  { current, next }: ChangedPair,
): (line: BillableLine) => boolean {
  const { billedThrough = null, arrearsBilledThrough = null } = current;
  if (billedThrough === null || next.billedThrough === billedThrough) return () => false;
  const elsewhere = { billedThrough, arrearsBilledThrough, schedule, startDate };
  const startOf = startsElsewhere(lines, elsewhere);
  return ({ startsOn, charge }) => startsOn === startOf(charge);
}

interface PaidView {
  readonly today: IsoDate;
  /** @see leftElsewhere */
  readonly isLeft: (line: BillableLine) => boolean;
}

/**
 * By priceCode: the day after the last period that an order has billed, or still bills, of charges
 * that are not prorated. They are not billed again for it, unless the change credits them whole.
 */
function paidUntil(
  order: BillableOrder,
  { today, isLeft }: PaidView,
): ReadonlyMap<string, IsoDate> {
  const { schedule, endedOn } = order;
  const starts = new Map<string, IsoDate>();
  for (const line of order.lines) {
    const { startsOn, charge } = line;
    const isLater = startsOn !== null && startsOn > billsFrom(order);
    if (isLater && !isLeft(line)) starts.set(charge.priceCode, startsOn);
  }
  if (endedOn === null || endedOn < billsFrom(order)) return starts;
  const underWay = periodIndexOf(schedule, addDays(endedOn, 1));
  const owed = dueOf(order, maxDate(today, addDays(endedOn, 1))).charges;
  for (const line of order.lines) {
    const { chargeType, isProrated, priceCode } = line.charge;
    if (chargeType !== 'RecurringCharge' || isProrated || !line.isActive) continue;
    const last = Math.max(
      line.nextPeriodIndex - 1,
      ...line.billed.map(({ periodIndex }) => periodIndex),
      ...owed.filter((due) => due.line.id === line.id).map(({ periodIndex }) => periodIndex),
    );
    if (last >= underWay) starts.set(priceCode, addDays(periodAt(schedule, last).end, 1));
  }
  return starts;
}

/**
 * A change gives back an isTax percentage by its base, prorated or not, so it begins again with the
 * first charge of the new order that it may tax.
 */
function withTaxes(
  starts: ReadonlyMap<string, IsoDate>,
  next: OrderToRate,
  charges: ReadonlyMap<number, Charge>,
): ReadonlyMap<string, IsoDate> {
  const taxes = next.lines
    .flatMap((line) => charges.get(line.chargeId) ?? [])
    .filter(isTaxPercentage);
  if (!taxes.some(({ priceCode }) => starts.has(priceCode))) return starts;
  const begins = next.lines.flatMap(({ chargeId, isActive, startsOn }) => {
    const charge = charges.get(chargeId);
    if (charge === undefined || !isActive || !isDueBySchedule(charge) || charge.isTax) return [];
    return laterStart(starts.get(charge.priceCode) ?? null, startsOn) ?? billsFrom(next);
  });
  if (begins.length === 0) return starts;
  const first = begins.reduce(minDate);
  const withTax = new Map(starts);
  for (const { priceCode } of taxes) {
    const own = starts.get(priceCode);
    if (first <= billsFrom(next)) withTax.delete(priceCode);
    else if (own !== undefined) withTax.set(priceCode, minDate(own, first));
  }
  return withTax;
}
