/** The workflow of an endpoint: it sends, waits, shows what it waits for, and ends. */
import test, { type ExecutionContext } from 'ava';
import { resumeCallbacks } from '../../../workflows/contract/contract.ts';
import { enqueueNeeded } from '../../../db/queries/outbox/missing-workflows.ts';
import { callbackSecret } from '../../support/receiver.ts';
import { attributesOf, detailsOf, isRunning, summariesOf, until } from '../harness.ts';
import { startHarness } from '../setup.ts';
import { openPostOf } from './post.ts';
import { objectWorkflows } from '../../../operations/workflow-kinds/table.ts';

const harness = await startHarness();

const openPost = (t: ExecutionContext) => openPostOf(harness, t);

test('it delivers and ends; its result says what happened', async (t) => {
  const post = await openPost(t);
  const ada = await post.customer();
  await post.raise(ada, ada);
  const end = (await post.own.result()) as { phase: string; happened: readonly string[] };
  t.is(end.phase, 'Done');
  t.regex(end.happened.join(), /^\d{4}-.* UTC: 2 events delivered$/);
  t.is(post.receiver.accepted.length, 2);
  const { searchAttributes } = await post.own.describe();
  t.deepEqual(searchAttributes['Tenant'], [post.label]);
  // Neither the secret nor the path of the address, which may be one, is shown.
  const shown = JSON.stringify([await post.own.fetchHistory(), harness.lines]);
  const texts = Buffer.from(shown).toString();
  for (const hidden of [callbackSecret, callbackSecret.slice('whsec_'.length), '/hook']) {
    for (const text of [hidden, Buffer.from(hidden).toString('base64').replace(/=+$/, '')]) {
      t.false(texts.includes(text), text);
    }
  }
});

test('while the endpoint fails it shows why, what waits, and when it tries again', async (t) => {
  const post = await openPost(t);
  post.receiver.behave(() => 503);
  await post.raise(await post.customer());
  await until('it waits', async () => (await attributesOf(post.own)).includes('Retrying'));
  t.regex(await attributesOf(post.own), /^Phase=Retrying FailureCode=http_503 NextActionAt=/);
  const [heading = '', , ...facts] = (await detailsOf(post.own)).split('\n');
  t.is(
    heading,
    `**Callbacks to endpoint ${post.nudge.objectId}, ${post.label}: Retrying (http_503)**`,
  );
  t.is(facts[0], `- endpoint: ${post.host}`);
  t.regex(facts[1] ?? '', /^- 1 event waiting, the oldest since \d{4}-.* UTC$/);
  t.regex(facts[2] ?? '', /^- next: sends at \d{4}-.* UTC$/);
  const summaries = await summariesOf(post.own);
  t.true(
    summaries.some((text) => /^timerStarted: until .*, then tries again \(http_503\)$/.test(text)),
  );
  post.receiver.behave(() => 200);
  // A test moves the time instead of waiting for it.
  await post.work(({ tx }) => tx.query('update callback_delivery set retry_at = now()'));
  await post.start(post.nudge);
  t.like(await post.own.result(), { phase: 'Done' });
});

test('what was given up keeps it open until a person resumes it with a reason', async (t) => {
  const post = await openPost(t);
  post.receiver.behave(() => 500);
  await post.raise(await post.customer());
  await until('it waits', async () => (await attributesOf(post.own)).includes('Retrying'));
  await post.work(({ tx }) =>
    tx.query('update callback_delivery set retry_at = now(), give_up_at = now()'),
  );
  await post.start(post.nudge);
  await until('it gave up', async () => (await attributesOf(post.own)).includes('GivenUp'));
  t.true(await isRunning(post.own));
  const details = await detailsOf(post.own);
  t.regex(details, /\n- 1 event given up\n- the Update resume sends them again, with a reason\n/);
  post.receiver.behave(() => 200);
  const resume = (reason: string) =>
    post.own.executeUpdate(resumeCallbacks, { args: [{ reason, by: 'Anna' }] });
  await t.throwsAsync(resume(' '));
  await t.throwsAsync(resume('card 4111 1111 1111 1111'));
  t.deepEqual(await resume('the receiver was mended'), { events: 1 });
  const end = (await post.own.result()) as { happened: readonly string[] };
  t.true(end.happened.includes('resumed, 1 sent again: the receiver was mended'));
  t.is(post.receiver.accepted.length, 1);
});

test('poisoned customers pause it by half a minute at most, and a healthy one passes them', async (t) => {
  const post = await openPost(t);
  const poisoned: number[] = [];
  for (let count = 0; count < 6; count += 1) poisoned.push(await post.customer());
  const healthy = await post.customer();
  const isHealthy = (body: string): boolean => body.includes(`<customer id="${healthy}"`);
  post.receiver.behave(({ body }) => (isHealthy(body) ? 200 : 500));
  const pausedMs = async (): Promise<number> => {
    const [row] = await post.read((tx) =>
      tx.query<{ ms: number }>(
        `select extract(epoch from paused_until - now())::float8 * 1000 as ms
         from callback_endpoint`,
      ),
    );
    return row?.ms ?? 0;
  };
  await post.raise(...poisoned);
  for (let look = 1; look <= 5; look += 1) {
    await until('it is paused', async () => (await pausedMs()) > 0);
    await until('it says so', async () =>
      (await attributesOf(post.own)).startsWith('Phase=Paused FailureCode=http_500'),
    );
    t.true((await pausedMs()) <= 30_000);
    await post.work(({ tx }) => tx.query('update callback_endpoint set paused_until = now()'));
    await post.work(({ tx }) => tx.query('update callback_delivery set retry_at = now()'));
    await post.start(post.nudge);
  }
  await until('it is paused', async () => (await pausedMs()) > 0);
  await post.raise(healthy);
  await post.work(({ tx }) => tx.query('update callback_endpoint set paused_until = now()'));
  await post.start(post.nudge);
  await until('the healthy one', () => Promise.resolve(post.receiver.accepted.length === 1));
  await until('it waits', async () => (await attributesOf(post.own)).startsWith('Phase=Retrying'));
  await post.own.terminate();
});

test("a tenant's endpoint that does not answer delays no other tenant", async (t) => {
  const [slow, quick] = [await openPost(t), await openPost(t)];
  slow.receiver.behave(() => undefined);
  await slow.raise(await slow.customer());
  await until('its post is under way', () => Promise.resolve(slow.receiver.received.length > 0));
  await quick.raise(await quick.customer());
  t.like(await quick.own.result(), { phase: 'Done' });
  t.is(slow.receiver.atOnce(), 1);
  t.true(await isRunning(slow.own));
  slow.receiver.behave(() => 200);
});

test('an endpoint that is off ends its workflow, and what it was owed is given up', async (t) => {
  const post = await openPost(t);
  post.receiver.behave(() => 500);
  await post.raise(await post.customer());
  await until('it waits', async () => (await attributesOf(post.own)).includes('Retrying'));
  await post.work(({ tx }) =>
    tx.query('update callback_endpoint set is_on = false, secret = null'),
  );
  await post.start(post.nudge);
  t.like(await post.own.result(), { phase: 'Off' });
  const rows = await post.read((tx) => tx.query('select state, last_error from callback_delivery'));
  t.deepEqual(rows, [{ state: 'GivenUp', lastError: 'http_500' }]);
});

test('an engine that lost its data gets the workflows of endpoints with something to send', async (t) => {
  const [owing, idle] = [await openPost(t), await openPost(t)];
  await idle.raise(await idle.customer());
  await idle.own.result();
  owing.receiver.behave(() => 500);
  await owing.raise(await owing.customer());
  await until('it waits', async () => (await attributesOf(owing.own)).includes('Retrying'));
  await owing.own.terminate('the engine lost its data');
  const enqueued = ({ label, work }: typeof owing): Promise<number> =>
    work(({ tx }) =>
      enqueueNeeded(tx, {
        kind: 'callbacks',
        needed: objectWorkflows.callbacks.needed,
        idPrefix: `callbacks/${label}/`,
        customerIds: null,
        perSecond: null,
        after: 0,
      }),
    );
  t.is(await enqueued(idle), 0);
  t.is(await enqueued(owing), 1);
  owing.receiver.behave(() => 200);
  await owing.work(({ tx }) => tx.query('update callback_delivery set retry_at = now()'));
  await owing.deliver(owing.nudge);
  t.like(await owing.workflow(owing.nudge).result(), { phase: 'Done' });
  t.is(owing.receiver.accepted.length, 1);
});
