/** The attempts to collect money on a day. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AttemptOutcome, AttemptState } from '../../domain/payments/attempts.ts';
import { money, ofTenant, stamped, tenanted } from './columns.ts';
import { code, text, saysNothingOfCustomers } from './personal.ts';
import type { Threshold } from '../../domain/dunning/ageing.ts';
import type { FrequencyUnit } from '../../domain/payment-plans/schedule.ts';

export const CollectionAttempt = defineEntity({
  name: 'CollectionAttempt',
  tableName: 'collection_attempt',
  uniques: [
    { properties: ['tenantId', 'invoiceId', 'attempt'] },
    { properties: ['tenantId', 'paymentPlanId', 'installment', 'attempt'] },
  ],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    kind: code<'retry' | 'installment'>(),
    invoiceId: p.bigint('number').nullable(),
    paymentPlanId: p.bigint('number').nullable(),
    installment: p.integer().nullable(),
    attempt: p.integer(),
    dueOn: p.date(),
    declinedOn: p.date().nullable(),
    state: code<AttemptState>(),
    outcome: code<AttemptOutcome>().nullable(),
    reason: text('blanked').nullable(),
    concludedOn: p.date().nullable(),
    paymentId: p.bigint('number').nullable(),
    amount: money().nullable(),
    onlyIfOwed: p.boolean().nullable(),
    byNewMethod: p.boolean().default(false),
    ...stamped,
  },
});

/** A SEPA debit that was announced: the amount at most, and its day. */
export const DebitNotice = defineEntity({
  name: 'DebitNotice',
  tableName: 'debit_notice',
  uniques: [{ properties: ['tenantId', 'invoiceId', 'paymentMethodId', 'debitOn'] }],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    invoiceId: p.bigint('number'),
    paymentMethodId: p.bigint('number'),
    amount: money(),
    announcedOn: p.date(),
    debitOn: p.date(),
    createdAt: p.datetime(),
  },
});

/* Customers that owe overdue money. */

export const DunningRules = defineEntity({
  name: 'DunningRules',
  tableName: 'dunning_rules',
  properties: {
    ...ofTenant,
    thresholds: p.json().$type<readonly Threshold[]>(),
    inForceOn: p.date(),
    agedOn: p.date(),
    debtsOpenedOn: p.date().defaultRaw("'-infinity'"),
  },
});

export const Dunning = defineEntity({
  name: 'Dunning',
  tableName: 'dunning',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    id: p.bigint('number').generated('stored'),
    openedOn: p.date(),
    closedOn: p.date().nullable(),
    nextStepOn: p.date().nullable(),
    forgivenOn: p.date().nullable(),
    heldOn: p.date().nullable(),
    heldReason: text('blanked').nullable(),
    version: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    waitsSince: p.datetime().nullable(),
    aidedOn: p.date().nullable(),
    awaitsRun: p.boolean().default(false),
  },
});

export const DunningNote = defineEntity({
  name: 'DunningNote',
  tableName: 'dunning_note',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    action: code<'hold' | 'resume' | 'retryNow'>(),
    reason: text('emptied'),
    notedOn: p.date(),
    notedAt: p.datetime(),
  },
});

/* Payment plans. */

const PaymentPlanSchema = defineEntity({
  name: 'PaymentPlan',
  tableName: 'payment_plan',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    currency: code(),
    chargeAmount: p.decimal().precision(20).scale(4),
    chargeOnlyIfBalanceOwed: p.boolean(),
    startDate: p.date(),
    totalInstallments: p.integer(),
    countedInstallments: p.integer().default(0),
    frequencyValue: p.integer(),
    frequencyUnits: code<FrequencyUnit>(),
    isEnabled: p.boolean().default(true),
    endedOn: p.date().nullable(),
    version: p.integer().default(1),
    ...stamped,
  },
});
export class PaymentPlan extends PaymentPlanSchema.class {}
PaymentPlanSchema.setClass(PaymentPlan);

saysNothingOfCustomers(DunningRules);
