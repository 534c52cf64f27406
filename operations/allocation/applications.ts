/** Applications of payments to invoices in the form of answers: the SQL and the type. */
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { type Decimal, formatAmount } from '../../domain/money/money.ts';
import { dayOf } from '../context/listing.ts';
import type {
  InvoiceHappened,
  InvoiceState,
  InvoiceTransition,
} from '../../domain/invoices/happened.ts';
import { invoiceAfter } from '../../domain/invoices/state.ts';
import { writeInvoices } from '../../db/queries/invoices/invoices.ts';
import type { OperationContext } from '../context/context.ts';

export interface ApplicationView {
  readonly id: number;
  readonly paymentId: number;
  /** Null if the money went to a debit. */
  readonly invoiceId: number | null;
  readonly customerId: number;
  readonly amountApplied: Decimal;
  readonly balanceRemaining: Decimal;
  readonly dateCreated: IsoDate;
}

/** The applications in order, as JSON; `zone` is the placeholder of the tenant's zone. */
export function applicationsWhere(condition: string, zone: string): string {
  return `(select coalesce(json_agg(json_build_object('id', a.id, 'paymentId', a.payment_id,
      'invoiceId', a.invoice_id, 'customerId', a.customer_id,
      'amountApplied', a.amount_applied::text, 'balanceRemaining', a.balance_remaining::text,
      'dateCreated', ${dayOf('a.created_at', zone)}) order by a.id), '[]')
    from invoice_payment a where ${condition})`;
}

export function applicationWithAmounts(
  currency: string,
  { amountApplied, balanceRemaining, ...rest }: ApplicationView,
): ApplicationView {
  return {
    ...rest,
    amountApplied: formatAmount(currency, amountApplied),
    balanceRemaining: formatAmount(currency, balanceRemaining),
  };
}

/* Writes what becomes of invoices: the one way from what happens to them to their rows. */

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
