/** Orders between their documents and the operations. */
import type { OrderInput } from '../../../domain/orders/input.ts';
import type { OrderView } from '../../../operations/orders/read.ts';
import { codeOf } from '../customers/mapping.ts';
import { referenceTo } from '../payments/mapping.ts';
import type { OrderDocument, OrderRequest } from './schema.ts';

type Neighbours = 'previousOrderId' | 'nextOrderId';

/** Documents that were kept with events before orders replaced each other lack both. */
type KeptOrder = Omit<OrderView, Neighbours> & Partial<Pick<OrderView, Neighbours>>;

export function orderDocument(view: KeptOrder): OrderDocument {
  const { customerId, currency, contractOfferingId, invoiceIds, lines, ...others } = view;
  const { previousOrderId = null, nextOrderId = null, ...order } = others;
  return {
    ...order,
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
  };
}

export function orderInput(body: OrderRequest): OrderInput {
  const { customer, currency, contractOffering, orderLineItems, ...order } = body;
  return {
    ...order,
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
