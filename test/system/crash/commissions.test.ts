/**
 * Kills the worker with SIGKILL among 120 automatic payments of orders with a sales agent: once the
 * clock has arrived, each paid invoice has earned its commission once.
 */
import test from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { commissionPlan } from '../../operations/commissions/shop.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { APPROVED } from './scenes.ts';
import { openTestDatabase, openTill } from './till.ts';

const PAYMENTS = 120;
/** Fewer than the interface takes of a tenant at once. */
const LANES = 16;

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, {
  label: `agents-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('GOLD', 10, prepaid)],
  file: {
    commissionPlans: [commissionPlan()],
    salesAgents: [{ code: 'ADA', commissionPlan: 'STD' }],
  },
});

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** A customer with an order of 10.00 a month and an agent, which is not billed yet. */
async function newCustomer(): Promise<void> {
  const id = await till.customer(false);
  await till.onFile(id, APPROVED);
  const order =
    `<subscriptionOrder><customer id="${id}"/><contractCode>GOLD</contractCode>` +
    '<isAutoPay>true</isAutoPay></subscriptionOrder>';
  const made = await till.call('POST', '/orders', order);
  const [, orderId = ''] = /<subscriptionOrder id="(\d+)"/.exec(made.body) ?? [];
  const [agent] = await till.read<{ id: number }>('select id from sales_agent');
  const link = `<list><subscriptionOrderBiller><biller id="${agent?.id}"/></subscriptionOrderBiller></list>`;
  const { status, body } = await till.call('POST', `/order/${orderId}/salesAgent`, link);
  if (status !== 201) throw new Error(body);
}

async function customers(count: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await newCustomer();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const paid = () => till.read(`select from payment where status = 'Paid'`);

async function killAfter(payments: number): Promise<void> {
  await until(`${payments} payments are Paid`, async () => (await paid()).length >= payments);
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await parts.worker.start();
}

test.serial(
  'each of 120 payments earns its commission once, whenever the worker dies',
  async (t) => {
    await customers(PAYMENTS);
    const { status, body } = await till.call('POST', '/testClock?advanceTo=2027-01-02');
    t.true(status < 300, body);
    await killAfter(20);
    await killAfter(110);
    await until('the clock is Ready', async () => {
      const ready = await till.read(`select from test_clock where status = 'Ready'`);
      return ready.length === 1;
    });
    t.is((await paid()).length, PAYMENTS);
    const earned = await till.read<{ rows: number; orders: number; sum: string }>(
      `select count(*)::int as rows, count(distinct order_number)::int as orders,
            sum(amount)::numeric(20, 2)::text as sum from commission`,
    );
    t.deepEqual(earned, [{ rows: PAYMENTS, orders: PAYMENTS, sum: '120.00' }]);
    await auditIsClean(t, parts, { db, relayDb });
  },
);
