/** Adds the new customers of a chunk, with what they owe or have paid too much. */
import assert from 'node:assert';
import { openingBalance } from '../../domain/imports/customer.ts';
import type { CustomerRow } from '../../domain/imports/rows.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { contactFieldNames, customerFieldNames } from '../../db/entities/columns.ts';
import { addToBalances, insertOpenings, insertSealed } from '../../db/queries/imports/customers.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { insertPayments, newCredit } from '../../db/queries/payments/new-payments.ts';
import type { OperationContext } from '../context/context.ts';
import { sent } from '../customers/contact-input.ts';
import { saveCustomers } from '../customers/save.ts';
import { succeededRow } from './rows.ts';

/** Encrypts a password until it is hashed. */
export type Seal = (password: string, tenantId: number, contactId: number) => string;

/** A row with nothing wrong. */
export interface GoodRow {
  readonly line: number;
  readonly row: CustomerRow;
}

export interface CustomerBatch {
  readonly context: OperationContext;
  readonly job: ImportJob;
  readonly seal: Seal;
}

export async function addCustomers(
  batch: CustomerBatch,
  rows: readonly GoodRow[],
): Promise<readonly ImportRowInsert[]> {
  if (rows.length === 0) return [];
  const { tx, tenant } = batch.context;
  // In the order of their keys, as any other import would insert them.
  const sorted = rows.toSorted((one, other) =>
    one.row.extCustomerRef < other.row.extCustomerRef ? -1 : 1,
  );
  const ids = (await takeIds(tx, 3 * sorted.length)).values();
  const nextId = (): number => ids.next().value ?? assert.fail('an id for each row');
  const made = sorted.map(({ line, row }) => {
    const currency = row.currency ?? tenant.currency;
    return { line, row, currency, id: nextId(), contactId: nextId(), paymentId: nextId() };
  });
  await saveCustomers(
    batch.context,
    made.map(({ id, contactId, row }) => ({
      before: null,
      id,
      fields: sent(customerFieldNames, row),
      contacts: { billing: { id: contactId, ...sent(contactFieldNames, row) } },
      importedBy: batch.job.id,
    })),
  );
  sealPasswords(batch, made);
  open(batch.context, made);
  return made.map(({ line, id, row }) => succeeded(batch.job.id, { line, id, row }));
}

interface Opened {
  readonly id: number;
  readonly paymentId: number;
  readonly currency: string;
  readonly row: CustomerRow;
}

/** What new customers owe, or have paid too much, from the books before. */
function open({ tx, time }: OperationContext, made: readonly Opened[]): void {
  const opened = made.flatMap(({ id, paymentId, currency, row }) => {
    const opening = openingBalance(row.outstandingBalance);
    return opening === null ? [] : [{ customerId: id, currency, paymentId, ...opening }];
  });
  if (opened.length === 0) return;
  insertPayments(
    tx,
    opened.map(({ customerId, currency, paymentId: id, amount }) => ({
      id,
      cascadeId: id,
      ...newCredit(amount, { customerId, currency, effectiveDate: time.today }),
    })),
    time.now,
  );
  insertOpenings(
    tx,
    opened.map(({ customerId, currency, paymentId, ledger: amount }) => ({
      customerId,
      currency,
      amount,
      paymentId,
    })),
    time,
  );
  addToBalances(
    tx,
    opened.map(({ customerId, currency, ledger: balance }) => ({
      customerId,
      currency,
      balance,
    })),
  );
}

export function sealPasswords(
  { context, job, seal }: CustomerBatch,
  rows: readonly { readonly contactId: number; readonly row: CustomerRow }[],
): void {
  const { tx } = context;
  const sealed = rows.flatMap(({ contactId, row: { passwd } }) =>
    passwd === null
      ? []
      : [
          {
            contactId,
            batchId: job.id,
            sealed: seal(passwd, tx.tenantId, contactId),
          },
        ],
  );
  insertSealed(tx, sealed);
}

export interface DoneRow extends GoodRow {
  readonly id: number;
}

export function succeeded(batchId: number, { line, id, row }: DoneRow): ImportRowInsert {
  return succeededRow(batchId, line, { id, key: row.extCustomerRef, login: row.username });
}
