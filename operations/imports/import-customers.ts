/** Imports a chunk of the rows of a file of customers: new ones, and changes of known ones. */
import assert from 'node:assert';
import { customerFaults } from '../../domain/imports/customer.ts';
import type { CustomerRow } from '../../domain/imports/rows.ts';
import { readByReference, readLoginOwners } from '../../db/queries/imports/customers.ts';
import type { ImportJob } from '../../db/queries/imports/jobs.ts';
import { readTaken, type ImportRowInsert } from '../../db/queries/imports/rows.ts';
import type { OperationContext } from '../context/context.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { addCustomers, type GoodRow, type Seal } from './add-customers.ts';
import { changeCustomers, type KnownRow } from './change-customers.ts';
import {
  byFirstKey,
  failedRow,
  readCandidates,
  type Candidate,
  type CellFault,
  type RowReader,
} from './read-rows.ts';
import type { ImportRow } from './rows.ts';

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
