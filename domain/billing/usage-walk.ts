/** Lists the due usage windows of one order line in order of time. */
import assert from 'node:assert';
import { addDays, periodIndexOf } from '../calendar/calendar.ts';
import type { IsoDate } from '../calendar/date.ts';
import type { BillableLine } from '../standing/line.ts';
import { windowAt, type UsageTerm, type WindowDays } from '../usage/windows.ts';
import type { DueWindow, UsageWindow } from './due-charges.ts';
import type { BillingView, LineWalk } from './periods.ts';
import { servedFrom } from './served-days.ts';

/** The walk of a usage line, which takes windows in place of charges. */
export interface WindowWalk extends LineWalk<DueWindow> {
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
export function walkWindows(line: BillableLine, view: BillingView, graceDays: number): WindowWalk {
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
export function windowOf(
  line: BillableLine,
  view: BillingView,
  { periodIndex, graceDays }: { readonly periodIndex: number; readonly graceDays: number },
): UsageWindow | null {
  const { schedule, ofLine } = view;
  const term: UsageTerm = { schedule, ...ofLine, isSuperseded: false, graceDays };
  const days = windowAt(periodIndex, term);
  return days && { ...days, line, dueOn: dueOnOf(days, view) };
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
