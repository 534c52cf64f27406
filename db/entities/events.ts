/** Events, and the documents kept with them. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../../domain/events/events.ts';
import { ofTenant, tenanted } from './columns.ts';

export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    ...tenanted,
    type: p.text().$type<EventType>(),
    customerId: p.bigint('number').nullable(),
    objectId: p.bigint('number'),
    objectVersion: p.integer().nullable(),
    detail: p.json().$type<Readonly<Record<string, string | number | boolean>>>().nullable(),
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
    document: p.json().columnType('json').$type<object>(),
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
