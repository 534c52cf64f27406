/** Lists the due charges of one order line in order of time: by period, or once. */
import assert from 'node:assert';
import {
  addDays,
  daysFromTo,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
  type Period,
  type IsoDate,
  type Schedule,
} from '../../calendar/calendar.ts';
import type { DueCharge, PartsBefore, PeriodShare } from './due-charges.ts';
import { type BillableLine, type BilledDays, lineOn } from '../../standing/line.ts';
import { daysWithout, servedAmong, servedFrom, type Days, type ServedDays } from './served-days.ts';

/** The days of service from the first to the last, both inclusive. */
export interface Service {
  readonly start: IsoDate;
  /** Null if it continues. */
  readonly end: IsoDate | null;
}

/** The fields of an order and of one of its lines that decide how the line is billed. */
export interface BillingView {
  /** 'arrears' if only charges in arrears are still billed, up to the order's end. */
  readonly scope: 'all' | 'arrears';
  /** The order's, whatever the line's days: all its lines count the same periods. */
  readonly schedule: Schedule;
  readonly ofOrder: Service;
  /** The line's days, as far as the order's go; if these do not meet, the end is before the start. */
  readonly ofLine: Service;
  readonly unserved: readonly Days[];
}

/**
 * The view of a line whose own days cut the order's.
 *
 * @example // an order from 2027-01-01 on
 *   viewOfLine(view, { startsOn: '2027-03-10', endsOn: null }).ofLine.start // '2027-03-10'
 */
export function viewOfLine(
  view: BillingView,
  { startsOn, endsOn }: Pick<BillableLine, 'startsOn' | 'endsOn'>,
): BillingView {
  if (startsOn === null && endsOn === null) return view;
  const { start, end } = view.ofOrder;
  const ofLine = {
    start: maxDate(start, startsOn ?? start),
    end: endsOn === null ? end : minDate(endsOn, end ?? endsOn),
  };
  return { ...view, ofLine };
}

/** An iterator over a line's charges from its pointer on; it builds each charge on demand. */
export interface LineWalk<Unit = DueCharge> {
  readonly line: BillableLine;
  /** When the next charge is due, never before the last one taken; null if there is none. */
  readonly dueOn: () => IsoDate | null;
  /** Skips the next charge without building it. */
  readonly pass: () => unknown;
  /** Builds the next charge, and advances. */
  readonly take: () => Unit;
  /** The line's pointer after it is billed up to here. */
  readonly nextPeriodIndex: () => number;
}

/** One period of one line: its whole days, and those that the line covers. */
interface LinePeriod {
  readonly periodIndex: number;
  readonly whole: Period;
  readonly covered: Days;
}

const whole: PeriodShare = { numerator: 1, denominator: 1 };

/** Served days of a period that are not billed yet, and when they are due. */
interface Unbilled {
  readonly period: LinePeriod;
  readonly dueOn: IsoDate;
  readonly days: ServedDays;
  readonly before?: PartsBefore;
}

/**
 * Walks a recurring charge: in each period it bills the served days that were not billed. The
 * pointer advances once a period is billed to its end, so a period that the order's end cuts short
 * is checked again if that end moves.
 */
export function walkPeriods(stored: BillableLine, view: BillingView): LineWalk {
  const line = fromItsStart(stored, view);
  const billed = billedByPeriod(line);
  let periodIndex = line.nextPeriodIndex;
  let waiting: readonly Unbilled[] = [];
  let at = 0;
  let next: Unbilled | undefined;
  function look(): void {
    for (;;) {
      const period = linePeriod(periodIndex, view);
      waiting = unbilledOf(pricedIn(line, period, view), period, billed(periodIndex), view);
      at = 0;
      next = waiting[0];
      // A later end may add days to a period that the present end cuts short.
      if (next !== undefined || isCutShort(period)) return;
      periodIndex = afterPause(period, view);
    }
  }
  function pass(): void {
    assert(next !== undefined, 'a charge is in sight');
    const { period } = next;
    at += 1;
    next = waiting[at];
    if (next !== undefined || isCutShort(period)) return;
    periodIndex += 1;
    look();
  }
  if (view.scope === 'all' || !line.charge.isPrepaid) look();
  return {
    line,
    dueOn: () => next?.dueOn ?? null,
    pass,
    take: () => {
      assert(next !== undefined, 'a charge is in sight');
      const charge = periodCharge(pricedIn(line, next.period, view), next);
      pass();
      return charge;
    },
    nextPeriodIndex: () => periodIndex,
  };
}

/** A line that begins later skips the periods before; its pointer stays until it is billed. */
function fromItsStart(line: BillableLine, { schedule, ofLine }: BillingView): BillableLine {
  if (line.startsOn === null) return line;
  const first = periodIndexOf(schedule, ofLine.start);
  return first > line.nextPeriodIndex ? { ...line, nextPeriodIndex: first } : line;
}

/** Walks a one-time charge, due on the line's first day. Pointer 1 means that it was billed. */
export function walkOnce(line: BillableLine, view: BillingView): LineWalk {
  const { scope, unserved } = view;
  const { start, end } = view.ofLine;
  const isServed = end === null || start <= end;
  let isOpen = scope === 'all' && isServed && line.nextPeriodIndex === 0;
  let nextPeriodIndex = line.nextPeriodIndex;
  const dueOn = servedFrom(start, unserved) ?? start;
  const pass = (): void => {
    isOpen = false;
    nextPeriodIndex = 1;
  };
  return {
    line,
    dueOn: () => (isOpen ? dueOn : null),
    pass,
    take: () => {
      pass();
      const priced = lineOn(line, start);
      return { line: priced, periodIndex: 0, from: start, to: start, dueOn, share: whole };
    },
    nextPeriodIndex: () => nextPeriodIndex,
  };
}

function isCutShort(period: LinePeriod): boolean {
  return period.covered.to < period.whole.end;
}

/** The period after this one; during a pause, the period in which the pause ends. */
function afterPause(
  { periodIndex, covered }: LinePeriod,
  { schedule, unserved, ofLine: { end } }: BillingView,
): number {
  const pause = unserved.find(({ from, to }) => from <= covered.from && covered.to <= to);
  if (pause === undefined) return periodIndex + 1;
  const resumed = addDays(pause.to, 1);
  const last = end === null ? resumed : minDate(resumed, end);
  return Math.max(periodIndex + 1, periodIndexOf(schedule, last));
}

type BilledOf = (periodIndex: number) => readonly BilledDays[];

/** After a rollback a line may have many billed periods. */
function billedByPeriod({ billed }: BillableLine): BilledOf {
  if (billed.length === 0) return () => billed;
  const byPeriod = Map.groupBy(billed, ({ periodIndex }) => periodIndex);
  return (periodIndex) => byPeriod.get(periodIndex) ?? [];
}

function linePeriod(periodIndex: number, { schedule, ofLine }: BillingView): LinePeriod {
  const { start, end } = ofLine;
  const whole = periodAt(schedule, periodIndex);
  const to = end === null ? whole.end : minDate(whole.end, end);
  return { periodIndex, whole, covered: { from: maxDate(whole.start, start), to } };
}

/** With the charge that the line had when the period of the order began. */
function pricedIn(
  line: BillableLine,
  { whole: { start } }: LinePeriod,
  { ofOrder }: BillingView,
): BillableLine {
  return line.earlier === undefined ? line : lineOn(line, maxDate(start, ofOrder.start));
}

function unbilledOf(
  line: BillableLine,
  period: LinePeriod,
  billed: readonly BilledDays[],
  view: BillingView,
): Unbilled[] {
  const { covered } = period;
  // Without proration a period has one price, whichever of its days were billed.
  if (!line.charge.isProrated && billed.length > 0) return [];
  const unbilled: Unbilled[] = [];
  let dueDays = 0;
  for (const run of daysWithout(covered, billed)) {
    const days = servedAmong(run, view.unserved);
    if (days === null) continue;
    const dueOn = line.charge.isPrepaid ? days.from : dayAfter(covered, view);
    const before = billed.length > 0 && { before: { billed, dueDays } };
    unbilled.push({ period, days, dueOn, ...before });
    dueDays += days.count;
  }
  return unbilled;
}

/**
 * The day after the covered days; in a pause the day of resumption, or the day after the end of the
 * order: nothing else is due in a pause.
 */
function dayAfter(covered: Days, { unserved, ofOrder }: BillingView): IsoDate {
  return servedFrom(addDays(covered.to, 1), unserved) ?? addDays(ofOrder.end ?? covered.to, 1);
}

function periodCharge(
  line: BillableLine,
  { period: { periodIndex, whole: all }, days, dueOn, before }: Unbilled,
): DueCharge {
  const share = line.charge.isProrated
    ? { numerator: days.count, denominator: daysFromTo(all.start, all.end) }
    : whole;
  const { from, to } = days;
  return { line, periodIndex, from, to, dueOn, share, ...(before && { before }) };
}
