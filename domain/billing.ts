/**
 * What an order owes up to a day: the difference between what should have been billed and what was.
 * Hence billing again what was billed bills nothing.
 */
import { addDays, minDate } from './calendar.ts';
import { isDueBySchedule } from './billing/kinds.ts';
import { dueOfPeriods, dueOnce, PERIODS_PER_ORDER_MAX } from './charging.ts';
import type { BillingView, LineDue } from './charging.ts';
import type { BillableOrder, DueCharge, DueOrder, IsoDate } from './model.ts';
import { unservedDays } from './service.ts';

const nothing: DueOrder = { charges: [], nextK: new Map(), nextBillableDate: null };

/**
 * What is due of an order up to and including a day, and when it bills next once that is applied.
 * Never bills days twice, and nothing while the order or its customer is suspended.
 *
 * @example // 29.95 a month, paid in advance, started 2027-01-15 and billed up to 2027-02-14
 *   dueOf(order, '2027-02-15') // one charge for 2027-02-15 to 2027-03-14, next on 2027-03-15
 */
export function dueOf(
  order: BillableOrder,
  today: IsoDate,
  periodsMax = PERIODS_PER_ORDER_MAX,
): DueOrder {
  if (order.status === 'Draft' || order.billsNothingMore || order.customerSuspended) {
    return nothing;
  }
  const isTerminated = order.status === 'Canceled' || order.status === 'Superseded';
  const view = viewOf(order, today, periodsMax);
  if (!isTerminated && !isOnHold(order)) return dueOfLines(order, view);
  const { end } = view;
  if (end === null) return nothing;
  const atEnd: BillingView = { ...view, scope: 'arrears' };
  return isTerminated || end < today ? dueOfLines(order, atEnd) : dueAtEnd(order, atEnd, end);
}

/**
 * The order as its rows are once what was due is stored.
 *
 * @example dueOf(applyDue(order, dueOf(order, today)), today).charges // []
 */
export function applyDue(order: BillableOrder, due: DueOrder): BillableOrder {
  const lines = order.lines.map((line) => {
    const nextK = due.nextK.get(line.id) ?? line.nextK;
    const added = due.charges
      .filter((charge) => charge.line.id === line.id)
      .map(({ k, from, to }) => ({ k, from, to }));
    return { ...line, nextK, billed: [...line.billed, ...added].filter(({ k }) => k >= nextK) };
  });
  return { ...order, lines };
}

/** The last day that an order serves as things stand; null if it goes on. */
function serviceEnd(order: BillableOrder): IsoDate | null {
  switch (order.status) {
    case 'Canceled':
    case 'Superseded':
      return order.endedOn;
    default:
      return order.isAutoRenew ? null : order.endDate;
  }
}

/** On hold is also an order that ended without being resumed. */
function isOnHold(order: BillableOrder): boolean {
  return order.status === 'Suspended' || order.breaks.some(({ resumedOn }) => resumedOn === null);
}

function viewOf(order: BillableOrder, today: IsoDate, periodsMax: number): BillingView {
  return {
    today,
    scope: 'all',
    periodsMax,
    schedule: order.schedule,
    start: order.startDate,
    end: serviceEnd(order),
    unserved: unservedDays(order.breaks),
  };
}

/** Nothing is due of an order on hold, but its end brings what arrears charges served before. */
function dueAtEnd(order: BillableOrder, view: BillingView, end: IsoDate): DueOrder {
  const dueOn = addDays(end, 1);
  const { charges } = dueOfLines(order, { ...view, today: dueOn });
  return charges.length === 0 ? nothing : { ...nothing, nextBillableDate: dueOn };
}

function dueOfLines(order: BillableOrder, view: BillingView): DueOrder {
  const charges: DueCharge[] = [];
  const nextK = new Map<number, number>();
  let nextBillableDate: IsoDate | null = null;
  for (const line of order.lines) {
    if (!line.isActive || !isDueBySchedule(line.charge)) continue;
    const due: LineDue =
      line.charge.chargeType === 'OneTimeCharge' ? dueOnce(line, view) : dueOfPeriods(line, view);
    charges.push(...due.charges);
    if (due.nextK !== line.nextK) nextK.set(line.id, due.nextK);
    if (due.nextOn !== null) nextBillableDate = minDate(due.nextOn, nextBillableDate ?? due.nextOn);
  }
  return { charges, nextK, nextBillableDate };
}
