/**
 * The acts of the operator's page that go to workflows: each is sent by a form, to a real engine and a real
 * worker; what it changes is in the rows, and who did it is in the audit log.
 */
import test, { registerCompletionHandler } from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { noteAsserted } from '../../support/asserted.ts';
import { testStorage } from '../../support/storage.ts';
import { keyIn, openDesk, operatorSettings, saidIn, type Desk } from '../../api/operator/desk.ts';
import { startApi } from '../../api/support.ts';
import { csv } from '../../operations/support/imports.ts';
import { openPostOf } from '../callbacks/post.ts';
import { newYork, openDeclined } from '../dunning/debtor.ts';
import {
  attributesOf,
  detailsOf,
  dunning,
  isRunning,
  openTenant,
  until,
  type Books,
} from '../harness.ts';
import { batch, importsIn } from '../imports/imported.ts';
import { cards, openTill, payment, unreachable } from '../payments/till.ts';
import { startHarness } from '../setup.ts';

/** What is done before a file of a job is read. */
const reading = new Map<number, () => unknown>();
const storage = testStorage();
const harness = await startHarness({}, undefined, undefined, {
  ...storage,
  async get(name, options) {
    if (name.kind === 'upload') await reading.get(name.batchId)?.();
    return storage.get(name, options);
  },
});
const { dependencies, engine, ownerUrl } = harness;
const { settings, close } = operatorSettings(dependencies, ownerUrl, { engine });
const api = await startApi(dependencies.db, () => [], { operator: settings });
registerCompletionHandler(() => {
  void api.stop();
  void close();
});
const desk: Desk = openDesk({ port: api.port, host: 'localhost' });
await desk.logIn('Anna');

const act = (
  books: Pick<Books, 'label'>,
  path: string,
  more: Readonly<Record<string, string>> = {},
) => desk.submit(`/ops/tenants/${books.label}/acts/${path}`, { reason: 'ticket 7', ...more });

/** Of each act: its path, who did it, and the type of its object. */
const logOf = async ({ read }: Pick<Books, 'read'>): Promise<readonly string[]> => {
  const rows = await read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', path, 'by', username, object_type) as text from audit_log
       where action = 'command' and path similar to '(temporal|ops) %' order by id`,
    ),
  );
  return rows.map(({ text }) => text);
};

test.serial('a dunning is held, resumed and retried', async (t) => {
  const { books, till, customerId, workflow } = await openDeclined(harness);
  await books.deliver(dunning(customerId));
  await until('it sleeps', async () => (await attributesOf(workflow)).startsWith('Phase=Active'));
  const held = await act(books, `hold/${customerId}`);
  t.deepEqual([held.status, saidIn(held)], [200, `The dunning of customer ${customerId} is held.`]);
  const again = await act(books, `hold/${customerId}`);
  t.deepEqual([again.status, saidIn(again)], [409, 'it is held already: ticket 7']);
  noteAsserted('update.refused');
  const page = await desk.get(`/ops/tenants/${books.label}`);
  t.regex(page.body, new RegExp(`/acts/resume/${customerId}`));
  t.regex(page.body, /ticket 7/);
  const resumed = await act(books, `resume/${customerId}`);
  t.is(saidIn(resumed), `The dunning of customer ${customerId} continues.`);
  await till.onFile(customerId, 1, { number: cards.good });
  const retried = await act(books, `retry/${customerId}`);
  t.regex(saidIn(retried), /^The dunning of customer \d+ retries now: payment \d+\.$/);
  await until('it ends', async () => !(await isRunning(workflow)));
  t.deepEqual(await till.payments(), ['Declined 10.00 card_declined', 'Paid 10.00, 0.00 left']);
  const notes = await books.read((tx) =>
    tx.query('select action, reason from dunning_note order by id'),
  );
  t.deepEqual(
    notes.map(({ action, reason }) => `${String(action)}: ${String(reason)}`),
    ['hold: ticket 7', 'resume: ticket 7', 'retryNow: ticket 7'],
  );
  t.deepEqual(await logOf(books), [
    'temporal hold by operator Anna customer',
    'temporal resume by operator Anna customer',
    'temporal retryNow by operator Anna customer',
  ]);
  const over = await act(books, `hold/${customerId}`);
  t.deepEqual(
    [over.status, saidIn(over)],
    [
      409,
      `the workflow dunning/${books.label}/${customerId} does not run: what it was about is over, or never was`,
    ],
  );
});

test.serial('a form that is sent twice acts once, and says the same', async (t) => {
  const { books, customerId, workflow } = await openDeclined(harness);
  await books.deliver(dunning(customerId));
  await until('it sleeps', async () => (await attributesOf(workflow)).startsWith('Phase=Active'));
  const path = `/ops/tenants/${books.label}/acts/hold/${customerId}`;
  const formKey = keyIn(await desk.get(path), path);
  const said = [];
  for (const reason of ['ticket 7', 'ticket 7']) {
    said.push(saidIn(await desk.post(path, { formKey, reason })));
  }
  const expected = `The dunning of customer ${customerId} is held.`;
  t.deepEqual(said, [expected, expected]);
  t.is((await logOf(books)).length, 1);
});

test.serial('a payment that its gateway never answers is resolved, once', async (t) => {
  harness.setTime(Date.now());
  const books = await openTenant(harness, { timezone: newYork });
  const till = openTill(harness, books);
  const id = await till.create({
    customerId: await books.customer(),
    amount: '20.00',
    by: unreachable,
  });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  t.regex((await desk.get(`/ops/tenants/${books.label}`)).body, new RegExp(`/acts/resolve/${id}`));
  const missing = await act(books, `resolve/${id}`);
  t.deepEqual(
    [missing.status, saidIn(missing)],
    [400, 'What became of the call: Please choose one.'],
  );
  let said = '';
  await until('no question is under way', async () => {
    said = saidIn(await act(books, `resolve/${id}`, { outcome: 'declined' }));
    return !said.includes('being asked');
  });
  t.is(said, `Payment ${id} is Declined.`);
  await workflow.result();
  t.deepEqual(await till.payments(), ['Declined 20.00 resolved']);
  t.deepEqual(await logOf(books), ['temporal resolve by operator Anna payment']);
  const over = await act(books, `resolve/${id}`, { outcome: 'approved' });
  t.deepEqual([over.status, saidIn(over)], [409, `payment ${id} is Declined already`]);
  const unknown = await act(books, 'resolve/1', { outcome: 'approved' });
  t.deepEqual([unknown.status, saidIn(unknown)], [404, 'there is no such payment']);
});

test.serial('events that were given up are sent again', async (t) => {
  harness.setTime(Date.now());
  const post = await openPostOf(harness, t);
  post.receiver.behave(() => 500);
  await post.raise(await post.customer());
  await until('it waits', async () => (await attributesOf(post.own)).includes('Retrying'));
  await post.work(({ tx }) =>
    tx.query('update callback_delivery set retry_at = now(), give_up_at = now()'),
  );
  await post.start(post.nudge);
  await until('it gave up', async () => (await attributesOf(post.own)).includes('GivenUp'));
  const id = post.nudge.objectId ?? 0;
  const page = await desk.get(`/ops/tenants/${post.label}`);
  t.true(page.body.includes(post.host));
  t.regex(page.body, new RegExp(`/acts/resend/${id}`));
  post.receiver.behave(() => 200);
  t.is(saidIn(await act(post, `resend/${id}`)), `Endpoint ${id} gets 1 events again.`);
  t.like(await post.own.result(), { phase: 'Done' });
  t.deepEqual(await logOf(post), ['temporal resume by operator Anna callbacks']);
});

test.serial(
  'an import that waits after a fault goes on, and another one is cancelled',
  async (t) => {
    const books = await openTenant(harness, { timezone: 'UTC' });
    const imports = importsIn(harness, books);
    const names = ['emailPrimary', 'extCustomerRef', 'firstName', 'lastName', 'username', 'passwd'];
    const file = (ref: string) => csv(names, [['a@example.com', ref, 'Ada', 'Byron', '', '']]);
    const [id, next] = [
      await imports.uploaded('customers', file('A-1')),
      await imports.uploaded('customers', file('A-2')),
    ];
    reading.set(id, () => {
      throw new DomainError('update.refused', 'the disk is not there');
    });
    await imports.finalize(id);
    await imports.finalize(next);
    const workflow = books.workflow(batch(id));
    await until('it waits', async () =>
      (await detailsOf(workflow)).includes('Waiting after a fault'),
    );
    t.is(saidIn(await act(books, `cancel-import/${next}`)), `Job ${next} is cancelled.`);
    reading.delete(id);
    t.is(saidIn(await act(books, `resume-import/${id}`)), `Job ${id} goes on.`);
    t.like(await workflow.result(), { status: 'Success', successes: 1 });
    t.is(await imports.status(next), 'Failure 0 0 Cancelled: ticket 7');
    t.deepEqual(await logOf(books), [
      'temporal cancel by operator Anna batchProcess',
      'temporal resume by operator Anna batchProcess',
    ]);
    t.is((await act(books, `cancel-import/${next}`)).status, 409);
  },
);

test.serial('a workflow that rows need is restarted; one that none needs is not', async (t) => {
  const { books, customerId, workflow } = await openDeclined(harness);
  await books.deliver(dunning(customerId));
  const before = await workflow.describe();
  const { workflowId } = workflow;
  const done = await act(books, 'restart', { workflow: workflowId });
  t.deepEqual([done.status, saidIn(done)], [200, `${workflowId} is started again.`]);
  const { runId, memo } = await workflow.describe();
  t.not(runId, before.runId);
  t.regex(String(memo?.['restarted']), /^restarted by operator Anna: ticket 7 at /);
  t.deepEqual(await logOf(books), [`ops restart ${workflowId} by operator Anna`]);
  for (const other of [`dunning/${books.label}/1`, 'order/elsewhere/1', 'nothing']) {
    const refused = await act(books, 'restart', { workflow: other });
    t.deepEqual(
      [refused.status, saidIn(refused)],
      [409, `No row needs ${other}, or another workflow carries it.`],
    );
  }
});
