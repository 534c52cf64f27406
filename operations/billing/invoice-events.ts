/** Raises the events of new invoices. */
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { OperationContext } from '../context/context.ts';
import { raise, type RaisedEvent } from '../events/raise.ts';

const FIRST_VERSION = 1;

/** An invoice with nothing to pay is Paid from the beginning. */
export function raiseInvoiceEvents(
  context: OperationContext,
  invoices: readonly Pick<InvoiceInsert, 'id' | 'customer_id' | 'status'>[],
): void {
  raise(
    context,
    invoices.flatMap(({ id: objectId, customer_id: customerId, status }): RaisedEvent[] => {
      const of = { customerId, objectId, objectVersion: FIRST_VERSION };
      const created = { type: 'invoice.created', ...of } as const;
      return status === 'Paid' ? [created, { type: 'invoice.paid', ...of }] : [created];
    }),
  );
}
