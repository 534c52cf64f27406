/** Adds the new customers of a chunk, with what they owe or have paid too much. */
import assert from 'node:assert';
import { customerName } from '../../domain/customers/name.ts';
import { openingBalance } from '../../domain/imports/customer.ts';
import type { CustomerRow } from '../../domain/imports/rows.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  type ContactFields,
  addToBalances,
  insertContacts,
  insertCustomers,
  insertOpenings,
  insertSealed,
} from '../../db/queries/imports/customers.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { insertPayments, newCredit } from '../../db/queries/payments/new-payments.ts';
import type { OperationContext } from '../context/context.ts';
import { searchTextOf } from '../customers/search.ts';
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
  const { tx, tenant, time } = batch.context;
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
  insertCustomers(
    tx,
    made.map(({ id, row, currency }) => ({
      id,
      name: customerName(row),
      extCustomerRef: row.extCustomerRef,
      locale: row.locale,
      paymentTermsValue: row.paymentTermsValue,
      paymentTermsUnits: row.paymentTermsUnits ?? (row.paymentTermsValue === null ? null : 'Days'),
      currency,
      searchText: searchTextOf({ ...row, name: customerName(row) }, [row]),
      importedBy: batch.job.id,
    })),
    time,
  );
  // In the order of their user names, for the same reason.
  const byLogin = made.toSorted((one, other) =>
    (one.row.username ?? '') < (other.row.username ?? '') ? -1 : 1,
  );
  insertContacts(
    tx,
    byLogin.map(({ id, contactId, row }) => ({
      id: contactId,
      customerId: id,
      ...contactOf(row),
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

export function contactOf(row: CustomerRow): ContactFields {
  return {
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    companyName: row.companyName,
    emailPrimary: row.emailPrimary,
    workPhone: row.workPhone,
    street1: row.street1,
    street2: row.street2,
    city: row.city,
    state: row.state,
    zip: row.zip,
    country: row.country,
    countryCode: row.countryCode,
  };
}

export interface DoneRow extends GoodRow {
  readonly id: number;
}

export function succeeded(batchId: number, { line, id, row }: DoneRow): ImportRowInsert {
  return succeededRow(batchId, line, { id, key: row.extCustomerRef, login: row.username });
}
