/** The documents of payments, credits and refunds: one answer, and a request for each. */
import { z } from 'zod';
import {
  paymentMethodTypes,
  paymentStatuses,
  paymentTypes,
} from '../../../domain/payments/allocation.ts';
import type { GatewayName } from '../../../providers/gateway/gateway.ts';
import { byRoot, compile, type Encoder } from '../../xml/codec.ts';
import {
  CURRENCY_LENGTH_MAX,
  boolean,
  currency,
  date,
  dateTime,
  decimal,
  enumeration,
  id,
  integer,
  listOf,
  longText,
  reference,
  root,
  sum,
  text,
} from '../../xml/types.ts';
import { autopayPreference, paymentMethodDTO } from '../payment-methods/method-schema.ts';
import { metadata, paymentMethodContext } from '../shared-schema.ts';

/* Applications of payments to invoices, and reversals, as payments and invoices show them. */

export const invoicePayment = z.strictObject({
  id: id(),
  payment: reference(),
  // Empty if the money went to a debit.
  invoice: reference().nullable(),
  amountApplied: sum(),
  balanceRemaining: sum(),
  customer: reference(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type InvoicePaymentDocument = z.output<typeof invoicePayment>;

const baseUser = z.strictObject({
  id: id(),
  username: text(),
  firstName: text().nullable(),
  lastName: text().nullable(),
});

const paymentProcessor = z.strictObject({ id: id(), name: text() });

const processorResult = z.strictObject({
  id: id(),
  transactionId: text().nullable(),
  isSuccess: boolean(),
  isError: boolean(),
  errorCode: text(),
  errorMessage: longText().nullable(),
  statusCode: text().nullable(),
  statusMessage: longText().nullable(),
  amount: sum(),
  secondaryAmount: sum(),
  currencyCode: text(),
  avsCode: text().nullable(),
  cvvCode: text().nullable(),
  approvalCode: text().nullable(),
  batchIndicator: text().nullable(),
  processorRequestType: text(),
  responseTimeMilliSec: integer(0).nullable(),
  otherMsg1: text().nullable(),
  otherMsg2: text().nullable(),
  otherMsg3: text().nullable(),
  customer: reference(),
  payment: reference(),
  paymentProcessor,
  lastUpdated: date(),
  dateCreated: date(),
});

/** While the gateway asks for the payer. */
const payerAction = z.strictObject({
  isPayerPresent: boolean(),
  waitsUntil: dateTime(),
});

export const paymentSchema = z.strictObject({
  id: id(),
  isSystemPayment: boolean(),
  customer: reference(),
  paymentMethodType: enumeration(paymentMethodTypes).nullable(),
  paymentMethod: reference().nullable(),
  paymentMethodContext: paymentMethodContext().nullable(),
  currency: currency(),
  amount: sum(),
  balance: sum(),
  effectiveDate: date(),
  status: enumeration(paymentStatuses),
  payerAction: payerAction.nullable(),
  paymentType: enumeration(paymentTypes),
  isProcessedByBillingRun: boolean(),
  baseUser: baseUser.nullable(),
  paymentProcessor: paymentProcessor.nullable(),
  processorResult: processorResult.nullable(),
  invoicePayments: listOf('invoicePayment', invoicePayment),
  notes: longText().nullable(),
  lastUpdated: date(),
  dateCreated: date(),
  metadata: metadata.says(),
});
export type PaymentDocument = z.output<typeof paymentSchema>;

/** Adds fields that are not written: they decide the answer's status and how long to wait. */
export interface PaymentAnswer extends PaymentDocument {
  readonly version: number;
  /** The first payment of its cascade. */
  readonly cascadeId: number;
  /** The customer's own reference. */
  readonly customerRef: string | null;
  /** Null if no gateway is involved. */
  readonly gateway: GatewayName | null;
}

export const paymentCodec: Encoder<PaymentAnswer> = compile(root('payment', paymentSchema));
export const paymentList = compile(root('list', listOf('payment', paymentSchema)));

const asked = {
  customer: reference().nullish(),
  amount: decimal(),
  currencyCode: text(CURRENCY_LENGTH_MAX).nullish(),
  effectiveDate: date().nullish(),
  invoiceText: longText().nullish(),
  purchaseDescription: longText().nullish(),
  internalNotes: longText().nullish(),
  invoices: listOf('invoice', reference()).nullish(),
  creditNote: boolean().nullish(),
  metadata: metadata.takes().nullish(),
};

const processSchema = z.strictObject({
  ...asked,
  totalSurcharge: decimal().nullish(),
  generateInvoice: boolean().nullish(),
  paymentMethodDTO: paymentMethodDTO.nullish(),
});
export type ProcessRequest = z.output<typeof processSchema>;

const withAutopaySchema = z.strictObject({
  ...asked,
  autopayPreference: autopayPreference().nullish(),
});
export type AutopayPaymentRequest = z.output<typeof withAutopaySchema>;

const processPayment = compile(root('processPayment', processSchema));

/** Every path accepts the first name; each also accepts the name of its own type. */
export const processRequests = {
  Payment: byRoot(processPayment),
  Credit: byRoot(processPayment, compile(root('processCredit', processSchema))),
  Refund: byRoot(processPayment, compile(root('processRefund', processSchema))),
} as const;

export const processWithAutopay = byRoot(
  compile(root('processPaymentWithAutopay', withAutopaySchema)),
);
