/** The statuses of orders: the transitions between them, and the status of an order on a day. */
import { addDays, minDate, type IsoDate } from '../calendar/calendar.ts';
import { DomainError } from '../errors.ts';
import { termOn } from '../calendar/terms.ts';

export const orderStatuses = [
  'Draft',
  'Provisioning',
  'Active',
  'Suspended',
  'Complete',
  'Superseded',
  'Canceled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

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

/** How an order goes on: by its periods without an end, by renewals of its term, or not. */
export const renewals = ['Period', 'Term', 'No'] as const;

/**
 * Without an endDate an order goes on whatever isAutoRenew is; with one it renews or ends.
 *
 * @example renewalOf({ status: 'Active', endDate: '2027-02-14', isAutoRenew: false }) // 'No'
 */
export function renewalOf({
  status,
  endDate,
  isAutoRenew,
}: Pick<OrderTerms, 'status' | 'endDate' | 'isAutoRenew'>): (typeof renewals)[number] {
  if (!canEdit(status)) return 'No';
  if (endDate === null) return 'Period';
  return isAutoRenew ? 'Term' : 'No';
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
  /** The day of the pending change that replaces it. */
  readonly changeOn: IsoDate | null;
  /** It replaces an order that still serves, so it does not begin by itself. */
  readonly awaitsChange: boolean;
}

/**
 * The status and the end of an order on a day: it activates on its startDate; on the day
 * after its endDate it renews, as often as needed, or is Complete. A change makes it Superseded
 * together with the order that replaces it.
 *
 * @example statusOn({ status: 'Active', endDate: '2027-01-31', isAutoRenew: false, ... },
 *   '2027-02-01') // { status: 'Complete', endDate: '2027-01-31' }
 */
export function statusOn(
  order: Omit<OrderTerms, 'changeOn'>,
  today: IsoDate,
): { readonly status: OrderStatus; readonly endDate: IsoDate | null } {
  const { startDate, endDate } = order;
  const begins = order.status === 'Provisioning' && startDate <= today && !order.awaitsChange;
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
  order: Pick<OrderTerms, 'status' | 'startDate' | 'endDate' | 'changeOn' | 'awaitsChange'>,
): IsoDate | null {
  const { status, startDate, endDate, changeOn, awaitsChange } = order;
  if (status === 'Provisioning') return awaitsChange ? null : startDate;
  const after = runsOut(status) && endDate !== null ? addDays(endDate, 1) : null;
  // A Suspended order waits with its change until it is Active.
  if (status !== 'Active' || changeOn === null) return after;
  return after === null ? changeOn : minDate(changeOn, after);
}

/**
 * The day on which an order is replaced, if that day has come; null if it has not, or if the order
 * is not Active or ends before it.
 *
 * @example replacedOn({ status: 'Active', changeOn: '2027-02-01', ... }, '2027-02-01')
 *   // '2027-02-01'
 */
export function replacedOn(order: OrderTerms, today: IsoDate): IsoDate | null {
  const { status, endDate, isAutoRenew, changeOn } = order;
  if (status !== 'Active' || changeOn === null || changeOn > today) return null;
  return isAutoRenew || endDate === null || endDate >= changeOn ? changeOn : null;
}

/**
 * The last day of an order that another one replaces; null if it has served no day.
 *
 * @example lastDayBefore('2027-02-01', '2027-01-15') // '2027-01-31'
 */
export function lastDayBefore(changeOn: IsoDate, startDate: IsoDate): IsoDate | null {
  return changeOn > startDate ? addDays(changeOn, -1) : null;
}

/**
 * The last day of an order that is cancelled today: today, or its earlier end; null if it never
 * began. Draft orders never began, whatever their startDate.
 *
 * @example lastDayIfCancelled({ status: 'Active', endDate: '2027-12-31', ... }, '2027-02-14')
 *   // '2027-02-14'
 */
export function lastDayIfCancelled(
  order: Omit<OrderTerms, 'changeOn'>,
  today: IsoDate,
): IsoDate | null {
  const { status, endDate } = statusOn(order, today);
  if (status === 'Draft' || order.startDate > today) return null;
  return endDate !== null && endDate < today ? endDate : today;
}

/** What an operation makes of an order at once, beside its dates. */
export interface OrderStanding {
  readonly status: OrderStatus;
  readonly endDate: IsoDate | null;
  readonly endedOn: IsoDate | null;
  readonly billsNothingMore: boolean;
}

/**
 * What becomes of an order that is suspended, or cancelled in any status, with its invoice; an ended
 * one keeps its last day. Null if it stays as it is: only an Active one is suspended.
 *
 * @example afterInvoice({ ...order, status: 'Active' }, 'Canceled', '2027-02-14')
 *   // { status: 'Canceled', endDate: '2027-02-14', endedOn: '2027-02-14', billsNothingMore: true }
 */
export function afterInvoice(
  order: Omit<OrderTerms, 'changeOn'> & OrderStanding,
  becomes: 'Suspended' | 'Canceled',
  today: IsoDate,
): OrderStanding | null {
  const { status, endDate, endedOn, billsNothingMore } = order;
  if (becomes === 'Suspended') {
    return status === 'Active' ? { status: becomes, endDate, endedOn, billsNothingMore } : null;
  }
  const canceled = { status: becomes, billsNothingMore: true } as const;
  if (status === 'Canceled' || status === 'Superseded') return { ...canceled, endDate, endedOn };
  const lastDay = lastDayIfCancelled(order, today);
  return { ...canceled, endDate: lastDay, endedOn: lastDay };
}

function runsOut(status: OrderStatus): boolean {
  return status === 'Active' || status === 'Suspended';
}
