/** Orders between their documents and the operations. */
import { entriesOf } from '../../../domain/text/metadata.ts';
import { renewalOf } from '../../../domain/standing/status.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import type { OrderView } from '../../../operations/orders/read.ts';
import { codeOf } from '../customers/mapping.ts';
import { referenceTo } from '../payments/mapping.ts';
import { metadataInput } from '../shared-schema.ts';
import type { OrderDocument, OrderRequest } from './schema.ts';

type Newer =
  | 'previousOrderId'
  | 'nextOrderId'
  | 'trialEndDate'
  | 'billedThrough'
  | 'cancelReason'
  | 'suspendedUntil'
  | 'priceChangeDate'
  | 'metadata';

/** Documents that were kept with events lack what orders did not have then. */
type KeptOrder = Omit<OrderView, Newer> & Partial<Pick<OrderView, Newer>>;

export function orderDocument(view: KeptOrder): OrderDocument {
  const { customerId, currency, contractOfferingId, invoiceIds, lines, metadata, ...others } = view;
  const { previousOrderId = null, nextOrderId = null, ...newer } = others;
  const { trialEndDate = null, cancelReason = null, suspendedUntil = null, ...newest } = newer;
  const { billedThrough = null, priceChangeDate = null, ...order } = newest;
  const { orderStatus: status, endDate, isAutoRenew } = order;
  return {
    ...order,
    billedThrough,
    renews: renewalOf({ status, endDate, isAutoRenew }),
    trialEndDate,
    cancelReason,
    suspendedUntil,
    priceChangeDate,
    customer: { id: customerId },
    currency: { id: currency },
    contractOffering: { id: contractOfferingId },
    isSeparateInvoice: order.separateInvoice === 1,
    previousOrder: referenceTo(previousOrderId),
    nextOrder: referenceTo(nextOrderId),
    invoices: invoiceIds.map((id) => ({ id })),
    orderLineItems: lines.map(({ contractChargeId, ...line }) => ({
      ...line,
      contractCharge: { id: contractChargeId },
    })),
    metadata: entriesOf(metadata),
  };
}

export function orderInput(body: OrderRequest): OrderInput {
  const { customer, currency, contractOffering, orderLineItems, metadata, ...order } = body;
  return {
    ...order,
    metadata: metadataInput(metadata),
    customerId: codeOf(customer),
    currency: codeOf(currency),
    contractOfferingId: codeOf(contractOffering),
    orderLineItems: orderLineItems && linesInput(orderLineItems),
  };
}

type LineRequests = NonNullable<OrderRequest['orderLineItems']>;

/** An empty element is an empty list, which clears. */
function linesInput(lines: LineRequests): OrderInput['orderLineItems'] {
  if (lines.length === 0) return null;
  return lines.map(({ contractCharge, ...line }) => ({
    ...line,
    contractChargeId: codeOf(contractCharge),
  }));
}
