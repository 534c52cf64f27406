/** What becomes of the autopay of invoices that wait for a payment, once that payment has ended. */
import type { InvoiceHappened, InvoiceTransition } from '../../domain/invoices/happened.ts';
import {
  type InvoiceChoice,
  type ReadInvoice,
  readInvoices,
} from '../../db/queries/invoices/invoices.ts';
import { type ChangedInvoice, changeInvoices } from '../allocation/change-invoices.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { claimAutopay } from './autopay.ts';

/** A cascade of payments of a customer. */
export interface OfCascade {
  readonly cascadeId: number;
  readonly customerId: number;
}

/** The payment pays the invoices made for it; the customer pays the rest by other means. */
export function endAutopay(
  context: OperationContext,
  { cascadeId, customerId }: OfCascade,
): Promise<readonly ChangedInvoice<ReadInvoice>[]> {
  return changeChosen(
    context,
    { happened: 'itsPaymentPaid' },
    {
      name: 'autopay-no-more',
      where: 'i.customer_id = $1 and i.autopay_after_payment_id = $2 and not i.autopay_set_aside',
      values: [customerId, cascadeId],
    },
  );
}

/** The cascade failed: autopay applies to the invoices made for it as to any others. */
export function releaseMade(
  context: OperationContext,
  { cascadeId, customerId }: OfCascade,
): Promise<readonly ChangedInvoice<ReadInvoice>[]> {
  return changeChosen(
    context,
    { happened: 'released' },
    {
      name: 'autopay-as-usual',
      where: 'i.customer_id = $1 and i.autopay_after_payment_id = $2 and i.autopay_on is not null',
      values: [customerId, cascadeId],
    },
  );
}

/** A payment in processing is final, so the invoices that waited for it do so no longer. */
export function releaseSetAside(
  context: OperationContext,
  customerId: number,
): Promise<readonly ChangedInvoice<ReadInvoice>[]> {
  return changeChosen(
    context,
    { happened: 'released' },
    {
      name: 'release-set-aside',
      where: 'i.customer_id = $1 and i.autopay_set_aside',
      values: [customerId],
    },
  );
}

/** Reads the chosen invoices, and writes what becomes of them. */
export async function changeChosen(
  context: OperationContext,
  what: InvoiceHappened,
  choice: InvoiceChoice,
): Promise<readonly ChangedInvoice<ReadInvoice>[]> {
  return changeInvoices(context, await readInvoices(context.tx, choice), () => what);
}

interface PaysItself {
  readonly invoice: { readonly id: number; readonly orderId?: number | null };
  readonly transition: Pick<InvoiceTransition, 'state'>;
}

/** Autopay pays them on their day: today, or by the workflows of their orders. */
export async function payOnTheirDays(
  context: OperationContext,
  changes: readonly PaysItself[],
): Promise<void> {
  for (const { invoice, transition } of changes) {
    const { autopayOn } = transition.state;
    const isToday = autopayOn !== null && autopayOn <= context.time.today;
    if (isToday) await claimAutopay(context, { invoiceId: invoice.id });
  }
  const orderIds = new Set(changes.flatMap(({ invoice }) => invoice.orderId ?? []));
  enqueue(
    context,
    [...orderIds].map((objectId) => ({ kind: 'order', objectId })),
  );
}
