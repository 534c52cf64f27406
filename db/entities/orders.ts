/** Subscription orders and their lines. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import type { EarlierPrices } from '../../domain/plans/price-moves.ts';
import type { OrderStatus } from '../../domain/standing/status.ts';
import { metadata, quantity, stamped, tenanted } from './columns.ts';
import { closed, code, text } from './personal.ts';

const SubscriptionOrderSchema = defineEntity({
  name: 'SubscriptionOrder',
  tableName: 'subscription_order',
  uniques: [
    { properties: ['tenantId', 'orderNumber'] },
    { properties: ['tenantId', 'previousOrderId'] },
  ],
  properties: {
    ...tenanted,
    orderNumber: p.bigint('number'),
    status: code<OrderStatus>(),
    customerId: p.bigint('number'),
    planId: p.bigint('number'),
    /** The version of the coupon that it was made with. */
    couponId: p.bigint('number').nullable(),
    /** How many of the coupon's periods the orders before it have used. */
    couponPeriodsBefore: p.integer().default(0),
    currency: code(),
    startDate: p.date(),
    /** The last free day; null: it has no trial. */
    trialEndDate: p.date().nullable(),
    /** The days that were agreed on for this order; null: its trial is that of its plan. */
    trialDays: p.integer().nullable(),
    endDate: p.date().nullable(),
    termStart: p.date(),
    termFirstEnd: p.date().nullable(),
    isAutoRenew: p.boolean(),
    cancelReason: text('emptied').nullable(),
    /** Whether it renewed before its end was requested; null: no end is requested. */
    keptAutoRenew: p.boolean().nullable(),
    /** Its endDate before that. */
    keptEndDate: p.date().nullable(),
    anchor: p.date(),
    /** The period of its first day, counted from its anchor. */
    firstPeriod: p.integer().default(0),
    separateInvoice: p.smallint(),
    jobCode: text('emptied').nullable(),
    purchaseOrder: text('emptied').nullable(),
    isAutoPay: p.boolean(),
    dueDateValue: p.integer().nullable(),
    dueDateUnits: code<TermUnit>().nullable(),
    invoiceText: text('emptied').nullable(),
    invoiceNotes: text('emptied').nullable(),
    notes: text('emptied').nullable(),
    /** The order that it replaces, or will replace: while it is Provisioning, the change is pending. */
    previousOrderId: p.bigint('number').nullable(),
    /** The day of the pending change that replaces it. */
    changeOn: p.date().nullable(),
    /** The first unused day of a Superseded one, while the days from it on are to be credited. */
    creditFrom: p.date().nullable(),
    /** The order that it replaced and that was removed. */
    removedOrderId: p.bigint('number').nullable(),
    /** The last day that is billed elsewhere, and the same for charges in arrears and usage. */
    billedThrough: p.date().nullable(),
    arrearsBilledThrough: p.date().nullable(),
    endedOn: p.date().nullable(),
    billsNothingMore: p.boolean().default(false),
    nextBillableDate: p.date().nullable(),
    billOn: p.date().nullable(),
    transitionOn: p.date().nullable(),
    /** The first day of the prices of its plan's newest version, while that is ahead. */
    priceChangeOn: p.date().nullable(),
    /** The versions that it had before, each with the day before which it holds, the oldest first. */
    earlierPrices: closed(p.json<readonly EarlierPrices[]>().nullable()),
    takesPenalties: p.boolean().default(false),
    /** The last free day that was announced. */
    trialNoticed: p.date().nullable(),
    /** The endDate whose renewal was announced. */
    renewalNoticed: p.date().nullable(),
    /** The first day at new prices that was announced, or that has nothing to announce. */
    priceNoticed: p.date().nullable(),
    metadata: metadata(),
    /** A call has replaced it since: invoices of before need not have it. */
    hasNewMetadata: p.boolean().default(false),
    nextActionOn: p.date().nullable().generated('least(bill_on, transition_on) stored'),
    version: p.integer().default(1),
    ...stamped,
    lines: () => p.oneToMany(OrderLine).mappedBy('order').orphanRemoval(),
  },
});
export class SubscriptionOrder extends SubscriptionOrderSchema.class {}
SubscriptionOrderSchema.setClass(SubscriptionOrder);

const OrderLineSchema = defineEntity({
  name: 'OrderLine',
  tableName: 'order_line',
  properties: {
    ...tenanted,
    order: () =>
      p.manyToOne(SubscriptionOrder).joinColumns('tenant_id', 'order_id').deleteRule('cascade'),
    position: p.integer(),
    chargeId: p.bigint('number'),
    quantity: quantity(),
    unitPrice: quantity().nullable(),
    invoiceText: text('emptied').nullable(),
    isActive: p.boolean(),
    startsOn: p.date().nullable(),
    endsOn: p.date().nullable(),
    nextPeriodIndex: p.integer(),
    penaltySince: p.date().nullable(),
    ...stamped,
  },
});
export class OrderLine extends OrderLineSchema.class {}
OrderLineSchema.setClass(OrderLine);
