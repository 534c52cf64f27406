/** The transitions of an order's status, and its status on a day. */
import { addDays } from '../calendar/calendar.ts';
import { DomainError } from '../errors.ts';
import type { IsoDate, OrderStatus } from '../model.ts';
import { termOn } from '../calendar/terms.ts';

/** The transitions that a caller may request. */
const transitions: Record<OrderStatus, readonly OrderStatus[]> = {
  Draft: ['Active', 'Provisioning', 'Canceled'],
  Provisioning: ['Canceled'],
  Active: ['Suspended', 'Canceled'],
  Suspended: ['Active', 'Canceled'],
  Complete: [],
  Superseded: [],
  Canceled: [],
};

/** Refuses a transition that a caller may not request; the same status is not a transition. */
export function assertTransition(from: OrderStatus, to: OrderStatus): void {
  if (from === to || transitions[from].includes(to)) return;
  throw new DomainError('order.transition', `an order cannot move from ${from} to ${to}`, {
    path: 'subscriptionOrder/orderStatus',
    value: to,
  });
}

/** Whether an order in a status may be changed at all. */
export function canEdit(status: OrderStatus): boolean {
  return status !== 'Complete' && status !== 'Superseded' && status !== 'Canceled';
}

/** The fields of an order that decide its status from day to day. */
export interface OrderTerms {
  readonly status: OrderStatus;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate | null;
  readonly isAutoRenew: boolean;
  /** The start of the current term and its first end, which a renewal repeats. */
  readonly termStart: IsoDate;
  readonly termFirstEnd: IsoDate | null;
}

/**
 * The status and the end of an order on a day: it activates on its startDate; on the day
 * after its endDate it renews, as often as needed, or is Complete.
 *
 * @example statusOn({ status: 'Active', endDate: '2027-01-31', isAutoRenew: false, ... },
 *   '2027-02-01') // { status: 'Complete', endDate: '2027-01-31' }
 */
export function statusOn(
  order: OrderTerms,
  today: IsoDate,
): { readonly status: OrderStatus; readonly endDate: IsoDate | null } {
  const { startDate, endDate } = order;
  const begins = order.status === 'Provisioning' && startDate <= today;
  const status = begins ? 'Active' : order.status;
  if (endDate === null || endDate >= today || !runsOut(status)) return { status, endDate };
  if (!order.isAutoRenew) return { status: 'Complete', endDate };
  const { termStart, termFirstEnd } = order;
  return {
    status,
    endDate: termOn({ termStart, termFirstEnd: termFirstEnd ?? endDate }, today).end,
  };
}

/**
 * The next day on which `statusOn` changes for an order that is up to date; null if it never does.
 */
export function nextTransitionOn(
  order: Pick<OrderTerms, 'status' | 'startDate' | 'endDate'>,
): IsoDate | null {
  if (order.status === 'Provisioning') return order.startDate;
  return runsOut(order.status) && order.endDate !== null ? addDays(order.endDate, 1) : null;
}

/**
 * The last day of an order that is cancelled today: today, or its earlier end; null if it never
 * began. Draft orders never began, whatever their startDate.
 *
 * @example lastDayIfCancelled({ status: 'Active', endDate: '2027-12-31', ... }, '2027-02-14')
 *   // '2027-02-14'
 */
export function lastDayIfCancelled(order: OrderTerms, today: IsoDate): IsoDate | null {
  const { status, endDate } = statusOn(order, today);
  if (status === 'Draft' || order.startDate > today) return null;
  return endDate !== null && endDate < today ? endDate : today;
}

function runsOut(status: OrderStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}
