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

/* Decides how far a payment plan is: which installments have had their turn, and whether it ends. */

interface PlanProgress {
  /** The installments that have had their turn. */
  readonly counted: number;
  readonly isEnabled: boolean;
  /** The day on which it ended or was disabled; null while it is enabled. */
  readonly endedOn: IsoDate | null;
}

export interface ScheduledPlan extends PlanProgress, InstallmentSchedule {
  readonly totalNumberOfInstallments: number;
}

export interface PlanTurn {
  /** The day of the installment that has had its turn; null if the plan counts none. */
  readonly countedOn: IsoDate | null;
  /** One of its installments, or a retry of one, is still due or has a payment under way. */
  readonly hasOpenAttempts: boolean;
  readonly today: IsoDate;
}

export interface PlanAfter extends PlanProgress {
  /** The installment to come after the one that was counted; null if there is none. */
  readonly next: { readonly installment: number; readonly dueOn: IsoDate } | null;
  readonly hasEnded: boolean;
}

/**
 * The plan after something happened to its installments. It ends once each has had its turn and
 * no attempt remains.
 *
 * @example // the last of three installments was paid
 *   planAfter({ ...plan, counted: 3 }, { countedOn: null, hasOpenAttempts: false,
 *     today: '2027-03-15' }).endedOn // '2027-03-15'
 */
export function planAfter(plan: ScheduledPlan, turn: PlanTurn): PlanAfter {
  const { countedOn, hasOpenAttempts, today } = turn;
  const counted = countedOn === null ? plan.counted : plan.counted + 1;
  const remains = counted < plan.totalNumberOfInstallments;
  const next =
    countedOn !== null && remains
      ? {
          installment: counted + 1,
          dueOn: nextInstallmentDay(plan, { after: countedOn, from: plan.startDate }),
        }
      : null;
  const hasEnded = plan.isEnabled && !remains && !hasOpenAttempts;
  const { isEnabled, endedOn } = plan;
  return hasEnded
    ? { counted, isEnabled: false, endedOn: today, next, hasEnded }
    : { counted, isEnabled, endedOn, next, hasEnded };
}
