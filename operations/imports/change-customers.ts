/** Changes the known customers of a chunk: the cells that are given. */
import assert from 'node:assert';
import { customerName } from '../../domain/customers/name.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import {
  changeContacts,
  changeCustomers as writeChanges,
  insertContacts,
  readCustomers,
  type ContactChange,
  type CustomerChange,
  type StoredCustomer,
} from '../../db/queries/imports/customers.ts';
import type { ImportRowInsert } from '../../db/queries/imports/rows.ts';
import { forgetGuesses, forgetNetworks } from '../../db/queries/access/login-guesses.ts';
import { endResets } from '../../db/queries/hosted-pages/password-resets.ts';
import { endSessions } from '../../db/queries/hosted-pages/sessions.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { searchTextOf } from '../customers/search.ts';
import {
  contactOf,
  sealPasswords,
  succeeded,
  type CustomerBatch,
  type DoneRow,
} from './add-customers.ts';
import { failedRow } from './read-rows.ts';

/** A good row of a customer that is there. */
export type KnownRow = DoneRow;

interface Change extends KnownRow {
  readonly before: StoredCustomer;
}

export async function changeCustomers(
  batch: CustomerBatch,
  rows: readonly KnownRow[],
): Promise<readonly ImportRowInsert[]> {
  if (rows.length === 0) return [];
  const { context, job } = batch;
  const { tx, time } = context;
  const ids = rows.map(({ id }) => id);
  await lockCustomers(tx, ids);
  const stored = new Map((await readCustomers(tx, ids)).map((row) => [row.id, row]));
  const outcomes: ImportRowInsert[] = [];
  const good: Change[] = [];
  for (const each of rows) {
    const before = stored.get(each.id);
    assert(before, 'a locked customer is there');
    const { currency } = each.row;
    if (currency === null || currency === before.currency) good.push({ ...each, before });
    else {
      const message = `the currency of the customer is ${before.currency}, and cannot be changed`;
      const faults = [{ code: 'field.notEditable', column: 'currency', message }];
      outcomes.push(failedRow(job.id, each.line, faults, each.row.extCustomerRef));
    }
  }
  writeChanges(tx, good.map(changeOf), time.now);
  const contactIds = await changeContactsOf(batch, good);
  const contactOfRow = ({ id }: Change): number => contactIds.get(id) ?? assert.fail();
  sealPasswords(
    batch,
    good.map((each) => ({ ...each, contactId: contactOfRow(each) })),
  );
  await endAccess(
    context,
    good.filter(({ row }) => row.passwd !== null).map((each) => [each.id, contactOfRow(each)]),
  );
  return [...outcomes, ...good.map((each) => succeeded(job.id, each))];
}

/** The contacts are locked by their change, so that this sees the sessions of logins under way. */
async function endAccess(
  { tx, realNow: at }: OperationContext,
  changed: readonly (readonly [customerId: number, contactId: number])[],
): Promise<void> {
  if (changed.length === 0) return;
  const contactIds = changed.map(([, contactId]) => contactId);
  forgetGuesses(tx, contactIds);
  forgetNetworks(tx, contactIds);
  endResets(tx, { contactIds, at });
  await endSessions(tx, { customerIds: changed.map(([customerId]) => customerId), at });
}

/** A name follows the names of the contact if one of them is given. */
function changeOf({ id, row, before }: Change): CustomerChange {
  const contact = {
    firstName: row.firstName ?? before.firstName,
    lastName: row.lastName ?? before.lastName,
    companyName: row.companyName ?? before.companyName,
    emailPrimary: row.emailPrimary ?? before.emailPrimary,
    workPhone: row.workPhone ?? before.workPhone,
  };
  const isNamed = row.firstName ?? row.lastName ?? row.companyName;
  const name = (isNamed === null ? '' : customerName(contact)) || before.name;
  const extCustomerRef = before.extCustomerRef;
  const contacts = before.sales === null ? [contact] : [contact, before.sales];
  return {
    id,
    name,
    searchText: searchTextOf({ name, extCustomerRef }, contacts),
    locale: row.locale,
    paymentTermsValue: row.paymentTermsValue,
    paymentTermsUnits: row.paymentTermsUnits,
  };
}

/** Returns the billing contacts by customer; a customer without one gets one. */
async function changeContactsOf(
  { context }: CustomerBatch,
  changes: readonly Change[],
): Promise<ReadonlyMap<number, number>> {
  const { tx } = context;
  const without = changes.filter(({ before }) => before.contactId === null);
  const ids = await takeIds(tx, without.length);
  const made = new Map(without.map(({ id }, index) => [id, ids[index] ?? assert.fail()]));
  insertContacts(
    tx,
    without.map(({ id, row }) => ({
      id: made.get(id) ?? assert.fail(),
      customerId: id,
      ...contactOf(row),
    })),
  );
  const updates = changes.flatMap(({ row, before }): ContactChange[] =>
    before.contactId === null
      ? []
      : [{ id: before.contactId, hasLogin: row.username !== null, ...contactOf(row) }],
  );
  changeContacts(tx, updates);
  return new Map(
    changes.map(({ id, before }) => [id, before.contactId ?? made.get(id) ?? assert.fail()]),
  );
}
