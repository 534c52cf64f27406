/** The log of a worker has a line for each piece of work, with ids, counts and time. */

import test from 'ava';
import pino from 'pino';
import { createPayment } from '../../operations/payments/create.ts';
import { workLog, type WorkLine } from '../../operations/context/work-log.ts';
import { at, attributesOf, billing, isRunning, openTenant, order, until } from './harness.ts';
import { sharedHarness } from './setup.ts';
import { cards, openTill, payment, unreachable } from './payments/till.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');

const linesOf = (label: string, work: WorkLine['work']): WorkLine[] =>
  harness.lines.filter((line) => line.tenant === label && line.work === work);

test.serial(
  'a billing batch logs counts, amounts and time; a hold logs the customer and the reason',
  async (t) => {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    const bad = await books.customer();
    const held = await books.order({ customerId: bad, contractCode: 'GOLD' });
    // A currency without a price in its plan, which the interface does not allow.
    await books.work(({ tx }) =>
      tx.query(`update subscription_order set currency = 'EUR' where id = $1`, [held]),
    );
    harness.setTime(at(newYork, '2027-01-16', 10));
    await books.start(billing);
    await until('the batch is told', async () => linesOf(books.label, 'billing batch').length > 0);
    const [batch] = linesOf(books.label, 'billing batch');
    t.like(batch, { customers: 1, orders: 1, invoices: 1, held: 1, skipped: 0, suspects: 0 });
    t.deepEqual(batch?.['amounts'], ['78.95 USD']);
    t.true((batch?.milliseconds ?? 0) > 0);
    const hold = { work: 'hold', tenant: books.label, customerId: bad, code: 'order.priceMissing' };
    t.deepEqual(linesOf(books.label, 'hold'), [hold as WorkLine]);
    await books.workflow(billing).terminate();
  },
);

test.serial('a payment logs its id, amount, outcome and time', async (t) => {
  const books = await openTenant(harness, {});
  const till = openTill(harness, books);
  const ada = await books.customer();
  const good = await till.create({ customerId: ada, amount: '20.00', by: { number: cards.good } });
  await till.wait(good, ada);
  const by = { number: cards.noFunds };
  const poor = await till.create({ customerId: ada, amount: '5.00', by });
  await till.wait(poor, ada);
  const lines = linesOf(books.label, 'payment');
  t.like(lines[0], { paymentId: String(good), status: 'Paid', amount: '20.00 USD', code: null });
  t.true((lines[0]?.milliseconds ?? 0) > 0);
  t.like(lines[1], { paymentId: String(poor), status: 'Declined', code: 'insufficient_funds' });
});

test.serial('a payment without a gateway is logged once it is committed', async (t) => {
  const books = await openTenant(harness, {});
  const customer = { id: await books.customer() };
  const method = { by: 'Cash', notes: null } as const;
  const input = { ...cash, customer, method };
  const failing = books.work(async (work) => {
    await createPayment(harness.dependencies, work, input, { userId: null });
    throw new Error('rolled back');
  });
  await t.throwsAsync(failing, { message: 'rolled back' });
  t.deepEqual(linesOf(books.label, 'payment'), []);
  const id = await books.work((work) =>
    createPayment(harness.dependencies, work, input, { userId: null }),
  );
  t.like(linesOf(books.label, 'payment'), [
    { paymentId: String(id), type: 'Payment', status: 'Paid', amount: '7.00 USD' },
  ]);
});

test.serial(
  'a call without an answer logs a retry, its code, and the time of the next one',
  async (t) => {
    const books = await openTenant(harness, {});
    const till = openTill(harness, books);
    const ada = await books.customer();
    const id = await till.create({ customerId: ada, amount: '20.00', by: unreachable });
    await books.deliver(payment(id));
    const workflow = till.workflow(id);
    await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
    t.like(linesOf(books.label, 'retry')[0], {
      of: 'payment',
      paymentId: String(id),
      code: 'gateway.unavailable',
      nextInMilliseconds: 2_000,
    });
    await workflow.terminate();
  },
);

test.serial('a delivery logs which workflows, how many, and how long', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.deliver(order(id));
  const [line] = linesOf(books.label, 'delivery');
  t.like(line, { delivered: 1, workflows: [`order/${books.label}/${id}`] });
  t.true((line?.milliseconds ?? 0) > 0);
  t.true(await isRunning(books.workflow(order(id))));
});

test('holds and retries are warnings, everything else is information', (t) => {
  const written: Record<string, unknown>[] = [];
  const write = (line: string) => void written.push(JSON.parse(line) as Record<string, unknown>);
  const tell = workLog(pino({ base: null, timestamp: false }, { write }));
  tell({ work: 'delivery', tenant: 'demo', delivered: 2, milliseconds: 1.5 });
  tell({ work: 'hold', tenant: 'demo', customerId: 7, code: 'order.priceMissing' });
  t.deepEqual(written, [
    { level: 30, tenant: 'demo', delivered: 2, milliseconds: 1.5, msg: 'delivery' },
    { level: 40, tenant: 'demo', customerId: 7, code: 'order.priceMissing', msg: 'hold' },
  ]);
});

const cash = {
  type: 'Payment',
  root: 'processPayment',
  amount: '7.00',
  totalSurcharge: null,
  currencyCode: null,
  generateInvoice: false,
  effectiveDate: null,
  invoiceText: null,
  purchaseDescription: null,
  internalNotes: null,
  invoiceIds: [],
} as const;
