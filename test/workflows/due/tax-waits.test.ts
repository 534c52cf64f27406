/**
 * Customers that wait for their tax provider, on a real server: the billing run says so and goes on,
 * their orders show it, and a test clock stands still.
 */
import test, { type ExecutionContext } from 'ava';
import { readTestClock } from '../../../operations/clock/test-clock.ts';
import { avataxFile, gold, newYorker } from '../../operations/support/avatax-tenant.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { startAvatax } from '../../support/avatax.ts';
import type { TenantOptions } from '../../support/tenants.ts';
import {
  at,
  attributesOf,
  billing,
  clock,
  detailsOf,
  openTenant,
  order,
  sendClock,
  until,
} from '../harness.ts';
import { sharedHarness } from '../setup.ts';

const newYork = 'America/New_York';
const harness = await sharedHarness('set');
const { dependencies } = harness;

/** A tenant with an AvaTax of its own. */
async function openShop(t: ExecutionContext, options: TenantOptions = {}) {
  const double = await startAvatax();
  t.teardown(double.close);
  const books = await openTenant(harness, {
    plans: [gold, recurring('PLAIN', 10, prepaid)],
    file: avataxFile(double.url),
    ...options,
  });
  /** A customer in New York with an order from that day on; returns the order's id. */
  async function resident(contractCode: string, startDate: string): Promise<number> {
    return books.order({ customerId: await newYorker(books), contractCode, startDate });
  }
  return { ...books, double, resident };
}

test.serial('the run bills all others, says who waits, and tries again', async (t) => {
  harness.setTime(at(newYork, '2027-01-15', 3_600));
  const shop = await openShop(t);
  const { double } = shop;
  const waiting = [await shop.resident('GOLD', '2027-01-16')];
  for (let more = 0; more < 2; more += 1) waiting.push(await shop.resident('GOLD', '2027-01-16'));
  await shop.resident('PLAIN', '2027-01-16');
  double.be('down');
  harness.holdTime(at(newYork, '2027-01-16'));
  await shop.start(billing);
  const run = shop.workflow(billing);
  await until('it plans the next try', async () =>
    (await detailsOf(run)).includes('3 customers wait for the tax provider'),
  );
  const details = await detailsOf(run);
  t.regex(details, /next run: 2027-01-16 at 2027-01-16 05:01 UTC/);
  t.regex(details, /2027-01-16: 1 customer, 1 order, 1 invoice of 10\.00 USD, 0 held, 3 waiting/);
  t.deepEqual(await shop.invoices(), ['1001 2027-01-16 10.00']);
  // The order's own workflow shows it, and does not ask.
  harness.holdTime(at(newYork, '2027-01-16', 90));
  const [orderId = 0] = waiting;
  const asked = double.calls.get('create');
  const woken = await shop.wake({ orderId, yields: 0 });
  t.like(woken, { phase: 'Provisioning', failureCode: 'tax.unavailable', yielded: true });
  t.is(woken.did, 'left it to the billing run, which asks the tax provider');
  t.is(double.calls.get('create'), asked);
  await shop.start(order(orderId));
  const workflow = shop.workflow(order(orderId));
  await until('it shows that it waits', async () =>
    (await attributesOf(workflow)).includes('FailureCode=tax.unavailable'),
  );
  t.regex(await detailsOf(workflow), /waits for the tax provider since 2027-01-16 05:00 UTC/);
  double.be('well');
  harness.setTime(at(newYork, '2027-01-16', 200));
  await run.signal('nudge');
  await until('all are billed', async () => (await shop.invoices()).length === 4);
  t.deepEqual((await shop.invoices()).slice(1), [
    '1002 2027-01-16 39.20',
    '1003 2027-01-16 39.20',
    '1004 2027-01-16 39.20',
  ]);
  await until('nobody waits and it plans the next day', async () =>
    (await detailsOf(run)).includes('next run: 2027-01-17'),
  );
  t.notRegex(await detailsOf(run), /wait for/);
});

test.serial('a test clock stands at the instant until the provider answers', async (t) => {
  const now = Date.now();
  harness.setTime(now);
  const shop = await openShop(t, { testClock: '2027-01-01T12:00:00Z' });
  const orderId = await shop.resident('GOLD', '2027-01-10');
  await shop.resident('PLAIN', '2027-01-10');
  shop.double.be('unavailable');
  await sendClock(dependencies, shop.tenantId, '2027-01-20');
  await shop.deliver(clock);
  const view = () => readTestClock(dependencies, shop.tenantId);
  await until('a customer waits', async () => (await view()).waiting === 1);
  t.like(await view(), { status: 'Advancing', target: '2027-01-20' });
  const workflow = shop.workflow(clock);
  await until('the clock shows it', async () =>
    (await detailsOf(workflow)).includes('1 customer waits for the tax provider'),
  );
  t.deepEqual(await shop.invoices(), ['1001 2027-01-10 10.00']);
  await until('the order shows it', async () => {
    const shown = await attributesOf(shop.workflow(order(orderId))).catch(() => '');
    return shown.includes('FailureCode=tax.unavailable');
  });
  shop.double.be('well');
  harness.setTime(now + 120_000);
  await workflow.signal('nudge');
  await until('the clock is Ready', async () => (await view()).status === 'Ready');
  t.is((await view()).waiting, 0);
  t.deepEqual(await shop.invoices(), ['1001 2027-01-10 10.00', '1002 2027-01-10 39.20']);
  await until(
    'the order shows that it is billed',
    async () => !(await attributesOf(shop.workflow(order(orderId)))).includes('FailureCode'),
  );
});
