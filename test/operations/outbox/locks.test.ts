/** Writing, delivering and restoring rows of the outbox never makes another transaction fail. */

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { deleteDelivered, postponeFailed } from '../../../db/queries/outbox/outbox.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { readDeliveries } from '../../../operations/outbox/deliveries.ts';
import { enqueueMissing } from '../../../operations/outbox/missing-workflows.ts';
import { enqueue, workflowIdOf } from '../../../operations/outbox/enqueue.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { openBooks, ownDatabase, type Books } from '../support/books.ts';
import { prepaid, recurring } from '../support/plans.ts';

const shared = await ownDatabase();
const LOOK_MS = 20;

/** A customer with two orders, both with rows in the outbox. */
async function twoOrders() {
  const books = await openBooks(shared, {
    today: '2027-01-15',
    plans: [recurring('P', 10, prepaid)],
  });
  const customerId = await books.customer();
  const low: Nudge = {
    kind: 'order',
    objectId: await books.order({ customerId, contractCode: 'P' }),
  };
  const high: Nudge = {
    kind: 'order',
    objectId: await books.order({ customerId, contractCode: 'P' }),
  };
  const idOf = (nudge: Nudge) => workflowIdOf(books, nudge);
  const versions = () =>
    books.read((tx) =>
      tx.query<{ version: number }>(
        `select version from outbox where kind = 'order' order by object_id`,
      ),
    );
  return { books, customerId, low, high, idOf, versions };
}

/**
 * A writer has enqueued one order and then enqueues the other, as the record of an answer does; in
 * between another transaction has run as far as it can.
 */
async function meanwhile(
  t: ExecutionContext,
  its: { readonly books: Books; readonly customerId: number },
  nudges: readonly [Nudge, Nudge],
  other: () => Promise<unknown>,
): Promise<void> {
  let outcome: Promise<unknown> = Promise.resolve();
  const writer = its.books.work(async (work) => {
    await lockCustomer(work.tx, { id: its.customerId });
    enqueue(work, [nudges[0]]);
    await work.tx.query('select');
    let ended = false;
    outcome = other().finally(() => (ended = true));
    outcome.catch(() => undefined);
    while (!ended && !(await someoneWaits(its.books))) await sleep(LOOK_MS);
    enqueue(work, [nudges[1]]);
  });
  await t.notThrowsAsync(writer);
  await t.notThrowsAsync(outcome);
}

async function someoneWaits({ db }: Books): Promise<boolean> {
  const { rows } = await db.relay.pool.query(
    `select from pg_locks where not granted and pid in (
       select pid from pg_stat_activity where datname = current_database())`,
  );
  return rows.length > 0;
}

for (const first of ['low', 'high'] as const) {
  test.serial(
    `the deletion of delivered rows waits for no writer, the ${first} first`,
    async (t) => {
      const its = await twoOrders();
      const { books, low, high, idOf, versions } = its;
      const delivered = await books.read((tx) => readDeliveries(tx, [idOf(low), idOf(high)]));
      // In the order in which the engine answered.
      const inOrder = first === 'low' ? delivered : delivered.toReversed();
      const nudges = first === 'low' ? ([high, low] as const) : ([low, high] as const);
      await meanwhile(t, its, [...nudges], () =>
        inTenant(shared.app, books.tenantId, async (tx) => deleteDelivered(tx, inOrder)),
      );
      // The rows that the writer had not reached were delivered, deleted, and enqueued again.
      t.deepEqual(
        (await versions()).map(({ version }) => version),
        first === 'low' ? [1, 2] : [2, 1],
      );
    },
  );

  test.serial(
    `the postponement of failed rows waits for no writer, the ${first} first`,
    async (t) => {
      const its = await twoOrders();
      const { books, low, high, idOf, versions } = its;
      const rows = [low, high].map((nudge) => ({
        workflowId: idOf(nudge),
        error: 'busy',
        retryInSeconds: null,
      }));
      const inOrder = first === 'low' ? rows : rows.toReversed();
      const nudges = first === 'low' ? ([high, low] as const) : ([low, high] as const);
      await meanwhile(t, its, [...nudges], () =>
        inTenant(shared.app, books.tenantId, async (tx) => postponeFailed(tx, inOrder)),
      );
      t.deepEqual(
        (await versions()).map(({ version }) => version),
        [2, 2],
      );
    },
  );

  test.serial(
    `the restart of lost workflows waits for the customer, the ${first} first`,
    async (t) => {
      const its = await twoOrders();
      const { books, low, high, versions } = its;
      await books.work(({ tx }) => tx.query('delete from outbox'));
      const nudges = first === 'low' ? ([high, low] as const) : ([low, high] as const);
      await meanwhile(t, its, [...nudges], () =>
        enqueueMissing(books.dependencies, shared.relay, `engine of ${books.label}`),
      );
      t.deepEqual(
        (await versions()).map(({ version }) => version),
        [2, 2],
      );
    },
  );
}
