/** What one line of an order owes up to a day: of its billing periods, or once. */
import { addDays, daysFromTo, maxDate, minDate, periodAt } from './calendar.ts';
import type { Period } from './calendar.ts';
import { DomainError } from './errors.ts';
import type { BillableLine, DueCharge, IsoDate, PeriodShare, Schedule } from './model.ts';
import { daysWithout, servedAmong, servedFrom } from './service.ts';
import type { Days, ServedDays } from './service.ts';

/** Far more than any order in real use: nearly three years of daily billing at once. */
export const PERIODS_PER_ORDER_MAX = 1000;

/** An order as its lines are billed. */
export interface BillingView {
  readonly today: IsoDate;
  /** Whether only charges in arrears are billed any more, up to the end that there is then. */
  readonly scope: 'all' | 'arrears';
  readonly schedule: Schedule;
  readonly start: IsoDate;
  /** The last day of service; null if it goes on. */
  readonly end: IsoDate | null;
  readonly unserved: readonly Days[];
  /** More of them at once are refused. */
  readonly periodsMax: number;
}

/** What is due of one line, and where it goes on. */
export interface LineDue {
  readonly charges: readonly DueCharge[];
  readonly nextK: number;
  /** The next day on which the line bills something; null when there is none in sight. */
  readonly nextOn: IsoDate | null;
}

/** One period of one line: its whole days, and those that the order covers. */
interface LinePeriod {
  readonly k: number;
  readonly whole: Period;
  readonly covered: Days;
}

const whole: PeriodShare = { numerator: 1, denominator: 1 };

/** Served days of a period that are still to be billed, and when. */
interface Unbilled {
  readonly dueOn: IsoDate;
  readonly days: ServedDays;
}

/**
 * What a recurring charge owes: of each period up to today the served days that were not billed.
 * The line goes on once a period is billed to its end, so that one cut short by the order's end is
 * looked at again should that end move.
 */
export function dueOfPeriods(line: BillableLine, view: BillingView): LineDue {
  const charges: DueCharge[] = [];
  if (view.scope === 'arrears' && line.charge.isPrepaid) {
    return { charges, nextK: line.nextK, nextOn: null };
  }
  for (let k = line.nextK; ; k += 1) {
    const period = linePeriod(k, view);
    if (view.end !== null && period.whole.start > view.end) {
      return { charges, nextK: k, nextOn: null };
    }
    for (const unbilled of unbilledOf(line, period, view)) {
      if (unbilled.dueOn > view.today) return { charges, nextK: k, nextOn: unbilled.dueOn };
      charges.push(periodCharge(line, period, unbilled));
    }
    // A later end may add days to a period that this one cuts short.
    if (period.covered.to < period.whole.end) return { charges, nextK: k, nextOn: null };
    if (charges.length > view.periodsMax) throw tooManyPeriods(line, view);
  }
}

/** What a one-time charge owes: its price on the order's first day. Period 1 says that it did. */
export function dueOnce(line: BillableLine, view: BillingView): LineDue {
  const { start, unserved } = view;
  if (view.scope === 'arrears' || line.nextK > 0) {
    return { charges: [], nextK: line.nextK, nextOn: null };
  }
  const dueOn = servedFrom(start, unserved) ?? start;
  if (dueOn > view.today) return { charges: [], nextK: 0, nextOn: dueOn };
  return {
    charges: [{ line, k: 0, from: start, to: start, dueOn, share: whole }],
    nextK: 1,
    nextOn: null,
  };
}

function linePeriod(k: number, { schedule, start, end }: BillingView): LinePeriod {
  const whole = periodAt(schedule, k);
  const to = end === null ? whole.end : minDate(whole.end, end);
  return { k, whole, covered: { from: maxDate(whole.start, start), to } };
}

function unbilledOf(line: BillableLine, period: LinePeriod, view: BillingView): Unbilled[] {
  const { covered, k } = period;
  const billed = line.billed.filter((days) => days.k === k);
  // Without proration a period has one price, for whichever of its days it was billed.
  if (!line.charge.isProrated && billed.length > 0) return [];
  const unbilled: Unbilled[] = [];
  for (const run of daysWithout(covered, billed)) {
    const days = servedAmong(run, view.unserved);
    if (days === null) continue;
    unbilled.push({ days, dueOn: line.charge.isPrepaid ? days.from : dayAfter(covered, view) });
  }
  return unbilled;
}

/** The day after the covered days; in a break the day of resumption, or the one after the end. */
function dayAfter(covered: Days, { unserved, end }: BillingView): IsoDate {
  return servedFrom(addDays(covered.to, 1), unserved) ?? addDays(end ?? covered.to, 1);
}

function periodCharge(
  line: BillableLine,
  { k, whole: period }: LinePeriod,
  { days, dueOn }: Unbilled,
): DueCharge {
  const share = line.charge.isProrated
    ? { numerator: days.count, denominator: daysFromTo(period.start, period.end) }
    : whole;
  return { line, k, from: days.from, to: days.to, dueOn, share };
}

function tooManyPeriods(line: BillableLine, view: BillingView): DomainError {
  return new DomainError(
    'order.tooManyPeriods',
    `${line.charge.priceCode} has more than ${view.periodsMax} elapsed periods to bill ` +
      `between ${view.start} and ${view.today}`,
    { path: 'subscriptionOrder/startDate', value: view.start },
  );
}
