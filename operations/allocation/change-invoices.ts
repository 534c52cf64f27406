/** Writes what becomes of invoices: the one way from what happens to them to their rows. */
import { writeInvoices } from '../../db/queries/invoices/invoices.ts';
import type {
  InvoiceHappened,
  InvoiceState,
  InvoiceTransition,
} from '../../domain/invoices/happened.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import type { OperationContext } from '../context/context.ts';

/** An invoice as it was read, and what became of it. */
export interface ChangedInvoice<Invoice> {
  readonly invoice: Invoice;
  readonly transition: InvoiceTransition;
}

/**
 * What follows from it is to be carried out. The customers are locked since the invoices were read.
 *
 * @param whatOf what happens to an invoice; undefined: nothing
 */
export function changeInvoices<Invoice extends InvoiceState & { readonly id: number }>(
  { tx, time }: Pick<OperationContext, 'tx' | 'time'>,
  invoices: readonly Invoice[],
  whatOf: (invoice: Invoice) => InvoiceHappened | undefined,
): readonly ChangedInvoice<Invoice>[] {
  const changes = invoices.flatMap((invoice) => {
    const what = whatOf(invoice);
    return what === undefined ? [] : [{ invoice, transition: invoiceAfter(invoice, what) }];
  });
  writeInvoices(tx, changes, time.now);
  return changes;
}
