/** New invoices: what became of them when they were made, and their events. */
import { type MadeOf, invoiceMade } from '../../domain/invoices/transitions.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { CarriedInvoice } from '../collection/invoice-consequences.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';
import { startOfDay } from '../../domain/calendar/zone.ts';
import type { WakePace } from '../outbox/wake-pace.ts';
import { enqueue, enqueueLater } from '../outbox/enqueue.ts';

const FIRST_VERSION = 1;

/** What follows from new invoices, by the state in which they are inserted. */
export function madeInvoices(
  rows: readonly InvoiceInsert[],
  of: (row: InvoiceInsert) => MadeOf,
): readonly CarriedInvoice[] {
  return rows.map((row) => {
    const { autopayOn: on, autopayAfterPaymentId: awaits } = row;
    return {
      invoice: row,
      transition: invoiceMade(row.currentAmountDue, { on, awaits }, of(row)),
    };
  });
}

/** Raises the events of invoices that are still to be inserted. */
export function raiseMade(context: OperationContext, made: readonly CarriedInvoice[]): void {
  raise(
    context,
    made.flatMap(({ invoice: { id: objectId, customerId }, transition }) =>
      transition.raises.map((type) => ({
        type,
        customerId,
        objectId,
        objectVersion: FIRST_VERSION,
      })),
    ),
  );
}

/* Nudges the orders whose workflows pay invoices that were just made and are payable today. */

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
