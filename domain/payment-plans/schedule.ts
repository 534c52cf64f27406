/** The days of the installments of a payment plan. */
import assert from 'node:assert';
import { addDays, addMonths, lastDate, maxDate, type IsoDate } from '../calendar/calendar.ts';

export const frequencyUnits = ['Days', 'Weeks', 'Months', 'Quarters', 'Years'] as const;
export type FrequencyUnit = (typeof frequencyUnits)[number];

/** A day every so many units, counted from the start date each time. */
export interface InstallmentSchedule {
  readonly startDate: IsoDate;
  readonly frequencyValue: number;
  readonly frequencyUnits: FrequencyUnit;
}

const unitLengths: Readonly<
  Record<FrequencyUnit, { readonly days: number } | { readonly months: number }>
> = {
  Days: { days: 1 },
  Weeks: { days: 7 },
  Months: { months: 1 },
  Quarters: { months: 3 },
  Years: { months: 12 },
};

/**
 * The day with this index, computed from the start date and clipped to its month; 0 is the start.
 *
 * @example installmentDay({ startDate: '2027-01-31', frequencyValue: 1,
 *   frequencyUnits: 'Months' }, 1) // '2027-02-28'
 */
export function installmentDay(schedule: InstallmentSchedule, index: number): IsoDate {
  const { startDate, frequencyValue, frequencyUnits: units } = schedule;
  const length = unitLengths[units];
  const count = frequencyValue * index;
  return 'days' in length
    ? addDays(startDate, length.days * count)
    : addMonths(startDate, length.months * count);
}

export interface NextDayOptions {
  /** The day of the installment before; null if there is none. */
  readonly after: IsoDate | null;
  /** No earlier day is chosen. */
  readonly from: IsoDate;
}

/**
 * The first day of the schedule after the installment before, and not before `from`.
 *
 * @example nextInstallmentDay({ startDate: '2027-01-31', frequencyValue: 1,
 *   frequencyUnits: 'Months' }, { after: '2027-01-31', from: '2027-01-31' }) // '2027-02-28'
 */
export function nextInstallmentDay(
  schedule: InstallmentSchedule,
  { after, from }: NextDayOptions,
): IsoDate {
  const earliest = after === null ? from : maxDate(addDays(after, 1), from);
  let [low, high] = [0, 1];
  while (installmentDay(schedule, high) < earliest) {
    assert(installmentDay(schedule, high) < lastDate, 'the schedule ends with the calendar');
    [low, high] = [high, high * 2];
  }
  if (installmentDay(schedule, low) >= earliest) return installmentDay(schedule, low);
  // The days ascend: the first one that is late enough lies between the two.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (installmentDay(schedule, middle) < earliest) low = middle;
    else high = middle;
  }
  return installmentDay(schedule, high);
}
