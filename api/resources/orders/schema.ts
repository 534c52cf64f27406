/**
 * The documents of subscription orders: to read, create and change, and whether they can change.
 */
import { z } from 'zod';
import { orderStatuses, renewals } from '../../../domain/standing/status.ts';
import { compile } from '../../xml/codec.ts';
import {
  ORDER_DATE_LAST,
  TEXT_LENGTH_MAX,
  accepting,
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
  root,
  sum,
  text,
} from '../../xml/types.ts';
import { billingPeriod, metadata, purchaseOrder, unitsOfTerms } from '../shared-schema.ts';

const POSITION_MAX = 1_000_000;
const DUE_DATE_VALUE_MAX = 3650;

const orderLineItem = z.strictObject({
  id: id(),
  position: integer(),
  contractCharge: reference(),
  priceCode: text(),
  invoiceText: longText().nullable(),
  quantity: decimal(),
  unitPrice: decimal().nullable(),
  isActive: boolean(),
  totalLifetimeValue: sum(),
  lastUpdated: date(),
  dateCreated: date(),
});

const orderLineItemInput = accepting(orderLineItem, {
  id: id().optional(),
  position: integer(0, POSITION_MAX).nullish(),
  contractCharge: reference().nullish(),
  priceCode: text().nullish(),
  invoiceText: longText().nullish(),
  quantity: decimal().nullish(),
  unitPrice: decimal().nullish(),
  isActive: boolean().nullish(),
});

export const subscriptionOrderSchema = z.strictObject({
  id: id(),
  orderNumber: text(),
  orderStatus: enumeration(orderStatuses),
  startDate: date(),
  endDate: date().nullable(),
  customer: reference(),
  currency: currency(),
  contractOffering: reference(),
  contractOfferingName: text(),
  contractCode: text(),
  billingPeriod: billingPeriod(),
  separateInvoice: integer(0, 2),
  isSeparateInvoice: boolean(),
  jobCode: text().nullable(),
  purchaseOrder: text().nullable(),
  couponCode: text().nullable(),
  isAutoPay: boolean(),
  isAutoRenew: boolean(),
  dueDateValue: integer().nullable(),
  dueDateUnits: unitsOfTerms().nullable(),
  invoiceText: longText().nullable(),
  invoiceNotes: longText().nullable(),
  notes: longText().nullable(),
  totalLifetimeValue: sum(),
  nextBillableDate: date().nullable(),
  trialEndDate: date().nullable(),
  billedThrough: date().nullable(),
  renews: enumeration(renewals),
  cancelReason: text().nullable(),
  suspendedUntil: date().nullable(),
  priceChangeDate: date().nullable(),
  lastUpdated: date(),
  dateCreated: date(),
  previousOrder: reference().nullable(),
  nextOrder: reference().nullable(),
  invoices: listOf('invoice', reference()),
  orderLineItems: listOf('orderLineItem', orderLineItem),
  metadata: metadata.says(),
});
export type OrderDocument = z.output<typeof subscriptionOrderSchema>;

export const orderInputSchema = accepting(subscriptionOrderSchema, {
  orderStatus: enumeration(orderStatuses).nullish(),
  startDate: date(ORDER_DATE_LAST).nullish(),
  endDate: date(ORDER_DATE_LAST).nullish(),
  trialDays: integer().nullish(),
  customer: reference().nullish(),
  currency: currency().nullish(),
  contractOffering: reference().nullish(),
  contractCode: text(TEXT_LENGTH_MAX).nullish(),
  separateInvoice: integer(0, 2).nullish(),
  jobCode: text().nullish(),
  purchaseOrder: purchaseOrder().nullish(),
  couponCode: text().nullish(),
  quoteHash: text().nullish(),
  isAutoPay: boolean().nullish(),
  isAutoRenew: boolean().nullish(),
  dueDateValue: integer(0, DUE_DATE_VALUE_MAX).nullish(),
  dueDateUnits: unitsOfTerms().nullish(),
  invoiceText: longText().nullish(),
  invoiceNotes: longText().nullish(),
  notes: longText().nullish(),
  billedThrough: date(ORDER_DATE_LAST).nullish(),
  orderLineItems: listOf('orderLineItem', orderLineItemInput).nullish(),
  metadata: metadata.takes().nullish(),
});
export type OrderRequest = z.output<typeof orderInputSchema>;

export const orderCodec = compile(root('subscriptionOrder', subscriptionOrderSchema));
export const orderRequest = compile(root('subscriptionOrder', orderInputSchema));
export const orderList = compile(
  root('list', listOf('subscriptionOrder', subscriptionOrderSchema)),
);

export const canEditCodec = compile(
  root('canEdit', z.strictObject({ editable: boolean(), reason: text().nullable() })),
);
