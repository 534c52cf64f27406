/** Customers that owe overdue money. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Threshold } from '../../domain/dunning/ageing.ts';
import { ofTenant, tenanted } from './columns.ts';

export const DunningRules = defineEntity({
  name: 'DunningRules',
  tableName: 'dunning_rules',
  properties: {
    ...ofTenant,
    thresholds: p.json().$type<readonly Threshold[]>(),
    inForceOn: p.date(),
    agedOn: p.date(),
    debtsOpenedOn: p.date().defaultRaw("'-infinity'"),
  },
});

export const Dunning = defineEntity({
  name: 'Dunning',
  tableName: 'dunning',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    id: p.bigint('number').generated('stored'),
    openedOn: p.date(),
    closedOn: p.date().nullable(),
    nextStepOn: p.date().nullable(),
    forgivenOn: p.date().nullable(),
    heldOn: p.date().nullable(),
    heldReason: p.text().nullable(),
    version: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    waitsSince: p.datetime().nullable(),
    aidedOn: p.date().nullable(),
    awaitsRun: p.boolean().default(false),
  },
});

export const DunningNote = defineEntity({
  name: 'DunningNote',
  tableName: 'dunning_note',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    action: p.text().$type<'hold' | 'resume' | 'retryNow'>(),
    reason: p.text(),
    notedOn: p.date(),
    notedAt: p.datetime(),
  },
});
