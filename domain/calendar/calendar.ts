/** Civil days and billing periods as integers: no time, no time zone, no clock. */
import assert from 'node:assert';

/** The end of the calendar; later days are clipped to it, so that dates compare as text. */
export const lastDate: IsoDate = '9999-12-31';
const firstDate: IsoDate = '0001-01-01';

/** The length of each period in days or months. */
const periodLengths: Record<BillingPeriod, { readonly days: number; readonly months: number }> = {
  Daily: { days: 1, months: 0 },
  Weekly: { days: 7, months: 0 },
  Monthly: { days: 0, months: 1 },
  Quarterly: { days: 0, months: 3 },
  SemiAnnual: { days: 0, months: 6 },
  Yearly: { days: 0, months: 12 },
};

/** First and last day, both inclusive. */
export interface Period {
  readonly start: IsoDate;
  readonly end: IsoDate;
}

/** Whether a text is a day of the calendar. @example isDate('2027-02-30') // false */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < firstDate) return false;
  const { year, month, day } = civil(text);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** @example addDays('2027-02-28', 1) // '2027-03-01' */
export function addDays(date: IsoDate, days: number): IsoDate {
  return dateOfDay(dayNumber(date) + days);
}

/** The number of days from the first to the last, both included; 0 or less if last is earlier. */
export function daysFromTo(first: IsoDate, last: IsoDate): number {
  return dayNumber(last) - dayNumber(first) + 1;
}

/** Clipped to the month's end. @example addMonths('2027-01-31', 1) // '2027-02-28' */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const { year, month, day } = civil(date);
  return dayOfMonth(year * 12 + month - 1 + months, day);
}

/** Negative, zero or positive, for sorting. */
export function compareDates(left: IsoDate, right: IsoDate): -1 | 0 | 1 {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** @example maxDate('2027-01-31', '2027-02-01') // '2027-02-01' */
export function maxDate(left: IsoDate, right: IsoDate): IsoDate {
  return left > right ? left : right;
}

/** @example minDate('2027-01-31', '2027-02-01') // '2027-01-31' */
export function minDate(left: IsoDate, right: IsoDate): IsoDate {
  return left < right ? left : right;
}

/** The fields of a plan that place the periods of its orders. */
export interface Alignment {
  readonly billingPeriod: BillingPeriod;
  readonly billingAlignment: BillingAlignment;
  readonly alignmentDay: number | null;
}

/**
 * The schedule of the periods of an order that starts on a day. With DayOfMonth, which is for
 * months and longer periods only, the anchor is the first alignment day at or after the start.
 *
 * @example scheduleOf({ billingPeriod: 'Monthly', billingAlignment: 'DayOfMonth',
 *   alignmentDay: 31 }, '2027-02-10').anchor // '2027-02-28'
 */
export function scheduleOf(plan: Alignment, startDate: IsoDate): Schedule {
  const { billingPeriod, billingAlignment, alignmentDay } = plan;
  if (billingAlignment === 'StartDate') {
    return { billingPeriod, anchor: startDate, alignmentDay: null };
  }
  assert(alignmentDay !== null && periodLengths[billingPeriod].months > 0, 'an aligned plan');
  const { year, month } = civil(startDate);
  const thisMonth = dayOfMonth(year * 12 + month - 1, alignmentDay);
  const anchor = thisMonth >= startDate ? thisMonth : dayOfMonth(year * 12 + month, alignmentDay);
  return { billingPeriod, anchor, alignmentDay };
}

/** Whether the periods of two schedules are the same. @example isSameSchedule(gold, gold) // true */
export function isSameSchedule(left: Schedule, right: Schedule): boolean {
  return left.anchor === right.anchor && isAlignedAlike(left, right);
}

/** Whether they have the same length and alignment, from whatever day they count. */
export function isAlignedAlike(left: Schedule, right: Schedule): boolean {
  return left.billingPeriod === right.billingPeriod && left.alignmentDay === right.alignmentDay;
}

/** The number of the period that a start date falls in: 0, or -1 for the stub before the anchor. */
export function firstIndex(schedule: Schedule, startDate: IsoDate): number {
  return periodIndexOf(schedule, startDate);
}

/**
 * The whole period with this index, whatever part of it an order uses. The index may be negative.
 *
 * @example periodAt({ billingPeriod: 'Monthly', anchor: '2027-01-31', alignmentDay: null }, 1)
 *   // { start: '2027-02-28', end: '2027-03-30' }
 */
export function periodAt(schedule: Schedule, periodIndex: number): Period {
  return {
    start: periodStart(schedule, periodIndex),
    end: addDays(periodStart(schedule, periodIndex + 1), -1),
  };
}

/** The number of the period that contains a day: the inverse of `periodAt`. */
export function periodIndexOf(schedule: Schedule, date: IsoDate): number {
  const length = periodLengths[schedule.billingPeriod];
  if (length.months === 0) {
    return Math.floor((dayNumber(date) - dayNumber(schedule.anchor)) / length.days);
  }
  const anchor = civil(schedule.anchor);
  const { year, month } = civil(date);
  const monthsOn = (year - anchor.year) * 12 + month - anchor.month;
  const periodIndex = Math.floor(monthsOn / length.months);
  // The period that starts in this month may start after the date.
  return periodStart(schedule, periodIndex) > date ? periodIndex - 1 : periodIndex;
}

function periodStart(schedule: Schedule, periodIndex: number): IsoDate {
  const start = unlimitedStart(schedule, periodIndex);
  // Beyond the calendar all periods would be equal, and a loop over them would never end.
  assert(
    start < lastDate,
    `period ${periodIndex} from ${schedule.anchor} lies beyond the calendar`,
  );
  return start;
}

function unlimitedStart(schedule: Schedule, periodIndex: number): IsoDate {
  const length = periodLengths[schedule.billingPeriod];
  if (length.months === 0) return addDays(schedule.anchor, periodIndex * length.days);
  const { year, month, day } = civil(schedule.anchor);
  return dayOfMonth(
    year * 12 + month - 1 + periodIndex * length.months,
    schedule.alignmentDay ?? day,
  );
}

/** A day in a month counted from year 0, clipped to the month's end. */
function dayOfMonth(monthIndex: number, day: number): IsoDate {
  const year = Math.floor(monthIndex / 12);
  const month = monthIndex - year * 12 + 1;
  return dateText(year, month, Math.min(day, daysInMonth(year, month)));
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function civil(date: IsoDate): { year: number; month: number; day: number } {
  return {
    year: digit(date, 0) * 1000 + digit(date, 1) * 100 + digit(date, 2) * 10 + digit(date, 3),
    month: digit(date, 5) * 10 + digit(date, 6),
    day: digit(date, 8) * 10 + digit(date, 9),
  };
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}

function dateText(year: number, month: number, day: number): IsoDate {
  if (year > 9999) return lastDate;
  if (year < 1) return firstDate;
  const yearText = year < 1000 ? String(year).padStart(4, '0') : String(year);
  return `${yearText}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/*
 * Days since 1970-01-01 of the proleptic Gregorian calendar, and back: Howard Hinnant's
 * days_from_civil and civil_from_days (https://howardhinnant.github.io/date_algorithms.html).
 * Years begin in March there, so that the leap day is a year's last.
 */
const DAYS_PER_ERA = 146_097;
const DAYS_BEFORE_1970 = 719_468;

function dayNumber(date: IsoDate): number {
  const { year: civilYear, month, day } = civil(date);
  const year = month <= 2 ? civilYear - 1 : civilYear;
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_PER_ERA + yearOfEra * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}

function dateOfDay(number: number): IsoDate {
  const shifted = number + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays);
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return dateText(era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day);
}

/* Days without a time or a zone. */

/** A calendar date `YYYY-MM-DD`. */
export type IsoDate = string;

/** The billing periods of orders. */
export const billingPeriods = [
  'Daily',
  'Weekly',
  'Monthly',
  'Quarterly',
  'SemiAnnual',
  'Yearly',
] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const billingAlignments = ['StartDate', 'DayOfMonth'] as const;
export type BillingAlignment = (typeof billingAlignments)[number];

/**
 * The schedule of an order's billing periods: period n starts n periods after the anchor. With
 * `alignmentDay` the anchor is the first alignment day at or after the order's start, and the stub
 * before it is (the end of) period -1.
 */
export interface Schedule {
  readonly billingPeriod: BillingPeriod;
  readonly anchor: IsoDate;
  readonly alignmentDay: number | null;
}
