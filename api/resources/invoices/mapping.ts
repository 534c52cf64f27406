/** Invoices between their documents and the operations. */
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import type {
  ChargePreview,
  InvoicePreview,
  LinePreview,
} from '../../../domain/invoices/preview.ts';
import type { InvoiceView } from '../../../operations/invoices/read.ts';
import type { InvoiceDocument, InvoicePreviewDocument, ManualInvoiceRequest } from './schema.ts';
import { codeOf } from '../customers/mapping.ts';
import { invoicePaymentDocument, referenceTo } from '../payments/mapping.ts';

export function invoiceDocument(view: InvoiceView): InvoiceDocument {
  const { lines, creditNoteOfId, refundId, ...invoice } = view;
  return {
    ...invoice,
    ...partsOf(view, view.applications),
    creditNoteOf: referenceTo(creditNoteOfId),
    refund: referenceTo(refundId),
    invoiceLineItems: linesOf(lines, view.currency),
  };
}

export function previewDocument(preview: InvoicePreview): InvoicePreviewDocument {
  const { lines, ...invoice } = preview;
  return {
    ...invoice,
    ...partsOf(preview, []),
    invoiceLineItems: linesOf(lines, preview.currency),
  };
}

/** The elements that refer to other objects. */
function partsOf(
  { customerId, currency, lines }: InvoicePreview,
  applications: InvoiceView['applications'],
) {
  return {
    delegatedInvoice: null,
    customer: { id: customerId },
    currency: { id: currency },
    ordersIncluded: ordersOf(lines).map((id) => ({ id })),
    invoicePayments: applications.map(invoicePaymentDocument),
  };
}

function ordersOf(lines: readonly LinePreview[]): number[] {
  return [...new Set(lines.flatMap(({ subscriptionOrderId: id }) => (id === null ? [] : [id])))];
}

/** Stored lines and their charges keep their ids. */
function linesOf<Charge extends ChargePreview, Line extends Omit<LinePreview, 'charges'>>(
  lines: readonly (Line & { readonly charges: readonly Charge[] })[],
  currency: string,
) {
  const currencySymbol = symbolOf(currency);
  return lines.map(({ charges, subscriptionOrderId, ...line }) => ({
    ...line,
    subscriptionOrder: referenceTo(subscriptionOrderId),
    invoiceLineItemCharges: charges.map(
      ({ contractChargeId, orderLineItemId, pricingTierId, ...charge }) => ({
        ...charge,
        contractCharge: referenceTo(contractChargeId),
        orderLineItem: referenceTo(orderLineItemId),
        pricingTier: referenceTo(pricingTierId),
        currencySymbol,
      }),
    ),
  }));
}

const symbols = new Map<string, string>();

/** `$` for USD; the code itself if there is no symbol. */
function symbolOf(currency: string): string {
  let symbol = symbols.get(currency);
  if (symbol === undefined) {
    const format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
    symbols.set(currency, symbol);
  }
  return symbol;
}

export function manualInvoiceInput(body: ManualInvoiceRequest): ManualInvoiceInput {
  return { ...body, currency: codeOf(body.currency) };
}
