/** Days and billing periods of the second calculator, both ends of a period inclusive. */

/** @example dayAfter('2027-02-28') // '2027-03-01' */
export function dayAfter(day: string): string {
  return later(day, 1, 'Days');
}

/** @example dayBefore('2027-03-01') // '2027-02-28' */
export function dayBefore(day: string): string {
  return later(day, -1, 'Days');
}

/**
 * Months clip to the end of the month.
 *
 * @example later('2027-01-31', 1, 'Months') // '2027-02-28'
 */
export function later(day: string, value: number, units: string): string {
  const by = units === 'Months' ? { months: value } : { days: value };
  return Temporal.PlainDate.from(day).add(by).toString();
}

/** @example daysIn('2027-01-15', '2027-02-14') // 31 */
export function daysIn(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1;
}

/** @example earliest(['2027-02-01', null, '2027-01-15']) // '2027-01-15' */
export function earliest(days: readonly (string | null)[]): string | null {
  return days.reduce((least, day) => (day !== null && (!least || day < least) ? day : least), null);
}

/** Where the periods of an order begin: each is counted from the first one. */
export interface Schedule {
  readonly isOfMonths: boolean;
  /** Days or months of a period. */
  readonly length: number;
  /** The first day of period 0. */
  readonly origin: string;
  /** The day of the month on which periods begin; null: that of the origin. */
  readonly alignedTo: number | null;
}

const lengths: Readonly<Record<string, Pick<Schedule, 'isOfMonths' | 'length'>>> = {
  Daily: { isOfMonths: false, length: 1 },
  Weekly: { isOfMonths: false, length: 7 },
  Monthly: { isOfMonths: true, length: 1 },
  Quarterly: { isOfMonths: true, length: 3 },
  SemiAnnual: { isOfMonths: true, length: 6 },
  Yearly: { isOfMonths: true, length: 12 },
};

interface Alignment {
  readonly billingPeriod: string;
  readonly billingAlignment: string;
  readonly alignmentDay: number | null;
}

/**
 * The periods of an order that starts on a day. With DayOfMonth, period 0 begins on the first
 * alignmentDay, and the days before it belong to period -1.
 *
 * @example
 * scheduleFrom('2027-01-18', {
 *   billingPeriod: 'Monthly', billingAlignment: 'DayOfMonth', alignmentDay: 1,
 * }) // { isOfMonths: true, length: 1, origin: '2027-02-01', alignedTo: 1 }
 */
export function scheduleFrom(start: string, alignment: Alignment): Schedule {
  const size = lengths[alignment.billingPeriod];
  if (size === undefined) throw new RangeError(`a period of ${alignment.billingPeriod}`);
  if (alignment.billingAlignment !== 'DayOfMonth') {
    return { ...size, origin: start, alignedTo: null };
  }
  const day = alignment.alignmentDay ?? 1;
  const inMonth = aligned(start, 0, day);
  return { ...size, origin: inMonth < start ? aligned(start, 1, day) : inMonth, alignedTo: day };
}

function aligned(day: string, months: number, to: number): string {
  const first = Temporal.PlainDate.from(day).with({ day: 1 }).add({ months });
  return first.with({ day: Math.min(to, first.daysInMonth) }).toString();
}

/**
 * @example startOfPeriod(schedule, 1) // '2027-03-01'
 */
export function startOfPeriod({ isOfMonths, length, origin, alignedTo }: Schedule, k: number) {
  if (alignedTo !== null) return aligned(origin, k * length, alignedTo);
  return later(origin, k * length, isOfMonths ? 'Months' : 'Days');
}

export interface Period {
  readonly index: number;
  readonly from: string;
  readonly to: string;
}

/**
 * The period that a day is in.
 *
 * @example periodOf(schedule, '2027-01-18') // { index: -1, from: '2027-01-01', to: '2027-01-31' }
 */
export function periodOf(schedule: Schedule, day: string): Period {
  const { origin, isOfMonths, length } = schedule;
  const passed = Temporal.PlainDate.from(origin).until(Temporal.PlainDate.from(day), {
    largestUnit: isOfMonths ? 'months' : 'days',
  });
  let index = Math.floor((isOfMonths ? passed.months : passed.days) / length) - 1;
  while (startOfPeriod(schedule, index + 1) <= day) index += 1;
  const from = startOfPeriod(schedule, index);
  return { index, from, to: dayBefore(startOfPeriod(schedule, index + 1)) };
}
