/** The workflow of a payment plan: it charges on its day, and tells what it does and waits for. */

import test from 'ava';
import { createPaymentPlan, disablePaymentPlan } from '../../../operations/payment-plans/change.ts';
import { readPaymentPlan } from '../../../operations/payment-plans/read.ts';
import { skipInstallment } from '../../../workflows/contract/contract.ts';
import type { PlanInput } from '../../../domain/payment-plans/terms.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import {
  at,
  attributesOf,
  detailsOf,
  isRunning,
  openTenant,
  summariesOf,
  until,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill } from '../payments/till.ts';

const harness = await sharedHarness('set');
const newYork = 'America/New_York';

const weekly: PlanInput = {
  chargeAmount: '20',
  chargeOnlyIfBalanceOwed: false,
  startDate: '2027-01-16',
  totalNumberOfInstallments: 2,
  frequencyValue: 1,
  frequencyUnits: 'Weeks',
};

const planNudge = (objectId: number): Nudge => ({ kind: 'paymentPlan', objectId });

/** On 15 January 2027, with a card on file; the workflow of the plan sleeps. */
async function opened(number: string = cards.good) {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const customerId = await books.customer('ADA-1');
  await till.onFile(customerId, 1, { number });
  await books.work((work) => createPaymentPlan(work, { id: customerId }, weekly));
  const plan = () => books.read((tx) => readPaymentPlan(tx, { id: customerId }));
  const id = (await plan())?.id ?? 0;
  await books.deliver(planNudge(id));
  const workflow = books.workflow(planNudge(id));
  await until('it sleeps', async () => (await summariesOf(workflow)).length > 1);
  return { books, customerId, id, plan, workflow };
}

test.serial(
  'it sleeps until the day of the next installment, charges it, and ends with the plan',
  async (t) => {
    const { books, customerId, id, plan, workflow } = await opened();
    t.is(
      // The engine's own time, until which it waits, is not the worker's here.
      (await detailsOf(workflow)).replace(/, waits until .*/, ''),
      `**Payment plan ${id}, ${books.label}: Enabled**\n\n- customer ADA-1 (id ${customerId})\n` +
        '- 20.00 USD every 1 Weeks, whatever is owed; 2 installments to come\n' +
        '- next: charges installment 1 on 2027-01-16',
    );
    t.is(await attributesOf(workflow), 'Phase=Enabled NextActionAt=2027-01-16T05:00:00.000Z');
    t.regex(
      (await summariesOf(workflow)).at(-1) ?? '',
      /then charges installment 1 on 2027-01-16$/,
    );

    harness.setTime(at(newYork, '2027-01-16', 120));
    await books.start(planNudge(id));
    await until('it has charged', async () => (await plan())?.remainingInstallments === 1);
    await until('it says so', async () =>
      (await detailsOf(workflow)).includes('installment 1 paid'),
    );
    t.regex(
      await detailsOf(workflow),
      /- next: charges installment 2 on 2027-01-23.*\n- 2027-01-16: installment 1 paid 20\.00 USD by payment \d+$/,
    );

    harness.setTime(at(newYork, '2027-01-23', 120));
    await books.start(planNudge(id));
    await until('it has ended', async () => !(await isRunning(workflow)));
    const end = (await workflow.result()) as { phase: string; happened: string[] };
    t.is(end.phase, 'Ended');
    t.regex(
      end.happened.join('; '),
      /installment 2 paid 20\.00 USD.*; 2027-01-23: the plan is no longer enabled$/,
    );
  },
);

test.serial('a declined installment shows its decline, and the day of the retry', async (t) => {
  const { books, id, workflow } = await opened(cards.declined);
  harness.setTime(at(newYork, '2027-01-16', 120));
  await books.start(planNudge(id));
  await until('it says so', async () => (await detailsOf(workflow)).includes('was declined'));
  t.regex(
    await detailsOf(workflow),
    /- next: retries installment 1 on 2027-01-17.*\n- 2027-01-16: installment 1 was declined: 20\.00 USD by payment \d+$/,
  );
  await workflow.terminate();
});

test.serial('the Update skipInstallment skips the next one, and keeps the reason', async (t) => {
  const { plan, workflow } = await opened();
  const wake = await workflow.executeUpdate(skipInstallment, {
    args: [{ reason: ' moved house ', by: 'Anna' }],
  });
  t.is(wake.did, 'skipped installment 1');
  t.like(await plan(), { remainingInstallments: 1, nextPaymentDate: '2027-01-23' });
  await until('it says so', async () =>
    (await detailsOf(workflow)).includes('2027-01-15: installment 1 was skipped: moved house'),
  );
  const refusals = [{ reason: '' }, { reason: 'card 4111 1111 1111 1111' }, {}];
  for (const args of refusals) {
    await t.throwsAsync(workflow.executeUpdate('skipInstallment', { args: [args] }));
  }
  await workflow.executeUpdate(skipInstallment, { args: [{ reason: 'and again', by: 'Anna' }] });
  await until('it has ended', async () => !(await isRunning(workflow)));
  t.like(await plan(), { isEnabled: false, remainingInstallments: 0 });
});

test.serial('a plan that is disabled ends its workflow', async (t) => {
  const { books, customerId, id, workflow } = await opened();
  await books.work((work) => disablePaymentPlan(work, { id: customerId }));
  await books.deliver(planNudge(id));
  await until('it has ended', async () => !(await isRunning(workflow)));
  t.regex(await detailsOf(workflow), /: Ended\*\*[^]*- next: nothing, the plan has ended/);
});
