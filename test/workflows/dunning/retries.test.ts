/** The workflow of a dunning makes retries on their day, says so, and makes them early on request. */

import test from 'ava';
import {
  holdDunning,
  resumeDunning,
  retryDunningNow,
} from '../../../workflows/contract/dunning.ts';
import { at, attributesOf, detailsOf, dunning, isRunning, until } from '../harness.ts';
import { refusedUpdate } from '../refused-update.ts';
import { cards } from '../payments/till.ts';
import { sharedHarness } from '../setup.ts';
import { newYork, openDeclined } from './debtor.ts';

const harness = await sharedHarness('set');
const first = 'Phase=Active NextActionAt=2027-01-16T05:00:00.000Z';

async function sleeping() {
  const opened = await openDeclined(harness);
  const { books, customerId, workflow } = opened;
  await books.deliver(dunning(customerId));
  await until('it sleeps', async () => (await attributesOf(workflow)) === first);
  return opened;
}

test.serial('it shows the next retry and the next threshold, the earlier one first', async (t) => {
  const { workflow } = await sleeping();
  const details = await detailsOf(workflow);
  t.regex(details, /- next: retries invoice 1001 \(retry 1\) on 2027-01-16, waits until/);
  t.true(details.includes('- then: becomes Overdue1 on 2027-03-01'), details);
});

test.serial('it retries on the day; declined, it waits for the next retry', async (t) => {
  const { books, till, customerId, workflow } = await sleeping();
  harness.setTime(at(newYork, '2027-01-16', 120));
  await books.start(dunning(customerId));
  const second = 'Phase=Active NextActionAt=2027-01-18T05:00:00.000Z';
  await until('it sleeps again', async () => (await attributesOf(workflow)) === second);
  const declined = 'Declined 10.00 card_declined';
  t.deepEqual(await till.payments(), [declined, declined]);
  const details = await detailsOf(workflow);
  t.regex(details, /- 2027-01-16: retry 1 of invoice 1001 was declined: payment \d+/);
  t.regex(details, /- next: retries invoice 1001 \(retry 2\) on 2027-01-18/);
});

test.serial('it ends with a retry that is paid', async (t) => {
  const { books, till, customerId, workflow } = await sleeping();
  await till.onFile(customerId, 1, { number: cards.good });
  harness.setTime(at(newYork, '2027-01-16', 120));
  await books.start(dunning(customerId));
  await until('it ends', async () => !(await isRunning(workflow)));
  t.deepEqual(await till.payments(), ['Declined 10.00 card_declined', 'Paid 10.00, 0.00 left']);
  const { phase, happened } = await workflow.result();
  t.is(phase, 'Closed');
  t.regex(happened.join(), /^2027-01-16: retry 1 of invoice 1001 was paid: payment \d+$/);
});

test.serial('retryNow charges before the day, for a reason that is kept', async (t) => {
  const { books, till, customerId, workflow } = await sleeping();
  const args = [{ reason: 'has a new card', by: 'Anna' }] as const;
  await workflow.executeUpdate(holdDunning, { args: [...args] });
  await refusedUpdate(
    t,
    workflow.executeUpdate(retryDunningNow, { args: [...args] }),
    'it is held, send resume first: has a new card',
  );
  await workflow.executeUpdate(resumeDunning, { args: [...args] });
  await till.onFile(customerId, 1, { number: cards.good });
  const { did } = await workflow.executeUpdate(retryDunningNow, { args: [...args] });
  t.regex(did, /^retries now: payment \d+$/);
  await until('it ends', async () => !(await isRunning(workflow)));
  t.deepEqual(await till.payments(), ['Declined 10.00 card_declined', 'Paid 10.00, 0.00 left']);
  const notes = await books.read((tx) =>
    tx.query<{ action: string }>('select action from dunning_note order by id'),
  );
  t.deepEqual(
    notes.map(({ action }) => action),
    ['hold', 'resume', 'retryNow'],
  );
});
