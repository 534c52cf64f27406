/** Invoices, their parties, their lines and charges, and the periods that were billed. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ChargeKind } from '../../domain/billing/kinds.ts';
import type { BillingPeriod } from '../../domain/calendar/calendar.ts';
import type { InvoiceStatus } from '../../domain/invoices/happened.ts';
import type { UblSupplement as Supplement } from '../../domain/invoices/ubl-supplement.ts';
import type { TaxCategory } from '../../domain/tax/rates.ts';
import { integers, metadata, money, ofTenant, quantity, tenanted, texts } from './columns.ts';
import { code, digest, personal, text, saysNothingOfCustomers } from './personal.ts';

export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  uniques: [{ properties: ['tenantId', 'invoiceNumber'] }],
  properties: {
    ...tenanted,
    invoiceNumber: code(),
    /** The series that the number is of, with the year of a yearly one (otherwise 0), and its place there. */
    numberPrefix: code().nullable(),
    numberYear: p.integer().nullable(),
    numberValue: p.bigint('number').nullable(),
    /** Another system gave it its number. */
    isImported: p.boolean().default(false),
    status: code<InvoiceStatus>(),
    customerId: p.bigint('number'),
    currency: code(),
    invoiceDate: p.date(),
    dueDate: p.date(),
    billingStartDate: p.date().nullable(),
    billingEndDate: p.date().nullable(),
    billingPeriod: code<BillingPeriod>().nullable(),
    previousBalance: money(),
    paymentsAndAdjustments: money(),
    currentAmountDue: money(),
    totalDue: money(),
    outstandingBalance: money(),
    isAutoPay: p.boolean().default(false),
    notes: text('frozen').nullable(),
    /** Of a credit note: the invoice of which it gives back, and the refund that goes with it. */
    creditNoteOf: p.bigint('number').nullable(),
    refundId: p.bigint('number').nullable(),
    version: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    autopayOn: p.date().nullable(),
    autopayOrderId: p.bigint('number').nullable(),
    autopayAfterPaymentId: p.bigint('number').nullable(),
    autopaySetAside: p.boolean().default(false),
    carriedOverFrom: code<Exclude<InvoiceStatus, 'CarriedOver'>>().nullable(),
    carriedOpen: money().nullable(),
    /** The versions of its parties; null of one of before, until the worker has come to it. */
    customerPartyId: p.bigint('number').nullable(),
    tenantPartyId: p.bigint('number').nullable(),
    metadata: metadata(),
    /** A call has replaced it since: it need not be that of its orders, or of its original. */
    hasOwnMetadata: p.boolean().default(false),
  },
});

/** The number of a cancelled invoice's cancellation, if the tenant numbers them. */
export const Cancellation = defineEntity({
  name: 'Cancellation',
  tableName: 'cancellation',
  uniques: [{ properties: ['tenantId', 'cancellationNumber'] }],
  properties: {
    ...ofTenant,
    invoiceId: p.bigint('number').primary(),
    cancellationNumber: code(),
    /** As those of an invoice. */
    numberPrefix: code(),
    numberYear: p.integer(),
    numberValue: p.bigint('number'),
  },
});

export const Party = defineEntity({
  name: 'Party',
  tableName: 'party',
  uniques: [{ properties: ['tenantId', 'customerId', 'digest'] }],
  properties: {
    ...tenanted,
    customerId: p.bigint('number').nullable(),
    content: personal('frozen', p.json().$type<object>()),
    logoDigest: digest().nullable(),
    digest: digest(),
  },
});

export const Logo = defineEntity({
  name: 'Logo',
  tableName: 'logo',
  properties: {
    ...ofTenant,
    digest: p.blob().primary(),
    picture: p.text(),
  },
});

/** What the first electronic invoice that was given out took from the parties of its day. */
export const UblSupplement = defineEntity({
  name: 'UblSupplement',
  tableName: 'ubl_supplement',
  properties: {
    ...ofTenant,
    invoiceId: p.bigint('number').primary(),
    content: personal('frozen', p.json().$type<Supplement>()),
  },
});

export const InvoiceLine = defineEntity({
  name: 'InvoiceLine',
  tableName: 'invoice_line',
  properties: {
    ...tenanted,
    invoiceId: p.bigint('number'),
    position: p.integer(),
    orderId: p.bigint('number').nullable(),
    contractCode: code().nullable(),
    invoiceText: text('frozen').nullable(),
    billingStartDate: p.date().nullable(),
    billingEndDate: p.date().nullable(),
    lineAmountTotal: money(),
    importedOrderNumber: text('frozen').nullable(),
    purchaseOrder: text('frozen').nullable(),
  },
});

export const BilledPeriod = defineEntity({
  name: 'BilledPeriod',
  tableName: 'billed_period',
  properties: {
    ...tenanted,
    orderLineId: p.bigint('number'),
    chargeId: p.bigint('number'),
    periodIndex: p.integer(),
    segment: p.smallint(),
    billedFrom: p.date(),
    billedTo: p.date(),
    invoiceId: p.bigint('number').nullable(),
    voidedAt: p.datetime().nullable(),
  },
});

export const InvoiceCharge = defineEntity({
  name: 'InvoiceCharge',
  tableName: 'invoice_charge',
  properties: {
    ...tenanted,
    invoiceLineId: p.bigint('number'),
    position: p.integer(),
    orderLineId: p.bigint('number').nullable(),
    chargeId: p.bigint('number').nullable(),
    pricingTierId: p.bigint('number').nullable(),
    billedPeriodId: p.bigint('number').nullable(),
    priceCode: code().nullable(),
    accountingCode: code().nullable(),
    invoiceText: text('frozen').nullable(),
    isPercent: p.boolean(),
    billingStartDate: p.date().nullable(),
    billingEndDate: p.date().nullable(),
    chargeDate: p.date(),
    unitPrice: quantity().nullable(),
    quantity: quantity().nullable(),
    unitOfMeasure: code().nullable(),
    amount: money(),
    isUsageChargeSubTotal: p.boolean().default(false),
    kind: code<ChargeKind>(),
    basePositions: integers().nullable(),
    couponId: p.bigint('number').nullable(),
    taxCategory: code<TaxCategory>().nullable(),
    taxCode: code().nullable(),
    taxReason: code().nullable(),
    /** Of a tax by rate: `US/NY`, or as its provider names it; null of one of before. */
    taxJurisdiction: code().nullable(),
    /** Of a charge made by hand: the codes by which its invoice was taxed. */
    taxCodes: texts().nullable(),
    usageWindowId: p.bigint('number').nullable(),
  },
});

saysNothingOfCustomers(Logo);
