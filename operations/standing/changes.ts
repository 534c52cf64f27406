/** Carries out the change of an order: what becomes of its row, and of the row that replaces it. */
import {
  addDays,
  isSameSchedule,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
} from '../../domain/calendar/calendar.ts';
import { joinedUses, type CouponUses } from '../../domain/discounts/uses.ts';
import { dueOf } from '../../domain/billing/due.ts';
import { isDueBySchedule, isTaxPercentage } from '../../domain/billing/kinds.ts';
import { lastDayBefore, replacedOn, statusOn } from '../../domain/standing/status.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Charge, Plan } from '../../domain/plans/plan.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { LineRow } from '../../db/queries/billing/lines.ts';
import type { LineChange } from '../../db/queries/standing/changes.ts';
import { billableOn, scheduleOfRow, termsOfRow } from './billable.ts';

/** The rows of a change: the order that is replaced, and the one that replaces it. */
export interface ChangedPair {
  readonly current: RatedOrder;
  readonly next: RatedOrder;
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
 * The rows after their change, if its day has come, or after the end of an order that ended before
 * it; null while the change is pending.
 */
export function carriedOut(pair: ChangedPair, { plans, today }: ChangeBasis): CarriedOut | null {
  const { current, next } = pair;
  const plan = plans.get(current.planId);
  const nextPlan = plans.get(next.planId);
  if (plan === undefined || nextPlan === undefined) return null;
  const terms = termsOfRow(current);
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
  const codeOf = (line: LineRow): string => codesOf.get(line.chargeId)?.priceCode ?? '';
  const marks = new Map(current.lines.map((line) => [codeOf(line), line.penaltySince]));
  // Whether the customer is suspended, and when usage is due, decides what is billed now, not who serves.
  const paid = paidUntil(
    billableOn(replaced, plan, { customerStatus: 'Active', today, usageGraceDays: 0 }),
    today,
  );
  const starts = withTaxes(paid, next, codesOf);
  const begun = next.lines.map((line) => ({
    ...line,
    startsOn: starts.get(codeOf(line)) ?? line.startsOn,
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
 */
export function usesWith(
  other: RatedOrder,
  own: RatedOrder,
  plans: ReadonlyMap<number, Plan>,
): CouponUses {
  const [plan, otherPlan] = [plans.get(own.planId), plans.get(other.planId)];
  const isSameCoupon = own.couponId !== null && own.couponId === other.couponId;
  if (!isSameCoupon || plan === undefined || otherPlan === undefined) return own.couponUses;
  const isSamePeriods = isSameSchedule(scheduleOfRow(other, otherPlan), scheduleOfRow(own, plan));
  const others = isSamePeriods
    ? other.couponUses
    : { ...other.couponUses, byPeriod: own.couponUses.byPeriod };
  return joinedUses(others, own.couponUses);
}

function changesOf(before: readonly LineRow[], after: readonly LineRow[]): readonly LineChange[] {
  return after.flatMap(({ id, startsOn, penaltySince }, index) =>
    startsOn === before[index]?.startsOn && penaltySince === before[index].penaltySince
      ? []
      : [{ id, startsOn, penaltySince }],
  );
}

/** The rows of a change that comes to nothing: the order that would have begun is Canceled. */
function abandoned({ current, next }: ChangedPair): CarriedOut {
  return {
    lines: [],
    current: { ...current, changeOn: null },
    next: { ...next, status: 'Canceled', endDate: null, previousOrderId: null },
  };
}

/**
 * By priceCode: the day after the last period that an order has billed, or still bills, of charges
 * that are not prorated. They are not billed again for it, unless the change credits them whole.
 */
function paidUntil(order: BillableOrder, today: IsoDate): ReadonlyMap<string, IsoDate> {
  const { schedule, endedOn } = order;
  const starts = new Map<string, IsoDate>();
  for (const { startsOn, charge } of order.lines) {
    if (startsOn !== null && startsOn > order.startDate) starts.set(charge.priceCode, startsOn);
  }
  if (endedOn === null) return starts;
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
  next: RatedOrder,
  charges: ReadonlyMap<number, Charge>,
): ReadonlyMap<string, IsoDate> {
  const ofNext = next.lines.flatMap((line) => charges.get(line.chargeId) ?? []);
  const taxes = ofNext.filter(isTaxPercentage);
  if (!taxes.some(({ priceCode }) => starts.has(priceCode))) return starts;
  const active = new Set(next.lines.flatMap((each) => (each.isActive ? [each.chargeId] : [])));
  const begins = ofNext.flatMap((charge) =>
    active.has(charge.id) && isDueBySchedule(charge) && !charge.isTax
      ? (starts.get(charge.priceCode) ?? next.startDate)
      : [],
  );
  if (begins.length === 0) return starts;
  const first = begins.reduce(minDate);
  const withTax = new Map(starts);
  for (const { priceCode } of taxes) {
    const own = starts.get(priceCode);
    if (first <= next.startDate) withTax.delete(priceCode);
    else if (own !== undefined) withTax.set(priceCode, minDate(own, first));
  }
  return withTax;
}
