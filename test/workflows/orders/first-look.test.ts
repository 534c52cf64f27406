/**
 * A workflow that has nothing to do yet begins at its first step: until then it costs the engine no
 * task, and shows what its first look would have shown.
 */

import test from 'ava';
import { firstLookAt } from '../../../operations/due/first-looks.ts';
import { createPaymentPlan } from '../../../operations/payment-plans/change.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import { deliver } from '../../../operations/outbox/deliver.ts';
import type { Engine } from '../../../operations/outbox/engine.ts';
import { workflowIdOf } from '../../../operations/outbox/enqueue.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import { age, newYork, openDebtor } from '../dunning/debtor.ts';
import {
  at,
  attributesOf,
  detailsOf,
  dunning,
  eventsOf,
  isRunning,
  openTenant,
  order,
  until,
  type Books,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const harness = await sharedHarness('set');
const { dependencies, worker } = harness;
const looking = { ...worker.engine, firstLookAt };
const waits = ['workflowExecutionStarted', 'workflowExecutionSignaled'];

/** As the API and the relay deliver. */
async function delivered(books: Books, nudge: Nudge, engine: Engine = looking) {
  const ids = [workflowIdOf(books, nudge)];
  await until('it is delivered', async () => {
    await deliver(dependencies, engine, books.tenantId, ids);
    return (await books.outbox()).every((id) => !ids.includes(id));
  });
  return books.workflow(nudge);
}

async function staticDetailsOf(workflow: ReturnType<Books['workflow']>): Promise<string> {
  return ((await (await workflow.describe()).staticDetails()) ?? '').replace(/\n\n---$/, '');
}

async function newOrder(today: string, startsOn = today) {
  harness.setTime(at(newYork, today, 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer('ADA-1');
  const id = await books.order({ customerId, contractCode: 'GOLD', startDate: startsOn });
  return { books, id };
}

test.serial('a new order with nothing due costs no task, and shows what comes', async (t) => {
  const { books, id } = await newOrder('2027-01-15');
  const workflow = await delivered(books, order(id));
  t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-01-16T05:00:00.000Z');
  const customer = `customer ADA-1 (id ${(await books.wake({ orderId: id, yields: 0 })).customer?.customerId})`;
  t.is(
    await staticDetailsOf(workflow),
    [
      '**At its start on 2027-01-15: Active**',
      '',
      `- ${customer}`,
      '- next: bills on 2027-01-16, waits until 2027-01-16 05:01 UTC',
      '- 2027-01-15: is Active',
    ].join('\n'),
  );
  t.is(await (await workflow.describe()).staticSummary(), `Order 1001 GOLD, ${books.label}`);
  t.deepEqual(await eventsOf(workflow), waits);
  t.true(await isRunning(workflow));
});

test.serial('it begins by itself at its first step, and tells of what came since', async (t) => {
  const { books, id } = await newOrder('2027-01-15');
  // A minute after the due 00:00, less a second.
  harness.setTime(at(newYork, '2027-01-16', 60) - 1_000);
  const workflow = await delivered(books, order(id));
  // No run began: left to the run once, then billed.
  await until('it has billed', async () => (await books.invoices()).length > 0);
  await until('it shows it', async () =>
    (await attributesOf(workflow)).endsWith('2027-02-15T05:00:00.000Z'),
  );
  const told = (await detailsOf(workflow)).split('\n').slice(-2);
  t.deepEqual(told, ['- 2027-01-16: is Active', '- 2027-01-16: invoice 1001, 78.95 USD']);
});

test.serial('a nudge ends the wait, also one that is delivered again after a crash', async (t) => {
  const { books, id } = await newOrder('2027-01-15', '2027-03-01');
  const workflow = await delivered(books, order(id));
  t.deepEqual(await eventsOf(workflow), waits);
  await books.work((work) => updateOrder(dependencies, work, { id }, { orderStatus: 'Canceled' }));
  await delivered(books, order(id));
  const { phase, happened } = (await workflow.result()) as {
    readonly phase: string;
    readonly happened: readonly string[];
  };
  t.is(phase, 'Canceled');
  t.deepEqual(happened, [
    '2027-01-15: is Provisioning',
    '2027-01-15: is Canceled, was Provisioning',
  ]);

  const other = await newOrder('2027-01-15', '2027-03-01');
  await delivered(other.books, order(other.id));
  await other.books.start(order(other.id));
  await until('it sleeps', async () =>
    (await eventsOf(other.books.workflow(order(other.id)))).includes('timerStarted'),
  );
});

test.serial('a workflow with something to do begins at once, as on a test clock', async (t) => {
  const { books, id } = await newOrder('2027-01-15');
  harness.setTime(at(newYork, '2027-01-16', 61));
  const due = await delivered(books, order(id));
  await until('it looks', async () => (await eventsOf(due)).includes('markerRecorded'));

  const clocked = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z' });
  const own = await clocked.order({ customerId: await clocked.customer(), contractCode: 'GOLD' });
  const seen = await delivered(clocked, order(own));
  await until('it looks', async () => (await eventsOf(seen)).includes('markerRecorded'));
  t.pass();
});

test.serial('an object whose first look fails begins at once, and delays no other', async (t) => {
  const { books, id } = await newOrder('2027-01-15');
  const failing = () => Promise.reject(new Error('a bug'));
  const workflow = await delivered(books, order(id), { ...looking, firstLookAt: failing });
  await until('it looks', async () => (await eventsOf(workflow)).includes('markerRecorded'));
  t.is(await staticDetailsOf(workflow), '');
});

test.serial('a dunning begins at its first step', async (t) => {
  const { books, customerId } = await openDebtor(harness);
  harness.setTime(at(newYork, '2027-01-06', 3_600));
  await age(harness, books, '2027-01-06');
  const workflow = await delivered(books, dunning(customerId));
  t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-01-20T05:00:00.000Z');
  t.is(
    await staticDetailsOf(workflow),
    [
      '**At its start on 2027-01-06: Active**',
      '',
      `- customer ADA-1 (id ${customerId})`,
      '- overdue: 10.00 USD, 1 days since 2027-01-05',
      '- next: becomes Overdue1 on 2027-01-20, waits until 2027-01-20 05:01 UTC',
    ].join('\n'),
  );
  t.deepEqual(await eventsOf(workflow), waits);
});

test.serial('a payment plan begins at its first installment', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.customer('ADA-1');
  const plan = {
    chargeAmount: '50',
    startDate: '2027-01-20',
    totalNumberOfInstallments: 3,
    frequencyValue: 2,
    frequencyUnits: 'Weeks',
  } as const;
  await books.work((its) => createPaymentPlan(its, { id }, plan));
  const [row] = await books.read((tx) => tx.query<{ id: number }>('select id from payment_plan'));
  const workflow = await delivered(books, { kind: 'paymentPlan', objectId: row?.id ?? 0 });
  t.is(await attributesOf(workflow), 'Phase=Enabled NextActionAt=2027-01-20T05:00:00.000Z');
  t.deepEqual((await staticDetailsOf(workflow)).split('\n').slice(3), [
    '- 50.00 USD every 2 Weeks, at most what is owed; 3 installments to come',
    '- next: charges installment 1 on 2027-01-20, waits until 2027-01-20 05:01 UTC',
  ]);
  t.deepEqual(await eventsOf(workflow), waits);
});
