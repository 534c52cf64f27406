/**
 * Every call that writes locks its customer before it writes rows of a customer. The test calls
 * every route of the table with its examples, and reads the tables of a customer from the schema.
 */
import test from 'ava';
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

test('every call locks a customer before it writes the customer’s rows', async (t) => {
  const owned = new Set((await api.asOwner<{ name: string }>(OWNED)).map(({ name }) => name));
  t.true(owned.has('subscription_order') && owned.has('invoice') && owned.has('payment'));
  const early: string[] = [];
  const writers = new Set<string>();
  const call: typeof api.call = async (method, path, more) => {
    said.length = 0;
    const answer = await api.call(method, path, more);
    for (const transaction of transactionsOf(said)) {
      for (const table of writtenTooEarly(transaction, owned)) {
        early.push(`${method} ${path}: ${table}`);
      }
      if (transaction.some(({ text }) => locksCustomers.test(text))) writers.add(method + path);
    }
    return answer;
  };
  const told = await playStory({ ...api, call });
  t.deepEqual([...new Set(early)], []);
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
