/** The paths through a payment's workflow, each executed while it is recorded. */

import type { WorkflowHandle } from '@temporalio/client';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { resolve } from '../../../workflows/contract/contract.ts';
import {
  attributesOf,
  isRunning,
  openTenant,
  until,
  type Harness,
} from '../../workflows/harness.ts';
import { cards, openTill, payment, unreachable, type Paid } from '../../workflows/payments/till.ts';

async function shop(harness: Harness) {
  harness.setTime(Date.now());
  const books = await openTenant(harness, {});
  return { books, till: openTill(harness, books), customerId: await books.customer() };
}

type Shop = Awaited<ReturnType<typeof shop>>;

/** Started by a caller that waits for it. */
async function awaited({ till, customerId }: Shop, by: Paid['by']): Promise<WorkflowHandle> {
  const id = await till.create({ customerId, amount: '20.00', by });
  await till.wait(id, customerId);
  const workflow = till.workflow(id);
  await until('it ends', async () => !(await isRunning(workflow)));
  return workflow;
}

/** Started by its nudge; its gateway cannot be reached. */
async function stuck(
  { books, till, customerId }: Shop,
  by: Paid['by'] = unreachable,
): Promise<WorkflowHandle> {
  const id = await till.create({ customerId, amount: '20.00', by });
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  return workflow;
}

export const paymentPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  'payment-approved': async (harness) => awaited(await shop(harness), { number: cards.good }),

  async 'payment-declined-then-cascade'(harness) {
    const its = await shop(harness);
    await its.till.onFile(its.customerId, 1, { number: cards.declined });
    await its.till.onFile(its.customerId, 2, { number: cards.good });
    return awaited(its, { by: 'preference', preference: 1 });
  },

  'payment-declined': async (harness) => awaited(await shop(harness), { number: cards.noFunds }),

  'payment-unknown-then-asked': async (harness) =>
    awaited(await shop(harness), { number: cards.timesOut }),

  async 'payment-waits-its-turn'(harness) {
    const its = await shop(harness);
    const first = await stuck(its);
    const id = await its.till.create({
      customerId: its.customerId,
      amount: '5.00',
      by: { number: cards.good },
    });
    await its.books.deliver(payment(id));
    const workflow = its.till.workflow(id);
    await until('it waits', async () => (await attributesOf(workflow)).startsWith('Phase=Waiting'));
    await resolved(first, 'declined');
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'payment-resolved'(harness) {
    const workflow = await stuck(await shop(harness));
    await resolved(workflow, 'approved');
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'payment-held-then-resolved'(harness) {
    const { books, till, customerId } = await shop(harness);
    const by = { number: cards.good };
    const id = await till.create({ customerId, amount: '20.00', by });
    await till.chargedElsewhere(id, '9');
    await books.deliver(payment(id));
    const workflow = till.workflow(id);
    await until('it is held', async () =>
      (await attributesOf(workflow)).endsWith('FailureCode=gateway.difference'),
    );
    await resolved(workflow, 'declined');
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'payment-overtaken'(harness) {
    const { books, till, customerId } = await shop(harness);
    const charges = [{ priceCode: 'X', amount: '20.00' }];
    const input = { invoiceLineItems: [{ invoiceLineItemCharges: charges }] };
    const invoice = await books.work((work) => createInvoice(work, { id: customerId }, input));
    const sent = { customerId, amount: '20.00', by: { number: cards.good }, invoiceIds: [invoice] };
    const [first, second] = [await till.create(sent), await till.create(sent)];
    await till.wait(first, customerId);
    await till.wait(second, customerId);
    const workflow = till.workflow(second);
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'payment-goes-on-at-another-gateway'(harness) {
    const its = await shop(harness);
    const { books, till, customerId } = its;
    await till.onFile(customerId, 1, { number: cards.declined });
    await books.work((work) => putMethodOnFile(work, { id: customerId }, 2, unreachable));
    const by = { by: 'preference', preference: 1 } as const;
    const workflow = await stuck(its, by);
    await resolved(workflow, 'declined');
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'payment-continues-as-new'(harness) {
    const workflow = await stuck(await shop(harness));
    const { runId } = await workflow.describe();
    const first = harness.engine.client.getHandle(workflow.workflowId, runId);
    await until('it is another run', async () => {
      await workflow.signal('nudge').catch(() => undefined);
      return !(await isRunning(first));
    });
    await workflow.terminate();
    return first;
  },
};

/** It waits for at least two seconds before it asks again, which is long enough. */
async function resolved(workflow: WorkflowHandle, outcome: 'approved' | 'declined'): Promise<void> {
  await workflow.executeUpdate(resolve, {
    args: [{ outcome, reason: 'seen at the bank', by: 'Anna' }],
  });
}
