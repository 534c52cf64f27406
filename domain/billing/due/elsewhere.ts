/** Days of an order that another system bills: on which day each of its lines begins here. */
import {
  type IsoDate,
  type Schedule,
  addDays,
  minDate,
  periodAt,
  periodIndexOf,
} from '../../calendar/calendar.ts';
import type { Charge } from '../../plans/plan.ts';
import { isDueBySchedule, isTaxPercentage, isUsage } from '../kinds.ts';

/** The last days that are billed elsewhere; null: none is. */
export interface BilledElsewhere {
  /** Of prepaid charges. */
  readonly billedThrough: IsoDate | null;
  /** Of charges in arrears and of usage. */
  readonly arrearsBilledThrough: IsoDate | null;
}

/** @example nothingElsewhere.billedThrough // null */
export const nothingElsewhere: BilledElsewhere = {
  billedThrough: null,
  arrearsBilledThrough: null,
};

/** The days and periods of an order. */
export interface OrderPeriods {
  readonly schedule: Schedule;
  readonly startDate: IsoDate;
  /** The last day of one that does not renew. */
  readonly lastDay?: IsoDate | null;
}

/**
 * What a call says that is billed elsewhere: charges in arrears and usage only as far as their
 * periods are over on its day, because nobody has billed the one under way.
 *
 * @example // monthly from 2026-10-15, said on 2027-01-15
 *   billedElsewhere('2027-02-14', periods, '2027-01-15').arrearsBilledThrough // '2027-01-14'
 */
export function billedElsewhere(
  billedThrough: IsoDate | null,
  { schedule, startDate, lastDay = null }: OrderPeriods,
  today: IsoDate,
): BilledElsewhere {
  if (billedThrough === null) return nothingElsewhere;
  const underWay = periodAt(schedule, periodIndexOf(schedule, today)).start;
  const isOver = lastDay !== null && lastDay < today;
  const last = minDate(billedThrough, isOver ? lastDay : addDays(underWay, -1));
  return { billedThrough, arrearsBilledThrough: last < startDate ? null : last };
}

/**
 * What of it an order that begins on a day takes along from the one that it replaces: nothing once
 * all of it has passed, a period that is not prorated included.
 *
 * @example // monthly from 2026-10-15, billed elsewhere to 2027-01-20
 *   takenAlong(elsewhere, schedule, '2027-02-15').billedThrough // null
 */
export function takenAlong(
  { billedThrough, arrearsBilledThrough }: BilledElsewhere,
  schedule: Schedule,
  startDate: IsoDate,
): BilledElsewhere {
  const isOver =
    billedThrough === null || firstBegunFrom(addDays(billedThrough, 1), schedule) <= startDate;
  return isOver ? nothingElsewhere : { billedThrough, arrearsBilledThrough };
}

/** Whether days of an order are billed elsewhere. @example hasDaysElsewhere(gold, '2027-01-15') // false */
export function hasDaysElsewhere(
  { billedThrough }: Pick<BilledElsewhere, 'billedThrough'>,
  startDate: IsoDate,
): boolean {
  return billedThrough !== null && billedThrough >= startDate;
}

interface ElsewhereLine {
  readonly charge: Charge;
  readonly isActive: boolean;
}

/**
 * The first day here of each charge of an order; null: the order's own. A charge that is not prorated
 * begins with the next period, and a tax in percent with what it may tax. One-time charges and
 * penalties have no days.
 *
 * @example // monthly from 2026-10-15, billed elsewhere to 2027-01-20
 *   startsElsewhere(lines, { ...elsewhere, ...periods })(fee) // '2027-01-21'
 */
export function startsElsewhere(
  lines: readonly ElsewhereLine[],
  elsewhere: BilledElsewhere & OrderPeriods,
): (charge: Charge) => IsoDate | null {
  const { startDate } = elsewhere;
  const startOf = (charge: Charge): IsoDate | null => {
    const start = firstDayHere(charge, elsewhere);
    return start !== null && start > startDate ? start : null;
  };
  return (charge) => {
    if (!isTaxPercentage(charge)) return startOf(charge);
    const taxed = lines.flatMap(({ charge: base, isActive }) => {
      const isTaxed = isActive && isRecurring(base) && !base.isTax && isDueBySchedule(base);
      return isTaxed && base.isPrepaid === charge.isPrepaid ? (startOf(base) ?? startDate) : [];
    });
    if (taxed.length === 0 || !isRecurring(charge)) return startOf(charge);
    const first = taxed.reduce(minDate);
    return first > startDate ? first : null;
  };
}

function firstDayHere(
  charge: Charge,
  { billedThrough, arrearsBilledThrough, schedule }: BilledElsewhere & OrderPeriods,
): IsoDate | null {
  if (charge.chargeType === 'OneTimeCharge' || charge.isPenalty) return null;
  const isAhead = charge.isPrepaid && !isUsage(charge);
  const through = isAhead ? billedThrough : arrearsBilledThrough;
  if (through === null) return null;
  const next = addDays(through, 1);
  return charge.isProrated || isUsage(charge) ? next : firstBegunFrom(next, schedule);
}

/** The first day of a period on or after a day. */
function firstBegunFrom(day: IsoDate, schedule: Schedule): IsoDate {
  const index = periodIndexOf(schedule, day);
  const { start } = periodAt(schedule, index);
  return start < day ? periodAt(schedule, index + 1).start : start;
}

const isRecurring = ({ chargeType }: Charge): boolean => chargeType === 'RecurringCharge';

/** The later of two first days of a line. @example laterStart(null, '2027-01-21') // '2027-01-21' */
export function laterStart(left: IsoDate | null, right: IsoDate | null): IsoDate | null {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
}
