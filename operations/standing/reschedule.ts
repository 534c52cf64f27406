/** Decides an order's dates anew, and returns them as the update of its row. */
import { firstDueOn } from '../../domain/billing/due.ts';
import type { BillableOrder } from '../../domain/billing/billable-order.ts';
import type { Plan } from '../../domain/plans/plan.ts';
import { datesOf } from '../../domain/billing/dates.ts';
import type { NextDue } from '../../domain/billing/dates.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { OrderUpdate } from '../../db/queries/standing/advance.ts';
import { billableOn, type BillableBasis } from './billable.ts';

/**
 * Computes the dates after a change by a caller: charges that are already due wait for the next
 * day's run, so that several changed orders share an invoice.
 */
export function reschedule(row: RatedOrder, plan: Plan, basis: BillableBasis): OrderUpdate {
  const order = billableOn(row, plan, basis);
  const { today } = basis;
  return updateOf(row, order, { next: firstDueOn(order, today), today });
}

/** The dates, for the given date of the next bill; `order` is the order's state on that day. */
export function updateOf(row: RatedOrder, order: BillableOrder, due: NextDue): OrderUpdate {
  const { status, endDate, nextBillableDate, billOn, transitionOn } = datesOf(
    order,
    row.billOn,
    due,
  );
  return {
    id: row.id,
    status,
    endDate,
    nextBillableDate,
    billOn,
    transitionOn,
  };
}
