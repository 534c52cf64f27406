/** Users, and what is kept of their calls. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AuditAction, AuditChange } from '../../domain/access/audit-log.ts';
import type { UserRight } from '../../domain/access/rights.ts';
import { ids, ofTenant, tenanted, texts } from './columns.ts';
import { closed, code, digest, personal, text, saysNothingOfCustomers } from './personal.ts';
import { answerContext, sealed } from './sealed.ts';

export const BaseUser = defineEntity({
  name: 'BaseUser',
  tableName: 'base_user',
  uniques: [{ properties: ['tenantId', 'username'] }],
  properties: {
    ...tenanted,
    username: p.text(),
    passwordHash: p.text(),
    roles: texts(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
    /** Null: all calls but those of admins. */
    rights: texts().$type<readonly UserRight[]>().nullable(),
    /** It has the salt of `passwordHash`. */
    oldPasswordHash: p.text().nullable(),
    oldPasswordUntil: p.date().nullable(),
    oldPasswordUsedAt: p.datetime().nullable(),
    expiresOn: p.date().nullable(),
    requestsPerMinute: p.integer().nullable(),
    allowedNetworks: texts().nullable(),
  },
});

export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    ...ofTenant,
    key: text('passing').primary(),
    requestHash: digest(),
    status: p.smallint(),
    headers: personal('emptied', p.json().$type<Readonly<Record<string, string>>>()),
    /** Encrypted where the answer has a secret. */
    body: sealed(text('emptied'), ['tenantId', 'key'], answerContext),
    keptAt: p.datetime().defaultRaw('now()'),
    paymentId: p.bigint('number').nullable(),
    /** The customers that its request has locked or made; null of one of before. */
    customerIds: ids().nullable(),
  },
});

export const ForeignAttempt = defineEntity({
  name: 'ForeignAttempt',
  tableName: 'foreign_attempt',
  properties: {
    ...tenanted,
    userId: p.bigint('number'),
    attemptedAt: p.datetime().defaultRaw('now()'),
  },
});

export const AuditLog = defineEntity({
  name: 'AuditLog',
  tableName: 'audit_log',
  properties: {
    ...tenanted,
    at: p.datetime().defaultRaw('now()'),
    userId: p.bigint('number').nullable(),
    username: code().nullable(),
    action: code<AuditAction>(),
    method: code().nullable(),
    path: code().nullable(),
    status: p.smallint().nullable(),
    code: code().nullable(),
    address: text('passing').nullable(),
    requestId: text('passing').nullable(),
    objectType: code().nullable(),
    objectId: p.bigint('number').nullable(),
    changes: closed(p.json().$type<readonly AuditChange[]>().nullable()),
    /** Null until the loop has chained it. */
    sequence: p.bigint('number').nullable(),
    previousHash: code().nullable(),
    hash: code().nullable(),
  },
});

/** Where the chain of a tenant's audit log begins and ends. */
export const AuditHead = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_head',
  properties: {
    ...ofTenant,
    sequence: p.bigint('number').defaultRaw('0'),
    hash: code().defaultRaw("repeat('0', 64)"),
    removedSequence: p.bigint('number').defaultRaw('0'),
    removedHash: code().defaultRaw("repeat('0', 64)"),
    shownSequence: p.bigint('number').defaultRaw('0'),
    shownAt: p.datetime().nullable(),
  },
});

/** Of all tenants together. */
export const AttemptWindow = defineEntity({
  name: 'AttemptWindow',
  tableName: 'attempt_window',
  properties: {
    key: digest().primary(),
    endsAt: p.datetime(),
    failures: p.integer(),
    underWay: p.integer(),
  },
});

export const LoginGuess = defineEntity({
  name: 'LoginGuess',
  tableName: 'login_guess',
  properties: {
    ...ofTenant,
    key: code().primary(),
    failures: p.integer(),
    failedAt: p.datetime(),
  },
});

export const LoginNetwork = defineEntity({
  name: 'LoginNetwork',
  tableName: 'login_network',
  properties: {
    ...ofTenant,
    contactId: p.bigint('number').primary(),
    network: personal('deleted', p.blob().primary()),
    usedAt: p.datetime(),
  },
});

/** At the operator's page: of the installation, and ends of sessions of all. */
export const OperatorLogin = defineEntity({
  name: 'OperatorLogin',
  tableName: 'operator_login',
  properties: {
    id: p.bigint('number').primary(),
    at: p.datetime().defaultRaw('now()'),
    outcome: p.text().$type<'in' | 'refused' | 'out'>(),
    name: p.text().nullable(),
    session: p.blob().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

saysNothingOfCustomers(BaseUser, AuditHead, OperatorLogin);
