/** The endpoints of tenant files, what they subscribe to, and how far each one is. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventType } from '../../domain/events/events.ts';
import { ofTenant, tenanted, texts } from './columns.ts';

export const CallbackEndpoint = defineEntity({
  name: 'CallbackEndpoint',
  tableName: 'callback_endpoint',
  uniques: [{ properties: ['tenantId', 'url'] }],
  properties: {
    ...tenanted,
    url: p.text(),
    events: texts().$type<readonly EventType[]>(),
    secret: p.text().nullable(),
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
    state: p.text().$type<'Waiting' | 'Delivered' | 'GivenUp'>(),
    attempts: p.integer().default(0),
    retryAt: p.datetime().nullable(),
    giveUpAt: p.datetime(),
    settledAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    document: p.text().$type<'kept' | 'today'>().nullable(),
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
