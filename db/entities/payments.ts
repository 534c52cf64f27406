/** Payments, credits, debits and refunds, and what became of their money. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AccountingCodes as AccountCodes } from '../../domain/ledger/accounts.ts';
import type {
  AutopayPreference,
  PaymentMethodType,
  PaymentStatus,
  PaymentType,
  StorableMethodType,
} from '../../domain/payments/allocation.ts';
import type { DebitKind } from '../../domain/payments/debits.ts';
import type { Entry, PaymentPhase } from '../../domain/payments/happened.ts';
import { ids, metadata, money, ofTenant, tenanted, transaction } from './columns.ts';
import { code, digest, personal, text, saysNothingOfCustomers } from './personal.ts';
import { returnContext, sealed } from './sealed.ts';

export const PaymentMethod = defineEntity({
  name: 'PaymentMethod',
  tableName: 'payment_method',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    type: code<StorableMethodType>(),
    autopayPreference: p.smallint().$type<AutopayPreference>().nullable(),
    gateway: code<'sandbox' | 'stripe'>(),
    token: text('vaulted'),
    brand: text('emptied').nullable(),
    lastFour: text('emptied').nullable(),
    expiry: personal('emptied', p.date().nullable()),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    hardDeclinedAt: p.datetime().nullable(),
    /** The expiry that was announced. */
    expiryNoticed: p.date().nullable(),
    debit: code<DebitKind>().nullable(),
    /** Of the account of a SEPA debit. */
    country: text('emptied').nullable(),
    /** The reference of the mandate of a debit. */
    mandate: text('emptied').nullable(),
    /** The day on which its gateway last changed what is known of it. */
    gatewayUpdated: p.date().nullable(),
    /** In real time: when its gateway is asked next to remove it; null: it is not to be removed, or is. */
    removeAt: p.datetime().nullable(),
  },
});

export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    paymentType: code<PaymentType>(),
    status: code<PaymentStatus>(),
    phase: code<PaymentPhase>().nullable(),
    paymentMethodType: code<PaymentMethodType>().nullable(),
    paymentMethodId: p.bigint('number').nullable(),
    paymentMethodContext: text('frozen').nullable(),
    currency: code(),
    amount: money(),
    surcharge: money().defaultRaw('0'),
    balance: money().defaultRaw('0'),
    refunded: money().defaultRaw('0'),
    effectiveDate: p.date(),
    gateway: code<'sandbox' | 'stripe'>().nullable(),
    transactionId: code().nullable(),
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
    notes: text('emptied').nullable(),
    invoiceText: text('emptied').nullable(),
    purchaseDescription: text('emptied').nullable(),
    version: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    gatewayKey: code().nullable(),
    gatewayNewsOn: p.date().nullable(),
    withdrawn: money().defaultRaw('0'),
    collectionAttemptId: p.bigint('number').nullable(),
    isRetry: p.boolean().default(false),
    resolvedOn: p.date().nullable(),
    /** Until when it waits for a payer who is present. */
    actionEndsAt: p.datetime().nullable(),
    /** Sealed: where its page is to which the payer comes back. Null if the payer is absent. */
    returnSealed: sealed(text('emptied').nullable(), ['tenantId'], returnContext),
    /** How often its payer began to confirm it; each confirmation has its own key. */
    confirmations: p.integer().default(0),
    carriedOverFrom: code<Exclude<PaymentStatus, 'CarriedOver'>>().nullable(),
    carriedOpen: money().nullable(),
    /** The versions of its parties; null of one of before, until the worker has come to it. */
    customerPartyId: p.bigint('number').nullable(),
    tenantPartyId: p.bigint('number').nullable(),
    metadata: metadata(),
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
    way: code<'none' | 'refund' | 'void'>(),
    status: code<'Pending' | 'Processing' | 'Paid' | 'Declined'>(),
    transactionId: code().nullable(),
    gatewayKey: code().nullable(),
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
    writtenIn: transaction().nullable(),
    /** The tenant's day; null of one by a process of an older version. */
    appliedOn: p.date().nullable(),
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
    currency: code().primary(),
    balance: money().defaultRaw('0'),
    lastTotalDue: money().defaultRaw('0'),
    /* The financials of the customer, which triggers of invoice and payment keep. */
    outstandingBalance: money().defaultRaw('0'),
    lifetimeValue: money().defaultRaw('0'),
    lastInvoiceId: p.bigint('number').nullable(),
    lastInvoicedDate: p.date().nullable(),
    lastInvoiceAmount: money().nullable(),
    unappliedBalance: money().defaultRaw('0'),
    lifetimePayments: money().defaultRaw('0'),
    lastPaymentId: p.bigint('number').nullable(),
    lastPaymentDate: p.date().nullable(),
    lastPaymentAmount: money().nullable(),
  },
});

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    currency: code(),
    kind: code<LedgerKind>(),
    amount: money(),
    invoiceId: p.bigint('number').nullable(),
    enteredOn: p.date(),
    enteredAt: p.datetime(),
    paymentId: p.bigint('number').nullable(),
    withdrawalId: p.bigint('number').nullable(),
    batchId: p.bigint('number').nullable(),
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

/** The codes of the tenant's accounts, a row for each apply that changed them. */
export const AccountingCodes = defineEntity({
  name: 'AccountingCodes',
  tableName: 'accounting_codes',
  properties: {
    ...tenanted,
    codes: p.json().$type<AccountCodes>(),
    writtenIn: transaction(),
  },
});

/** A link to the page on which a payer confirms a payment; only the hash of its token is stored. */
export const ActionLink = defineEntity({
  name: 'ActionLink',
  tableName: 'action_link',
  properties: {
    ...ofTenant,
    tokenHash: digest().primary(),
    paymentId: p.bigint('number'),
    madeAt: p.datetime(),
  },
});

saysNothingOfCustomers(AccountingCodes);
