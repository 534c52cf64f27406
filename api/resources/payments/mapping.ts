/** Payments, credits and refunds between their documents and the operations. */
import { entriesOf } from '../../../domain/text/metadata.ts';
import type { PaymentType } from '../../../domain/payments/allocation.ts';
import type { ApplicationView } from '../../../operations/allocation/applications.ts';
import type { PaymentInput } from '../../../operations/payments/input.ts';
import type { PaymentView, ResultView } from '../../../operations/payments/read.ts';
import { gatewayTable, type GatewayName } from '../../../providers/gateway/gateway.ts';
import { metadataInput } from '../shared-schema.ts';
import { accountHider } from '../payment-methods/methods.ts';
import type {
  AutopayPaymentRequest,
  PaymentAnswer,
  PaymentDocument,
  ProcessRequest,
  InvoicePaymentDocument,
} from './schema.ts';

export function paymentDocument(view: PaymentView): PaymentAnswer {
  const {
    customerId,
    paymentMethodId,
    currency,
    gateway,
    result,
    applications,
    metadata,
    waitsUntil,
    isPayerPresent,
    ...payment
  } = view;
  return {
    ...payment,
    payerAction: waitsUntil === null ? null : { isPayerPresent, waitsUntil },
    gateway,
    customer: { id: customerId },
    paymentMethod: referenceTo(paymentMethodId),
    currency: { id: currency },
    paymentProcessor: gateway === null ? null : processorOf(gateway),
    processorResult: result && resultDocument(view, result),
    invoicePayments: applications.map(invoicePaymentDocument),
    metadata: entriesOf(metadata),
  };
}

function processorOf(name: GatewayName): { readonly id: number; readonly name: string } {
  return { id: gatewayTable[name].processorId, name };
}

function resultDocument(
  { id, customerId }: PaymentView,
  { processor, dateCreated, ...result }: ResultView,
): PaymentDocument['processorResult'] {
  return {
    ...result,
    batchIndicator: null,
    otherMsg1: null,
    otherMsg2: null,
    otherMsg3: null,
    customer: { id: customerId },
    payment: { id },
    paymentProcessor: processorOf(processor),
    lastUpdated: dateCreated,
    dateCreated,
  };
}

export function invoicePaymentDocument({
  paymentId,
  invoiceId,
  customerId,
  dateCreated,
  ...application
}: ApplicationView): InvoicePaymentDocument {
  return {
    ...application,
    payment: { id: paymentId },
    invoice: referenceTo(invoiceId),
    customer: { id: customerId },
    // An application never changes: a reversal is a further application.
    lastUpdated: dateCreated,
    dateCreated,
  };
}

export function referenceTo(id: number | null): { id: number } | null {
  return id === null ? null : { id };
}

interface Asked {
  readonly type: PaymentType;
  readonly root: string;
  readonly customer: PaymentInput['customer'];
  readonly method: PaymentInput['method'];
}

type Body = AutopayPaymentRequest &
  Partial<Pick<ProcessRequest, 'totalSurcharge' | 'generateInvoice' | 'paymentMethodDTO'>>;

export function paymentInput(body: Body, asked: Asked): PaymentInput {
  const hide = accountHider(body.paymentMethodDTO);
  return {
    ...asked,
    amount: body.amount,
    totalSurcharge: body.totalSurcharge ?? null,
    currencyCode: body.currencyCode ?? null,
    generateInvoice: body.generateInvoice ?? false,
    effectiveDate: body.effectiveDate ?? null,
    invoiceText: hide(body.invoiceText),
    purchaseDescription: hide(body.purchaseDescription),
    internalNotes: hide(body.internalNotes),
    invoiceIds: (body.invoices ?? []).map(({ id }) => id),
    creditNote: body.creditNote ?? false,
    metadata: metadataInput(body.metadata) ?? null,
  };
}
