/** Raises the events of new invoices. */
import type { InvoiceInsert } from '../../db/queries/billing/write.ts';
import type { OperationContext } from '../context/context.ts';
import { raise, type RaisedEvent } from '../events/raise.ts';

const FIRST_VERSION = 1;

/**
 * An invoice with nothing to pay is Paid from the beginning.
 *
 * @param usageIn the invoices that bill usage
 */
export function raiseInvoiceEvents(
  context: OperationContext,
  invoices: readonly Pick<InvoiceInsert, 'id' | 'customer_id' | 'status'>[],
  usageIn: ReadonlySet<number> = new Set(),
): void {
  raise(
    context,
    invoices.flatMap(({ id: objectId, customer_id: customerId, status }): RaisedEvent[] => {
      const of = { customerId, objectId, objectVersion: FIRST_VERSION };
      const raised: RaisedEvent[] = [{ type: 'invoice.created', ...of }];
      if (usageIn.has(objectId)) raised.push({ type: 'usage.billed', ...of });
      if (status === 'Paid') raised.push({ type: 'invoice.paid', ...of });
      return raised;
    }),
  );
}
