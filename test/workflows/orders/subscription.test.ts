/**
 * An order's workflow on a real server: it sleeps, reads its row, and bills what was not billed.
 */

import test from 'ava';
import { hold } from '../../../operations/billing/customers.ts';
import { activateCustomer } from '../../../operations/customers/status.ts';
import { changeOrder } from '../../../operations/orders/change.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import { beatRun, finishRun } from '../../../db/queries/due/billing-runs.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import {
  at,
  attributesOf,
  detailsOf,
  eventsOf,
  isRunning,
  openTenant,
  order,
  until,
} from '../harness.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');

test.serial('a new order shows in the engine with its number, phase and next action', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  const workflow = books.workflow(order(id));
  await until('it waits for the next 00:00', async () =>
    (await attributesOf(workflow)).includes('NextActionAt'),
  );
  t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-01-16T05:00:00.000Z');
  const description = await workflow.describe();
  t.is(await description.staticSummary(), `Order 1001 GOLD, ${books.label}`);
  t.is(description.workflowId, `order/${books.label}/${id}`);
  const own = description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  t.like(Object.fromEntries(own), {
    Tenant: books.label,
    TenantId: String(books.tenantId),
    CustomerId: String(customerId),
    OrderNumber: '1001',
  });
  t.deepEqual(await books.outbox(), [], 'delivered rows are deleted');
});

test.serial('one wake is one workflow task: one read, one upsert, the next timer', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await books.deliver(order(id));
  const workflow = books.workflow(order(id));
  await until('it sleeps', async () => (await eventsOf(workflow)).includes('timerStarted'));
  t.deepEqual(await eventsOf(workflow), [
    'workflowExecutionStarted',
    'workflowExecutionSignaled',
    'workflowTaskScheduled',
    'workflowTaskStarted',
    'workflowTaskCompleted',
    'markerRecorded',
    'upsertWorkflowSearchAttributes',
    'timerStarted',
  ]);
});

test.serial(
  'its timer wakes it a minute after the due 00:00, and it bills what no run billed',
  async (t) => {
    // A minute and 300 ms before it may wake, so the test checks the run first.
    harness.setTime(at(newYork, '2027-01-16', 60) - 300);
    const books = await openTenant(harness, {});
    const id = await books.order({
      customerId: await books.customer(),
      contractCode: 'GOLD',
      startDate: '2027-01-10',
    });
    // Like an order of the day before: due at this day's 00:00.
    await books.work(({ tx }) =>
      tx.query(`update subscription_order set bill_on = '2027-01-16' where id = $1`, [id]),
    );
    await books.work(async ({ tx }) => {
      await beatRun(tx, '2027-01-16', { customers: 0, orders: 0, invoices: 0 });
      await finishRun(tx, '2027-01-16');
    });
    await books.deliver(order(id));
    await until('it has billed', async () => (await books.invoices()).length > 0);
    t.deepEqual(await books.invoices(), ['1001 2027-01-16 78.95']);
    const again = await books.wake({ orderId: id, yields: 0 });
    t.like(again, { did: 'looked at the order', phase: 'Active', ended: false });
    t.deepEqual(await books.invoices(), ['1001 2027-01-16 78.95'], 'billed once');
  },
);

test.serial(
  'a due order is left to a run that is alive, and once to a run that has not begun',
  async (t) => {
    const { dependencies } = harness;
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    const wakeAfter = (yields: number) => books.wake({ orderId: id, yields });

    harness.setTime(at(newYork, '2027-01-16', 30));
    const early = await wakeAfter(0);
    t.false(early.yielded);
    t.true(early.waitMs !== null && early.waitMs > 15_000 && early.waitMs <= 30_000);

    harness.setTime(at(newYork, '2027-01-16', 61));
    t.like(await wakeAfter(0), { yielded: true, did: 'left it to the billing run' });
    await inTenant(dependencies.db, books.tenantId, (tx) =>
      beatRun(tx, '2027-01-16', { customers: 0, orders: 0, invoices: 0 }),
    );
    t.like(await wakeAfter(7), { yielded: true });
    t.deepEqual(await books.invoices(), []);

    await inTenant(dependencies.db, books.tenantId, (tx) =>
      tx.query(`update billing_run set heartbeat_at = heartbeat_at - interval '16 seconds'`),
    );
    t.like(await wakeAfter(0), { yielded: false, did: 'billed what was due' });
    t.deepEqual(await books.invoices(), ['1001 2027-01-16 78.95']);
  },
);

test.serial('a customer with much due is billed over several wakes', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {
    plans: [recurring('DAILY', 1, prepaid, { billingPeriod: 'Daily' })],
  });
  const customerId = await books.customer();
  const orderLineItems = Array.from({ length: 500 }, () => ({ priceCode: 'DAILY' }));
  const much = { customerId, contractCode: 'DAILY', startDate: '2027-01-07', orderLineItems };
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push(await books.order(much));
  harness.setTime(at(newYork, '2027-01-16', 61));
  // 500 lines of ten days are 5,000 charges: each order is one invoice, and a wake makes three.
  const wake = { orderId: ids[3] ?? 0, yields: 1 };
  t.like(await books.wake(wake), { did: 'billed some of what was due', waitMs: 1_000 });
  t.is((await books.invoices()).length, 3);
  t.like(await books.wake(wake), { did: 'billed what was due', phase: 'Active' });
  t.deepEqual(
    (await books.invoices()).map((invoice) => invoice.split(' ').at(-1)),
    ['5000.00', '5000.00', '5000.00', '5000.00'],
  );
});

test.serial(
  'a held customer shows as Held with the reason, and its order is not billed',
  async (t) => {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const customerId = await books.customer();
    const id = await books.order({ customerId, contractCode: 'GOLD' });
    await books.deliver(order(id));
    const workflow = books.workflow(order(id));
    await until('it has looked', async () =>
      (await attributesOf(workflow)).startsWith('Phase=Active'),
    );
    await books.work(({ tx }) =>
      tx.query(
        `update customer set billing_held_at = now(), billing_held_code = 'order.tooManyPeriods'
       where id = $1`,
        [customerId],
      ),
    );
    harness.setTime(at(newYork, '2027-01-16', 90));
    await workflow.signal('nudge');
    await until('it is held', async () => (await attributesOf(workflow)).startsWith('Phase=Held'));
    t.is(
      await attributesOf(workflow),
      'Phase=Held FailureCode=order.tooManyPeriods NextActionAt=2027-01-16T05:00:00.000Z',
    );
    t.deepEqual(await books.invoices(), []);
    await books.work(({ tx }) =>
      tx.query(
        'update customer set billing_held_at = null, billing_held_code = null where id = $1',
        [customerId],
      ),
    );
    t.is((await books.wake({ orderId: id, yields: 1 })).did, 'billed what was due');
    await workflow.signal('nudge');
    await until('it goes on', async () =>
      (await attributesOf(workflow)).startsWith('Phase=Active'),
    );
    t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-02-15T05:00:00.000Z');
  },
);

test.serial('a released outlier is billed at once by the workflow of its order', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  const workflow = books.workflow(order(id));
  await until('it has looked', async () =>
    (await attributesOf(workflow)).startsWith('Phase=Active'),
  );
  await books.work((its) => hold(its, [{ customerId, code: 'billing.outlier', text: 'far off' }]));
  harness.setTime(at(newYork, '2027-01-16', 9 * 3_600));
  await workflow.signal('nudge');
  await until('it is held', async () => (await attributesOf(workflow)).startsWith('Phase=Held'));
  t.deepEqual(await books.invoices(), []);
  await books.work((its) => activateCustomer(its, { id: customerId }));
  await books.deliver(order(id));
  await until('it is billed', async () => (await books.invoices()).length > 0);
  const [made = ''] = await books.invoices();
  t.regex(made, /^1001 2027-01-16 /);
});

test.serial(
  'a workflow ends with its order, and a late nudge starts one that reads and ends',
  async (t) => {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const id = await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
    await books.deliver(order(id));
    const workflow = books.workflow(order(id));
    const first = await workflow.describe();
    // Nothing is in arrears: canceled before its first 00:00, it has nothing more to bill.
    await books.work((its) =>
      updateOrder(harness.dependencies, its, { id }, { orderStatus: 'Canceled' }),
    );
    t.deepEqual(await books.outbox(), [`order/${books.label}/${id}`]);
    await books.deliver(order(id));
    await until('it has ended', async () => !(await isRunning(workflow)));
    t.is((await workflow.describe()).status.name, 'COMPLETED');

    await books.work(({ tx }) =>
      tx.query(
        `insert into outbox (tenant_id, workflow_id, kind, object_id) values ($1, $2, 'order', $3)`,
        [tx.tenantId, `order/${books.label}/${id}`, id],
      ),
    );
    await books.deliver(order(id));
    await until('another run has ended', async () => {
      const { runId, status } = await workflow.describe();
      return runId !== first.runId && status.name === 'COMPLETED';
    });
    t.is(await attributesOf(workflow), 'Phase=Canceled');
  },
);

test.serial('the workflow of a missing order ends', async (t) => {
  const books = await openTenant(harness, {});
  const woken = await books.wake({ orderId: 1, yields: 0 });
  t.like(woken, { did: 'found no order', phase: 'Gone', ended: true });
});

test.serial('the workflow of a removed order ends, and says which order replaces it', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const books = await openTenant(harness, {});
  const customerId = await books.customer();
  const id = await books.order({ customerId, contractCode: 'GOLD' });
  await books.deliver(order(id));
  const workflow = books.workflow(order(id));
  await until('it sleeps', async () => (await eventsOf(workflow)).includes('timerStarted'));
  const nextId = await books.work(async (its) => {
    const named = { path: 'currentOrderId', value: String(id) };
    const how = { effectiveDate: null, deletesCurrent: true, bills: false, named };
    const request = { ...how, input: { contractCode: 'GOLD' } };
    return changeOrder(harness.dependencies, its, { id }, request);
  });
  await books.deliver(order(id));
  await until('it has ended', async () => !(await isRunning(workflow)));
  t.deepEqual(await workflow.result(), {
    phase: 'Gone',
    happened: ['2027-01-15: is Active', '2027-01-15: removed, order 1002 replaces it'],
  });
  t.is(await attributesOf(workflow), 'Phase=Gone');
  const details = await detailsOf(workflow);
  t.true(details.includes('- next: nothing, it has ended'), details);
  t.true(details.endsWith('- 2027-01-15: removed, order 1002 replaces it'), details);
  // A look at an order that it had seen removed adds nothing.
  const { seen, happened } = await books.wake({ orderId: id, yields: 0 });
  t.deepEqual(happened, ['2027-01-15: removed, order 1002 replaces it']);
  t.deepEqual((await books.wake({ orderId: id, yields: 0, seen })).happened, []);
  await books.deliver(order(nextId));
  await until('the new order waits', async () =>
    (await attributesOf(books.workflow(order(nextId)))).startsWith('Phase=Active'),
  );
});

test.serial(
  'after 24 wakes it continues as new, with its title and search attributes',
  async (t) => {
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const books = await openTenant(harness, {});
    const customerId = await books.customer();
    const id = await books.order({ customerId, contractCode: 'GOLD' });
    await books.deliver(order(id));
    const workflow = books.workflow(order(id));
    const first = await workflow.describe();
    // A nudge that arrives before its first read is not counted as a separate one.
    await until('it sleeps', async () => (await eventsOf(workflow)).includes('timerStarted'));
    for (let wake = 1; wake <= 24; wake += 1) {
      const before = (await eventsOf(workflow)).filter((name) => name === 'markerRecorded').length;
      await workflow.signal('nudge');
      await until(`wake ${wake}`, async () => {
        const { runId } = await workflow.describe();
        if (runId !== first.runId) return true;
        const markers = (await eventsOf(workflow)).filter((name) => name === 'markerRecorded');
        return markers.length > before;
      });
    }
    const second = await workflow.describe();
    t.not(second.runId, first.runId);
    await until('the new run sleeps', async () =>
      (await eventsOf(workflow)).includes('timerStarted'),
    );
    t.is(await attributesOf(workflow), 'Phase=Active NextActionAt=2027-01-16T05:00:00.000Z');
    const minute = /until (.+ UTC)/.exec(await detailsOf(workflow))?.[1];
    t.is(
      await detailsOf(workflow),
      [
        `**Order 1001 GOLD, ${books.label}: Active**`,
        '',
        `- customer ${customerId}`,
        `- next: bills on 2027-01-16, waits until ${minute}`,
        '- 2027-01-15: is Active',
      ].join('\n'),
    );
  },
);
