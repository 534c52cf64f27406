/** A test clock on a real server: through every due instant in order of time, like real days. */

import test from 'ava';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { readTestClock } from '../../../operations/clock/test-clock.ts';
import {
  advanceSlice,
  attributesOf,
  clock,
  eventsOf,
  isRunning,
  openTenant,
  order,
  sendClock,
  until,
  type Books,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const harness = await sharedHarness('real');
const { dependencies } = harness;
const noon = '2027-01-01T12:00:00Z';

async function advanceTo(books: Books, to: IsoDate): Promise<void> {
  const view = await sendClock(dependencies, books.tenantId, to);
  if (view.status === 'Ready') return;
  await books.deliver(clock);
  await until(`the clock stands at ${to}`, async () => {
    return (await readTestClock(dependencies, books.tenantId)).status === 'Ready';
  });
}

/** A slice of another process: an attempt that timed out and did not notice. */
async function advanceOnce(books: Books): Promise<void> {
  const { signal } = new AbortController();
  await advanceSlice(harness, books, { lanes: 2, signal });
}

const clockText = async (books: Books): Promise<string> => {
  const { now, target, status, held } = await readTestClock(dependencies, books.tenantId);
  return `${now.toISOString()} ${target ?? '-'} ${status} ${held}`;
};

test('four months are billed in order of time, and every workflow has seen them', async (t) => {
  const books = await openTenant(harness, { testClock: noon });
  const gold = await books.order({
    customerId: await books.customer(),
    contractCode: 'GOLD',
    startDate: '2027-01-10',
  });
  const seats = await books.order({
    customerId: await books.customer(),
    contractCode: 'SEATS',
    startDate: '2027-01-31',
    endDate: '2027-03-30',
    isAutoRenew: false,
  });
  await advanceTo(books, '2027-05-01');
  t.is(await clockText(books), '2027-05-01T04:00:00.000Z - Ready 0');
  t.deepEqual(await books.invoices(), [
    '1001 2027-01-10 78.95', // GOLD begins: installation and the first month
    '1002 2027-02-10 29.95',
    '1003 2027-02-28 10.00', // One seat, in arrears: 31 January to 27 February.
    '1004 2027-03-10 29.95',
    '1005 2027-03-31 10.00', // To 30 March, its last day.
    '1006 2027-04-10 29.95',
  ]);
  const runs = await books.read((tx) =>
    tx.query<{ day: string }>(
      `select concat_ws(' ', run_on, customers, invoices, finished_at is not null) as day
       from billing_run where invoices > 0 order by run_on`,
    ),
  );
  t.deepEqual(
    runs.map(({ day }) => day),
    [
      '2027-01-10 1 1 t',
      '2027-02-10 1 1 t',
      '2027-02-28 1 1 t',
      '2027-03-10 1 1 t',
      '2027-03-31 1 1 t',
      '2027-04-10 1 1 t',
    ],
  );
  // Its row is read before its details are shown.
  await until('it shows its next action', async () =>
    (await attributesOf(books.workflow(order(gold)))).endsWith('2027-05-10T04:00:00.000Z'),
  );
  await until(
    'its workflow ends with it',
    async () => !(await isRunning(books.workflow(order(seats)))),
  );
  t.is(await attributesOf(books.workflow(order(seats))), 'Phase=Complete');
  const events = await eventsOf(books.workflow(order(gold)));
  t.false(events.includes('timerStarted'), 'on a test clock nothing waits for real time');
  // Made, and nudged after each of its five instants; both orders were new at the first one.
  t.true(events.filter((name) => name === 'workflowExecutionSignaled').length >= 5);
});

test('splitting an advance in any way gives the same invoices', async (t) => {
  const orders = async (books: Books): Promise<void> => {
    const customerId = await books.customer();
    await books.order({ customerId, contractCode: 'GOLD', startDate: '2027-01-05' });
    await books.order({ customerId, contractCode: 'SEATS', startDate: '2027-01-31' });
    await books.order({ customerId, contractCode: 'METERED' });
  };
  const one = await openTenant(harness, { testClock: noon });
  await orders(one);
  await advanceTo(one, '2027-04-15');
  const steps = await openTenant(harness, { testClock: noon });
  await orders(steps);
  for (const day of ['2027-01-02', '2027-01-05', '2027-02-27', '2027-02-28', '2027-04-15']) {
    await advanceTo(steps, day);
  }
  const invoices = await one.invoices();
  t.true(invoices.length >= 8);
  t.deepEqual(await steps.invoices(), invoices);
});

test('a target in the past, too far ahead or during an advance is refused', async (t) => {
  const books = await openTenant(harness, { testClock: noon });
  const { tenantId } = books;
  const refused = async (to: string, code: string) => {
    await t.throwsAsync(sendClock(dependencies, tenantId, to), { code });
  };
  await refused('2026-12-31', 'testClock.backwards');
  await refused('2032-01-02', 'testClock.tooFar');
  await refused('2027-02-30', 'field.invalid');
  t.like(await sendClock(dependencies, tenantId, '2027-01-01'), { status: 'Ready', target: null });
  t.is(await clockText(books), '2027-01-01T12:00:00.000Z - Ready 0', 'and nothing has happened');
  t.deepEqual(await books.outbox(), []);
  const view = await sendClock(dependencies, tenantId, '2032-01-01');
  t.like(view, { status: 'Advancing', target: '2032-01-01' });
  await refused('2032-01-01', 'testClock.advancing');
  const real = await openTenant(harness, {});
  await t.throwsAsync(sendClock(dependencies, real.tenantId, '2027-02-01'), {
    code: 'testClock.unknown',
  });
  await t.throwsAsync(readTestClock(dependencies, real.tenantId), { code: 'testClock.unknown' });
});

test('a held customer does not stop the clock', async (t) => {
  const books = await openTenant(harness, { testClock: noon });
  const bad = await books.customer();
  const held = await books.order({
    customerId: bad,
    contractCode: 'GOLD',
    startDate: '2027-01-10',
  });
  await books.order({
    customerId: await books.customer(),
    contractCode: 'GOLD',
    startDate: '2027-01-10',
  });
  // A currency without a price in its plan, which the interface does not allow.
  await books.work(({ tx }) =>
    tx.query(`update subscription_order set currency = 'EUR' where id = $1`, [held]),
  );
  await advanceTo(books, '2027-03-01');
  t.is(await clockText(books), '2027-03-01T05:00:00.000Z - Ready 1');
  t.deepEqual(await books.invoices(), ['1001 2027-01-10 78.95', '1002 2027-02-10 29.95']);
  await until('its workflow says so', async () =>
    (await attributesOf(books.workflow(order(held)))).startsWith(
      'Phase=Held FailureCode=order.priceMissing',
    ),
  );
});

test('a clock that was interrupted at an instant continues from there and bills it once', async (t) => {
  const books = await openTenant(harness, { testClock: noon });
  await books.order({
    customerId: await books.customer(),
    contractCode: 'GOLD',
    startDate: '2027-01-10',
  });
  // The state after a crash between moving the clock and billing.
  await books.work(({ tx }) =>
    tx.query(
      `update test_clock set now = '2027-01-10T05:00:00Z', target = '2027-02-15',
         status = 'Advancing'`,
    ),
  );
  await Promise.all([books.start(clock), advanceOnce(books), advanceOnce(books)]);
  await until('it is ready', async () =>
    (await clockText(books)).startsWith('2027-02-15T05:00:00.000Z - Ready'),
  );
  t.deepEqual(await books.invoices(), ['1001 2027-01-10 78.95', '1002 2027-02-10 29.95']);
});

test('a 00:00 that the clocks skip is the first instant of its day', async (t) => {
  // In Santiago 2027-09-05 begins at 01:00.
  const books = await openTenant(harness, {
    timezone: 'America/Santiago',
    testClock: '2027-09-01T12:00:00Z',
  });
  await books.order({
    customerId: await books.customer(),
    contractCode: 'GOLD',
    startDate: '2027-09-05',
  });
  await advanceTo(books, '2027-09-05');
  t.is(await clockText(books), '2027-09-05T04:00:00.000Z - Ready 0');
  t.deepEqual(await books.invoices(), ['1001 2027-09-05 78.95']);
});

test('a tenant in real time is not affected', async (t) => {
  const real = await openTenant(harness, {});
  const id = await real.order({ customerId: await real.customer(), contractCode: 'GOLD' });
  const books = await openTenant(harness, { testClock: noon });
  await books.order({ customerId: await books.customer(), contractCode: 'GOLD' });
  await advanceTo(books, '2027-06-01');
  t.deepEqual(await real.invoices(), []);
  t.is((await books.invoices()).length, 6);
  await real.deliver(order(id));
  const workflow = real.workflow(order(id));
  await until('it sleeps', async () => (await eventsOf(workflow)).includes('timerStarted'));
});
