/** Tenants, their clocks and counters, and how far their old rows are deleted. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeletedKind } from '../../domain/events/retention.ts';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import { ofTenant } from './columns.ts';
import { saysNothingOfCustomers } from './personal.ts';
import { sealedWithin } from './sealed.ts';

export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  uniques: [{ properties: ['label'] }],
  properties: {
    id: p.bigint('number').primary(),
    label: p.text(),
    name: p.text(),
    timezone: p.text(),
    currency: p.text(),
    paymentTermsValue: p.integer(),
    paymentTermsUnits: p.text().$type<TermUnit>(),
    hasTestClock: p.boolean(),
    file: sealedWithin(p.json().$type<object>()),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    usageDaysMovedAt: p.datetime().nullable(),
    /** What documents say of it today. */
    partyId: p.bigint('number').nullable(),
  },
});

export const TestClock = defineEntity({
  name: 'TestClock',
  tableName: 'test_clock',
  properties: {
    ...ofTenant,
    now: p.datetime(),
    target: p.date().nullable(),
    status: p.text().$type<'Ready' | 'Advancing'>(),
  },
});

export const Counter = defineEntity({
  name: 'Counter',
  tableName: 'counter',
  properties: {
    ...ofTenant,
    kind: p.text().$type<'order' | 'invoice'>().primary(),
    /** Of a series of documents: its prefix as written. */
    prefix: p.text().default('').primary(),
    /** Of a yearly series; otherwise 0. */
    year: p.integer().default(0).primary(),
    first: p.bigint('number'),
    next: p.bigint('number'),
    movedTo: p.bigint('number').nullable(),
    skipped: p.text().columnType('int8multirange').defaultRaw("'{}'"),
  },
});

export const RetentionMark = defineEntity({
  name: 'RetentionMark',
  tableName: 'retention_mark',
  properties: {
    ...ofTenant,
    kind: p.text().$type<DeletedKind>().primary(),
    deletedTo: p.datetime(),
  },
});

/** The database was put back to an older state, and goes on from here. */
export const Restoration = defineEntity({
  name: 'Restoration',
  tableName: 'restoration',
  properties: {
    ...ofTenant,
    epoch: p.integer().primary(),
    firstId: p.bigint('number'),
    lostFrom: p.datetime(),
    restoredAt: p.datetime().defaultRaw('now()'),
  },
});

/** Numbers that may have been given after the backup. */
export const LostNumber = defineEntity({
  name: 'LostNumber',
  tableName: 'lost_number',
  properties: {
    ...ofTenant,
    epoch: p.integer(),
    kind: p.text().$type<'event' | 'auditLog' | 'order' | 'invoice'>().primary(),
    prefix: p.text().default('').primary(),
    year: p.integer().default(0).primary(),
    after: p.bigint('number').primary(),
    upTo: p.bigint('number'),
  },
});

saysNothingOfCustomers(Tenant, TestClock, Counter, RetentionMark, Restoration, LostNumber);
