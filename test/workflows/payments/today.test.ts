/** In real time an invoice is paid on the day on which it was made, whatever made it. */

import test from 'ava';
import { createOrder } from '../../../operations/orders/create.ts';
import { generateForOrder } from '../../../operations/orders/actions.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { createPayment } from '../../../operations/payments/create.ts';
import { fractionOf } from '../../../operations/outbox/wake-pace.ts';
import type { Nudge } from '../../../operations/context/nudge.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { overdue } from '../../support/database.ts';
import {
  at,
  attributesOf,
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
const { dependencies } = harness;
const noon = 12 * 3_600;

/** An order of 15 January, made on that day at noon, whose workflow sleeps until the 16th. */
async function shop(options: Parameters<typeof openTenant>[1] = {}) {
  harness.setTime(at(newYork, '2027-01-15', noon));
  const books = await openTenant(harness, options);
  const till = openTill(harness, books);
  const ada = await books.customer();
  await till.onFile(ada, 1, { number: cards.good });
  const id = await books.order({ customerId: ada, contractCode: 'GOLD', isAutoPay: true });
  await books.deliver(order(id));
  await until('it sleeps', async () =>
    (await attributesOf(books.workflow(order(id)))).startsWith('Phase=Active'),
  );
  return { books, till, ada, id };
}

/** The nudges that a process delivers after its commit. */
async function afterCommit(
  books: Books,
  operation: (work: OperationContext) => Promise<unknown>,
): Promise<Nudge[]> {
  const nudges = await books.work(async (work) => {
    await operation(work);
    return work.nudges;
  });
  for (const each of nudges) await books.deliver(each);
  return nudges;
}

const paid = (amount: string) => [`Paid ${amount}, 0.00 left`];

async function untilPaid({ till }: Awaited<ReturnType<typeof shop>>, amount: string) {
  await until('it is paid', async () => (await till.payments())[0]?.startsWith('Paid') === true);
  if (String(await till.payments()) !== String(paid(amount))) {
    throw new Error(String(await till.payments()));
  }
}

test.serial('an invoice by the action generateInvoice is paid at once', async (t) => {
  const its = await shop();
  const { books, id } = its;
  await afterCommit(books, (work) => generateForOrder(dependencies, work, { id }));
  t.deepEqual(await books.invoices(), ['1001 2027-01-15 78.95']);
  await untilPaid(its, '78.95');
  await books.workflow(order(id)).terminate();
});

test.serial(
  'an invoice of a new order is paid at once, through the workflow of an older order',
  async (t) => {
    const its = await shop();
    const { books, ada, id } = its;
    const input = { customerId: ada, contractCode: 'GOLD', isAutoPay: true };
    const how = { generateInvoice: true, forceInvoiceGeneration: false };
    const nudges = await afterCommit(books, (work) => createOrder(dependencies, work, input, how));
    const orders = nudges.filter(({ kind }) => kind === 'order').map(({ objectId }) => objectId);
    t.true(orders.includes(id), 'the older order is told');
    t.deepEqual(await books.invoices(), ['1001 2027-01-15 157.90']);
    await untilPaid(its, '157.90');
    for (const each of new Set(orders)) {
      await books.workflow({ kind: 'order', objectId: each }).terminate();
    }
  },
);

test.serial('an invoice made by hand is paid at once', async (t) => {
  const its = await shop();
  const { books, ada, id } = its;
  const charges = [{ priceCode: 'X', amount: '12.00' }];
  const input = { isAutoPay: true, invoiceLineItems: [{ invoiceLineItemCharges: charges }] };
  const nudges = await afterCommit(books, (work) => createInvoice(work, { id: ada }, input));
  t.deepEqual(
    nudges.map(({ kind }) => kind),
    ['payment'],
  );
  await untilPaid(its, '12.00');
  await books.workflow(order(id)).terminate();
});

test.serial(
  'an invoice made for a payment, or payable on a later day, nudges nobody',
  async (t) => {
    for (const [file, isForPayment] of [
      [{}, true],
      [{ settings: { autopayOn: 'dueDate' } }, false],
    ] as const) {
      const { books, till, ada, id } = await shop({ file });
      const sent = {
        type: 'Payment',
        root: 'processPayment',
        customer: { id: ada },
        amount: '1.00',
        totalSurcharge: null,
        currencyCode: null,
        generateInvoice: true,
        effectiveDate: null,
        invoiceText: null,
        purchaseDescription: null,
        internalNotes: null,
        invoiceIds: [],
        method: { by: 'Cash', notes: null },
      } as const;
      const nudges = await afterCommit(books, (work) =>
        isForPayment
          ? createPayment(dependencies, work, sent, { userId: null })
          : generateForOrder(dependencies, work, { id }),
      );
      t.deepEqual(nudges, []);
      t.is((await books.invoices()).length, 1);
      t.is((await till.payments()).length, isForPayment ? 1 : 0);
      await books.workflow(order(id)).terminate();
    }
  },
);

test.serial('an invoice on a test clock nudges nobody: the agenda contains it', async (t) => {
  const books = await openTenant(harness, { testClock: '2027-01-15T12:00:00Z' });
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD', isAutoPay: true });
  const nudges = await books.work(async (work) => {
    await generateForOrder(dependencies, work, { id });
    return work.nudges;
  });
  t.deepEqual(nudges, []);
});

test.serial(
  'an invoice of the run is paid when its order wakes, which removes its outbox row',
  async (t) => {
    const { books, till, id } = await shop();
    harness.setTime(at(newYork, '2027-01-16', 30));
    await runOn(harness, books, '2027-01-16');
    // Only for the relay, in at least ten minutes: a minute of the run, then the customer's share.
    t.deepEqual(await books.outbox(), [`order/${books.label}/${id}`]);
    const [{ seconds } = { seconds: 0 }] = await books.read((tx) =>
      tx.query<{ seconds: number }>(
        `select extract(epoch from deliver_after - now())::int as seconds from outbox`,
      ),
    );
    t.true(seconds > 300 && seconds <= 630, String(seconds));
    t.deepEqual(await till.payments(), []);
    await books.wake({ orderId: id, yields: 0 });
    t.deepEqual(await till.payments(), paid('78.95'));
    t.deepEqual(await books.outbox(), []);
    await books.workflow(order(id)).terminate();
  },
);

test.serial('after a run the rows are spread like the wakes of orders', async (t) => {
  const { books, id } = await shop({ file: { settings: { billingWindow: '1h' } } });
  for (let n = 0; n < 4; n += 1) {
    const customerId = await books.customer();
    await books.order({ customerId, contractCode: 'GOLD', isAutoPay: true });
  }
  await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.work(({ tx }) => tx.query('delete from outbox'));
  harness.setTime(at(newYork, '2027-01-16', 30));
  await runOn(harness, books, '2027-01-16');
  const rows = await books.read((tx) =>
    tx.query<{ customerId: number; seconds: number }>(
      `select s.customer_id, extract(epoch from o.deliver_after - now())::float8 as seconds
       from outbox o join subscription_order s on s.tenant_id = o.tenant_id and s.id = o.object_id
       order by o.deliver_after`,
    ),
  );
  t.is(rows.length, 5, 'one for each that pays by itself');
  const shares = rows.map(({ customerId }) => fractionOf(customerId));
  t.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  // Ten minutes, the run's own minute, and each customer's share of the hour.
  const expected = shares.map((share) => 630 + share * 3_600);
  t.true(rows.every(({ seconds }, index) => seconds <= (expected[index] ?? 0) + 1));
  t.true(rows.every(({ seconds }, index) => seconds > (expected[index] ?? 0) - 300));
  await books.workflow(order(id)).terminate();
});

test.serial('an invoice of the run is paid on its day even if its workflow was lost', async (t) => {
  const its = await shop();
  const { books, till, id } = its;
  const workflow = books.workflow(order(id));
  await workflow.terminate();
  harness.setTime(at(newYork, '2027-01-16', noon));
  await runOn(harness, books, '2027-01-16');
  t.deepEqual(await till.payments(), []);
  await books.work(({ tx }) => tx.query(overdue));
  await untilPaid(its, '78.95');
  t.true(await isRunning(workflow));
  await workflow.terminate();
});
