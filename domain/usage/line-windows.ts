/** The windows of an order line: its days, which of them are billed, and when its order has to bill. */
import { addDays, maxDate, minDate, periodIndexOf, type IsoDate } from '../calendar/calendar.ts';
import { canEdit } from '../standing/status.ts';
import { billsFrom } from '../standing/trial.ts';
import type { UsageLine, UsageOrder } from './lines.ts';
import { windowAt, windowIndexOf, type UsageTerm } from './windows.ts';

/** The windows of a line, each found once. */
export interface LineWindows {
  readonly term: UsageTerm;
  /** The line's first day, which may be a free one: no window has those. */
  readonly start: IsoDate;
  readonly indexOf: (day: IsoDate) => number | null;
  /** @see firstOpen */
  readonly firstOpen: number;
}

/** @example windowsOfLine(minutes, 0).indexOf('2027-01-06') // 0 */
export function windowsOfLine(line: UsageLine, graceDays: number): LineWindows {
  const term = termOf(line, graceDays);
  const { nextPeriodIndex, closed } = line;
  const isBilled = (periodIndex: number): boolean =>
    periodIndex < nextPeriodIndex || closed.has(periodIndex);
  const found = new Map<IsoDate, number | null>();
  const { startDate } = line.order;
  return {
    term,
    start: maxDate(startDate, line.startsOn ?? startDate),
    firstOpen: firstOpen(line, periodIndexOf(term.schedule, term.start)),
    indexOf(day) {
      let index = found.get(day);
      if (index === undefined) found.set(day, (index = windowIndexOf(day, term, isBilled)));
      return index;
    },
  };
}

/**
 * The days of a line that are billed, and their windows. An order that ended without a day of service has none.
 *
 * @example termOf(minutes, 0).end // '2027-03-12' of an order that was cancelled on that day
 */
export function termOf(
  { order, startsOn, endsOn }: Pick<UsageLine, 'order' | 'startsOn' | 'endsOn'>,
  graceDays: number,
): UsageTerm {
  const { schedule } = order;
  const from = billsFrom(order);
  const ofOrder = lastDayOf(order);
  return {
    schedule,
    start: maxDate(from, startsOn ?? from),
    end: endsOn === null ? ofOrder : minDate(endsOn, ofOrder ?? endsOn),
    isSuperseded: order.status === 'Superseded',
    graceDays,
  };
}

function lastDayOf(order: UsageOrder): IsoDate | null {
  const { status, startDate, endDate, isAutoRenew, endedOn } = order;
  if (status === 'Canceled' || status === 'Superseded') return endedOn ?? addDays(startDate, -1);
  return isAutoRenew ? null : endDate;
}

/**
 * The line's first window that is not billed. Windows are billed in their order, so while it is not
 * billed, no later one is.
 *
 * @example firstOpen({ nextPeriodIndex: 3, closed: new Set([3]) }, term) // 4
 */
export function firstOpen(
  { nextPeriodIndex, closed }: Pick<UsageLine, 'nextPeriodIndex' | 'closed'>,
  first: number,
): number {
  let periodIndex = Math.max(nextPeriodIndex, first);
  while (closed.has(periodIndex)) periodIndex += 1;
  return periodIndex;
}

/** A record's place. */
export interface InWindow {
  readonly line: UsageLine;
  /** Of its window; null if it is never billed. */
  readonly periodIndex: number | null;
}

/**
 * Whether the order of a record has no bill day by the day on which its window is due, so that it
 * has to be given one. A suspended order gets it when it is resumed, and so does an order that ends
 * later. One that has ended is written at once: the resumption of its customer finds it by that.
 *
 * @example // an order that was cancelled and billed
 *   needsBillDay(placed, 0) // true
 */
export function needsBillDay({ line, periodIndex }: InWindow, graceDays: number): boolean {
  const { status, billsNothingMore, customerSuspended, nextBillableDate } = line.order;
  if (periodIndex === null || billsNothingMore || status === 'Suspended') return false;
  if (customerSuspended && canEdit(status)) return false;
  const dueOn = windowAt(periodIndex, termOf(line, graceDays))?.dueOn;
  return dueOn !== undefined && (nextBillableDate === null || nextBillableDate > dueOn);
}
