/** The kept paths of the workflow of a dunning. */
import type { WorkflowHandle } from '@temporalio/client';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import {
  holdDunning,
  resumeDunning,
  retryDunningNow,
} from '../../../workflows/contract/dunning.ts';
import {
  at,
  attributesOf,
  detailsOf,
  dunning,
  isRunning,
  until,
  type Harness,
} from '../../workflows/harness.ts';
import { cards } from '../../workflows/payments/till.ts';
import { age, newYork, openDebtor, openDeclined } from '../../workflows/dunning/debtor.ts';

const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };

export const dunningPaths: Record<string, (harness: Harness) => Promise<WorkflowHandle>> = {
  async 'dunning-held-resumed-closed'(harness) {
    const { books, customerId, workflow } = await openDebtor(harness);
    harness.setTime(at(newYork, '2027-01-06', 3_600));
    await age(harness, books, '2027-01-06');
    await books.deliver(dunning(customerId));
    const shows = (text: string) =>
      until(text, async () => (await attributesOf(workflow)).includes(text));
    await shows('NextActionAt');
    await workflow.executeUpdate(holdDunning, { args: [{ reason: 'a promise', by: 'Anna' }] });
    await shows('Held');
    await workflow.executeUpdate(resumeDunning, { args: [{ reason: 'not kept', by: 'Anna' }] });
    await shows('Active');
    await books.work((its) =>
      cancelInvoice(harness.dependencies, its, { number: '1001' }, noFlags),
    );
    await books.start(dunning(customerId));
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'dunning-cancel-answered'(harness) {
    const { books, customerId, workflow } = await openDebtor(harness);
    harness.setTime(at(newYork, '2027-01-06', 3_600));
    await age(harness, books, '2027-01-06');
    await books.deliver(dunning(customerId));
    await until('it sleeps', async () => (await attributesOf(workflow)).includes('NextActionAt'));
    await workflow.cancel();
    await until('it answers', async () => (await detailsOf(workflow)).includes('goes on'));
    await workflow.executeUpdate(holdDunning, { args: [{ reason: 'a promise', by: 'Anna' }] });
    await until('it is Held', async () => (await attributesOf(workflow)).includes('Held'));
    return workflow;
  },

  async 'dunning-retried-now'(harness) {
    const { books, till, customerId, workflow } = await openDeclined(harness);
    await books.deliver(dunning(customerId));
    await until('it sleeps', async () => (await attributesOf(workflow)).includes('NextActionAt'));
    for (const number of [cards.declined, cards.good]) {
      await till.onFile(customerId, 1, { number });
      await workflow.executeUpdate(retryDunningNow, {
        args: [{ reason: 'a new card', by: 'Anna' }],
      });
    }
    await until('it ends', async () => !(await isRunning(workflow)));
    return workflow;
  },

  async 'dunning-refused'(harness) {
    const { books, customerId, workflow } = await openDebtor(harness);
    harness.setTime(at(newYork, '2027-01-06', 3_600));
    await age(harness, books, '2027-01-06');
    await books.deliver(dunning(customerId));
    const shows = (text: string) =>
      until(text, async () => (await attributesOf(workflow)).includes(text));
    await shows('NextActionAt');
    const refused = (asked: Promise<unknown>) =>
      asked.then(
        () => Promise.reject(new Error('it was not refused')),
        () => undefined,
      );
    await refused(
      workflow.executeUpdate(resumeDunning, { args: [{ reason: 'not held', by: 'Anna' }] }),
    );
    await workflow.executeUpdate(holdDunning, { args: [{ reason: 'a promise', by: 'Anna' }] });
    await shows('Held');
    for (const update of [holdDunning, retryDunningNow]) {
      await refused(
        workflow.executeUpdate(update, { args: [{ reason: 'once more', by: 'Anna' }] }),
      );
    }
    await workflow.executeUpdate(resumeDunning, { args: [{ reason: 'not kept', by: 'Anna' }] });
    await shows('Active');
    return workflow;
  },

  async 'dunning-ages-by-its-timer'(harness) {
    const { books, customerId, workflow } = await openDebtor(harness);
    harness.setTime(at(newYork, '2027-01-06', 3_600));
    await age(harness, books, '2027-01-06');
    // The first timer ends at once; no run of that day began.
    harness.setTime(at(newYork, '2027-01-20', 60) - 1_000);
    await books.deliver(dunning(customerId));
    await until('it has aged', async () => (await attributesOf(workflow)).includes('Overdue1'));
    return workflow;
  },
};
