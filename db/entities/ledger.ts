/** The ledger, and its sum by customer and currency. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Entry } from '../../domain/payments/happened.ts';
import { money, ofTenant, tenanted } from './columns.ts';

/** Those of payments, as their state machine enters them, and those of invoices and imports. */
export type LedgerKind =
  | Entry['kind']
  | 'invoice'
  | 'invoiceCancelled'
  | 'openingBalance'
  | 'import'
  | 'zeroOut';

export const CustomerBalance = defineEntity({
  name: 'CustomerBalance',
  tableName: 'customer_balance',
  properties: {
    ...ofTenant,
    customerId: p.bigint('number').primary(),
    currency: p.text().primary(),
    balance: money().defaultRaw('0'),
    lastTotalDue: money().defaultRaw('0'),
  },
});

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    ...tenanted,
    customerId: p.bigint('number'),
    currency: p.text(),
    kind: p.text().$type<LedgerKind>(),
    amount: money(),
    invoiceId: p.bigint('number').nullable(),
    enteredOn: p.date(),
    enteredAt: p.datetime(),
    paymentId: p.bigint('number').nullable(),
    withdrawalId: p.bigint('number').nullable(),
    batchId: p.bigint('number').nullable(),
  },
});
