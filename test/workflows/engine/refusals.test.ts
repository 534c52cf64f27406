/** An Update that cannot be done fails with words alone, whoever refuses it: the Web UI shows no stack. */
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
import { firstLookAt } from '../../../operations/due/first-looks.ts';
import { deliver } from '../../../operations/outbox/deliver.ts';
import { at, attributesOf, dunning, eventsOf, until } from '../harness.ts';
import { age, newYork, openDebtor, openDeclined } from '../dunning/debtor.ts';
import { refusedUpdate } from '../refused-update.ts';
import { sharedHarness } from '../setup.ts';

const harness = await sharedHarness('set');

async function sleeping() {
  const opened = await openDeclined(harness);
  const { books, customerId, workflow } = opened;
  await books.deliver(dunning(customerId));
  await until('it sleeps', async () => (await attributesOf(workflow)).startsWith('Phase=Active'));
  return opened;
}

test.serial('an Update that the workflow does not know is refused by its name', async (t) => {
  const { workflow } = await sleeping();
  await refusedUpdate(t, send(workflow, 'holdd', given), 'No registered handler for update: holdd');
});

/** As the Web UI sends it, which knows no types. */
const send = (workflow: WorkflowHandle, name: string, ...args: unknown[]): Promise<unknown> =>
  args.length === 0
    ? workflow.executeUpdate<unknown, []>(name)
    : workflow.executeUpdate<unknown, [unknown]>(name, { args: [args[0]] });

const given = { reason: 'a friend', by: 'Anna' };

const by = 'by is required, your name in at most 100 characters';
const reason = 'reason is required, in at most 255 characters';
const wrong: readonly (readonly [name: string, args: readonly unknown[], why: string])[] = [
  ['nothing', [], reason],
  ['null', [null], reason],
  ['a text', ['it is a friend'], reason],
  ['a number', [7], reason],
  ['a list', [[1]], reason],
  ['no name', [{ reason: 'a' }], by],
  ['an empty reason', [{ reason: ' ', by: 'Anna' }], reason],
  ['a long reason', [{ reason: 'a'.repeat(256), by: 'Anna' }], reason],
  [
    'the number of a card',
    [{ reason: '4111 1111 1111 1111', by: 'Anna' }],
    'reason must not hold the number of a card',
  ],
];

test.serial('bad arguments of an Update are refused, with what it takes', async (t) => {
  const { books, workflow } = await sleeping();
  for (const [name, args, why] of wrong) {
    t.log(name);
    await refusedUpdate(t, send(workflow, 'hold', ...args), why);
  }
  const notes = await books.read((tx) => tx.query('select from dunning_note'));
  t.is(notes.length, 0);
  t.true((await attributesOf(workflow)).startsWith('Phase=Active'));
});

test.serial('input that is no JSON is refused without a stack', async (t) => {
  const { workflow } = await sleeping();
  const { workflowService, options } = harness.engine.client;
  const metadata = { encoding: Buffer.from('json/plain') };
  const answer = await workflowService.updateWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId: workflow.workflowId },
    waitPolicy: { lifecycleStage: 3 },
    request: {
      meta: { updateId: 'no-json', identity: 'Anna' },
      input: { name: 'hold', args: { payloads: [{ metadata, data: Buffer.from('{ reason') }] } },
    },
  });
  const { failure } = answer.outcome ?? {};
  t.regex(String(failure?.message), /JSON/);
  t.is(failure?.stackTrace ?? '', '');
});

/** What the engine answers: it has no stack of ours. */
async function gone(t: ExecutionContext, asked: Promise<unknown>, why: RegExp): Promise<void> {
  const error = await t.throwsAsync(asked, { instanceOf: WorkflowNotFoundError });
  t.regex(String(error?.message), why);
}

test.serial('an Update on a workflow that has ended, or never was, is refused', async (t) => {
  const { workflow } = await sleeping();
  await workflow.terminate('the test is over');
  await gone(t, send(workflow, 'hold', given), /already completed/);
  const nobody = harness.engine.client.getHandle('dunning/nobody/1');
  await gone(t, send(nobody, 'hold', given), /not found/);
});

test.serial('an Update is taken before the first step of a workflow', async (t) => {
  const { books, workflow } = await openDebtor(harness);
  harness.setTime(at(newYork, '2027-01-06', 3_600));
  await age(harness, books, '2027-01-06');
  const looking = { ...harness.engine, firstLookAt };
  await until('it is delivered', async () => {
    await deliver(harness.dependencies, looking, books.tenantId, [workflow.workflowId]);
    return !(await books.outbox()).includes(workflow.workflowId);
  });
  t.false((await eventsOf(workflow)).includes('workflowTaskScheduled'));
  t.like(await send(workflow, 'hold', given), { did: 'is held' });
});
