/** Invoices between their documents and the operations. */
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import type { InvoiceLineView, InvoiceView } from '../../../operations/invoices/read.ts';
import type { InvoiceDocument, ManualInvoiceRequest } from './schema.ts';
import { codeOf } from '../customers/mapping.ts';
import { invoicePaymentDocument, referenceTo } from '../payments/mapping.ts';

export function invoiceDocument(view: InvoiceView): InvoiceDocument {
  const { customerId, currency, lines, applications, ...invoice } = view;
  const symbol = symbolOf(currency);
  return {
    ...invoice,
    delegatedInvoice: null,
    customer: { id: customerId },
    currency: { id: currency },
    ordersIncluded: ordersOf(lines).map((id) => ({ id })),
    invoiceLineItems: lines.map((line) => lineDocument(line, symbol)),
    invoicePayments: applications.map(invoicePaymentDocument),
  };
}

function ordersOf(lines: readonly InvoiceLineView[]): number[] {
  return [...new Set(lines.flatMap(({ subscriptionOrderId: id }) => (id === null ? [] : [id])))];
}

function lineDocument(
  { charges, subscriptionOrderId, ...line }: InvoiceLineView,
  currencySymbol: string,
): InvoiceDocument['invoiceLineItems'][number] {
  return {
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
  };
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
