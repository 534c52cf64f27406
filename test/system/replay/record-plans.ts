/** The paths through a payment plan's workflow, each executed while it is recorded. */

import type { WorkflowHandle } from '@temporalio/client';
import { createPaymentPlan, disablePaymentPlan } from '../../../operations/payment-plans/change.ts';
import { readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import { skipInstallment } from '../../../workflows/contract/contract.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import {
  type Harness,
  at,
  isRunning,
  openTenant,
  summariesOf,
  until,
} from '../../workflows/harness.ts';
import { cards, openTill } from '../../workflows/payments/till.ts';

const newYork = 'America/New_York';

/** Two weekly installments from 16 January on; its workflow sleeps since the day before. */
async function sleeping(harness: Harness, number: string = cards.good) {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer('ADA-1');
  await openTill(harness, books).onFile(customerId, 1, { number });
  await books.work((work) =>
    createPaymentPlan(
      work,
      { id: customerId },
      {
        chargeAmount: '20',
        chargeOnlyIfBalanceOwed: false,
        startDate: '2027-01-16',
        totalNumberOfInstallments: 2,
        frequencyValue: 1,
        frequencyUnits: 'Weeks',
      },
    ),
  );
  const plan = await books.read((tx) => readPaymentPlan(tx, { id: customerId }));
  const nudge: Nudge = { kind: 'paymentPlan', objectId: plan?.id ?? 0 };
  await books.deliver(nudge);
  const workflow = books.workflow(nudge);
  await until('it sleeps', async () => (await summariesOf(workflow)).length > 1);
  return { books, customerId, nudge, workflow };
}

async function ended(workflow: WorkflowHandle): Promise<WorkflowHandle> {
  await until('it ends', async () => !(await isRunning(workflow)));
  return workflow;
}

export const planPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'payment-plan-charges'(harness) {
    const { books, nudge, workflow } = await sleeping(harness);
    harness.setTime(at(newYork, '2027-01-16', 120));
    await books.start(nudge);
    await until('it has charged', async () => {
      const paid = await books.read((tx) =>
        tx.query(`select 1 from collection_attempt where outcome = 'paid'`),
      );
      return paid.length > 0;
    });
    await until('it sleeps again', async () => (await summariesOf(workflow)).length > 3);
    return workflow;
  },

  async 'payment-plan-declined'(harness) {
    const { books, nudge, workflow } = await sleeping(harness, cards.declined);
    harness.setTime(at(newYork, '2027-01-16', 120));
    await books.start(nudge);
    await until('it sleeps again', async () => (await summariesOf(workflow)).length > 3);
    return workflow;
  },

  async 'payment-plan-skipped-to-its-end'(harness) {
    const { workflow } = await sleeping(harness);
    for (const reason of ['moved house', 'paid by cheque']) {
      await workflow.executeUpdate(skipInstallment, { args: [{ reason, by: 'Anna' }] });
    }
    return ended(workflow);
  },

  async 'payment-plan-disabled'(harness) {
    const { books, customerId, nudge, workflow } = await sleeping(harness);
    await books.work((work) => disablePaymentPlan(work, { id: customerId }));
    await books.deliver(nudge);
    return ended(workflow);
  },
};
