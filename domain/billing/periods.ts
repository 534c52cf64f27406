/** What one line of an order owes, charge by charge in the order of time: of its periods, or once. */
import assert from 'node:assert';
import {
  addDays,
  daysFromTo,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
} from '../calendar/calendar.ts';
import type { Period } from '../calendar/calendar.ts';
import type {
  BilledDays,
  BillableLine,
  DueCharge,
  IsoDate,
  PeriodShare,
  Schedule,
} from '../model.ts';
import { daysWithout, servedAmong, servedFrom } from './served-days.ts';
import type { Days, ServedDays } from './served-days.ts';

/** An order as its lines are billed. */
export interface BillingView {
  /** Whether only charges in arrears are billed any more, up to the end that there is then. */
  readonly scope: 'all' | 'arrears';
  readonly schedule: Schedule;
  readonly start: IsoDate;
  /** The last day of service; null if it goes on. */
  readonly end: IsoDate | null;
  readonly unserved: readonly Days[];
}

/** What a line bills from its pointer on, one charge after the other: nothing is made ahead. */
export interface LineWalk {
  readonly line: BillableLine;
  /** When the next charge is due, never before the one taken last; null: none is in sight. */
  readonly dueOn: () => IsoDate | null;
  /** Goes on to the charge after the next one, without making it. */
  readonly pass: () => void;
  /** Makes the next charge, and goes on. */
  readonly take: () => DueCharge;
  /** Where the line goes on when it is billed up to here. */
  readonly nextPeriodIndex: () => number;
}

/** One period of one line: its whole days, and those that the order covers. */
interface LinePeriod {
  readonly periodIndex: number;
  readonly whole: Period;
  readonly covered: Days;
}

const whole: PeriodShare = { numerator: 1, denominator: 1 };

/** Served days of a period that are still to be billed, and when. */
interface Unbilled {
  readonly period: LinePeriod;
  readonly dueOn: IsoDate;
  readonly days: ServedDays;
}

/**
 * A recurring charge: of each period the served days that were not billed. The line goes on once a
 * period is billed to its end, so that one cut short by the order's end is looked at again should
 * that end move.
 */
export function walkPeriods(line: BillableLine, view: BillingView): LineWalk {
  const billed = billedByPeriod(line);
  let periodIndex = line.nextPeriodIndex;
  let waiting: readonly Unbilled[] = [];
  let at = 0;
  let next: Unbilled | undefined;
  function look(): void {
    for (;;) {
      const period = linePeriod(periodIndex, view);
      if (view.end !== null && period.whole.start > view.end) return;
      waiting = unbilledOf(line, period, billed(periodIndex), view);
      at = 0;
      next = waiting[0];
      // A later end may add days to a period that this one cuts short.
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
      const charge = periodCharge(line, next);
      pass();
      return charge;
    },
    nextPeriodIndex: () => periodIndex,
  };
}

/** A one-time charge: its price on the order's first day. Period 1 says that it was billed. */
export function walkOnce(line: BillableLine, view: BillingView): LineWalk {
  const { start, unserved } = view;
  let isOpen = view.scope === 'all' && line.nextPeriodIndex === 0;
  const dueOn = servedFrom(start, unserved) ?? start;
  const pass = (): void => {
    isOpen = false;
  };
  return {
    line,
    dueOn: () => (isOpen ? dueOn : null),
    pass,
    take: () => {
      pass();
      return { line, periodIndex: 0, from: start, to: start, dueOn, share: whole };
    },
    nextPeriodIndex: () => (view.scope === 'all' && !isOpen ? 1 : line.nextPeriodIndex),
  };
}

function isCutShort(period: LinePeriod): boolean {
  return period.covered.to < period.whole.end;
}

/** The period after this one; from the midst of a break, the one in which it ends. */
function afterPause(
  { periodIndex, covered }: LinePeriod,
  { schedule, unserved, end }: BillingView,
): number {
  const pause = unserved.find(({ from, to }) => from <= covered.from && covered.to <= to);
  if (pause === undefined) return periodIndex + 1;
  const resumed = addDays(pause.to, 1);
  const last = end === null ? resumed : minDate(resumed, end);
  return Math.max(periodIndex + 1, periodIndexOf(schedule, last));
}

type BilledOf = (periodIndex: number) => readonly BilledDays[];

/** After a rollback a line may have many of them. */
function billedByPeriod({ billed }: BillableLine): BilledOf {
  if (billed.length === 0) return () => billed;
  const byPeriod = Map.groupBy(billed, ({ periodIndex }) => periodIndex);
  return (periodIndex) => byPeriod.get(periodIndex) ?? [];
}

function linePeriod(periodIndex: number, { schedule, start, end }: BillingView): LinePeriod {
  const whole = periodAt(schedule, periodIndex);
  const to = end === null ? whole.end : minDate(whole.end, end);
  return { periodIndex, whole, covered: { from: maxDate(whole.start, start), to } };
}

function unbilledOf(
  line: BillableLine,
  period: LinePeriod,
  billed: readonly BilledDays[],
  view: BillingView,
): Unbilled[] {
  const { covered } = period;
  // Without proration a period has one price, for whichever of its days it was billed.
  if (!line.charge.isProrated && billed.length > 0) return [];
  const unbilled: Unbilled[] = [];
  for (const run of daysWithout(covered, billed)) {
    const days = servedAmong(run, view.unserved);
    if (days === null) continue;
    const dueOn = line.charge.isPrepaid ? days.from : dayAfter(covered, view);
    unbilled.push({ period, days, dueOn });
  }
  return unbilled;
}

/** The day after the covered days; in a break the day of resumption, or the one after the end. */
function dayAfter(covered: Days, { unserved, end }: BillingView): IsoDate {
  return servedFrom(addDays(covered.to, 1), unserved) ?? addDays(end ?? covered.to, 1);
}

function periodCharge(
  line: BillableLine,
  { period: { periodIndex, whole: all }, days, dueOn }: Unbilled,
): DueCharge {
  const share = line.charge.isProrated
    ? { numerator: days.count, denominator: daysFromTo(all.start, all.end) }
    : whole;
  return { line, periodIndex, from: days.from, to: days.to, dueOn, share };
}
