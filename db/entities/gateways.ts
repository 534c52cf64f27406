/** What gateways said of payments, and the rows of the sandbox gateway. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import { money, ofTenant, tenanted } from './columns.ts';
import { code, digest, text } from './personal.ts';
import { challengeContext, methodContext, sealed } from './sealed.ts';

export const ProcessorResult = defineEntity({
  name: 'ProcessorResult',
  tableName: 'processor_result',
  properties: {
    ...tenanted,
    paymentId: p.bigint('number'),
    processor: code(),
    processorRequestType: code<'charge' | 'refund' | 'void' | 'validate'>(),
    transactionId: code().nullable(),
    isSuccess: p.boolean(),
    isError: p.boolean(),
    errorCode: code(),
    errorMessage: text('emptied').nullable(),
    statusCode: code().nullable(),
    statusMessage: text('emptied').nullable(),
    amount: money(),
    secondaryAmount: money(),
    currency: code(),
    avsCode: code().nullable(),
    cvvCode: code().nullable(),
    approvalCode: code().nullable(),
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
    kind: code<'return' | 'dispute'>(),
    gatewayRef: code(),
    reason: code(),
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
    /** Null of a call that no payment has. */
    paymentId: p.bigint('number').nullable(),
    gatewayKey: code(),
    kind: code<'difference' | 'lateApproval' | 'lateDecline' | 'withdrawnExcess' | 'unknownCall'>(),
    detail: code(),
    transactionId: code().nullable(),
    foundAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    closedReason: text('blanked').nullable(),
    /** Whose method an unknown call has charged, if that is known. */
    customerId: p.bigint('number').nullable(),
  },
});

export const GatewayEvent = defineEntity({
  name: 'GatewayEvent',
  tableName: 'gateway_event',
  uniques: [{ properties: ['tenantId', 'gateway', 'eventId'] }],
  properties: {
    ...tenanted,
    gateway: code<'stripe'>(),
    eventId: code(),
    type: code(),
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
    token: code().primary(),
    idempotencyKey: code(),
    sealed: sealed(text('vaulted'), ['tenantId', 'token'], methodContext),
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
    idempotencyKey: code(),
    operation: code<'validate' | 'charge' | 'refund' | 'void' | 'return'>(),
    token: code().nullable(),
    chargeId: code().nullable(),
    amount: money(),
    currency: code(),
    status: code<'Processing' | 'Asks' | 'Approved' | 'Declined'>(),
    errorCode: code().nullable(),
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
    tokenHash: digest().primary(),
    sealed: sealed(text('passing'), ['tenantId', 'transactionId'], challengeContext),
    transactionId: p.bigint('number'),
    idempotencyKey: code(),
    savesMethod: p.boolean(),
    answer: code<ChallengeAnswer>().nullable(),
    madeAt: p.datetime().defaultRaw('now()'),
  },
});

export type ChallengeAnswer = 'confirm' | 'refuse';
