/** Imports a chunk of the rows of a file of customers: new ones, and changes of known ones. */
import assert from 'node:assert';
import { contactFieldNames, customerFieldNames } from '../../db/entities/columns.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { type StoredCustomer, readStored } from '../../db/queries/customers/save.ts';
import { readByReference, readLoginOwners } from '../../db/queries/imports/customers.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { type ImportRowInsert, readTaken } from '../../db/queries/imports/rows.ts';
import { customerName } from '../../domain/customers/name.ts';
import { customerFaults } from '../../domain/imports/customer.ts';
import type { CustomerRow } from '../../domain/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { lockCustomers } from '../context/locks.ts';
import { sent } from '../customers/contact-input.ts';
import { type CustomerChange, saveCustomers } from '../customers/save.ts';
import { enqueue } from '../outbox/enqueue.ts';
import {
  type CustomerBatch,
  type DoneRow,
  type GoodRow,
  type Seal,
  addCustomers,
  sealPasswords,
  succeeded,
} from './add-customers.ts';
import {
  type Candidate,
  type CellFault,
  type ImportRow,
  type RowReader,
  byFirstKey,
  failedRow,
  readCandidates,
} from './rows.ts';

export const CUSTOMER_KEY = 'extCustomerRef';

export interface CustomerImport {
  readonly reader: RowReader<CustomerRow>;
  readonly seal: Seal;
}

/**
 * Imports the rows in the transaction that it is given; returns the outcome of each. The job is
 * locked, and nothing of the rows was stored before.
 */
export async function importCustomers(
  context: OperationContext,
  job: ImportJob,
  rows: readonly ImportRow[],
  { reader, seal }: CustomerImport,
): Promise<readonly ImportRowInsert[]> {
  const { tx, tenant } = context;
  assert(job.columns, 'the file was read once');
  const candidates = readCandidates(rows, {
    reader,
    columns: job.columns,
    keyColumn: CUSTOMER_KEY,
    check: (row) => customerFaults(row, tenant.currency),
  });
  const keys = candidates.flatMap(({ key }) => key ?? []);
  const logins = candidates.flatMap(({ value }) => value?.username ?? []);
  const taken = await readTaken(tx, job.id, { keys, logins });
  const { first, repeated } = byFirstKey(candidates, taken.keys, CUSTOMER_KEY);
  const [known, owners] = await Promise.all([
    readByReference(tx, keys),
    readLoginOwners(tx, logins),
  ]);
  const usernames = new Map([...owners, ...[...taken.logins].map((login) => [login, 0] as const)]);
  const sorted = sortedRows(first, known, usernames);
  const failed = [...sorted.failed, ...repeated].map(({ line, key, faults }) =>
    failedRow(job.id, line, faults ?? [], key),
  );
  const batch = { context, job, seal };
  const changed = await changeCustomers(batch, sorted.known);
  const added = await addCustomers(batch, sorted.added);
  const all = [...sorted.added, ...sorted.known];
  if (all.some(({ row }) => row.passwd !== null)) {
    enqueue(context, [{ kind: 'passwords', objectId: null }]);
  }
  return [...failed, ...changed, ...added];
}

interface SortedRows {
  readonly added: readonly GoodRow[];
  readonly known: readonly KnownRow[];
  readonly failed: readonly Candidate<CustomerRow>[];
}

/** @param usernames the customers that have them; 0 for a row before */
function sortedRows(
  candidates: readonly Candidate<CustomerRow>[],
  ids: ReadonlyMap<string, number>,
  usernames: Map<string, number>,
): SortedRows {
  const added: GoodRow[] = [];
  const known: KnownRow[] = [];
  const failed: Candidate<CustomerRow>[] = [];
  for (const each of candidates) {
    const { line, key, value: row } = each;
    if (row === null) {
      failed.push(each);
      continue;
    }
    const id = ids.get(row.extCustomerRef);
    const fault = faultBeside(row, id, usernames);
    if (fault !== null) failed.push({ line, key, value: null, faults: [fault] });
    else if (id === undefined) added.push({ line, row });
    else known.push({ line, row, id });
    if (fault === null && row.username !== null) usernames.set(row.username, id ?? 0);
  }
  return { added, known, failed };
}

/** What is wrong with a row beside what is stored. */
function faultBeside(
  { updateMode, extCustomerRef, username }: CustomerRow,
  id: number | undefined,
  usernames: ReadonlyMap<string, number>,
): CellFault | null {
  if (updateMode === 'I' && id !== undefined) {
    const message = `another customer has extCustomerRef ${extCustomerRef}`;
    return { code: 'customer.refTaken', column: CUSTOMER_KEY, message };
  }
  if (updateMode === 'U' && id === undefined) {
    const message = `there is no customer with extCustomerRef ${extCustomerRef}`;
    return { code: 'customer.unknown', column: CUSTOMER_KEY, message };
  }
  const owner = username === null ? undefined : usernames.get(username);
  if (owner === undefined || owner === id) return null;
  const message = `another customer has the username ${username}`;
  return { code: 'contact.usernameTaken', column: 'username', message };
}

/* Changes the known customers of a chunk: the cells that are given. */

/** A good row of a customer that is there. */
type KnownRow = DoneRow;

interface Change extends KnownRow {
  readonly before: StoredCustomer;
  /** Of the billing contact, which it makes if there is none. */
  readonly contactId: number;
}

async function changeCustomers(
  batch: CustomerBatch,
  rows: readonly KnownRow[],
): Promise<readonly ImportRowInsert[]> {
  if (rows.length === 0) return [];
  const { context, job } = batch;
  const { tx } = context;
  const ids = rows.map(({ id }) => id);
  const locked = await lockCustomers(tx, ids);
  const erased = new Set(locked.flatMap(({ id, isErased }) => (isErased ? id : [])));
  const stored = await readStored(tx, ids);
  const without = rows.filter(({ id }) => !stored.get(id)?.contacts.billing && !erased.has(id));
  const newIds = (await takeIds(tx, without.length)).values();
  const outcomes: ImportRowInsert[] = [];
  const good: Change[] = [];
  for (const each of rows) {
    const before = stored.get(each.id);
    assert(before, 'a locked customer is there');
    const { currency } = before.fields;
    if (erased.has(each.id)) {
      const message = `customer ${each.id} is erased, so nothing is written of it`;
      const faults = [{ code: 'customer.erased', column: CUSTOMER_KEY, message }];
      outcomes.push(failedRow(job.id, each.line, faults, each.row.extCustomerRef));
    } else if (each.row.currency === null || each.row.currency === currency) {
      const contactId = before.contacts.billing?.id ?? newIds.next().value;
      assert(contactId, 'an id for each row');
      good.push({ ...each, before, contactId });
    } else {
      const message = `the currency of the customer is ${currency}, and cannot be changed`;
      const faults = [{ code: 'field.notEditable', column: 'currency', message }];
      outcomes.push(failedRow(job.id, each.line, faults, each.row.extCustomerRef));
    }
  }
  await saveCustomers(context, good.map(changeOf));
  sealPasswords(batch, good);
  return [...outcomes, ...good.map((each) => succeeded(job.id, each))];
}

/** A name follows the names of the contact if one of them is given. */
function changeOf({ row, before, contactId: id }: Change): CustomerChange {
  const given = filled(row);
  const { username, paymentTermsValue } = given;
  const contact = sent(contactFieldNames, given);
  const isNamed = (given.firstName ?? given.lastName ?? given.companyName) !== undefined;
  const name = customerName({ ...before.contacts.billing, ...contact });
  const fields = {
    // A new value keeps its unit.
    ...(paymentTermsValue === undefined ? {} : sent(['paymentTermsUnits'], before.fields)),
    ...sent(customerFieldNames, given),
    ...(isNamed && name !== '' ? { name } : {}),
  };
  // An old password ends with a new user name.
  const access = username === undefined ? {} : { login: username, passwordHash: null };
  return { before, fields, contacts: { billing: { ...contact, ...access, id } } };
}

/** Empty cells keep what is stored. */
const filled = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null)) as {
    readonly [Key in keyof Row]?: NonNullable<Row[Key]>;
  };
