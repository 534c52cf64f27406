/** Nudges the orders whose workflows pay invoices that were just made and are payable today. */
import { startOfDay } from '../../domain/calendar/zone.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { WakePace } from '../outbox/wake-pace.ts';
import { enqueue, enqueueLater } from '../outbox/enqueue.ts';
import type { OperationContext } from '../context/context.ts';

/**
 * The workflow of an invoice's lowest order pays it, and may sleep until that order's next day. On
 * a test clock the agenda covers these invoices.
 */
export function wakePayers(context: OperationContext, invoices: readonly InvoiceInsert[]): void {
  enqueue(
    context,
    [...payersOf(context, invoices).keys()].map((objectId) => ({ kind: 'order', objectId })),
  );
}

/** Orders wake after a run, at a steady pace; this covers an order whose workflow does not. */
const LATE_AFTER_MS = 600_000;

/** Enqueues rows after a billing run; orders that wake remove theirs. */
export function wakeLatePayers(
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
  for (const { autopayOn: day, autopayOrderId: orderId, ...invoice } of invoices) {
    const isToday = day !== null && day <= today && invoice.autopayAfterPaymentId === null;
    if (isToday && orderId !== null) payers.set(orderId, invoice.customerId);
  }
  return payers;
}
