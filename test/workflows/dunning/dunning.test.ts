/** The workflow of a dunning: what it shows, what it does by itself, and what people ask of it. */

import test from 'ava';
import { finishRun, beatRun } from '../../../db/queries/due/billing-runs.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { holdDunning, resumeDunning } from '../../../workflows/contract/dunning.ts';
import { at, attributesOf, detailsOf, dunning, isRunning, until } from '../harness.ts';
import { refusedUpdate } from '../refused-update.ts';
import { sharedHarness } from '../setup.ts';
import { age, newYork, openDebtor } from './debtor.ts';

const harness = await sharedHarness('set');
const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };

async function sleeping() {
  const debtor = await openDebtor(harness);
  const { books, customerId, workflow } = debtor;
  harness.setTime(at(newYork, '2027-01-06', 3_600));
  await age(harness, books, '2027-01-06');
  await books.deliver(dunning(customerId));
  await until('it sleeps', async () => (await attributesOf(workflow)).includes('NextActionAt'));
  return debtor;
}

test.serial('it shows who owes what, since when, and what comes next', async (t) => {
  const { books, customerId, workflow } = await sleeping();
  t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-01-20T05:00:00.000Z');
  const details = await detailsOf(workflow);
  for (const line of [
    `**Dunning of customer ${customerId}, ${books.label}: Active**`,
    `- customer ADA-1 (id ${customerId})`,
    '- overdue: 10.00 USD, 1 days since 2027-01-05',
    '- next: becomes Overdue1 on 2027-01-20, waits until',
  ]) {
    t.true(details.includes(line), details);
  }
});

test.serial('it takes the step that the run of the day left, after that run', async (t) => {
  const { books, customerId, workflow } = await sleeping();
  harness.setTime(at(newYork, '2027-01-20', 120));
  // No run of that day came: it leaves the step to the run once, then takes it.
  await books.work(async ({ tx }) => {
    await beatRun(tx, '2027-01-20', { customers: 0, orders: 0, invoices: 0 });
    await finishRun(tx, '2027-01-20');
  });
  await books.start(dunning(customerId));
  await until('it is Overdue1', async () => (await attributesOf(workflow)).includes('Overdue1'));
  t.true((await detailsOf(workflow)).includes('- 2027-01-20: Active to Overdue1'));
  const rows = await books.read((tx) =>
    tx.query('select previous_status, new_status, cause from customer_transition'),
  );
  t.deepEqual(rows, [{ previousStatus: 'Active', newStatus: 'Overdue1', cause: 'ageing' }]);
});

test.serial('a hold and a resume keep their reasons, and show them', async (t) => {
  const { customerId, workflow, books } = await sleeping();
  const held = await workflow.executeUpdate(holdDunning, {
    args: [{ reason: 'pays on Friday', by: 'Anna' }],
  });
  t.deepEqual(held, { did: 'is held' });
  await refusedUpdate(
    t,
    workflow.executeUpdate(holdDunning, { args: [{ reason: 'pays in March', by: 'Anna' }] }),
    'it is held already: pays on Friday',
  );
  await until('it is Held', async () => (await attributesOf(workflow)).startsWith('Phase=Held'));
  const details = await detailsOf(workflow);
  t.true(details.includes('- waits for the Update resume: held (pays on Friday)'), details);
  t.true(details.includes('- 2027-01-06: hold: pays on Friday'), details);
  const went = await workflow.executeUpdate(resumeDunning, {
    args: [{ reason: 'did not pay', by: 'Anna' }],
  });
  t.deepEqual(went, { did: 'continues' });
  await refusedUpdate(
    t,
    workflow.executeUpdate(resumeDunning, { args: [{ reason: 'once more', by: 'Anna' }] }),
    'it is not held',
  );
  await until('it goes on', async () => (await attributesOf(workflow)).startsWith('Phase=Active'));
  const notes = await books.read((tx) =>
    tx.query('select customer_id, action, reason from dunning_note order by id'),
  );
  t.deepEqual(notes, [
    { customerId, action: 'hold', reason: 'pays on Friday' },
    { customerId, action: 'resume', reason: 'did not pay' },
  ]);
  const audited = await books.read((tx) =>
    tx.query('select action, username, path, object_id from audit_log order by id'),
  );
  const by = { action: 'command', username: 'Anna', objectId: customerId };
  t.deepEqual(audited, [
    { ...by, path: 'temporal hold' },
    { ...by, path: 'temporal resume' },
  ]);
});

test.serial(
  'an Update without a reason or a name, or with the number of a card, is refused',
  async (t) => {
    const { workflow } = await sleeping();
    for (const reason of ['', ' ', 'x'.repeat(256), 'card 4111 1111 1111 1111']) {
      const asked = workflow.executeUpdate(holdDunning, { args: [{ reason, by: 'Anna' }] });
      await refusedUpdate(t, asked, /^reason (is required|must not hold)[^\n]*$/);
    }
    for (const by of [undefined, ' ', 'x'.repeat(101)]) {
      const asked = workflow.executeUpdate(holdDunning, {
        args: [{ reason: 'pays on Friday', by }],
      });
      await refusedUpdate(t, asked, /^by is required[^\n]*$/);
    }
  },
);

test.serial('it ends when nothing is overdue, and starts again when something is', async (t) => {
  const { books, customerId, workflow } = await sleeping();
  await books.work((its) => cancelInvoice(harness.dependencies, its, { number: '1001' }, noFlags));
  await books.deliver(dunning(customerId));
  await until('it ends', async () => !(await isRunning(workflow)));
  t.like(await workflow.result(), { phase: 'Closed' });
});
