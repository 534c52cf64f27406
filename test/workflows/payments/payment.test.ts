/** A payment's workflow on a real server, with the sandbox: once, in turn, until it is final. */

import { noStorage } from '../../../providers/storage/open-storage.ts';
import test, { type ExecutionContext } from 'ava';
import { startWorker } from '../../../activities/run-worker.ts';
import { awaitPayment } from '../../../operations/gateway-calls/await.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { openEngine } from '../../../operations/outbox/engine.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { overdue } from '../../support/database.ts';
import { unsentMail } from '../../support/mail.ts';
import { suffix, testBundle, testTemporal } from '../../support/temporal.ts';
import { SECRET_KEY } from '../../support/tenants.ts';
import { attributesOf, detailsOf, eventsOf, isRunning, openTenant, until } from '../harness.ts';
import { startHarness } from '../setup.ts';
import { PATIENT_MS, cards, openTill, payment, unreachable } from './till.ts';

const harness = await startHarness();

async function shop() {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  return { books, till, ada: await books.customer() };
}

test('a caller that waits for a payment learns when it is final, and its nudge is delivered too', async (t) => {
  const { books, till, ada } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  t.deepEqual(await till.payments(), ['Pending Waiting 20.00']);
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), ['Paid 20.00, 20.00 left']);
  t.deepEqual(await till.charges(), ['Approved 20.00']);
  t.deepEqual(await books.outbox(), []);
  const workflow = till.workflow(id);
  await until('it has ended', async () => !(await isRunning(workflow)));
  const description = await workflow.describe();
  t.is(await description.staticSummary(), `Payment ${id} of 20.00 USD, ${books.label}`);
  const own = description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  t.deepEqual(Object.fromEntries(own), {
    Tenant: books.label,
    TenantId: String(books.tenantId),
    CustomerId: String(ada),
    Phase: 'Paid',
    BuildIds: own.find(([name]) => name === 'BuildIds')?.[1],
  });
  t.deepEqual(await eventsOf(workflow), [
    'workflowExecutionStarted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'workflowExecutionUpdateAccepted',
    'activityTaskScheduled',
    'activityTaskStarted',
    'activityTaskCompleted',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'upsertWorkflowSearchAttributes',
    'workflowExecutionUpdateCompleted',
    'workflowExecutionCompleted',
  ]);
});

test('a declined payment shows that and the reason', async (t) => {
  const { till, ada } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.noFunds } });
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), ['Declined 20.00 insufficient_funds']);
  const workflow = till.workflow(id);
  t.is(await attributesOf(workflow), 'Phase=Declined FailureCode=insufficient_funds');
  t.true((await detailsOf(workflow)).includes(`payment ${id} was declined`));
});

test('one workflow tries the methods on file in turn', async (t) => {
  const { till, ada } = await shop();
  await till.onFile(ada, 1, { number: cards.declined });
  await till.onFile(ada, 2, { number: cards.noFunds });
  await till.onFile(ada, 3, { number: cards.good });
  const by = { by: 'preference', preference: 1 } as const;
  const id = await till.create({ customerId: ada, amount: '20.00', by });
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), [
    'Declined 20.00 card_declined',
    'Declined 20.00 insufficient_funds',
    'Paid 20.00, 20.00 left',
  ]);
  t.is(await attributesOf(till.workflow(id)), 'Phase=Paid');
});

test('a refund has a workflow of the same type, under its own name', async (t) => {
  const { books, till, ada } = await shop();
  const paid = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  await till.wait(paid, ada);
  const refund = { type: 'Refund', customerId: ada, amount: '5.00', by: null } as const;
  const id = await till.create(refund);
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it has ended', async () => !(await isRunning(workflow)));
  t.is(
    await (await workflow.describe()).staticSummary(),
    `Refund ${id} of 5.00 USD, ${books.label}`,
  );
  t.deepEqual(await till.payments(), ['Paid 20.00, 15.00 left', 'Paid -5.00, 0.00 left']);
  t.is(await attributesOf(workflow), 'Phase=Paid');
});

test('a refund says for which credit notes it is', async (t) => {
  const { books, till, ada } = await shop();
  const lines = { invoiceLineItems: [{ invoiceLineItemCharges: [{ amount: '20.00' }] }] };
  const invoice = await books.work((its) => createInvoice(its, { id: ada }, lines));
  const paid = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  await till.wait(paid, ada);
  const note = { reason: 'Line was down', amount: '5.00' };
  await books.work((its) => createCreditNote(its, { id: invoice }, note, { refund: true }));
  const [id = 0] = await books.read(async (tx) =>
    (await tx.query<{ id: number }>(`select id from payment where phase = 'Waiting'`)).map(
      (row) => row.id,
    ),
  );
  await books.deliver(payment(id));
  const workflow = till.workflow(id);
  await until('it has ended', async () => !(await isRunning(workflow)));
  t.is(
    await (await workflow.describe()).staticSummary(),
    `Refund ${id} of 5.00 USD for credit note 1002, ${books.label}`,
  );
  const later = await till.create({
    type: 'Refund',
    customerId: ada,
    amount: '8.00',
    by: null,
    invoiceIds: [invoice],
    invoiceText: 'Courtesy',
  });
  await till.wait(later, ada);
  t.regex(await detailsOf(till.workflow(later)), /\n- for credit note 1003\n/);
});

test('simultaneous payments of one customer are all made, one after the other', async (t) => {
  const { books, till, ada } = await shop();
  const amounts = ['10.00', '20.00', '30.00', '40.00'];
  const ids: number[] = [];
  for (const amount of amounts) {
    ids.push(await till.create({ customerId: ada, amount, by: { number: cards.good } }));
  }
  await Promise.all(ids.map((id) => till.wait(id, ada)));
  t.deepEqual(
    await till.payments(),
    amounts.map((amount) => `Paid ${amount}, ${amount} left`),
  );
  t.deepEqual(
    (await till.charges()).toSorted(),
    amounts.map((amount) => `Approved ${amount}`),
  );
  t.deepEqual(await books.outbox(), []);
});

test('the relay starts a payment whose process died after its commit', async (t) => {
  const { books, till, ada } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  await books.work(({ tx }) => tx.query(overdue));
  await until('it is paid', async () => (await till.payments())[0]?.startsWith('Paid') === true);
  t.is(
    await (await till.workflow(id).describe()).staticSummary(),
    `Payment ${id} of 20.00 USD, ${books.label}`,
  );
});

test('nobody waits longer than the limit, or for an engine that is down', async (t) => {
  const { till, ada, books } = await shop();
  const id = await till.create({ customerId: ada, amount: '20.00', by: unreachable });
  // This payment never ends, so a caller with a long limit still waits.
  const patient = till.wait(id, ada, PATIENT_MS).then(() => 'patient');
  const told = till.wait(id, ada, 50).then(() => 'told');
  t.is(await Promise.race([patient, told]), 'told');
  t.true((await till.payments())[0]?.startsWith('Pending'));
  const port = await choosePort({ variable: 'a free port', wanted: undefined });
  const away = openEngine({
    address: `127.0.0.1:${port}`,
    namespace: 'default',
    taskQueue: 'none',
    identity: 'test',
  });
  const shown = { customerRef: null, amount: '20.00', currency: 'USD' };
  const cascadeTarget = {
    cascadeId: id,
    customerId: ada,
    type: 'Payment',
    gateway: 'sandbox',
    ...shown,
  } as const;
  const tenant = { id: books.tenantId, label: books.label };
  const late = awaitPayment(away, tenant, cascadeTarget, 300).then(() => 'told');
  t.is(await Promise.race([patient, late]), 'told');
  await away.close();
  t.true((await till.payments())[0]?.startsWith('Pending'));
  // The first caller's start may still be on its way.
  await until('it has begun', () => isRunning(till.workflow(id)).catch(() => false));
  await till.workflow(id).terminate();
  await patient;
});

/** A task queue whose workers the test itself starts and stops. */
async function ownQueue(t: ExecutionContext) {
  const { address, namespace } = await testTemporal();
  const taskQueue = `test-${suffix()}`;
  const engine = openEngine({ address, namespace, taskQueue, identity: 'test' });
  t.teardown(() => engine.close());
  const place = { dependencies: harness.dependencies, engine };
  const books = await openTenant(place, {});
  const start = async () =>
    startWorker({
      databaseUrl: harness.ownerUrl,
      temporalAddress: address,
      temporalNamespace: namespace,
      taskQueue,
      identity: 'another',
      workflowBundle: await testBundle(),
      gateway: { secretKeys: SECRET_KEY },
      mail: unsentMail(),
      storage: noStorage,
      realNow: Date.now,
      onError: () => undefined,
    });
  return { till: openTill(place, books), ada: await books.customer(), start };
}

test('the next worker continues a payment', async (t) => {
  const { till, ada, start } = await ownQueue(t);
  const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  // No worker takes its task.
  await till.wait(id, ada, 200);
  t.deepEqual(await till.payments(), ['Pending Waiting 20.00']);
  const worker = await start();
  t.teardown(() => worker.stop());
  await till.wait(id, ada);
  t.deepEqual(await till.payments(), ['Paid 20.00, 20.00 left']);
});

test('a worker that is stopped finishes its calls, and the next one does the rest', async (t) => {
  const { till, ada, start } = await ownQueue(t);
  const slow = { number: cards.good, holder: 'SLOW ANSWER 1' };
  const first = await start();
  const id = await till.create({ customerId: ada, amount: '20.00', by: slow });
  const over = till.wait(id, ada);
  await until('the gateway is asked', async () =>
    /^(Pending Charging|Paid)/.test((await till.payments())[0] ?? ''),
  );
  await first.stop();
  t.deepEqual(await till.payments(), ['Paid 20.00, 20.00 left']);
  t.deepEqual(await till.charges(), ['Approved 20.00']);
  const second = await start();
  t.teardown(() => second.stop());
  await over;
  await until('it has ended', async () => !(await isRunning(till.workflow(id))));
});
