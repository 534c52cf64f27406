/** Users, and what is kept of their calls. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { UserRight } from '../../domain/access/rights.ts';
import { ofTenant, tenanted, texts } from './columns.ts';

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
    key: p.text().primary(),
    requestHash: p.blob(),
    status: p.smallint(),
    headers: p.json().$type<Readonly<Record<string, string>>>(),
    body: p.text(),
    keptAt: p.datetime().defaultRaw('now()'),
    paymentId: p.bigint('number').nullable(),
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
    username: p.text().nullable(),
    action: p
      .text()
      .$type<'write' | 'refused' | 'foreignId' | 'foreignHost' | 'userSuspended' | 'userEnabled'>(),
    method: p.text().nullable(),
    path: p.text().nullable(),
    status: p.smallint().nullable(),
    code: p.text().nullable(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

/** Of all tenants together. */
export const AttemptWindow = defineEntity({
  name: 'AttemptWindow',
  tableName: 'attempt_window',
  properties: {
    key: p.blob().primary(),
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
    key: p.text().primary(),
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
    network: p.blob().primary(),
    usedAt: p.datetime(),
  },
});
