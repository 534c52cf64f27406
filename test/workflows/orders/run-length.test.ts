/** How many wakes a run of an order's workflow has, with and without the worker's cache. */

import test from 'ava';
import { at, eventsOf, openTenant, order, until, type Harness } from '../harness.ts';
import { startHarness } from '../setup.ts';

const newYork = 'America/New_York';
const CACHED = 2;
/** The first look, and one more than an evicted run has. */
const ROUNDS = 4;

const smallCache = await startHarness({}, CACHED);
const wholeCache = await startHarness();

/** Wakes twice as many orders as the small cache holds, in turns; answers the events of their last runs. */
async function wakeInTurns(harness: Harness) {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const orders: { readonly id: number; readonly first: string }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (let index = 0; index < CACHED * 2; index += 1) {
      const known = orders[index]?.id;
      const id =
        known ?? (await books.order({ customerId: await books.customer(), contractCode: 'GOLD' }));
      await (known ? books.start(order(id)) : books.deliver(order(id)));
      const workflow = books.workflow(order(id));
      await until('it has looked and sleeps', async () => {
        const events = await eventsOf(workflow);
        return events.at(-1) === 'timerStarted' && (await books.outbox()).length === 0;
      });
      if (!known) orders.push({ id, first: (await workflow.describe()).runId });
    }
  }
  return Promise.all(
    orders.map(async ({ id, first }) => {
      const workflow = books.workflow(order(id));
      const looks = (await eventsOf(workflow)).filter((event) => event === 'markerRecorded').length;
      return { looks, isFirstRun: (await workflow.describe()).runId === first };
    }),
  );
}

test('a workflow that the worker evicts begins a new run after three wakes', async (t) => {
  const runs = await wakeInTurns(smallCache);
  t.deepEqual(runs, Array(CACHED * 2).fill({ looks: 1, isFirstRun: false }));
});

test('a cached workflow stays in its run', async (t) => {
  const runs = await wakeInTurns(wholeCache);
  t.deepEqual(runs, Array(CACHED * 2).fill({ looks: ROUNDS, isFirstRun: true }));
});
