/** Usage records, and the windows in which they are billed together. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, money, quantity, tenanted } from './columns.ts';
import { text } from './personal.ts';

export const UsageWindow = defineEntity({
  name: 'UsageWindow',
  tableName: 'usage_window',
  uniques: [
    { properties: ['tenantId', 'orderLineId', 'periodIndex'] },
    { properties: ['tenantId', 'orderLineId', 'id'] },
  ],
  properties: {
    ...tenanted,
    orderLineId: p.bigint('number'),
    periodIndex: p.integer(),
    closedAt: p.datetime().nullable(),
    invoiceId: p.bigint('number').nullable(),
    quantity: decimal().nullable(),
    amount: money().nullable(),
    sharedQuantity: decimal().nullable(),
    sharedAmount: money().nullable(),
    lastActivityId: p.bigint('number').nullable(),
    lastAmount: money().nullable(),
    percent: quantity().nullable(),
    billedFrom: p.date().nullable(),
    billedTo: p.date().nullable(),
    ofPeriod: p.integer().nullable(),
    correctsPlainly: p.boolean().default(false),
  },
});

export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  properties: {
    ...tenanted,
    batchId: p.bigint('number'),
    customerId: p.bigint('number'),
    orderLineId: p.bigint('number'),
    windowId: p.bigint('number').nullable(),
    extRefId: text('emptied').nullable(),
    quantity: quantity(),
    amount: money().nullable(),
    unitPrice: quantity().nullable(),
    chargeDate: p.date(),
    chargeEndDate: p.date().nullable(),
    invoiceText: text('emptied').nullable(),
    correctsId: p.bigint('number').nullable(),
    correctsBilled: p.boolean().default(false),
    correctedPercent: quantity().nullable(),
    createdAt: p.datetime(),
    amountIsShare: p.boolean().default(false),
  },
});
