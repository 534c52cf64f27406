/** Subscription orders and their lines. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { OrderStatus, TermUnit } from '../../domain/model.ts';
import { quantity, stamped, tenanted } from './columns.ts';

const SubscriptionOrderSchema = defineEntity({
  name: 'SubscriptionOrder',
  tableName: 'subscription_order',
  properties: {
    ...tenanted,
    orderNumber: p.bigint('number'),
    status: p.text().$type<OrderStatus>(),
    customerId: p.bigint('number'),
    planId: p.bigint('number'),
    currency: p.text(),
    startDate: p.date(),
    endDate: p.date().nullable(),
    termStart: p.date(),
    termFirstEnd: p.date().nullable(),
    isAutoRenew: p.boolean(),
    anchor: p.date(),
    separateInvoice: p.smallint(),
    jobCode: p.text().nullable(),
    isAutoPay: p.boolean(),
    dueDateValue: p.integer().nullable(),
    dueDateUnits: p.text().$type<TermUnit>().nullable(),
    invoiceText: p.text().nullable(),
    invoiceNotes: p.text().nullable(),
    notes: p.text().nullable(),
    endedOn: p.date().nullable(),
    billsNothingMore: p.boolean(),
    nextBillableDate: p.date().nullable(),
    billOn: p.date().nullable(),
    transitionOn: p.date().nullable(),
    version: p.integer(),
    ...stamped,
  },
});
export class SubscriptionOrder extends SubscriptionOrderSchema.class {}
SubscriptionOrderSchema.setClass(SubscriptionOrder);

const OrderLineSchema = defineEntity({
  name: 'OrderLine',
  tableName: 'order_line',
  properties: {
    ...tenanted,
    orderId: p.bigint('number'),
    position: p.integer(),
    chargeId: p.bigint('number'),
    quantity: quantity(),
    unitPrice: quantity().nullable(),
    invoiceText: p.text().nullable(),
    isActive: p.boolean(),
    nextPeriodIndex: p.integer(),
    ...stamped,
  },
});
export class OrderLine extends OrderLineSchema.class {}
OrderLineSchema.setClass(OrderLine);
