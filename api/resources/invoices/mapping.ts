/** Invoices between their documents and the operations. */
import { entriesOf } from '../../../domain/text/metadata.ts';
import type { ManualInvoiceInput } from '../../../domain/invoices/by-hand.ts';
import type {
  ChargePreview,
  InvoicePreview,
  LinePreview,
} from '../../../domain/invoices/preview.ts';
import type { InvoiceLineRow, InvoiceView } from '../../../operations/invoices/read.ts';
import { type Column, columnsOf, withReference } from '../../calls/csv.ts';
import {
  type InvoiceDocument,
  type InvoicePreviewDocument,
  type ManualInvoiceRequest,
  invoiceLineItemCharge,
} from './schema.ts';
import { codeOf } from '../customers/mapping.ts';
import { metadataInput } from '../shared-schema.ts';
import { invoicePaymentDocument, referenceTo } from '../payments/mapping.ts';

export function invoiceDocument(view: InvoiceView): InvoiceDocument {
  const { lines, creditNoteOfId, refundId, metadata, ...invoice } = view;
  return {
    ...invoice,
    ...partsOf(view, view.applications),
    creditNoteOf: referenceTo(creditNoteOfId),
    refund: referenceTo(refundId),
    invoiceLineItems: linesOf(lines, view.currency),
    metadata: entriesOf(metadata),
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
  return lines.map(({ charges, subscriptionOrderId, ...line }) => ({
    ...line,
    subscriptionOrder: referenceTo(subscriptionOrderId),
    invoiceLineItemCharges: charges.map((charge) => chargeDocument(charge, currency)),
  }));
}

function chargeDocument<Charge extends ChargePreview>(
  { contractChargeId, orderLineItemId, pricingTierId, ...charge }: Charge,
  currency: string,
) {
  return {
    ...charge,
    contractCharge: referenceTo(contractChargeId),
    orderLineItem: referenceTo(orderLineItemId),
    pricingTier: referenceTo(pricingTierId),
    currencySymbol: symbolOf(currency),
  };
}

/** A row of the file of invoices' lines: a charge, with its document. */
interface WrittenLine {
  readonly line: InvoiceLineRow;
  readonly charge: ReturnType<typeof chargeDocument>;
}

export const writtenLine = (line: InvoiceLineRow): WrittenLine => ({
  line,
  charge: chargeDocument(line, line.currency),
});

const ofInvoice = [
  'invoiceId',
  'invoiceNumber',
  'invoiceDate',
  'status',
  'customerId',
  'orderNumber',
  'contractCode',
  'currency',
] as const satisfies readonly (keyof InvoiceLineRow)[];

/** What its invoice and its line say, then its own elements. */
export function invoiceLineColumns(): Column<WrittenLine>[] {
  const before = ofInvoice.map((name) => ({
    name,
    cellOf: ({ line }: WrittenLine) => line[name],
  }));
  const own = columnsOf(invoiceLineItemCharge).map(({ name, cellOf }) => ({
    name,
    cellOf: ({ charge }: WrittenLine) => cellOf(charge),
  }));
  return [...withReference(before, ({ line }) => line.customerRef), ...own];
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
  const { currency, metadata, ...input } = body;
  return { ...input, currency: codeOf(currency), metadata: metadataInput(metadata) };
}
