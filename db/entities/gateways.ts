/** What gateways said of payments, and the rows of the sandbox gateway. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { money, ofTenant, tenanted } from './columns.ts';

export const ProcessorResult = defineEntity({
  name: 'ProcessorResult',
  tableName: 'processor_result',
  properties: {
    ...tenanted,
    paymentId: p.bigint('number'),
    processor: p.text(),
    processorRequestType: p.text().$type<'charge' | 'refund' | 'void' | 'validate'>(),
    transactionId: p.text().nullable(),
    isSuccess: p.boolean(),
    isError: p.boolean(),
    errorCode: p.text(),
    errorMessage: p.text().nullable(),
    statusCode: p.text().nullable(),
    statusMessage: p.text().nullable(),
    amount: money(),
    secondaryAmount: money(),
    currency: p.text(),
    avsCode: p.text().nullable(),
    cvvCode: p.text().nullable(),
    approvalCode: p.text().nullable(),
    responseTimeMs: p.integer().nullable(),
    createdAt: p.datetime(),
    isHardDecline: p.boolean().default(false),
  },
});

export const PaymentWithdrawal = defineEntity({
  name: 'PaymentWithdrawal',
  tableName: 'payment_withdrawal',
  uniques: [{ properties: ['tenantId', 'paymentId', 'gatewayRef'] }],
  properties: {
    ...tenanted,
    paymentId: p.bigint('number'),
    kind: p.text().$type<'return' | 'dispute'>(),
    gatewayRef: p.text(),
    reason: p.text(),
    amount: money(),
    covered: money(),
    excess: money(),
    entered: money(),
    withdrawnOn: p.date(),
    recordedAt: p.datetime(),
    reinstatedPaymentId: p.bigint('number').nullable(),
  },
});

export const GatewayFinding = defineEntity({
  name: 'GatewayFinding',
  tableName: 'gateway_finding',
  uniques: [{ properties: ['tenantId', 'paymentId', 'gatewayKey', 'kind'] }],
  properties: {
    ...tenanted,
    paymentId: p.bigint('number'),
    gatewayKey: p.text(),
    kind: p.text().$type<'difference' | 'lateApproval' | 'lateDecline' | 'withdrawnExcess'>(),
    detail: p.text(),
    transactionId: p.text().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedReason: p.text().nullable(),
  },
});

export const GatewayEvent = defineEntity({
  name: 'GatewayEvent',
  tableName: 'gateway_event',
  uniques: [{ properties: ['tenantId', 'gateway', 'eventId'] }],
  properties: {
    ...tenanted,
    gateway: p.text().$type<'stripe'>(),
    eventId: p.text(),
    type: p.text(),
    paymentId: p.bigint('number'),
    receivedAt: p.datetime(),
    askedAt: p.datetime().nullable(),
  },
});

export const SandboxMethod = defineEntity({
  name: 'SandboxMethod',
  tableName: 'sandbox_method',
  uniques: [{ properties: ['tenantId', 'idempotencyKey'] }],
  properties: {
    ...ofTenant,
    token: p.text().primary(),
    idempotencyKey: p.text(),
    sealed: p.text(),
    storedAt: p.datetime().defaultRaw('now()'),
    authenticatedAt: p.datetime().nullable(),
  },
});

export const SandboxTransaction = defineEntity({
  name: 'SandboxTransaction',
  tableName: 'sandbox_transaction',
  uniques: [{ properties: ['tenantId', 'idempotencyKey'] }],
  properties: {
    ...tenanted,
    idempotencyKey: p.text(),
    operation: p.text().$type<'validate' | 'charge' | 'refund' | 'void' | 'return'>(),
    token: p.text().nullable(),
    chargeId: p.text().nullable(),
    amount: money(),
    currency: p.text(),
    status: p.text().$type<'Processing' | 'Asks' | 'Approved' | 'Declined'>(),
    errorCode: p.text().nullable(),
    calls: p.integer().default(1),
    occurredAt: p.datetime().defaultRaw('now()'),
    newsOn: p.date().nullable(),
  },
});

export const SandboxChallenge = defineEntity({
  name: 'SandboxChallenge',
  tableName: 'sandbox_challenge',
  uniques: [{ properties: ['tenantId', 'idempotencyKey'] }],
  properties: {
    ...ofTenant,
    tokenHash: p.blob().primary(),
    sealed: p.text(),
    transactionId: p.bigint('number'),
    idempotencyKey: p.text(),
    savesMethod: p.boolean(),
    answer: p.text().$type<ChallengeAnswer>().nullable(),
    madeAt: p.datetime().defaultRaw('now()'),
  },
});

export type ChallengeAnswer = 'confirm' | 'refuse';
