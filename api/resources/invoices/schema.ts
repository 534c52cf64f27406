/** The documents of invoices with lines and charges: to read, and to create by hand. */
import { z } from 'zod';
import { invoiceStatuses } from '../../../domain/invoices/happened.ts';
import { compile } from '../../xml/codec.ts';
import {
  accepting,
  attribute,
  boolean,
  currency,
  date,
  decimal,
  enumeration,
  id,
  integer,
  listOf,
  longText,
  reference,
  repeated,
  root,
  sum,
  text,
} from '../../xml/types.ts';
import { addressSchema } from '../customers/schema.ts';
import { invoicePayment } from '../payments/schema.ts';
import { metadata, purchaseOrder } from '../shared-schema.ts';

export const POSITION_MAX = 1_000_000;

/** The customer as the invoice's document names it. */
const billTo = z.strictObject({
  name: text(),
  address: addressSchema.nullable(),
  taxId: text().nullable(),
  extCustomerRef: text().nullable(),
});

export const invoiceLineItemCharge = z.strictObject({
  id: id(),
  accountingCode: text().nullable(),
  position: integer(),
  priceCode: text().nullable(),
  contractCharge: reference().nullable(),
  isPercent: boolean(),
  billingStartDate: date().nullable(),
  billingEndDate: date().nullable(),
  chargeDate: date(),
  unitPrice: decimal().nullable(),
  amount: sum(),
  quantity: decimal().nullable(),
  unitOfMeasure: text().nullable(),
  orderLineItem: reference().nullable(),
  invoiceText: longText().nullable(),
  pricingTier: reference().nullable(),
  currencySymbol: text(),
  isUsageChargeSubTotal: boolean(),
});

const invoiceLineItem = z.strictObject({
  id: id(),
  position: integer(),
  invoiceText: longText().nullable(),
  billingStartDate: date().nullable(),
  billingEndDate: date().nullable(),
  invoiceLineItemCharges: listOf('invoiceLineItemCharge', invoiceLineItemCharge),
  lineAmountTotal: sum(),
  orderNumber: text().nullable(),
  subscriptionOrder: reference().nullable(),
  contractCode: text().nullable(),
  purchaseOrder: text().nullable(),
});

export const invoiceSchema = z.strictObject({
  id: id(),
  invoiceNumber: text(),
  status: enumeration(invoiceStatuses),
  invoiceDate: date(),
  dueDate: date(),
  billingStartDate: date().nullable(),
  billingEndDate: date().nullable(),
  delegatedInvoice: reference().nullable(),
  customer: reference(),
  billTo: billTo.nullable(),
  currency: currency(),
  billingPeriod: text().nullable(),
  previousBalance: sum(),
  paymentsAndAdjustments: sum(),
  outstandingBalance: sum(),
  currentAmountDue: sum(),
  totalDue: sum(),
  ordersIncluded: listOf('subscriptionOrder', reference()),
  invoiceLineItems: listOf('invoiceLineItem', invoiceLineItem),
  invoicePayments: listOf('invoicePayment', invoicePayment),
  notes: longText().nullable(),
  purchaseOrder: text().nullable(),
  creditNoteOf: reference().nullable(),
  refund: reference().nullable(),
  cancellationNumber: text().nullable(),
  dateCancelled: date().nullable(),
  lastUpdated: date(),
  dateCreated: date(),
  metadata: metadata.says(),
});
export type InvoiceDocument = z.output<typeof invoiceSchema>;

const chargeInput = accepting(invoiceLineItemCharge, {
  priceCode: text().nullish(),
  position: integer(0, POSITION_MAX).nullish(),
  invoiceText: longText().nullish(),
  isPercent: boolean().nullish(),
  unitPrice: decimal().nullish(),
  quantity: decimal().nullish(),
  amount: decimal().nullish(),
  taxCodes: listOf('taxCode', text()).nullish(),
});

const lineInput = accepting(invoiceLineItem, {
  enterpriseSubscription: text().nullish(),
  invoiceText: longText().nullish(),
  purchaseOrder: purchaseOrder().nullish(),
  invoiceLineItemCharges: listOf('invoiceLineItemCharge', chargeInput).nullish(),
});

const manualInvoice = accepting(invoiceSchema, {
  dueDate: date().nullish(),
  currency: currency().nullish(),
  isAutoPay: boolean().nullish(),
  notes: longText().nullish(),
  purchaseOrder: purchaseOrder().nullish(),
  invoiceLineItems: listOf('invoiceLineItem', lineInput).nullish(),
  metadata: metadata.takes().nullish(),
});
export type ManualInvoiceRequest = z.output<typeof manualInvoice>;

/** An invoice that is not stored: without ids and numbers. */
const kept = {
  id: true,
  invoiceNumber: true,
  creditNoteOf: true,
  refund: true,
  cancellationNumber: true,
  dateCancelled: true,
  metadata: true,
} as const;
const invoicePreview = invoiceSchema.omit(kept).extend({
  invoiceLineItems: listOf(
    'invoiceLineItem',
    invoiceLineItem.omit({ id: true }).extend({
      invoiceLineItemCharges: listOf(
        'invoiceLineItemCharge',
        invoiceLineItemCharge.omit({ id: true }),
      ),
    }),
  ),
});
export type InvoicePreviewDocument = z.output<typeof invoicePreview>;

export const invoicePreviewList = compile(root('list', listOf('invoice', invoicePreview)));
export const changePreview = compile(
  root(
    'list',
    z.strictObject({
      quoteHash: attribute(text()),
      invoice: repeated('invoice', invoicePreview),
    }),
  ),
);
const creditNote = z.strictObject({
  reason: longText().nullish(),
  amount: decimal().nullish(),
  invoiceLineItemCharges: listOf(
    'invoiceLineItemCharge',
    z.strictObject({ id: id(), quantity: decimal().nullish(), amount: decimal().nullish() }),
  ).nullish(),
});

export const creditNoteRequest = compile(root('creditNote', creditNote));
export const invoiceCodec = compile(root('invoice', invoiceSchema));
export const invoiceRequest = compile(root('invoice', manualInvoice));
export const invoiceList = compile(root('list', listOf('invoice', invoiceSchema)));
