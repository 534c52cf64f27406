/** New invoices: what became of them when they were made, and their events. */
import { invoiceMade, type MadeOf } from '../../domain/invoices/transitions.ts';
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { CarriedInvoice } from '../collection/invoice-consequences.ts';
import type { OperationContext } from '../context/context.ts';
import { raise } from '../events/raise.ts';

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
