/**
 * A workflow of any kind that somebody cancels goes on, and says what to send instead. Its activities
 * are none of ours: what counts is what the workflow does.
 */

import test from 'ava';
import { Context } from '@temporalio/activity';
import { WorkflowClient, type WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { nudge, type OrderWake, type PlanWake } from '../../../workflows/contract/contract.ts';
import { holdDunning, type DunningWake } from '../../../workflows/contract/dunning.ts';
import * as workflows from '../../../workflows/workflows.ts';
import { patient, suffix, testBundle, testTemporal } from '../../support/temporal.ts';
import { detailsOf, eventsOf, isRunning, until } from '../harness.ts';
import { connectTemporal } from '../../../providers/temporal/connect.ts';
import { connectWorker } from '../../../providers/temporal/connect-worker.ts';

const { address, namespace } = await testTemporal();
const workflowBundle = await testBundle();
const taskQueue = `test-${suffix()}`;
const connection = await connectTemporal({ address }, patient);
const client = new WorkflowClient({ connection, namespace });

const asleep = { did: 'looked', happened: [], next: null, waitMs: null, ended: false } as const;
const order: OrderWake = { ...asleep, phase: 'Active', yielded: false, failureCode: null };
const plan: PlanWake = { ...asleep, phase: 'Enabled', terms: '', remaining: 2, paying: [] };
const dunning: DunningWake = {
  ...asleep,
  phase: 'Overdue1',
  later: null,
  waitsFor: null,
  yielded: false,
  owed: [],
  clockOn: null,
  seen: { last: 0 },
};
const run = { ended: false, due: false, runOn: '2027-01-16', waitMs: 86_400_000, at: 0 } as const;

const unending = (): Promise<never> => Context.current().cancelled;

/** Activities in other queues wait for ever: nobody takes them. */
const worker = await Worker.create({
  connection: await connectWorker({ address }),
  namespace,
  taskQueue,
  workflowBundle,
  activities: {
    follow: () => order,
    followPlan: () => plan,
    wakeDunning: () => dunning,
    planBillingRun: () => run,
    changeDunning: () => ({ did: 'is held' }),
    followSignup: unending,
    advanceClock: unending,
  },
});
const running = worker.run();
test.after.always(async () => {
  worker.shutdown();
  await running;
  await connection.close();
});

const types = Object.keys(workflows) as readonly (keyof typeof workflows)[];
const ids = { tenantId: '1', orderId: '2', planId: '3', customerId: '4', paymentId: '5' };
const input = { ...ids, batchId: '6', endpointId: '7', signupId: '8', gateway: 'sandbox' };

function start(type: string): Promise<WorkflowHandle> {
  const workflowId = `${type}/${suffix()}`;
  return client.start(type, { workflowId, taskQueue, args: [{ ...input, title: `A ${type}` }] });
}

/** What a cancelled workflow says instead of ending. */
const instead: Readonly<Record<keyof typeof workflows, RegExp>> = {
  batchImport: /send the Update cancel, which stops after the rows under way/,
  billingRun: /suspend the customers or orders that it is not to bill/,
  callbacks: /take the endpoint out of the tenant file/,
  dunning: /send the Update hold/,
  mail: /take the kinds of mails out of the tenant file/,
  passwords: /nothing: it ends once the imported passwords are hashed/,
  payment: /send the Update resolve, once its gateway has not answered/,
  paymentPlan: /send the Update skipInstallment, or disable the plan by the interface/,
  report: /nothing: it ends once its file is written/,
  signup: /send the Update cancel/,
  subscription: /suspend or cancel the order by the interface/,
  taxRecords: /cancel the invoice that is not to be recorded/,
  testClock: /nothing: it ends once the clock is at its target/,
};

for (const type of types) {
  test(`a cancelled ${type} goes on, and its details say what to do instead`, async (t) => {
    const workflow = await start(type);
    await workflow.cancel();
    await until('it answers', async () => (await detailsOf(workflow)).includes('goes on'));
    const details = await detailsOf(workflow);
    t.regex(details, /^- cancel at \d{4}-\d\d-\d\d [\d:]+ UTC: goes on, because the books/m);
    t.regex(details, instead[type]);
    t.true(await isRunning(workflow));
    const events = await eventsOf(workflow);
    t.true(events.includes('workflowExecutionCancelRequested'));
    const ends = /^(timerCanceled|activityTaskCancelRequested|workflowExecutionCanceled)$/;
    t.deepEqual(
      events.filter((name) => ends.test(name)),
      [],
    );
    const history = await workflow.fetchHistory();
    await t.notThrowsAsync(Worker.runReplayHistory({ workflowBundle }, history));
    await workflow.terminate();
  });
}

test('after a cancellation it sleeps, wakes and takes Updates as before', async (t) => {
  const workflow = await start('dunning');
  await until('it sleeps', async () => (await detailsOf(workflow)).includes('Overdue1'));
  await workflow.cancel();
  await until('it answers', async () => (await detailsOf(workflow)).includes('goes on'));
  const args: [{ reason: string; by: string }] = [{ reason: 'pays on Friday', by: 'Anna' }];
  t.deepEqual(await workflow.executeUpdate(holdDunning, { args }), { did: 'is held' });
  const looks = async () =>
    (await eventsOf(workflow)).filter((name) => name === 'markerRecorded').length;
  const before = await looks();
  await workflow.signal(nudge);
  await until('it looks again', async () => (await looks()) > before);
  t.true((await detailsOf(workflow)).includes('goes on'), 'it still says so');
  t.true(await isRunning(workflow));
  await workflow.terminate();
});
