/** What tax providers answered, the records of invoices there, and who waits for an answer. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CreditLine, TaxDocument, TaxedLineAnswer } from '../../domain/tax/documents.ts';
import { decimal, ofTenant } from './columns.ts';
import { closed, code, personal } from './personal.ts';

export const TaxAnswer = defineEntity({
  name: 'TaxAnswer',
  tableName: 'tax_answer',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    invoiceDate: p.date().primary(),
    documentHash: code().primary(),
    answer: closed(p.json().$type<readonly TaxedLineAnswer[]>()),
    answeredAt: p.datetime().defaultRaw('now()'),
  },
});

export const TaxRecord = defineEntity({
  name: 'TaxRecord',
  tableName: 'tax_record',
  properties: {
    ...ofTenant,
    code: code().primary().generated('stored'),
    invoiceId: p.bigint('number'),
    state: code<'toRecord' | 'recorded' | 'toVoid' | 'voided'>().default('toRecord'),
    document: personal(
      'passing',
      p.json().$type<TaxDocument & { readonly credits: readonly CreditLine[] }>().nullable(),
    ),
    expectedTotal: decimal(),
    expectedTax: decimal(),
    recordedTotal: decimal().nullable(),
    recordedTax: decimal().nullable(),
    openedAt: p.datetime().defaultRaw('now()'),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    attempts: p.integer().default(0),
    leasedUntil: p.datetime().nullable(),
    failures: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    trouble: code<'refused' | 'silent'>().nullable(),
    errorCode: code().nullable(),
    paymentId: p.bigint('number').nullable(),
  },
});

export const TaxWait = defineEntity({
  name: 'TaxWait',
  tableName: 'tax_wait',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    since: p.datetime(),
    tries: p.integer(),
    nextTryAt: p.datetime(),
    code: code(),
  },
});
