/** A payment whose gateway does not answer in time: the outcome of the call is looked up. */

import test from 'ava';
import { eventsOf, openTenant, until } from '../harness.ts';
import { supervisionPass } from '../../../operations/processes/supervision.ts';
import { newWatch } from '../../../operations/processes/watch.ts';
import { startHarness } from '../setup.ts';
import { cards, openTill } from './till.ts';

/** The gateway's time limit: nobody waits for twelve seconds here. */
const harness = await startHarness({ timeLimitMs: 2_000 });

async function shop() {
  const books = await openTenant(harness, {});
  return { books, till: openTill(harness, books), ada: await books.customer() };
}

test('an answer that never came is looked up, and the card is never charged twice', async (t) => {
  const { till, ada } = await shop();
  const lost = { number: cards.good, holder: 'LOST ANSWER' };
  const id = await till.create({ customerId: ada, amount: '20.00', by: lost });
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), ['Paid 20.00, 20.00 left']);
  t.deepEqual(await till.charges(), ['Approved 20.00']);
});

test('a card that times out is Declined once the gateway was asked', async (t) => {
  const { till, ada } = await shop();
  await till.onFile(ada, 1, { number: cards.timesOut });
  await till.onFile(ada, 2, { number: cards.good });
  const by = { by: 'preference', preference: 1 } as const;
  const id = await till.create({ customerId: ada, amount: '20.00', by });
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), ['Declined 20.00 gateway_timeout', 'Paid 20.00, 20.00 left']);
  // Called in the first activity, looked up in the second, and only then the next method was tried:
  // in the second as well, unless that was slow.
  const steps = (await eventsOf(till.workflow(id))).filter((name) => name.startsWith('activity'));
  t.true(steps.filter((name) => name === 'activityTaskCompleted').length >= 2);
});

test('a call that nobody waits for is asked about at its gateway, and made no second time', async (t) => {
  const { till, books, ada } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  // The process that called died, and the engine was restored from a backup of before.
  await till.chargedElsewhere(id, '20.00');
  await books.work(({ tx }) =>
    tx.query(`update payment set phase = 'Charging' where id = $1`, [id]),
  );
  await books.work(({ tx }) => tx.query('delete from outbox'));
  const { dependencies, engine, worker } = harness;
  const onError = (error: unknown) => t.fail(String(error));
  const { relayDb } = worker;
  await supervisionPass(
    { dependencies, relayDb, engine, onError, isPaced: false },
    newWatch('one'),
  );
  await until('it is Paid', async () => (await till.payments())[0]?.startsWith('Paid') === true);
  t.deepEqual(await till.charges(), ['Approved 20.00']);
});
