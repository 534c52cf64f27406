/** Breaks each invariant of callbacks, and expects the audit to report it. */
import test from 'ava';
import { callbackChecks } from '../../../operations/books/checks/events.ts';
import { corrupt } from '../books/corrupt.ts';
import { sharedDatabase } from '../support/books.ts';
import { DAY_MS, openPostOffice, type PostOffice } from './support.ts';

const db = await sharedDatabase();

const own = `tenant_id = current_setting('app.tenant')::bigint`;
const first = (table: string): string => `(select min(event_id) from ${table} where ${own})`;

/** Two events of one customer that arrived, and two of another that wait. */
async function story(post: PostOffice): Promise<void> {
  const [ada, bell] = [await post.customer(), await post.customer()];
  post.receiver.behave(({ body }) => (body.includes(`<customer id="${bell}"`) ? 500 : 200));
  await post.raise([ada, ada, bell, bell]);
  await post.deliver();
}

const breaks: readonly [what: string, check: string, statements: readonly string[]][] = [
  [
    'an event that is in no state',
    'callbacks.missed',
    [`delete from callback_delivery where ${own} and event_id = ${first('callback_delivery')}`],
  ],
  [
    'an event that no look has found',
    'callbacks.late',
    [
      `delete from callback_delivery where ${own}`,
      `update callback_endpoint set cursor = 0 where ${own}`,
      `update event set created_at = now() - interval '61 minutes'
         where ${own} and id = (select min(id) from event where ${own})`,
    ],
  ],
  [
    'a customer whose deliveries wait for nothing',
    'callbacks.lane',
    [`update callback_delivery set retry_at = null where ${own}`],
  ],
  [
    'a delivery that was not given up in time',
    'callbacks.overdue',
    [
      `update callback_delivery set give_up_at = now() - interval '61 minutes'
         where ${own} and state = 'Waiting' and retry_at is not null`,
    ],
  ],
  [
    'a delivery that nobody subscribed to',
    'callbacks.invented',
    [
      `update callback_subscription set after_event_id =
         (select max(id) from event where ${own}) where ${own}`,
      // The others are still owed, by their time.
      `delete from callback_delivery where ${own}
         and event_id > ${first('callback_delivery')}`,
    ],
  ],
];

for (const [what, check, statements] of breaks) {
  test.serial(`the audit reports ${what}`, async (t) => {
    const post = await openPostOffice(t, db);
    await story(post);
    t.deepEqual(await post.faults(), []);
    await corrupt({ db, tenantId: post.tenantId }, statements);
    t.deepEqual(await post.faults(), [check]);
  });
}

test('every check of callbacks is broken by a case', (t) => {
  t.deepEqual(
    callbackChecks.map(({ name }) => name).toSorted(),
    breaks.map(([, check]) => check).toSorted(),
  );
});

test.serial('the audit finds no fault while an endpoint is paused, or has given up', async (t) => {
  const post = await openPostOffice(t, db);
  await post.receiver.close();
  await post.raise([await post.customer(), await post.customer()]);
  await post.deliver();
  t.deepEqual(await post.faults(), []);
  post.pass(4 * DAY_MS);
  t.like(await post.deliver(), { phase: 'GivenUp', givenUp: 2 });
  t.deepEqual(await post.faults(), []);
});
