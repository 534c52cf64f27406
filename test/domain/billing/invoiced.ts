/** An ordinary order as invoices show it. */
import type { InvoicedOrder } from '../../../domain/billing/rate/group.ts';
import { orderWith, planWith } from '../fixtures.ts';

export function invoicedOrder(changes: Partial<InvoicedOrder>): InvoicedOrder {
  return {
    ...orderWith(),
    orderNumber: 1001,
    separateInvoice: 0,
    jobCode: null,
    purchaseOrder: null,
    dueTerms: null,
    isAutoPay: false,
    invoiceText: null,
    plan: planWith(),
    coupon: null,
    invoicedWith: changes.id ?? orderWith().id,
    ...changes,
  };
}
