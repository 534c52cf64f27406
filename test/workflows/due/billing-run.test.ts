/**
 * The billing run on a real server: all due customers of a tenant at 00:00, once, and missed days.
 */

import test from 'ava';
import { Client } from 'pg';
import {
  attributesOf,
  billing,
  at,
  detailsOf,
  eventsOf,
  summariesOf,
  openTenant,
  until,
  type Books,
  type Harness,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness: Harness = await sharedHarness('set');

async function customersWithOrders(books: Books, customers: number): Promise<number[]> {
  const orders: number[] = [];
  for (let count = 0; count < customers; count += 1) {
    const customerId = await books.customer();
    orders.push(await books.order({ customerId, contractCode: 'GOLD' }));
  }
  return orders;
}

const runs = (books: Books) =>
  books.read((tx) =>
    tx.query<{ text: string }>(
      `select concat_ws(' ', run_on, customers, orders, invoices, held,
                case when finished_at is null then 'open' else 'finished' end) as text
       from billing_run order by run_on`,
    ),
  );

async function untilRunFinished(books: Books, day: string): Promise<void> {
  await until(`the run of ${day} is finished`, async () =>
    (await runs(books)).some(({ text }) => text.startsWith(day) && text.endsWith('finished')),
  );
}

test.serial(
  "the run wakes at the tenant's next 00:00 and bills before the orders do",
  async (t) => {
    const books = await openTenant(harness, {});
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    const orders = await customersWithOrders(books, 3);
    await books.start(billing);
    const workflow = books.workflow(billing);
    await until('it plans the next', async () =>
      (await detailsOf(workflow)).includes('next run: 2027-01-16'),
    );
    t.deepEqual(await books.invoices(), []);
    // It plans anew, by a timer that is due soon.
    harness.setTime(at(newYork, '2027-01-16') - 2_000);
    await workflow.signal('nudge');
    await untilRunFinished(books, '2027-01-16');
    t.deepEqual(await books.invoices(), [
      '1001 2027-01-16 78.95',
      '1002 2027-01-16 78.95',
      '1003 2027-01-16 78.95',
    ]);
    t.deepEqual(
      (await runs(books)).map(({ text }) => text),
      ['2027-01-15 0 0 0 0 finished', '2027-01-16 3 3 3 0 finished'],
    );
    for (const orderId of orders) {
      const woken = await books.wake({ orderId, yields: 0 });
      t.like(woken, { did: 'looked at the order', next: { what: 'bills', on: '2027-02-15' } });
    }
    await until('it plans the next', async () =>
      (await detailsOf(workflow)).includes('next run: 2027-01-17'),
    );
    t.is(
      await detailsOf(workflow),
      [
        `**Billing run, ${books.label}: Waiting**`,
        '',
        '- next run: 2027-01-17 at 2027-01-17 05:00 UTC',
        '- 2027-01-15: 0 customers, 0 orders, 0 invoices, 0 held',
        '- 2027-01-16: 3 customers, 3 orders, 3 invoices of 236.85 USD, 0 held',
      ].join('\n'),
    );
    t.is(await attributesOf(workflow), 'Phase=Waiting NextActionAt=2027-01-17T05:00:00.000Z');
    const timers = (await summariesOf(workflow)).filter((each) => each.startsWith('timerStarted'));
    t.regex(timers.at(-1) ?? '', /until .+ UTC, then bills 2027-01-17$/);
    await workflow.terminate();
  },
);

test.serial('missed days are billed at once, in one run', async (t) => {
  const books = await openTenant(harness, {});
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  await customersWithOrders(books, 2);
  harness.setTime(at(newYork, '2027-03-20', 50_000));
  await books.start(billing);
  await untilRunFinished(books, '2027-03-20');
  // Three months of 29.95 and the installation; each elapsed period is a charge of its own.
  t.deepEqual(await books.invoices(), ['1001 2027-03-20 138.85', '1002 2027-03-20 138.85']);
  await books.workflow(billing).terminate();
});

test.serial(
  'the run waits for a customer that another transaction has locked, and bills the others',
  async (t) => {
    const books = await openTenant(harness, {});
    harness.setTime(at(newYork, '2027-01-15', 3_600));
    await customersWithOrders(books, 3);
    const other = new Client({ connectionString: harness.ownerUrl });
    await other.connect();
    t.teardown(() => other.end());
    await other.query('begin');
    await other.query(
      'select from customer where tenant_id = $1 order by id limit 1 for no key update',
      [books.tenantId],
    );
    harness.setTime(at(newYork, '2027-01-16', 10));
    await books.start(billing);
    await until('the others are billed', async () => (await books.invoices()).length === 2);
    const unfinished = await runs(books);
    t.true(unfinished.length > 0 && unfinished.every(({ text }) => text.endsWith('open')));
    await other.query('commit');
    await other.end();
    await untilRunFinished(books, '2027-01-16');
    t.is((await books.invoices()).length, 3);
    await books.workflow(billing).terminate();
  },
);

test.serial('the next run finishes an interrupted run, and bills nothing twice', async (t) => {
  const books = await openTenant(harness, {});
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  await customersWithOrders(books, 2);
  harness.setTime(at(newYork, '2027-01-16', 10));
  await books.work(({ tx }) =>
    tx.query(
      `insert into billing_run (tenant_id, run_on, started_at, heartbeat_at, customers, orders,
         invoices)
       values ($1, '2027-01-16', now(), now(), 5, 5, 5)`,
      [tx.tenantId],
    ),
  );
  await books.start(billing);
  await untilRunFinished(books, '2027-01-16');
  t.is((await books.invoices()).length, 2);
  t.is((await runs(books))[0]?.text, '2027-01-16 7 7 7 0 finished');
  await books.workflow(billing).terminate();
});

test.serial('a tenant on a test clock has no billing run of its own', async (t) => {
  const books = await openTenant(harness, { testClock: '2027-01-01T12:00:00Z' });
  await books.start(billing);
  const workflow = books.workflow(billing);
  await workflow.result();
  t.is((await eventsOf(workflow)).at(-1), 'workflowExecutionCompleted');
  t.deepEqual(await runs(books), []);
});
