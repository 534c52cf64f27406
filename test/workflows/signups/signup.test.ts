/** The workflow of a hosted sign-up: it carries each form to its end, and ends with the link. */
import test from 'ava';
import { awaitSignup } from '../../../operations/signups/await.ts';
import { readSignup } from '../../../operations/signups/signup-row.ts';
import { cancelSignup } from '../../../workflows/contract/contract.ts';
import { attributesOf, detailsOf, isRunning, openTenant, summariesOf, until } from '../harness.ts';
import { refusedUpdate } from '../refused-update.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill } from '../payments/till.ts';
import { openLink, signupNudge, submitForm } from './link.ts';

const harness = await sharedHarness('real');
const WAIT_MS = 30_000;

async function opened({ minutes = 30 }: { readonly minutes?: number } = {}) {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const id = await openLink(books, { minutes });
  const workflow = books.workflow(signupNudge(id));
  const status = async () => (await books.read((tx) => readSignup(tx, { id })))?.status;
  const sleeps = (looks: number) =>
    until('it sleeps', async () => (await summariesOf(workflow)).length > 2 * looks);
  /** As the API does it: the call waits until the try is final. */
  const submit = async (number: string) => {
    const tryId = await submitForm(books, till, { id, card: { number } });
    const tenant = { id: books.tenantId, label: books.label };
    await until('the try is final', async () => {
      await awaitSignup(harness.engine, tenant, { signupId: id, tryId }, WAIT_MS);
      const row = await books.read((tx) => readSignup(tx, { id }));
      return row?.lastTry?.status !== 'submitted' && row?.lastTry?.status !== 'charging';
    });
  };
  return { books, till, id, workflow, status, sleeps, submit };
}

test.serial('an approved card ends it, and its details say so', async (t) => {
  const { books, id, workflow, status, sleeps, submit } = await opened();
  await sleeps(1);
  t.regex(
    await detailsOf(workflow),
    new RegExp(String.raw`^\*\*Signup ${id}, ${books.label}: open until \d\d:\d\d\*\*$`, 'm'),
  );
  t.regex(await attributesOf(workflow), /^Phase=Open$/);
  await submit(cards.good);
  t.is(await status(), 'PROCESSED');
  await until('it ends', async () => !(await isRunning(workflow)));
  t.like(await workflow.result(), { phase: 'Processed' });
  t.regex(await attributesOf(workflow), /^Phase=Processed$/);
});

test.serial('three declined cards fail it', async (t) => {
  const { workflow, status, submit } = await opened();
  await submit(cards.declined);
  t.is(await status(), 'DRAFT');
  t.regex(await detailsOf(workflow), /1 of 3 tries declined, order 1001/);
  await submit(cards.declined);
  await submit(cards.noFunds);
  t.is(await status(), 'FAILED');
  await until('it ends', async () => !(await isRunning(workflow)));
  t.regex(await attributesOf(workflow), /^Phase=Failed FailureCode=declined$/);
});

test.serial('it expires by its timer, in real time', async (t) => {
  const { workflow, status } = await opened({ minutes: 0.02 });
  await until('it ends', async () => !(await isRunning(workflow)));
  t.is(await status(), 'EXPIRED');
});

test.serial('an operator ends it with a reason, once', async (t) => {
  const { workflow, status, sleeps } = await opened();
  await sleeps(1);
  await refusedUpdate(
    t,
    workflow.executeUpdate(cancelSignup, { args: [{ reason: ' ', by: 'Anna' }] }),
    /reason is required/,
  );
  const outcome = await workflow.executeUpdate(cancelSignup, {
    args: [{ reason: 'a test link', by: 'Anna' }],
  });
  t.is(outcome.did, 'ends');
  await until('it ends', async () => !(await isRunning(workflow)));
  t.is(await status(), 'EXPIRED');
});

test.serial('the look of a worker that died is repeated within seconds', async (t) => {
  const { workflow, sleeps } = await opened();
  await sleeps(1);
  const { events } = await workflow.fetchHistory();
  const looks = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
  t.deepEqual(
    looks.map(({ heartbeatTimeout }) => Number(heartbeatTimeout?.seconds ?? 0)),
    [5],
  );
});
