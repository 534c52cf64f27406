/** The dates on which a date-based commission falls due. */
import { addMonths, lastDate, type IsoDate } from '../calendar/calendar.ts';
import type { OrderStatus } from '../standing/status.ts';
import type { DateTerms } from './terms.ts';

const MONTHS_PER_YEAR = 12;

/** A date, and the first of the days before it whose paid invoices count. */
export interface DueDate {
  readonly on: IsoDate;
  readonly since: IsoDate;
}

/** Dates after one day, up to another. */
export interface DateRange {
  /** Null: from the first. */
  readonly after: IsoDate | null;
  readonly upTo: IsoDate;
  /** No more than so many, the earliest. */
  readonly max: number;
}

/**
 * The dates of a charge, each counted from the joiningDate and clipped to its month's end.
 *
 * @example dueDates({ chargeType: 'DateBasedCharge', value: 1, units: 'Months' }, '2027-01-31',
 *   { after: null, upTo: '2027-03-31', max: 9 })
 *   // [{ on: '2027-02-28', since: '2027-01-31' }, { on: '2027-03-31', since: '2027-02-28' }]
 */
export function dueDates(
  terms: DateTerms,
  joiningDate: IsoDate,
  { after, upTo, max }: DateRange,
): readonly DueDate[] {
  const dates: DueDate[] = [];
  let next = dueDateAfter(terms, joiningDate, after);
  while (next !== null && next.on <= upTo && dates.length < max) {
    dates.push(next);
    next = dueDateAfter(terms, joiningDate, next.on);
  }
  return dates;
}

/**
 * The first date of a charge after a day; null if there is none.
 *
 * @example dueDateAfter({ chargeType: 'DateBasedChargeOneTime', value: null, units: null },
 *   '2027-01-15', null) // { on: '2027-01-15', since: '2027-01-15' }
 */
export function dueDateAfter(
  terms: DateTerms,
  joiningDate: IsoDate,
  after: IsoDate | null,
): DueDate | null {
  const months = monthsOf(terms);
  switch (terms.chargeType) {
    case 'RecurringCharge':
      return null;
    case 'DateBasedChargeOneTime': {
      const on = addMonths(joiningDate, months);
      return after === null || on > after ? { on, since: joiningDate } : null;
    }
    case 'DateBasedCharge': {
      // Files of an earlier format may lack the interval.
      if (months === 0) return null;
      const dateAt = (index: number): IsoDate => addMonths(joiningDate, index * months);
      const passed = after === null ? 0 : monthsFromTo(joiningDate, after);
      let index = Math.max(1, Math.floor(passed / months));
      while (after !== null && dateAt(index) <= after && dateAt(index) < lastDate) index += 1;
      const on = dateAt(index);
      return on < lastDate ? { on, since: dateAt(index - 1) } : null;
    }
  }
}

function monthsOf({ value, units }: DateTerms): number {
  return (value ?? 0) * (units === 'Years' ? MONTHS_PER_YEAR : 1);
}

/** From the month of one day to that of another. */
function monthsFromTo(first: IsoDate, last: IsoDate): number {
  const monthOf = (date: IsoDate): number =>
    Number(date.slice(0, 4)) * MONTHS_PER_YEAR + Number(date.slice(5, 7));
  return monthOf(last) - monthOf(first);
}

/** What of an order decides whether a date-based commission is earned on a day. */
export interface ServingOrder {
  readonly status: OrderStatus;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The last day of an order that ended before its endDate. */
  readonly endedOn: IsoDate | null;
}

/**
 * Whether an order has begun by a day and not ended before it; `over` if it has ended for good.
 *
 * @example servingOn({ status: 'Canceled', endedOn: '2027-02-14', ... }, '2027-02-15') // 'over'
 */
export function servingOn(order: ServingOrder, day: IsoDate): 'serves' | 'not yet' | 'over' {
  const { status, startDate, endDate, isAutoRenew, endedOn } = order;
  switch (status) {
    case 'Draft':
    case 'Provisioning':
      return 'not yet';
    case 'Active':
    case 'Suspended':
      if (startDate > day) return 'not yet';
      return isAutoRenew || endDate === null || endDate >= day ? 'serves' : 'over';
    case 'Complete':
    case 'Superseded':
    case 'Canceled': {
      const lastDay = endedOn ?? (status === 'Complete' ? endDate : null);
      if (lastDay === null || lastDay < day) return 'over';
      return startDate > day ? 'not yet' : 'serves';
    }
  }
}
