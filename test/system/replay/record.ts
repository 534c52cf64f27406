/**
 * Entry: records kept histories, one per path through a workflow, by executing each on real
 * servers.
 * `node test/system/replay/record.ts NAME ...` writes test/system/replay/histories/NAME.json. Use
 * it for new paths only: a kept history that no longer replays shows a change that breaks running
 * workflows.
 */

import { firstLookAt } from '../../../operations/due/first-looks.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { updateOrder } from '../../../operations/orders/update.ts';
import { deliver } from '../../../operations/outbox/deliver.ts';
import { workflowIdOf } from '../../../operations/outbox/enqueue.ts';
import { readTestClock } from '../../../operations/clock/test-clock.ts';
import { serve, type TestServers } from '../../support/servers.ts';
import { administer, databaseUrl } from '../../support/template.ts';
import {
  at,
  attributesOf,
  billing,
  clock,
  detailsOf,
  eventsOf,
  sendClock,
  isRunning,
  openHarness,
  openTenant,
  order,
  until,
  type Books,
  type Harness,
} from '../../workflows/harness.ts';
import { historyToText } from './history.ts';
import { callbackPaths } from './record-callbacks.ts';
import { dunningPaths } from './record-dunning.ts';
import { faultyStorage, importPaths } from './record-imports.ts';
import { mailPaths } from './record-mail.ts';
import { paymentPaths } from './record-payments.ts';
import { planPaths } from './record-plans.ts';
import { signupPaths } from './record-signups.ts';
import { taxPaths } from './record-taxes.ts';

const newYork = 'America/New_York';
const LANES_FROM = 5;
const sleeps = async (workflow: WorkflowHandle) =>
  (await eventsOf(workflow)).includes('timerStarted');

/** A tenant in real time with one GOLD order of 2027-01-15, whose workflow sleeps. */
async function oneOrder(harness: Harness): Promise<{ books: Books; id: number }> {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.deliver(order(id));
  await until('it sleeps', () => sleeps(books.workflow(order(id))));
  return { books, id };
}

async function nudgedAs(books: Books, id: number, attributes: string): Promise<WorkflowHandle> {
  const workflow = books.workflow(order(id));
  await workflow.signal('nudge');
  await until(attributes, async () => (await attributesOf(workflow)).startsWith(attributes));
  return workflow;
}

const paths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  ...callbackPaths,
  ...mailPaths,
  ...paymentPaths,
  ...dunningPaths,
  ...planPaths,
  ...taxPaths,
  ...importPaths,
  ...signupPaths,

  async 'subscription-sleeps'(harness) {
    const { books, id } = await oneOrder(harness);
    return books.workflow(order(id));
  },

  async 'subscription-bills-by-its-timer'(harness) {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    harness.setTime(at(newYork, '2027-01-16', 60) - 1_000);
    await books.deliver(order(id));
    // No run began: left to the run once, then billed.
    await until('it has billed', async () => (await books.invoices()).length > 0);
    await until('it knows', async () =>
      (await attributesOf(books.workflow(order(id)))).endsWith('2027-02-15T05:00:00.000Z'),
    );
    return books.workflow(order(id));
  },

  /** It has no task before, and begins with what the delivery saw. */
  async 'subscription-begins-at-its-first-step'(harness) {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    harness.setTime(at(newYork, '2027-01-16', 60) - 1_000);
    const { dependencies, worker } = harness;
    const looking = { ...worker.engine, firstLookAt };
    await deliver(dependencies, looking, books.tenantId, [workflowIdOf(books, order(id))]);
    const workflow = books.workflow(order(id));
    await until('it has billed and sleeps', async () => {
      const isKnown = (await attributesOf(workflow)).endsWith('2027-02-15T05:00:00.000Z');
      return isKnown && (await eventsOf(workflow)).at(-1) === 'timerStarted';
    });
    return workflow;
  },

  async 'subscription-held-then-canceled'(harness) {
    const { books, id } = await oneOrder(harness);
    await books.work(({ tx }) =>
      tx.query(`update customer set billing_held_at = now(), billing_held_code = 'a.code'`),
    );
    await nudgedAs(books, id, 'Phase=Held FailureCode=a.code');
    await books.work(({ tx }) =>
      tx.query('update customer set billing_held_at = null, billing_held_code = null'),
    );
    await nudgedAs(books, id, 'Phase=Active');
    await books.work((work) =>
      updateOrder(harness.dependencies, work, { id }, { orderStatus: 'Canceled' }),
    );
    const workflow = await nudgedAs(books, id, 'Phase=Canceled');
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'subscription-continues-as-new'(harness) {
    const { books, id } = await oneOrder(harness);
    const workflow = books.workflow(order(id));
    const { runId } = await workflow.describe();
    const first = harness.engine.client.getHandle(workflow.workflowId, runId);
    const wakes = async () => (await eventsOf(first)).filter((name) => name === 'markerRecorded');
    for (let wake = 1; wake <= 24; wake += 1) {
      await workflow.signal('nudge');
      await until(`wake ${wake + 1}`, async () =>
        wake === 24 ? !(await isRunning(first)) : (await wakes()).length > wake,
      );
    }
    return first;
  },

  async 'billing-run-two-days'(harness) {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    harness.setTime(at(newYork, '2027-01-16') - 3_000);
    await books.start(billing);
    const workflow = books.workflow(billing);
    await until('it has billed the second', async () =>
      (await detailsOf(workflow)).includes('next run: 2027-01-17'),
    );
    return workflow;
  },

  /** As many customers are due as the harness of this file needs for lanes. */
  async 'billing-run-in-lanes'(harness) {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    for (let made = 0; made < LANES_FROM; made += 1) {
      await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    }
    harness.setTime(at(newYork, '2027-01-16', 10));
    await books.start(billing);
    const workflow = books.workflow(billing);
    await until('it has billed', async () =>
      (await detailsOf(workflow)).includes('next run: 2027-01-17'),
    );
    return workflow;
  },

  async 'billing-run-on-a-test-clock'(harness) {
    const books = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z' });
    await books.start(billing);
    await books.workflow(billing).result();
    return books.workflow(billing);
  },

  async 'test-clock-reaches-its-target'(harness) {
    const books = await onAClock(harness);
    return books.workflow(clock);
  },

  async 'subscription-on-a-test-clock'(harness) {
    const books = await onAClock(harness);
    const [row] = await books.read((tx) =>
      tx.query<{ id: number }>('select id from subscription_order'),
    );
    return books.workflow(order(row?.id ?? 0));
  },
};

async function onAClock(harness: Harness): Promise<Books> {
  const books = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z' });
  await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await sendClock(harness.dependencies, books.tenantId, '2027-03-15');
  await books.deliver(clock);
  await books.workflow(clock).result();
  const { status } = await readTestClock(harness.dependencies, books.tenantId);
  if (status !== 'Ready') throw new Error('the clock ended on its way');
  return books;
}

const servers = serve(['postgres', 'temporal', 'bundle']);
try {
  const { adminUrl, template, bundle, ...temporal } = (await servers.addresses) as TestServers;
  await administer(adminUrl, `create database record template ${template}`);
  const ownerUrl = databaseUrl(adminUrl, 'record');
  const gateway = { timeLimitMs: 500 };
  const storage = faultyStorage();
  const where = {
    ownerUrl,
    ...temporal,
    bundle: { codePath: bundle },
    gateway,
    storage,
    lanesFrom: LANES_FROM,
  };
  const harness = await openHarness(where);
  for (const name of process.argv.slice(2)) {
    const workflow = await paths[name]?.(harness);
    if (!workflow) throw new Error(`no path ${name}; there are ${Object.keys(paths).join(', ')}`);
    const text = historyToText(await workflow.fetchHistory());
    await writeFile(join(import.meta.dirname, 'histories', `${name}.json`), text);
    process.stdout.write(`${name}: ${text.length} bytes\n`);
  }
  await harness.worker.stop();
} finally {
  await servers.stop();
}
