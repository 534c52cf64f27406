/** The paths through a hosted sign-up's workflow, each executed while it is recorded. */

import type { WorkflowHandle } from '@temporalio/client';
import { awaitSignup } from '../../../operations/signups/await.ts';
import { readSignup } from '../../../operations/signups/signup-row.ts';
import { cancelSignup } from '../../../workflows/contract/contract.ts';
import {
  isRunning,
  openTenant,
  summariesOf,
  until,
  type Harness,
} from '../../workflows/harness.ts';
import { cards, openTill } from '../../workflows/payments/till.ts';
import { openLink, signupNudge, submitForm } from '../../workflows/signups/link.ts';

const WAIT_MS = 30_000;

async function opened(harness: Harness, minutes = 30) {
  harness.setTime(Date.now());
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const id = await openLink(books, { minutes });
  const workflow = books.workflow(signupNudge(id));
  await until('it sleeps', async () => (await summariesOf(workflow)).length > 2);
  const submit = async (number: string): Promise<void> => {
    const tryId = await submitForm(books, till, { id, card: { number } });
    const tenant = { id: books.tenantId, label: books.label };
    await until('the try is final', async () => {
      await awaitSignup(harness.engine, tenant, { signupId: id, tryId }, WAIT_MS);
      const row = await books.read((tx) => readSignup(tx, { id }));
      return ['paid', 'declined'].includes(row?.lastTry?.status ?? '');
    });
  };
  return { workflow, submit };
}

async function ended(workflow: WorkflowHandle): Promise<WorkflowHandle> {
  await until('it ends', async () => !(await isRunning(workflow)));
  return workflow;
}

export const signupPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'signup-approved'(harness) {
    const { workflow, submit } = await opened(harness);
    await submit(cards.good);
    return ended(workflow);
  },

  async 'signup-declined-then-approved'(harness) {
    const { workflow, submit } = await opened(harness);
    await submit(cards.declined);
    await submit(cards.good);
    return ended(workflow);
  },

  async 'signup-declined-thrice'(harness) {
    const { workflow, submit } = await opened(harness);
    for (const number of [cards.declined, cards.noFunds, cards.declined]) await submit(number);
    return ended(workflow);
  },

  async 'signup-expires'(harness) {
    const { workflow } = await opened(harness, 0.05);
    return ended(workflow);
  },

  async 'signup-cancelled'(harness) {
    const { workflow } = await opened(harness);
    await workflow.executeUpdate(cancelSignup, { args: [{ reason: 'a test link', by: 'Anna' }] });
    return ended(workflow);
  },

  async 'signup-continues-as-new'(harness) {
    const { workflow } = await opened(harness);
    const { runId } = await workflow.describe();
    const first = harness.engine.client.getHandle(workflow.workflowId, runId);
    for (let look = 1; look <= 24; look += 1) {
      await workflow.signal('nudge');
      await until(`look ${look + 1}`, async () =>
        look === 24
          ? !(await isRunning(first))
          : (await summariesOf(first)).length > 2 * (look + 1),
      );
    }
    return first;
  },
};
