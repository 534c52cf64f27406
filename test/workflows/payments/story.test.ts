/**
 * The Temporal Web UI's view of a payment: its customer, amount, what happened, what comes next.
 */

import test from 'ava';
import { nudge } from '../../../workflows/contract/contract.ts';
import { attributesOf, detailsOf, isRunning, openTenant, summariesOf, until } from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill, payment, unreachable } from './till.ts';

const harness = await sharedHarness('real');

async function shop() {
  const books = await openTenant(harness, {});
  return { books, till: openTill(harness, books), ada: await books.customer('ADA-1') };
}

test('a finished payment names customer and amount, and keeps what happened', async (t) => {
  const { books, till, ada } = await shop();
  await till.onFile(ada, 1, { number: cards.declined });
  await till.onFile(ada, 2, { number: cards.good });
  const by = { by: 'preference', preference: 1 } as const;
  const id = await till.create({ customerId: ada, amount: '20.00', by });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it has ended', async () => !(await isRunning(workflow)));
  const details = await detailsOf(workflow);
  t.true(details.startsWith(`**Payment ${id} of 20.00 USD, ${books.label}: Paid**`), details);
  t.true(details.includes(`- customer ADA-1 (id ${ada})\n- next: nothing, it is final\n`), details);
  t.regex(details, /UTC: payment \d+ was approved$/);
  const end = (await workflow.result()) as { status: string; happened: string[] };
  t.is(end.status, 'Paid');
  t.regex(end.happened.at(-1) ?? '', /payment \d+ was approved$/);
  const own = (await workflow.describe()).typedSearchAttributes
    .getAll()
    .map(({ key, value }) => [key.name, value]);
  t.like(Object.fromEntries(own), { Tenant: books.label, CustomerRef: 'ADA-1' });
});

test('a look after the end that finds nothing new changes nothing', async (t) => {
  const { books, till, ada } = await shop();
  const by = { number: cards.declined, holder: 'SLOW ANSWER 2' };
  const id = await till.create({ customerId: ada, amount: '20.00', by });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it calls', async () => (await summariesOf(workflow)).length > 1);
  await workflow.signal(nudge);
  await until('it has ended', async () => !(await isRunning(workflow)));
  const { happened } = (await workflow.result()) as { happened: string[] };
  t.regex(happened.join('; '), /^[^;]* was declined \(card_declined\)$/);
  t.is((await summariesOf(workflow)).length, 3, 'it has looked twice');
  t.true((await attributesOf(workflow)).includes('FailureCode=card_declined'));
});

test('a call that is retried shows when it is asked again, and the wait says until when', async (t) => {
  const { books, till, ada } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: unreachable });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  t.regex(
    await detailsOf(workflow),
    /- next: asks the gateway again at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
  );
  await until('it asks again', async () => (await summariesOf(workflow)).length >= 4);
  const [, first, wait, again] = await summariesOf(workflow);
  t.is(first, 'activityTaskScheduled: stripe: takes its turn and calls');
  t.regex(wait ?? '', /^timerStarted: until .+ UTC, then asks the gateway$/);
  t.is(again, 'activityTaskScheduled: stripe: asks what became of 20.00 USD, time 2');
  await workflow.terminate();
});

test('a payment is shown as stuck after a minute, not before', async (t) => {
  const { books, till, ada } = await shop();
  const detailsAfter = async (sinceMs: number) => {
    const id = await till.create({ customerId: ada, amount: '20.00', by: unreachable });
    const workflow = await harness.engine.client.start('payment', {
      workflowId: `payment/${books.label}/${id}`,
      taskQueue: harness.engine.taskQueue,
      // As a continue-as-new hands it on.
      args: [
        {
          tenantId: String(books.tenantId),
          paymentId: String(id),
          gateway: 'stripe',
          title: 'A payment',
          asking: { asked: 5, since: Date.now() - sinceMs },
        },
      ],
    });
    await until('it asks', async () => (await detailsOf(workflow)).includes('asked 6 times'));
    const details = await detailsOf(workflow);
    await workflow.terminate();
    return details;
  };
  const late = await detailsAfter(61_000);
  t.regex(late, /- stuck since /);
  t.regex(late, /closed by the Update resolve/);
  await books.work(({ tx }) => tx.query(`update payment set status = 'Declined', phase = null`));
  const early = await detailsAfter(5_000);
  t.regex(early, /- without an answer since /);
  t.notRegex(early, /stuck|resolve/);
});
