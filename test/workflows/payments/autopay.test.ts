/** Autopay in real time: the order's workflow pays an invoice, or the billing run does. */

import test from 'ava';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { auditWorkflows, findWorkflows } from '../../../operations/books/workflows.ts';
import { enqueueMissing } from '../../../operations/outbox/missing-workflows.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { overdue } from '../../support/database.ts';
import { testTemporal } from '../../support/temporal.ts';
import {
  at,
  attributesOf,
  detailsOf,
  isRunning,
  openTenant,
  order,
  runOn,
  until,
  type Books,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill } from './till.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');

async function shop(file: Readonly<Record<string, unknown>> = {}) {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, { file });
  const till = openTill(harness, books);
  const ada = await books.customer();
  await till.onFile(ada, 1, { number: cards.good });
  return { books, till, ada };
}

/** `Paid 0.00 open`, by number. */
const invoices = (books: Books) =>
  books.read(async (tx) => {
    const rows = await tx.query<{ text: string }>(
      `select status || ' ' || round(outstanding_balance, 2) || ' open' as text
       from invoice order by number_value`,
    );
    return rows.map((row) => row.text);
  });

test.serial('the workflow of a renewed order pays its invoice on its date', async (t) => {
  const { books, till, ada } = await shop();
  const id = await books.order({ customerId: ada, contractCode: 'GOLD', isAutoPay: true });
  harness.setTime(at(newYork, '2027-01-16', 60) - 300);
  await runOn(harness, books, '2027-01-16');
  t.deepEqual(await invoices(books), ['Outstanding 78.95 open']);
  t.deepEqual(await till.payments(), [], 'the run leaves it to the order');
  await books.deliver(order(id));
  await until('it is paid', async () => (await till.payments())[0]?.startsWith('Paid') === true);
  t.deepEqual(await till.payments(), ['Paid 78.95, 0.00 left']);
  t.deepEqual(await invoices(books), ['Paid 0.00 open']);
  const [made] = await books.read((tx) =>
    tx.query(`select is_system_payment, is_processed_by_billing_run, effective_date from payment`),
  );
  t.deepEqual(made, {
    isSystemPayment: true,
    isProcessedByBillingRun: true,
    effectiveDate: '2027-01-16',
  });
  // Nothing is left to do: the next wake reads one row, and sleeps until the next renewal.
  const woken = await books.wake({ orderId: id, yields: 0 });
  t.like(woken, { did: 'looked at the order', next: { what: 'bills', on: '2027-02-15' } });
  t.is((await till.payments()).length, 1);
  await books.workflow(order(id)).terminate();
});

test.serial(
  'with autopay on the due date the workflow sleeps until then, also if the order is complete',
  async (t) => {
    const { books, till, ada } = await shop({ settings: { autopayOn: 'dueDate' } });
    const id = await books.order({
      customerId: ada,
      contractCode: 'GOLD',
      isAutoPay: true,
      endDate: '2027-01-31',
      isAutoRenew: false,
    });
    harness.setTime(at(newYork, '2027-01-16', 61));
    await runOn(harness, books, '2027-01-16');
    // Its next action: it completes on 1 February, two weeks before the invoice is due.
    t.like(await books.wake({ orderId: id, yields: 1 }), {
      next: { what: 'completes', on: '2027-02-01' },
    });
    harness.setTime(at(newYork, '2027-02-01', 61));
    await runOn(harness, books, '2027-02-01');
    await books.deliver(order(id));
    const workflow = books.workflow(order(id));
    await until('it is over', async () => (await attributesOf(workflow)).includes('Complete'));
    t.is(await attributesOf(workflow), 'Phase=Complete NextActionAt=2027-02-15T05:00:00.000Z');
    t.true((await detailsOf(workflow)).includes('- next: pays on 2027-02-15'));
    t.deepEqual(await till.payments(), []);
    t.true(await isRunning(workflow));

    harness.setTime(at(newYork, '2027-02-15', 61));
    await workflow.signal('nudge');
    await until('it has ended', async () => !(await isRunning(workflow)));
    await until('it is paid', async () => (await invoices(books))[0] === 'Paid 0.00 open');
    // The installation, and 17 of the 31 days of a month: 49.00 + 16.42.
    t.deepEqual(await till.payments(), ['Paid 65.42, 0.00 left']);
  },
);

test.serial(
  'the run pays invoices made by hand on their day, and those that were missed',
  async (t) => {
    const { books, till, ada } = await shop({ settings: { autopayOn: 'dueDate' } });
    const bob = await books.customer();
    await till.onFile(bob, 1, { number: cards.good });
    const line = { invoiceLineItemCharges: [{ priceCode: 'X', amount: '12.00' }] };
    const byHand = { dueDate: '2027-01-20', isAutoPay: true, invoiceLineItems: [line] };
    await books.work((work) => createInvoice(work, { id: ada }, byHand));
    const missed = await books.order({
      customerId: bob,
      contractCode: 'GOLD',
      isAutoPay: true,
      dueDateValue: 3,
      dueDateUnits: 'Days',
    });
    harness.setTime(at(newYork, '2027-01-16', 61));
    await runOn(harness, books, '2027-01-16');
    harness.setTime(at(newYork, '2027-01-19', 61));
    await runOn(harness, books, '2027-01-19');
    t.deepEqual(await till.payments(), [], 'the order sees to its own of today');
    harness.setTime(at(newYork, '2027-01-20', 61));
    await runOn(harness, books, '2027-01-20');
    t.deepEqual((await till.payments()).toSorted(), [
      'Pending Waiting 12.00',
      'Pending Waiting 78.95',
    ]);
    await books.work(({ tx }) => tx.query(overdue));
    await until('all is paid', async () =>
      (await invoices(books)).every((text) => text === 'Paid 0.00 open'),
    );
    t.is((await books.wake({ orderId: missed, yields: 0 })).did, 'looked at the order');
    t.is((await till.charges()).length, 2);
  },
);

test.serial('an order that wakes before the clock of its invoice waits', async (t) => {
  const { books, till, ada } = await shop({ settings: { autopayOn: 'dueDate' } });
  const id = await books.order({
    customerId: ada,
    contractCode: 'GOLD',
    isAutoPay: true,
    dueDateValue: 10,
    dueDateUnits: 'Days',
  });
  harness.setTime(at(newYork, '2027-01-16', 61));
  await runOn(harness, books, '2027-01-16');
  const asked = harness.dependencies.realNow();
  const { next, waitMs } = await books.wake({ orderId: id, yields: 0 });
  const answered = harness.dependencies.realNow();
  t.like(next, { what: 'pays', on: '2027-01-26', at: at(newYork, '2027-01-26') });
  // A minute after its 00:00, from the moment at which it read its row.
  const wakeAt = at(newYork, '2027-01-26', 60);
  t.true(waitMs !== null && asked + waitMs <= wakeAt && wakeAt <= answered + waitMs);
  t.deepEqual(await till.payments(), []);
});

test.serial(
  'a customer without a method on file is not charged, and is checked once',
  async (t) => {
    const { books, till } = await shop();
    const bob = await books.customer();
    const id = await books.order({ customerId: bob, contractCode: 'GOLD', isAutoPay: true });
    harness.setTime(at(newYork, '2027-01-16', 61));
    await runOn(harness, books, '2027-01-16');
    t.is((await books.wake({ orderId: id, yields: 0 })).did, 'paid what was due');
    t.is((await books.wake({ orderId: id, yields: 0 })).did, 'looked at the order');
    t.deepEqual(await till.payments(), []);
    t.deepEqual(await invoices(books), ['Outstanding 78.95 open']);
  },
);

test.serial(
  'a Pending payment without a workflow is a fault, and a new engine gets it',
  async (t) => {
    const { books, till, ada } = await shop();
    const id = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
    const { dependencies, worker } = harness;
    const tenant = await tenantInfo(dependencies, books.tenantId);
    const finder = await findWorkflows(await testTemporal());
    t.teardown(() => finder.close());
    const faults = async () =>
      (await auditWorkflows(dependencies, tenant, finder)).filter(
        ({ check }) => check === 'payment.workflow',
      );
    t.deepEqual(await faults(), [], 'it is about to be started');
    await books.work(({ tx }) => tx.query('delete from outbox'));
    t.deepEqual(await faults(), [
      {
        check: 'payment.workflow',
        object: `payment ${id}`,
        detail: 'is Pending, but it has no running workflow, and no outbox row would start one',
      },
    ]);
    // The relay delivers its outbox rows at once.
    await enqueueMissing(dependencies, worker.relayDb, `an engine for ${books.label}`);
    await until('it is paid', async () => (await till.payments())[0]?.startsWith('Paid') === true);
    t.deepEqual(await faults(), []);
  },
);
