/** What processes owe each other: the outbox, billing runs, and what workflows have seen. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Decimal } from '../../domain/money/money.ts';
import type { OutlierLimits, RehearsalFigures } from '../../domain/billing/rehearsed.ts';
import { ids, money, ofTenant, tenanted } from './columns.ts';
import { closed, code, text, saysNothingOfCustomers } from './personal.ts';

export const Outbox = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    ...ofTenant,
    workflowId: code().primary(),
    kind: code(),
    objectId: p.bigint('number').nullable(),
    version: p.integer().default(1),
    deliverAfter: p.datetime().defaultRaw("now() + '00:00:03'::interval"),
    attempts: p.integer().default(0),
    lastError: text('passing').nullable(),
    waitingSince: p.datetime().defaultRaw('now()'),
  },
});

export const BillingRun = defineEntity({
  name: 'BillingRun',
  tableName: 'billing_run',
  properties: {
    ...ofTenant,
    runOn: p.date().primary(),
    startedAt: p.datetime(),
    heartbeatAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    customers: p.integer().default(0),
    orders: p.integer().default(0),
    invoices: p.integer().default(0),
    held: p.integer().default(0),
    amounts: p.json().$type<Readonly<Record<string, Decimal>>>().defaultRaw("'{}'"),
  },
});

/** What a rehearsal of a billing run found. */
export const Rehearsal = defineEntity({
  name: 'Rehearsal',
  tableName: 'rehearsal',
  properties: {
    ...tenanted,
    runOn: p.date(),
    rehearsedAt: p.datetime(),
    operator: p.text(),
    limits: p.json().$type<OutlierLimits>(),
    figures: p.json().$type<RehearsalFigures>(),
  },
});

/** What it bills of a customer beyond the limits, in a currency. */
export const RehearsalOutlier = defineEntity({
  name: 'RehearsalOutlier',
  tableName: 'rehearsal_outlier',
  properties: {
    ...ofTenant,
    rehearsalId: p.bigint('number').primary(),
    customerId: p.bigint('number').primary(),
    currency: code().primary(),
    total: money(),
    amount: money(),
    lastAmount: money().nullable(),
    heldAt: p.datetime().nullable(),
  },
});

export const BillingNote = defineEntity({
  name: 'BillingNote',
  tableName: 'billing_note',
  properties: {
    ...tenanted,
    processId: p.integer(),
    customerIds: ids(),
    notedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

export const BillingSuspect = defineEntity({
  name: 'BillingSuspect',
  tableName: 'billing_suspect',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    since: p.datetime().defaultRaw('clock_timestamp()'),
    blamedAt: p.datetime().nullable(),
  },
});

export const WorkflowSeen = defineEntity({
  name: 'WorkflowSeen',
  tableName: 'workflow_seen',
  properties: {
    ...ofTenant,
    kind: code().primary(),
    objectId: p.bigint('number').primary(),
    seenVersion: p.integer(),
  },
});

export const WorkflowUnseen = defineEntity({
  name: 'WorkflowUnseen',
  tableName: 'workflow_unseen',
  properties: {
    ...ofTenant,
    kind: code().primary(),
    objectId: p.bigint('number').primary(),
    id: p.bigint('number').primary(),
  },
});

export const UpdateAnswer = defineEntity({
  name: 'UpdateAnswer',
  tableName: 'update_answer',
  properties: {
    ...ofTenant,
    kind: code().primary(),
    objectId: p.bigint('number').primary(),
    requestId: code().primary(),
    answer: closed(p.json().$type<unknown>()),
    answeredAt: p.datetime().defaultRaw('now()'),
  },
});

/** What belongs to the installation, not to a tenant. */
export const Installation = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    key: p.text().primary(),
    value: p.text(),
  },
});

export const WorkerHeartbeat = defineEntity({
  name: 'WorkerHeartbeat',
  tableName: 'worker_heartbeat',
  properties: {
    identity: p.text().primary(),
    beatAt: p.datetime(),
    buildId: p.text().nullable(),
  },
});

saysNothingOfCustomers(BillingRun, Rehearsal);
