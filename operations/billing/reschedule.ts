/**
 * Decides an order's dates: its status and term of the day, when it bills next, and when it acts.
 * Runs, wakes, changes, releases and the audit share this one decision.
 */
import { firstDueOn } from '../../domain/billing/due.ts';
import { addDays } from '../../domain/calendar/calendar.ts';
import type { BillableOrder, CustomerStatus, IsoDate, Plan } from '../../domain/model.ts';
import { nextTransitionOn } from '../../domain/orders/status.ts';
import type { OrderRow } from '../../db/queries/billing/load.ts';
import type { OrderUpdate } from '../../db/queries/orders/advance.ts';
import { billableOn, termsOfRow } from './billable.ts';

/**
 * Computes the dates after a change by a caller: charges that are already due wait for the next
 * day's run, so that several changed orders share an invoice.
 */
export function reschedule(
  row: OrderRow,
  plan: Plan,
  customerStatus: CustomerStatus,
  today: IsoDate,
): OrderUpdate {
  const order = billableOn(row, plan, customerStatus, today);
  return datesOf(row, order, { next: firstDueOn(order, today), today });
}

export interface Due {
  /** The first day on which something of the order is due; null if nothing ever is. */
  readonly next: IsoDate | null;
  readonly today: IsoDate;
}

/** The dates, given when the order bills next; `order` is the row on that day. */
export function datesOf(row: OrderRow, order: BillableOrder, { next, today }: Due): OrderUpdate {
  const { status, endDate } = order;
  return {
    id: row.id,
    status,
    end_date: endDate,
    next_billable_date: next,
    bill_on: billOn(row.bill_on, { next, today }),
    transition_on: nextTransitionOn({ ...termsOfRow(row), status, endDate }),
  };
}

/**
 * The day whose 00:00 run bills the order; `before` is the previous value.
 *
 * @param before null for an order whose customer was just released: no run was due to bill it
 */
export function billOn(before: IsoDate | null, { next, today }: Due): IsoDate | null {
  if (next === null || next > today) return next;
  // A change does not delay what is already due for today's run.
  if (before !== null && before <= today) return before;
  return addDays(today, 1);
}
