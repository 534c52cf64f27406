/** A cascade with methods of two gateways: each is called from its own queue. */

import test from 'ava';
import type { WorkflowHandle } from '@temporalio/client';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { ownQueue, resolve } from '../../../workflows/contract/contract.ts';
import { attributesOf, isRunning, openTenant, until } from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill, payment, unreachable } from './till.ts';

const harness = await sharedHarness('real');

/** The first method on file is the sandbox's, which declines it; the second is Stripe's. */
async function shop() {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const ada = await books.customer();
  await till.onFile(ada, 1, { number: cards.declined });
  await books.work((work) => putMethodOnFile(work, { id: ada }, 2, unreachable));
  return { books, till, ada };
}

/** The queues of its activities, in order, without repeats. */
async function queuesOf(workflow: WorkflowHandle): Promise<(string | null | undefined)[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? [])
    .map((event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name)
    .filter((name) => typeof name === 'string')
    .filter((name, index, all) => name !== all[index - 1]);
}

const sandbox = ownQueue(harness.engine.taskQueue, 'gateway-sandbox');
const stripe = ownQueue(harness.engine.taskQueue, 'gateway-stripe');

async function endsDeclined(workflow: WorkflowHandle): Promise<void> {
  const given = { outcome: 'declined', reason: 'never arrived' } as const;
  await until('it is resolved', () =>
    workflow.executeUpdate(resolve, { args: [{ by: 'Anna', ...given }] }).then(
      () => true,
      () => false,
    ),
  );
  await until('it has ended', async () => !(await isRunning(workflow)));
}

test('a declined payment continues in the queue of the next method', async (t) => {
  const { books, till, ada } = await shop();
  const by = { by: 'preference', preference: 1 } as const;
  const id = await till.create({ customerId: ada, amount: '20.00', by });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  t.deepEqual(await queuesOf(workflow), [sandbox, stripe]);
  t.deepEqual(await till.payments(), ['Declined 20.00 card_declined', 'Pending Charging 20.00']);
  await endsDeclined(workflow);
});
