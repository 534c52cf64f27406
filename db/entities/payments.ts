/** Payments, credits, debits and refunds, and what became of their money. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type {
  AutopayPreference,
  PaymentMethodType,
  PaymentStatus,
  PaymentType,
  StorableMethodType,
} from '../../domain/payments/allocation.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';
import type { Entry, PaymentPhase } from '../../domain/payments/happened.ts';
import { ids, money, ofTenant, tenanted, transaction } from './columns.ts';

export const PaymentMethod = defineEntity({
  name: 'PaymentMethod',
  tableName: 'payment_method',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    type: p.text().$type<StorableMethodType>(),
    autopayPreference: p.smallint().$type<AutopayPreference>().nullable(),
    gateway: p.text().$type<'sandbox' | 'stripe'>(),
    token: p.text(),
    brand: p.text().nullable(),
    lastFour: p.text().nullable(),
    expiry: p.date().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    hardDeclinedAt: p.datetime().nullable(),
    /** The expiry that was announced. */
    expiryNoticed: p.date().nullable(),
    debit: p.text().$type<DebitKind>().nullable(),
    /** Of the account of a SEPA debit. */
    country: p.text().nullable(),
    /** The reference of the mandate of a debit. */
    mandate: p.text().nullable(),
    /** The day on which its gateway last changed what is known of it. */
    gatewayUpdated: p.date().nullable(),
  },
});

export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    paymentType: p.text().$type<PaymentType>(),
    status: p.text().$type<PaymentStatus>(),
    phase: p.text().$type<PaymentPhase>().nullable(),
    paymentMethodType: p.text().$type<PaymentMethodType>().nullable(),
    paymentMethodId: p.bigint('number').nullable(),
    paymentMethodContext: p.text().nullable(),
    currency: p.text(),
    amount: money(),
    surcharge: money().defaultRaw('0'),
    balance: money().defaultRaw('0'),
    refunded: money().defaultRaw('0'),
    effectiveDate: p.date(),
    gateway: p.text().$type<'sandbox' | 'stripe'>().nullable(),
    transactionId: p.text().nullable(),
    chargedOn: p.date().nullable(),
    cascadeId: p.bigint('number'),
    attempt: p.integer().default(1),
    autopayPreference: p.smallint().$type<AutopayPreference>().nullable(),
    isCascading: p.boolean().default(false),
    saveAsPreference: p.smallint().$type<AutopayPreference>().nullable(),
    namedInvoiceIds: ids().defaultRaw("'{}'"),
    autopayInvoiceId: p.bigint('number').nullable(),
    isSystemPayment: p.boolean().default(false),
    isProcessedByBillingRun: p.boolean().default(false),
    baseUserId: p.bigint('number').nullable(),
    creditedInvoiceId: p.bigint('number').nullable(),
    notes: p.text().nullable(),
    invoiceText: p.text().nullable(),
    purchaseDescription: p.text().nullable(),
    version: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    gatewayKey: p.text().nullable(),
    gatewayNewsOn: p.date().nullable(),
    withdrawn: money().defaultRaw('0'),
    collectionAttemptId: p.bigint('number').nullable(),
    isRetry: p.boolean().default(false),
    resolvedOn: p.date().nullable(),
    /** Until when it waits for a payer who is present. */
    actionEndsAt: p.datetime().nullable(),
    /** Sealed: where its page is to which the payer comes back. Null if the payer is absent. */
    returnSealed: p.text().nullable(),
    /** How often its payer began to confirm it; each confirmation has its own key. */
    confirmations: p.integer().default(0),
    carriedOverFrom: p.text().$type<Exclude<PaymentStatus, 'CarriedOver'>>().nullable(),
    carriedOpen: money().nullable(),
    /** The versions of its parties; null of one of before, until the worker has come to it. */
    customerPartyId: p.bigint('number').nullable(),
    tenantPartyId: p.bigint('number').nullable(),
  },
});

export const RefundShare = defineEntity({
  name: 'RefundShare',
  tableName: 'refund_share',
  uniques: [{ properties: ['tenantId', 'refundId', 'paymentId'] }],
  properties: {
    ...tenanted,
    refundId: p.bigint('number'),
    paymentId: p.bigint('number'),
    position: p.integer(),
    amount: money(),
    way: p.text().$type<'none' | 'refund' | 'void'>(),
    status: p.text().$type<'Pending' | 'Processing' | 'Paid' | 'Declined'>(),
    transactionId: p.text().nullable(),
    gatewayKey: p.text().nullable(),
  },
});

/** What a refund of invoices that is under way takes of the money applied to each of them. */
export const RefundReservation = defineEntity({
  name: 'RefundReservation',
  tableName: 'refund_reservation',
  uniques: [{ properties: ['tenantId', 'refundId', 'paymentId', 'invoiceId'] }],
  properties: {
    ...tenanted,
    refundId: p.bigint('number'),
    paymentId: p.bigint('number'),
    invoiceId: p.bigint('number'),
    amount: money(),
    /** A credit note gives back of the invoice what went back. */
    withNote: p.boolean(),
  },
});

export const InvoicePayment = defineEntity({
  name: 'InvoicePayment',
  tableName: 'invoice_payment',
  properties: {
    ...tenanted,
    paymentId: p.bigint('number'),
    invoiceId: p.bigint('number').nullable(),
    debitId: p.bigint('number').nullable(),
    customerId: p.bigint('number'),
    amountApplied: money(),
    balanceRemaining: money(),
    createdAt: p.datetime(),
    /** Null of one of before. */
    writtenIn: transaction().nullable(),
  },
});

export const ChargeCredit = defineEntity({
  name: 'ChargeCredit',
  tableName: 'charge_credit',
  properties: {
    ...tenanted,
    paymentId: p.bigint('number').nullable(),
    invoiceChargeId: p.bigint('number'),
    amount: money(),
    unusedFrom: p.date().nullable(),
    creditChargeId: p.bigint('number').nullable(),
    /** Given back by a credit note: periods, usage and uses of coupons stay. */
    byNote: p.boolean().default(false),
    unusedTo: p.date().nullable(),
    voidedAt: p.datetime().nullable(),
  },
});

/* The ledger, and its sum by customer and currency. */

/** Those of payments, as their state machine enters them, and those of invoices and imports. */
export type LedgerKind =
  | Entry['kind']
  | 'invoice'
  | 'invoiceCancelled'
  | 'openingBalance'
  | 'import'
  | 'zeroOut';

export const CustomerBalance = defineEntity({
  name: 'CustomerBalance',
  tableName: 'customer_balance',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    currency: p.text().primary(),
    balance: money().defaultRaw('0'),
    lastTotalDue: money().defaultRaw('0'),
  },
});

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    currency: p.text(),
    kind: p.text().$type<LedgerKind>(),
    amount: money(),
    invoiceId: p.bigint('number').nullable(),
    enteredOn: p.date(),
    enteredAt: p.datetime(),
    paymentId: p.bigint('number').nullable(),
    withdrawalId: p.bigint('number').nullable(),
    batchId: p.bigint('number').nullable(),
    /** Null of one of before. */
    writtenIn: transaction().nullable(),
  },
});

/** What a BatchInit has carried over: an invoice, or a payment, credit or debit. */
export const CarryOver = defineEntity({
  name: 'CarryOver',
  tableName: 'carry_over',
  properties: {
    ...tenanted,
    batchId: p.bigint('number'),
    invoiceId: p.bigint('number').nullable(),
    paymentId: p.bigint('number').nullable(),
    amount: money(),
    carriedOn: p.date(),
    writtenIn: transaction(),
  },
});

/** A link to the page on which a payer confirms a payment; only the hash of its token is stored. */
export const ActionLink = defineEntity({
  name: 'ActionLink',
  tableName: 'action_link',
  properties: {
    ...ofTenant,
    tokenHash: p.blob().primary(),
    paymentId: p.bigint('number'),
    madeAt: p.datetime(),
  },
});
