/** Opens the walks of an order: the lines that may bill something by a day. */
import assert from 'node:assert';
import {
  type IsoDate,
  addDays,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
} from '../../calendar/calendar.ts';
import { type BillableLine, lineOn } from '../../standing/line.ts';
import { billsFrom } from '../../standing/trial.ts';
import { type UsageTerm, type WindowDays, windowAt } from '../../usage/windows.ts';
import type { BillableOrder } from '../order-to-rate.ts';
import type { DueWindow, UsageWindow } from './due-charges.ts';
import { isDueBySchedule, isUsage } from '../kinds.ts';
import {
  type BillingView,
  type LineWalk,
  type Service,
  viewOfLine,
  walkOnce,
  walkPeriods,
} from './periods.ts';
import { servedFrom, unservedDays } from './served-days.ts';

/** A line that bills charges of periods, or usage windows. */
export type AnyWalk = LineWalk | WindowWalk;

/** The lines of an order that may bill something, and when its end makes something due. */
export interface OrderWalk {
  readonly walks: readonly AnyWalk[];
  readonly endsOn: IsoDate | null;
}

/** The lines of an order that may bill by a day. Rating starts when a charge is taken. */
export function walkOrder(order: BillableOrder, today: IsoDate): OrderWalk {
  const rests: OrderWalk = { walks: [], endsOn: null };
  if (order.status === 'Draft' || order.billsNothingMore || order.customerSuspended) return rests;
  const view = viewOf(order);
  const { start, end } = view.ofOrder;
  // It ends in its trial.
  if (end !== null && end < start) return rests;
  if (order.status === 'Superseded') {
    // Its days are paid like any others, also those that were not billed before the change.
    return end === null ? rests : { walks: walksOf(order, view), endsOn: null };
  }
  const isTerminated = order.status === 'Canceled';
  if (!isTerminated && !isPaused(order)) return { walks: walksOf(order, view), endsOn: null };
  if (end === null) return rests;
  const walks = walksOf(order, { ...view, scope: 'arrears' });
  if (isTerminated || end < today) return { walks, endsOn: null };
  // Nothing is due of a paused order, but its end makes earlier service in arrears due.
  const days = walks.flatMap((walk) => walk.dueOn() ?? []);
  const endsOn = days.length === 0 ? null : maxDate(days.reduce(minDate), addDays(end, 1));
  return { walks: [], endsOn };
}

export function isDueBy(line: AnyWalk, day: IsoDate): boolean {
  const dueOn = line.dueOn();
  return dueOn !== null && dueOn <= day;
}

/** The last day of service by the order's present dates; null if it continues. */
function serviceEnd(order: BillableOrder): IsoDate | null {
  switch (order.status) {
    case 'Canceled':
    case 'Superseded':
      return order.endedOn;
    default:
      return order.isAutoRenew ? null : order.endDate;
  }
}

/** An order that ended without being resumed is also paused. */
function isPaused(order: BillableOrder): boolean {
  return order.status === 'Suspended' || order.pauses.some(({ resumedOn }) => resumedOn === null);
}

/**
 * The days of a line, as far as its order's go.
 *
 * @example lineDays(order, line) // { start: '2027-01-15', end: null }
 */
export function lineDays(order: BillableOrder, line: BillableLine): Service {
  return viewOfLine(viewOf(order), line).ofLine;
}

/**
 * A window of one of the order's usage lines, billed or not; null outside of the line's days.
 *
 * @example orderWindow(order, minutes, 0)?.dueOn // '2027-02-01', for January
 */
export function orderWindow(
  order: BillableOrder,
  line: BillableLine,
  periodIndex: number,
): UsageWindow | null {
  const { usageGraceDays: graceDays } = order;
  return windowOf(line, viewOfLine(viewOf(order), line), { periodIndex, graceDays });
}

/** What decides how the lines of the order are billed. @example viewOf(order).scope // 'all' */
export function viewOf(order: BillableOrder): BillingView {
  const service = { start: billsFrom(order), end: serviceEnd(order) };
  return {
    scope: 'all',
    schedule: order.schedule,
    ofOrder: service,
    ofLine: service,
    unserved: unservedDays(order.pauses),
  };
}

/** All lines that bill, whether the order is paused or not. @example walksOf(order) // one walk */
export function walksOf(order: BillableOrder, viewOfOrder: BillingView): AnyWalk[] {
  return order.lines
    .filter(
      (line) =>
        line.isActive &&
        (isDueBySchedule(line.charge) || isUsage(line.charge) || isPenaltyDue(line)),
    )
    .map((line) => {
      const view = viewOfLine(viewOfOrder, line);
      if (isUsage(line.charge)) return walkWindows(line, view, order.usageGraceDays);
      const { penaltySince } = line;
      // Penalties of a trial wait for its end, like all else.
      const from =
        order.trialEndDate === null
          ? penaltySince
          : penaltySince && maxDate(penaltySince, billsFrom(order));
      if (from) return walkPenalty(line, from, view);
      const isOnce = line.charge.chargeType === 'OneTimeCharge';
      return isOnce ? walkOnce(line, view) : walkPeriods(line, view);
    });
}

/* Lists the due charges of a penalty, which follow from the customer's ageing. */

/**
 * Whether a line is a penalty whose customer stands at or past its status.
 *
 * @example isPenaltyDue({ charge: lateFee, penaltySince: null, ... }) // false
 */
function isPenaltyDue({ charge, penaltySince }: BillableLine): boolean {
  return charge.isPenalty && penaltySince !== null && penaltySince !== undefined;
}

/**
 * Walks a penalty. A one-time penalty is due on the day of the step, once each time the customer
 * gets there; its pointer counts the times. A recurring one covers the periods of the order that
 * begin on that day or later, and not the one under way. Both within the line's days.
 */
function walkPenalty(line: BillableLine, since: IsoDate, view: BillingView): LineWalk {
  if (line.charge.chargeType !== 'OneTimeCharge') {
    const first = firstBegunFrom(since, view);
    const nextPeriodIndex = Math.max(line.nextPeriodIndex, first);
    return walkPeriods({ ...line, nextPeriodIndex }, view);
  }
  const { nextPeriodIndex: periodIndex } = line;
  let isOpen = view.scope === 'all' && isInForce(line, since);
  let nextPeriodIndex = periodIndex;
  const pass = (): void => {
    isOpen = false;
    nextPeriodIndex += 1;
  };
  return {
    line,
    dueOn: () => (isOpen ? since : null),
    pass,
    take: () => {
      assert(isOpen, 'a charge is in sight');
      pass();
      const share = { numerator: 1, denominator: 1 };
      const priced = lineOn(line, since);
      return { line: priced, periodIndex, from: since, to: since, dueOn: since, share };
    },
    nextPeriodIndex: () => nextPeriodIndex,
  };
}

/** Only the line's own days count: ageing chooses the orders. */
function isInForce({ startsOn, endsOn }: BillableLine, day: IsoDate): boolean {
  return (startsOn === null || startsOn <= day) && (endsOn === null || day <= endsOn);
}

/** The first period of the order that begins on a day or later; its first one begins with it. */
function firstBegunFrom(day: IsoDate, { schedule, ofOrder: { start } }: BillingView): number {
  const index = periodIndexOf(schedule, maxDate(day, start));
  return maxDate(periodAt(schedule, index).start, start) < day ? index + 1 : index;
}

/* Lists the due usage windows of one order line in order of time. */

/** The walk of a usage line, which takes windows in place of charges. */
interface WindowWalk extends LineWalk<DueWindow> {
  /** The next window; null when there is none. */
  readonly next: () => DueWindow | null;
}

/**
 * Walks the windows of a usage line that are open: those of its periods, and, once it has ended,
 * stored ones of late records. A window without records is due like any other, and costs nothing:
 * from then on it takes no records.
 *
 * @example // months from the 1st, no grace, nothing closed
 *   walkWindows(minutes, view, 0).dueOn() // '2027-02-01', for January
 */
function walkWindows(line: BillableLine, view: BillingView, graceDays: number): WindowWalk {
  const indexes = openIndexes(line, view);
  let pointer = line.nextPeriodIndex;
  let next: DueWindow | null = look();
  function look(): DueWindow | null {
    const { value: periodIndex } = indexes.next();
    const window =
      periodIndex === undefined ? null : windowOf(line, view, { periodIndex, graceDays });
    if (window === null) return null;
    const stored = line.windows?.find((each) => each.periodIndex === window.periodIndex);
    return { window, sums: stored?.sums ?? null };
  }
  function take(): DueWindow {
    const taken = next;
    assert(taken !== null, 'a window is in sight');
    pointer = taken.window.periodIndex + 1;
    next = look();
    return taken;
  }
  return {
    line,
    next: () => next,
    dueOn: () => next?.window.dueOn ?? null,
    pass: take,
    take,
    nextPeriodIndex: () => pointer,
  };
}

/**
 * A window of a line, billed or not; null outside of the line's days.
 *
 * @example windowOf(minutes, view, { periodIndex: 0, graceDays: 2 })?.dueOn // '2027-02-03'
 */
function windowOf(
  line: BillableLine,
  view: BillingView,
  { periodIndex, graceDays }: { readonly periodIndex: number; readonly graceDays: number },
): UsageWindow | null {
  const { schedule, ofLine } = view;
  const term: UsageTerm = { schedule, ...ofLine, isSuperseded: false, graceDays };
  const days = windowAt(periodIndex, term);
  if (days === null) return null;
  const begun = maxDate(periodAt(schedule, days.ofPeriod).start, view.ofOrder.start);
  return { ...days, line: lineOn(line, begun), dueOn: dueOnOf(days, view) };
}

/** The periods whose windows are open, from the line's first one on. */
function* openIndexes(
  { windows = [], nextPeriodIndex }: BillableLine,
  { schedule, ofLine: { start, end } }: BillingView,
): Generator<number, undefined> {
  const closed = new Set(windows.flatMap((each) => (each.isClosed ? [each.periodIndex] : [])));
  const last = end === null ? Number.MAX_SAFE_INTEGER : periodIndexOf(schedule, end);
  const first = Math.max(nextPeriodIndex, periodIndexOf(schedule, start));
  for (let index = first; index <= last; index += 1) if (!closed.has(index)) yield index;
  const late = windows.filter(({ periodIndex }) => periodIndex > last && periodIndex >= first);
  for (const { periodIndex, isClosed } of late) if (!isClosed) yield periodIndex;
}

/**
 * In a pause nothing is billed: what elapses in it is due on resumption, at the order's end at the
 * latest.
 */
function dueOnOf({ dueOn }: WindowDays, { unserved, ofOrder: { end } }: BillingView): IsoDate {
  if (end !== null && dueOn > end) return dueOn;
  return servedFrom(dueOn, unserved) ?? addDays(end ?? dueOn, 1);
}
