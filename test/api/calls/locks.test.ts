/**
 * Every call that writes locks its customer before it writes rows of a customer, and the audit log has
 * each field of its object that it changed. The test calls every route of the table with its examples,
 * and reads the tables of a customer from the schema.
 */
import test from 'ava';
import { type AuditedType, changesOf } from '../../../domain/access/audit-log.ts';
import {
  locksCustomers,
  overheard,
  transactionsOf,
  type Said,
} from '../../operations/support/overheard.ts';
import { routes } from '../../support/xsd.ts';
import { playStory, storyUsers } from '../docs/example-story.ts';
import { likeDemo } from '../signups/calls.ts';
import { startTenantApi } from '../tenant-api.ts';

const said: Said[] = [];
const api = await startTenantApi({
  overhear: (db) => overheard(db, said),
  ...likeDemo,
  file: { ...likeDemo.file, users: storyUsers, gateway: { type: 'sandbox', actionDays: 3 } },
  waitSeconds: 1,
});

/** Tables with a foreign key to the customer, and tables that refer to those. */
const OWNED = `
  with recursive owned as (
    select 'customer'::regclass::oid as id
    union
    select conrelid from pg_constraint join owned on confrelid = owned.id where contype = 'f'
  )
  select id::regclass::text as name from owned where id <> 'customer'::regclass`;

const makesCustomer = /insert into "?customer\b/;

/** The tables of a customer that a transaction writes before it locks a customer. */
function writtenTooEarly(transaction: readonly Said[], owned: ReadonlySet<string>): string[] {
  const held = transaction.findIndex(
    ({ text }) => locksCustomers.test(text) || makesCustomer.test(text),
  );
  const before = held === -1 ? transaction : transaction.slice(0, held);
  return before.flatMap(({ text }) =>
    Array.from(
      text.matchAll(/\b(?:insert into|update|delete from) "?(\w+)/g),
      ([, name = '']) => name,
    ).filter((name) => owned.has(name) && !withoutCustomer.has(name)),
  );
}

/**
 * Uploads hold the windows of their records instead, so that a billing run does not pass over the
 * customers of each upload; deletions lock the window. Billing locks the windows that it closes.
 * A signup has no customer when it starts. A session of self-service is none of the customer's
 * books, and does not wait for them; nor does a link to a page.
 */
const withoutCustomer: ReadonlySet<string> = new Set([
  'activity',
  'action_link',
  'pay_link',
  'password_reset',
  'self_service_session',
  'signup',
  'usage_window',
]);

/** A row by the names of the entity. */
type Fields = Readonly<Record<string, unknown>>;

/** Where the objects of the audit log are, and what of them follows from what is noted, or from work. */
const objects: Readonly<Partial<Record<AuditedType, readonly [table: string, follows: string]>>> = {
  customer: ['customer', ''],
  subscriptionOrder: ['subscription_order', 'creditFrom'],
  invoice: [
    'invoice',
    'hasOwnMetadata autopayOn autopayAfterPaymentId autopaySetAside cancellationNumber cancelledOn',
  ],
  payment: ['payment', 'balance phase returnSealed gatewayNewsOn actionEndsAt'],
  batchProcess: ['batch', 'finalizedAt uploadEtag uploadBytes queueNumber'],
  user: ['base_user', 'suspendedAt'],
  event: ['event', ''],
};

/** All objects of the tenant, by type and id. */
async function objectsNow(): Promise<ReadonlyMap<string, Fields>> {
  const selects = Object.entries(objects).map(
    ([type, [table]]) =>
      `select '${type} ' || id as key, to_jsonb(o) as row from ${table} o where tenant_id = ${api.tenantId}`,
  );
  const rows = await api.asOwner<{ key: string; row: Fields }>(selects.join(' union all '));
  return new Map(rows.map(({ key, row }) => [key, namedByKeys(row)]));
}

const namedByKeys = (row: Fields): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

interface Entry {
  readonly id: string;
  readonly type: AuditedType | null;
  readonly object: string | null;
  readonly changes: readonly { readonly field: string }[];
}

/** Of writes, after the entry with an id. */
const entriesAfter = (id: string): Promise<Entry[]> =>
  api.asOwner<Entry & Record<string, unknown>>(
    `select id, object_type as type, object_id as object, coalesce(changes, '[]') as changes
     from audit_log where tenant_id = ${api.tenantId} and action = 'write' and id > ${id} order by id`,
  );

/** The fields of the object that changed and are not in the entry. */
function missingOf(
  { type, object, changes }: Entry,
  before: ReadonlyMap<string, Fields>,
  after: ReadonlyMap<string, Fields>,
): string[] {
  if (type === null) return [];
  const [, follows = ''] = objects[type] ?? [];
  const [was, now] = [before, after].map((rows) => rows.get(`${type} ${object}`));
  if (was === undefined || now === undefined) return [];
  const known = new Set([...changes.map(({ field }) => field), ...follows.split(' ')]);
  return changesOf(was, now).flatMap(({ field }) => (known.has(field) ? [] : [`${type}.${field}`]));
}

const owned = new Set((await api.asOwner<{ name: string }>(OWNED)).map(({ name }) => name));
const unlocked: string[] = [];
const unnoted: string[] = [];
const noted = new Set<string>();
const writers = new Set<string>();
let lastEntry = '0';

const call: typeof api.call = async (method, path, more) => {
  const before = await objectsNow();
  said.length = 0;
  const answer = await api.call(method, path, more);
  for (const transaction of transactionsOf(said)) {
    for (const table of writtenTooEarly(transaction, owned)) {
      unlocked.push(`${method} ${path}: ${table}`);
    }
    if (transaction.some(({ text }) => locksCustomers.test(text))) writers.add(method + path);
  }
  const after = await objectsNow();
  for (const entry of await entriesAfter(lastEntry)) {
    lastEntry = entry.id;
    // The payment that it makes pays the invoice in a transaction of its own.
    if (path.includes('action=retry')) continue;
    for (const field of missingOf(entry, before, after))
      unnoted.push(`${method} ${path}: ${field}`);
    for (const { field } of entry.changes) noted.add(`${entry.type} ${field}`);
  }
  return answer;
};
const told = await playStory({ ...api, call });

test('every call locks a customer before it writes the customer’s rows', (t) => {
  t.true(owned.has('subscription_order') && owned.has('invoice') && owned.has('payment'));
  t.deepEqual([...new Set(unlocked)], []);
  // Each writing route of the table was called, and most of them for a customer.
  const called = new Set(
    told
      .filter(({ answer }) => answer.status < 300)
      .map(({ step }) => `${step.method} ${step.route} ${step.mode ?? step.action ?? ''}`),
  );
  const writing = routes.filter(({ isWrite }) => isWrite);
  const uncalled = writing.filter(
    ({ method, path, selection }) =>
      !selection.values.some((value) => called.has(`${method} ${path} ${value ?? ''}`)),
  );
  t.deepEqual(
    uncalled.map(({ method, path }) => `${method} ${path}`),
    [],
  );
  t.log(writing.length, writers.size);
  t.true(writers.size > writing.length / 2);
});

test('the entry of every call has each field of its object that the call changed', (t) => {
  t.deepEqual([...new Set(unnoted)], []);
  // Of those that SQL alone writes, each kind is among them.
  const wanted = [
    'invoice status',
    'payment status',
    'batchProcess status',
    'user status',
    'customer paymentMethods',
    'customer paymentMethods[1]',
    'subscriptionOrder salesAgents[AGENT-1]',
  ];
  t.deepEqual(
    wanted.filter((field) => !noted.has(field)),
    [],
  );
});
