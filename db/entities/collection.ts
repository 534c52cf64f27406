/** The attempts to collect money on a day. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { AttemptOutcome, AttemptState } from '../../domain/payments/attempts.ts';
import { money, stamped, tenanted } from './columns.ts';

export const CollectionAttempt = defineEntity({
  name: 'CollectionAttempt',
  tableName: 'collection_attempt',
  uniques: [
    { properties: ['tenantId', 'invoiceId', 'attempt'] },
    { properties: ['tenantId', 'paymentPlanId', 'installment', 'attempt'] },
  ],
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    kind: p.text().$type<'retry' | 'installment'>(),
    invoiceId: p.bigint('number').nullable(),
    paymentPlanId: p.bigint('number').nullable(),
    installment: p.integer().nullable(),
    attempt: p.integer(),
    dueOn: p.date(),
    declinedOn: p.date().nullable(),
    state: p.text().$type<AttemptState>(),
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    reason: p.text().nullable(),
    concludedOn: p.date().nullable(),
    paymentId: p.bigint('number').nullable(),
    amount: money().nullable(),
    onlyIfOwed: p.boolean().nullable(),
    ...stamped,
  },
});
