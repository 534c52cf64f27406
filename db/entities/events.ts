/** Events, and the documents kept with them. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../../domain/events/events.ts';
import type { NoticeKind } from '../../domain/events/notices.ts';
import { ofTenant, tenanted, texts } from './columns.ts';
import { closed, code, personal, text, saysNothingOfCustomers } from './personal.ts';
import { sealed, secretContext } from './sealed.ts';
import type { MailKind, MailState, NotifiedMailKind } from '../../domain/mail/kinds.ts';

export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    ...tenanted,
    type: code<EventType>(),
    customerId: p.bigint('number').nullable(),
    objectId: p.bigint('number'),
    objectVersion: p.integer().nullable(),
    detail: closed(
      p.json().$type<Readonly<Record<string, string | number | boolean>>>().nullable(),
    ),
    occurredAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
    sequence: p.bigint('number').nullable(),
    customerSequence: p.bigint('number').nullable(),
  },
});

export const EventDocument = defineEntity({
  name: 'EventDocument',
  tableName: 'event_document',
  properties: {
    ...ofTenant,
    eventId: p.bigint('number').primary(),
    document: personal('deleted', p.json().columnType('json').$type<object>()),
    keptAt: p.datetime().defaultRaw('now()'),
  },
});

export const EventResend = defineEntity({
  name: 'EventResend',
  tableName: 'event_resend',
  properties: {
    ...tenanted,
    eventId: p.bigint('number'),
    requestedAt: p.datetime().defaultRaw('now()'),
    takenAt: p.datetime().nullable(),
  },
});

export const RemovedObject = defineEntity({
  name: 'RemovedObject',
  tableName: 'removed_object',
  properties: {
    ...ofTenant,
    objectId: p.bigint('number').primary(),
    removedAt: p.datetime().defaultRaw('now()'),
  },
});

/* Notices of dates that lie ahead. */

export const Notice = defineEntity({
  name: 'Notice',
  tableName: 'notice',
  properties: {
    ...ofTenant,
    kind: code<NoticeKind>().primary(),
    /** The order or the payment method. */
    objectId: p.bigint('number').primary(),
    onDate: p.date().primary(),
    noticedOn: p.date(),
  },
});

/** The last day whose notices are complete. */
export const NoticeMark = defineEntity({
  name: 'NoticeMark',
  tableName: 'notice_mark',
  properties: {
    ...ofTenant,
    kind: code<NoticeKind | 'debitNotice'>().primary(),
    noticedOn: p.date(),
  },
});

/* Mails to customers. */

export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    ...ofTenant,
    kind: p.text().$type<NotifiedMailKind>().primary(),
    firstInForceAt: p.datetime(),
    enabledAt: p.datetime().nullable(),
  },
});

export const MailTemplate = defineEntity({
  name: 'MailTemplate',
  tableName: 'mail_template',
  properties: {
    ...ofTenant,
    name: p.text().primary(),
    content: p.text(),
  },
});

export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    ...tenanted,
    kind: code<MailKind>(),
    eventId: p.bigint('number').nullable(),
    customerId: p.bigint('number').nullable(),
    objectId: p.bigint('number'),
    state: code<MailState>().default('queued'),
    attempts: p.integer().default(0),
    interruptions: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    attemptedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    messageId: code().nullable(),
    errorCode: code().nullable(),
    doneAt: p.datetime().nullable(),
    address: text('emptied').nullable(),
    /** The paths of what its electronic invoice lacks; null: it needs none, or has it. */
    withoutUbl: texts().nullable(),
  },
});

/* The endpoints of tenant files, what they subscribe to, and how far each one is. */

export const CallbackEndpoint = defineEntity({
  name: 'CallbackEndpoint',
  tableName: 'callback_endpoint',
  uniques: [{ properties: ['tenantId', 'url'] }],
  properties: {
    ...tenanted,
    url: p.text(),
    events: texts().$type<readonly EventType[]>(),
    secret: sealed(p.text().nullable(), ['url'], ({ label, url }) =>
      secretContext(label, { callbackUrl: String(url) }),
    ),
    isOn: p.boolean(),
    cursor: p.bigint('number').defaultRaw('0'),
    atOnce: p.integer().default(32),
    outages: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    pausedUntil: p.datetime().nullable(),
    lastError: p.text().nullable(),
  },
});

export const CallbackSubscription = defineEntity({
  name: 'CallbackSubscription',
  tableName: 'callback_subscription',
  properties: {
    ...ofTenant,
    endpointId: p.bigint('number').primary(),
    eventType: p.text().$type<EventType>().primary(),
    afterEventId: p.bigint('number').primary(),
    untilEventId: p.bigint('number').nullable(),
  },
});

export const CallbackDelivery = defineEntity({
  name: 'CallbackDelivery',
  tableName: 'callback_delivery',
  properties: {
    ...ofTenant,
    eventId: p.bigint('number').primary(),
    endpointId: p.bigint('number').primary(),
    lane: p.bigint('number'),
    state: code<'Waiting' | 'Delivered' | 'GivenUp'>(),
    attempts: p.integer().default(0),
    retryAt: p.datetime().nullable(),
    giveUpAt: p.datetime(),
    settledAt: p.datetime().nullable(),
    lastError: code().nullable(),
    document: code<'kept' | 'today'>().nullable(),
    failedAt: p.datetime().nullable(),
  },
});

export const CallbackResumption = defineEntity({
  name: 'CallbackResumption',
  tableName: 'callback_resumption',
  properties: {
    ...tenanted,
    endpointId: p.bigint('number'),
    reason: p.text(),
    events: p.integer(),
    resumedAt: p.datetime(),
  },
});

saysNothingOfCustomers(
  Notification,
  MailTemplate,
  CallbackEndpoint,
  CallbackSubscription,
  CallbackResumption,
);
