/** Usage records between their documents and the operations. */
import type { UsageRecord } from '../../../domain/usage/records.ts';
import type { ActivityView } from '../../../operations/usage/view.ts';
import type { ActivityDocument, ActivityRequest } from './schema.ts';

export function usageRecord(body: ActivityRequest): UsageRecord {
  return {
    extRefId: body.extRefId ?? null,
    extCustomerRef: body.extCustomerRef ?? null,
    customerId: body.customer?.id ?? null,
    orderNumber: body.orderNumber ?? null,
    orderId: body.order?.id ?? null,
    lineId: body.orderLineItem?.id ?? null,
    priceCode: body.priceCode ?? null,
    quantity: body.quantity ?? null,
    amount: body.amount ?? null,
    unitPrice: body.unitPrice ?? null,
    chargeDate: body.chargeDate ?? null,
    chargeEndDate: body.chargeEndDate ?? null,
    invoiceText: body.invoiceText ?? null,
    correctsExtRefId: body.correctsExtRefId ?? null,
  };
}

/** @param isDuplicate it was stored before, and is shown in place of an uploaded one */
export function activityDocument(view: ActivityView, isDuplicate = false): ActivityDocument {
  const { customerId, orderId, orderLineItemId, activityBatchId, ...record } = view;
  return {
    ...record,
    ...(isDuplicate ? { duplicate: true } : {}),
    customer: { id: customerId },
    order: { id: orderId },
    orderLineItem: { id: orderLineItemId },
    activityBatch: { id: activityBatchId },
  };
}
