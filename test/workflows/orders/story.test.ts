/** The Temporal Web UI's view of an order: its customer, what happened, what it waits for. */

import test from 'ava';
import { updateOrder } from '../../../operations/orders/update.ts';
import { resolvedHistory } from '../history-text.ts';
import { metered } from '../../operations/support/usage.ts';
import {
  at,
  attributesOf,
  detailsOf,
  isRunning,
  openTenant,
  order,
  clock,
  sendClock,
  summariesOf,
  until,
  type Books,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');

async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of harness.engine.client.list({ query })) ids.push(workflowId);
  return ids;
}

async function untilAsleep(books: Books, id: number): Promise<void> {
  await until('it sleeps', async () =>
    (await attributesOf(books.workflow(order(id)))).includes('NextActionAt'),
  );
}

test.serial('an order is found by its tenant, its number and its customer', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.order({
    customerId: await books.customer('ADA-1'),
    contractCode: 'GOLD',
  });
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const of = `Tenant = '${books.label}'`;
  const queries = [
    `${of} and OrderNumber = '1001'`,
    `${of} and CustomerRef = 'ADA-1'`,
    `${of} and Phase = 'Active' and NextActionAt < '2027-01-17T00:00:00Z'`,
    `${of} and TenantId = '${books.tenantId}'`,
  ];
  for (const query of queries) {
    await until(query, async () => (await found(query)).length > 0);
    t.deepEqual(await found(query), [`order/${books.label}/${id}`], query);
  }
  t.deepEqual(await found(`${of} and Phase = 'Held'`), []);
});

test.serial('a reference that may be an e-mail address is nowhere in the engine', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer('ada@example.com');
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const workflow = books.workflow(order(id));
  const { typedSearchAttributes } = await workflow.describe();
  t.false(typedSearchAttributes.getAll().some(({ key }) => key.name === 'CustomerRef'));
  t.true((await detailsOf(workflow)).includes(`- customer ${customerId}\n`));
  t.notRegex(await resolvedHistory(workflow), /ada@example/);
});

test.serial('a workflow from before these attributes gets them at its next look', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.order({
    customerId: await books.customer('ADA-1'),
    contractCode: 'GOLD',
  });
  const workflow = await harness.engine.client.start('subscription', {
    workflowId: `order/${books.label}/${id}`,
    taskQueue: harness.engine.taskQueue,
    args: [{ tenantId: String(books.tenantId), orderId: String(id), title: 'An old order' }],
  });
  await untilAsleep(books, id);
  const own = (await workflow.describe()).typedSearchAttributes
    .getAll()
    .map(({ key, value }) => [key.name, value]);
  t.like(Object.fromEntries(own), { Tenant: books.label, CustomerRef: 'ADA-1' });
});

test.serial(
  'each look shows its reason and what had changed, each wait shows until when',
  async (t) => {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const customerId = await books.customer('ADA-1');
    const id = await books.order({ customerId, contractCode: 'GOLD' });
    await books.deliver(order(id));
    await untilAsleep(books, id);
    const workflow = books.workflow(order(id));
    // No run began, so its own wake bills it.
    harness.setTime(at(newYork, '2027-01-16', 61));
    await workflow.signal('nudge');
    await until('it has billed', async () =>
      (await attributesOf(workflow)).endsWith('2027-02-15T05:00:00.000Z'),
    );
    // Behind the workflow's own.
    const summaries = (await summariesOf(workflow)).slice(1);
    t.is(summaries[0], 'markerRecorded: looks at the order for the first time');
    t.regex(
      summaries[1] ?? '',
      /^timerStarted: until \d{4}-\d\d-\d\d \d\d:\d\d UTC, then bills on 2027-01-16; before: is Active$/,
    );
    t.is(
      summaries[2],
      'markerRecorded: was nudged; before: 2027-01-15: is Active; next was: bills on 2027-01-16',
    );
    t.regex(summaries.at(-1) ?? '', /before: invoice 1001, 78\.95 USD$/);
    t.regex(
      await resolvedHistory(workflow),
      /"did":"billed what was due","happened":\["2027-01-16: invoice 1001, 78\.95 USD"\]/,
    );
    const details = await detailsOf(workflow);
    t.true(details.includes(`- customer ADA-1 (id ${customerId})`), details);
    t.true(
      details.endsWith('- 2027-01-15: is Active\n- 2027-01-16: invoice 1001, 78.95 USD'),
      details,
    );
  },
);

test.serial('a hold and its release are shown', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const workflow = books.workflow(order(id));
  const setHold = (code: string | null) =>
    books.work(({ tx }) =>
      tx.query(
        `update customer set billing_held_code = $2::text,
           billing_held_at = case when $2::text is not null then now() end where id = $1`,
        [customerId, code],
      ),
    );
  await setHold('order.priceMissing');
  await workflow.signal('nudge');
  await until('it is held', async () => (await attributesOf(workflow)).startsWith('Phase=Held'));
  const held = await detailsOf(workflow);
  t.true(held.includes('- held from billing (order.priceMissing) until somebody activates'), held);
  t.true(held.includes('- 2027-01-15: the customer is held from billing: order.priceMissing'));
  await setHold(null);
  await workflow.signal('nudge');
  await until('it goes on', async () => (await attributesOf(workflow)).startsWith('Phase=Active'));
  t.true((await detailsOf(workflow)).endsWith('- 2027-01-15: the customer is billed again'));
});

test.serial('a finished order keeps its details, also in its result', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const workflow = books.workflow(order(id));
  await books.work((work) =>
    updateOrder(harness.dependencies, work, { id }, { orderStatus: 'Canceled' }),
  );
  await books.deliver(order(id));
  await until('it has ended', async () => !(await isRunning(workflow)));
  const happened = ['2027-01-15: is Active', '2027-01-15: is Canceled, was Active'];
  t.deepEqual(await workflow.result(), { phase: 'Canceled', happened });
  const details = await detailsOf(workflow);
  t.true(details.includes('- next: nothing, it has ended'), details);
  t.true(details.endsWith(happened.map((each) => `- ${each}`).join('\n')), details);
});

test.serial('on a test clock it waits for a day of the clock, and shows that', async (t) => {
  const books = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z' });
  const id = await books.order({
    customerId: await books.customer(),
    contractCode: 'GOLD',
    startDate: '2027-01-10',
  });
  await sendClock(harness.dependencies, books.tenantId, '2027-02-01');
  await books.deliver(clock);
  const end = (await books.workflow(clock).result()) as { happened: string[] };
  t.deepEqual(end.happened, ['2027-01-10: 1 invoice of 78.95 USD']);
  const ofClock = await detailsOf(books.workflow(clock));
  t.true(ofClock.startsWith(`**Test clock, ${books.label}: Ready**`), ofClock);
  t.true(ofClock.endsWith('- 2027-01-10: 1 invoice of 78.95 USD'), ofClock);
  t.is(await attributesOf(books.workflow(clock)), 'Phase=Ready');
  await until('the order has seen it', async () =>
    (await attributesOf(books.workflow(order(id)))).endsWith('2027-02-10T05:00:00.000Z'),
  );
  const details = await detailsOf(books.workflow(order(id)));
  t.true(
    details.includes('- next: bills on 2027-02-10 by the test clock, which was at 2027-01-10'),
  );
  t.true(details.endsWith('- 2027-01-10: invoice 1001, 78.95 USD'), details);
});

test.serial('the details of an order say how far its coupon is used', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const coupons = [{ code: 'WELCOME10', percent: 10, periods: 3 }];
  const books = await openTenant(harness, { file: { coupons } });
  const customerId = await books.customer('ADA-1');
  const input = { customerId, contractCode: 'GOLD', couponCode: 'WELCOME10' };
  const id = await books.order(input);
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const details = await detailsOf(books.workflow(order(id)));
  t.true(details.includes('\n- coupon WELCOME10: 0 of 3 periods, to 2027-04-14\n'), details);
});

test.serial('the details of an order say which usage it bills next', async (t) => {
  harness.setTime(at(newYork, '2027-01-01', 3_600));
  const file = { settings: { usageGraceDays: 2 } };
  const books = await openTenant(harness, { plans: [metered], file });
  const id = await books.order({ customerId: await books.customer(), contractCode: 'METERED' });
  await books.deliver(order(id));
  await untilAsleep(books, id);
  const details = await detailsOf(books.workflow(order(id)));
  t.true(details.includes('\n- bills usage of 2027-01 on 2027-02-03\n'), details);
});
