/** A test clock and the payments of its tenant: an instant ends when they are final. */

import test from 'ava';
import { putMethodOnFile } from '../../../operations/payment-methods/methods.ts';
import { readTestClock } from '../../../operations/clock/test-clock.ts';
import { resolve } from '../../../workflows/contract/contract.ts';
import {
  advanceSlice,
  attributesOf,
  clock,
  openTenant,
  order,
  sendClock,
  until,
  type Books,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';
import { cards, openTill, payment, unreachable } from '../payments/till.ts';

const harness = await sharedHarness('real');
const { dependencies } = harness;

async function shop() {
  // A declined payment is not tried again.
  const file = { dunning: { thresholds: [], retryDays: [] } };
  const books = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z', file });
  const till = openTill(harness, books);
  return { books, till, ada: await books.customer() };
}

const isReady = async ({ tenantId }: Books) =>
  (await readTestClock(dependencies, tenantId)).status === 'Ready';

async function untilReady(books: Books): Promise<void> {
  await until('the clock is Ready', () => isReady(books));
}

test('the clock is Ready only after slow payments, also after one that it did not start', async (t) => {
  const { books, till, ada } = await shop();
  const slow = { number: cards.good, holder: 'SLOW ANSWER 1' };
  await till.onFile(ada, 1, slow);
  await books.order({ customerId: ada, contractCode: 'GOLD', isAutoPay: true });
  const bob = await books.customer();
  const id = await till.create({ customerId: bob, amount: '7.00', by: slow });
  await books.deliver(payment(id));
  await sendClock(dependencies, books.tenantId, '2027-02-05');
  await books.deliver(clock);
  await untilReady(books);
  // Both instants, 2 January and 1 February, and the payment beside them.
  t.deepEqual(await till.payments(), [
    'Paid 7.00, 7.00 left',
    'Paid 78.95, 0.00 left',
    'Paid 29.95, 0.00 left',
  ]);
});

test('the clock waits while a gateway does not answer, and says for how many payments', async (t) => {
  const { books, till, ada } = await shop();
  await books.work((work) => putMethodOnFile(work, { id: ada }, 1, unreachable));
  const id = await books.order({ customerId: ada, contractCode: 'GOLD', isAutoPay: true });
  await sendClock(dependencies, books.tenantId, '2027-01-20');
  const ending = new AbortController();
  const { signal } = ending;
  const sliced = advanceSlice(harness, books, { lanes: 1, signal });
  const stuck = 'Pending Charging 78.95';
  await until('it is to be paid', async () => (await till.payments()).length === 1);
  // By a gateway with a rate limit, so in its own workflow: the slice nudged nobody about it.
  const [cascade] = await books.read((tx) => tx.query<{ id: number }>('select id from payment'));
  await books.deliver(payment(cascade?.id ?? 0));
  await until('the gateway is asked', async () => (await till.payments()).includes(stuck));
  ending.abort();
  t.like(await sliced, { done: false, now: '2027-01-02T05:00:00.000Z', paying: 1 });
  t.false(await isReady(books));

  await books.deliver(clock);
  const workflow = till.workflow(cascade?.id ?? 0);
  await until('it asks', async () => (await attributesOf(workflow)).startsWith('Phase=Asking'));
  await until('it is resolved', () =>
    workflow
      .executeUpdate(resolve, {
        args: [{ outcome: 'declined', reason: 'no such gateway', by: 'Anna' }],
      })
      .then(
        () => true,
        () => false,
      ),
  );
  await untilReady(books);
  t.deepEqual(await till.payments(), ['Declined 78.95 resolved']);
  t.deepEqual(await books.invoices(), ['1001 2027-01-02 78.95']);
  await until('the order knows', async () =>
    (await attributesOf(books.workflow(order(id)))).endsWith('2027-02-01T05:00:00.000Z'),
  );
});

test('an order on the clock shows the day on which it pays, until it has paid', async (t) => {
  const books = await openTenant(harness, {
    testClock: '2027-01-01T12:00:00Z',
    file: { settings: { autopayOn: 'dueDate' } },
  });
  const till = openTill(harness, books);
  const ada = await books.customer();
  await till.onFile(ada, 1, { number: cards.good });
  const id = await books.order({
    customerId: ada,
    contractCode: 'GOLD',
    isAutoPay: true,
    dueDateValue: 10,
    dueDateUnits: 'Days',
  });
  const advanceTo = async (to: string) => {
    await sendClock(dependencies, books.tenantId, to);
    await books.deliver(clock);
    await untilReady(books);
  };
  const workflow = books.workflow(order(id));
  await advanceTo('2027-01-05');
  // Made on the 2nd, due on the 12th.
  await until('it will pay', async () =>
    (await attributesOf(workflow)).endsWith('NextActionAt=2027-01-12T05:00:00.000Z'),
  );
  await advanceTo('2027-01-15');
  t.deepEqual(await till.payments(), ['Paid 78.95, 0.00 left']);
  await until('it will bill', async () =>
    (await attributesOf(workflow)).endsWith('NextActionAt=2027-02-01T05:00:00.000Z'),
  );
});
