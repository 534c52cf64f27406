/** Mails to customers. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { MailKind, MailState, NotifiedMailKind } from '../../domain/mail/kinds.ts';
import { ofTenant, tenanted } from './columns.ts';

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
    kind: p.text().$type<MailKind>(),
    eventId: p.bigint('number').nullable(),
    customerId: p.bigint('number').nullable(),
    objectId: p.bigint('number'),
    state: p.text().$type<MailState>().default('queued'),
    attempts: p.integer().default(0),
    interruptions: p.integer().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    attemptedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    messageId: p.text().nullable(),
    errorCode: p.text().nullable(),
    doneAt: p.datetime().nullable(),
    address: p.text().nullable(),
  },
});
