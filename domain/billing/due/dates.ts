/**
 * Decides an order's dates: its status and term of the day, when it bills next, and when it acts.
 * New orders, runs, wakes, changes, releases and the audit share this one decision.
 */
import { type IsoDate, addDays, minDate } from '../../calendar/calendar.ts';
import {
  type BillableBasis,
  type BillableOrder,
  type OrderToRate,
  billableOn,
} from '../order-to-rate.ts';
import type { Plan } from '../../plans/plan.ts';
import { firstDueOn } from './due.ts';
import { newPricesOn } from './new-prices.ts';
import { type OrderStatus, nextTransitionOn } from '../../standing/status.ts';

export interface NextDue {
  /** The first day on which something of the order is due; null if nothing ever is. */
  readonly next: IsoDate | null;
  readonly today: IsoDate;
  /** The first day of its next prices; absent, or null, if it keeps its own. */
  readonly priceChangeOn?: IsoDate | null;
  /** The stored one; absent, or null, for an order that is new. */
  readonly transitionOn?: IsoDate | null;
}

export interface OrderDates {
  readonly status: OrderStatus;
  readonly endDate: IsoDate | null;
  readonly nextBillableDate: IsoDate | null;
  /** The first day whose 00:00 run may bill it. */
  readonly billOn: IsoDate | null;
  /** The next day on which the status, the term or the prices change. */
  readonly transitionOn: IsoDate | null;
  readonly priceChangeOn: IsoDate | null;
}

/**
 * The dates of an order in its status of the day, given the date of its next bill.
 *
 * @param billOnBefore the previous value of a stored order; null for a new one
 * @example datesOf(order, null, { next: '2027-01-10', today: '2027-01-15' }).billOn // '2027-01-16'
 */
export function datesOf(
  order: BillableOrder,
  billOnBefore: IsoDate | null,
  due: NextDue,
): OrderDates {
  const { status, endDate, awaitsChange } = order;
  const { priceChangeOn = null, today } = due;
  const transitionOn = nextTransitionOn(order);
  // A day that has passed, as that of a Draft that begins late, waits for the next run as charges do.
  const movesOn = billOn(due.transitionOn ?? null, { next: priceChangeOn, today });
  return {
    status,
    endDate,
    nextBillableDate: due.next,
    // The run that carries out its change begins it, and bills it.
    billOn: awaitsChange ? null : billOn(billOnBefore, due),
    transitionOn: awaitsChange ? transitionOn : earlierOf(transitionOn, movesOn),
    priceChangeOn,
  };
}

/**
 * The order's next day of action: the first day on which it is billed, or its status or term
 * changes; null if there is none.
 *
 * @example nextActionOn({ billOn: '2027-02-15', transitionOn: '2027-02-01' }) // '2027-02-01'
 */
export function nextActionOn({
  billOn,
  transitionOn,
}: Pick<OrderDates, 'billOn' | 'transitionOn'>): IsoDate | null {
  return earlierOf(billOn, transitionOn);
}

function earlierOf(one: IsoDate | null, other: IsoDate | null): IsoDate | null {
  if (one === null || other === null) return one ?? other;
  return minDate(one, other);
}

/**
 * The day whose 00:00 run bills the order; `before` is the previous value.
 *
 * @param before null for an order that is new, or whose customer was just released: no run was due
 *   to bill it
 * @example billOn(null, { next: '2027-01-10', today: '2027-01-15' }) // '2027-01-16'
 */
export function billOn(before: IsoDate | null, { next, today }: NextDue): IsoDate | null {
  if (next === null || next > today) return next;
  // A change does not delay what is already due for today's run.
  if (before !== null && before <= today) return before;
  return addDays(today, 1);
}

/**
 * The dates after a change by a caller: charges that are already due wait for the next day's run, so
 * that several changed orders share an invoice.
 *
 * @example reschedule(gold, plans, { customerStatus: 'Active', today: '2027-01-15', usageGraceDays: 0 })
 */
export function reschedule(
  row: OrderToRate,
  plans: ReadonlyMap<number, Plan>,
  basis: BillableBasis,
): OrderDates {
  const order = billableOn(row, plans, basis);
  const { today } = basis;
  const priceChangeOn = newPricesOn(row, order, plans);
  const { billOn: billOnBefore, transitionOn } = row;
  const next = firstDueOn(order, today);
  return datesOf(order, billOnBefore, { next, today, priceChangeOn, transitionOn });
}

export interface ActingBy {
  readonly by: IsoDate;
  /** Also what is due but waits for the next day's run. */
  readonly atOnce: boolean;
}

/**
 * Whether an order in memory acts by a day: what PostgreSQL decides for stored ones.
 *
 * @see loadDueOrders
 * @example actsBy(gold, { by: '2027-02-15', atOnce: false }) // true
 */
export function actsBy(row: OrderToRate, { by, atOnce }: ActingBy): boolean {
  const days = [nextActionOn(row), atOnce ? row.nextBillableDate : null];
  return days.some((day) => day !== null && day <= by);
}
