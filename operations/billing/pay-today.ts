/** Tells who sees to it that invoices just made are paid by themselves today. */
import { startOfDay } from '../../domain/calendar/zone.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { WakePace } from '../outbox/wake-pace.ts';
import { enqueue, enqueueLater } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';

/**
 * The order that sees to an invoice is its lowest one, which may sleep until its own next day. On a
 * test clock the agenda sees to it.
 */
export function tellPayers(context: OperationContext, invoices: readonly InvoiceInsert[]): void {
  enqueue(
    context,
    [...payersOf(context, invoices).keys()].map((objectId) => ({ kind: 'order', objectId })),
  );
}

/** Orders follow a run by themselves, at their pace; this is for one whose workflow does not come. */
const LATE_AFTER_MS = 600_000;

/** After a billing run: those who follow it take their rows out again. */
export function tellLatePayers(
  context: OperationContext,
  invoices: readonly InvoiceInsert[],
  pace: WakePace,
): void {
  const { tenant, time } = context;
  const elapsedMs = time.now.getTime() - startOfDay(tenant.timezone, time.today);
  enqueueLater(
    context,
    [...payersOf(context, invoices)].map(([objectId, customerId]) => ({
      nudge: { kind: 'order', objectId },
      afterMs: Math.max(0, pace(customerId) - elapsedMs) + LATE_AFTER_MS,
    })),
  );
}

/** Orders by id, with their customer. */
function payersOf(
  { tenant, time: { today } }: OperationContext,
  invoices: readonly InvoiceInsert[],
): ReadonlyMap<number, number> {
  const payers = new Map<number, number>();
  if (tenant.hasTestClock) return payers;
  for (const { autopay_on: day, autopay_order_id: orderId, ...invoice } of invoices) {
    const isToday = day !== null && day <= today && invoice.autopay_after_payment_id === null;
    if (isToday && orderId !== null) payers.set(orderId, invoice.customer_id);
  }
  return payers;
}
