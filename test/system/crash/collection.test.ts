/**
 * Kills the worker and the Temporal server with SIGKILL in the middle of 130 installments, and in
 * the middle of 130 retries. The test makes sure that it is the middle: gates (gates.ts) hold some
 * payments at their turn. Afterwards each customer has paid exactly once.
 */
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { suffix } from '../../support/temporal.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { openGates, type Gate } from './gates.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';
import { until } from '../../support/until.ts';

/** More than the clock claims at once by the payments that are held. */
const customers = 130;
const claimedAtOnce = 100;
/** As many as the clock pays at once, so that it stops there. */
const held = 6;
const DECLINED_LATER = '4000000000000341';
const APPROVED = '5555555555554444';

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const gates = await openGates(parts.ownerUrl);
const till = await openTill(parts, db, {
  label: `collect-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid)],
});

test.afterEach.always(() => gates.openAll());
test.after.always(async () => {
  await gates.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

async function advance(to: string): Promise<void> {
  const { status, body } = await till.call('POST', `/testClock?advanceTo=${to}`);
  if (status > 299) throw new Error(body);
}

const arrived = () =>
  until('the clock is Ready', async () => {
    const ready = await till.read(`select from test_clock where status = 'Ready'`);
    return ready.length === 1;
  });

async function made(status: number, body: string): Promise<void> {
  if (status !== 201) throw new Error(body);
}

const plan =
  '<paymentPlan><chargeAmount>10.00</chargeAmount><startDate>2027-01-31</startDate>' +
  '<totalNumberOfInstallments>3</totalNumberOfInstallments><frequencyValue>1</frequencyValue>' +
  '<frequencyUnits>Months</frequencyUnits>' +
  '<chargeOnlyIfBalanceOwed>false</chargeOnlyIfBalanceOwed></paymentPlan>';

/** Ids of new customers with a method on file. */
async function newCustomers(number: string): Promise<number[]> {
  const ids: number[] = [];
  for (let count = 0; count < customers; count += 1) {
    const id = await till.customer(false);
    await till.onFile(id, number);
    ids.push(id);
  }
  return ids;
}

/**
 * The turns of some payments that are claimed when the first hundred is paid.
 *
 * @param ids of the customers, in the order of the claims
 */
const turnsOf = (ids: readonly number[], attempt: number): Gate[] =>
  ids.slice(120, 120 + held).map((id) => `reserve/${id}/${attempt}` as const);

/** What the gateway charged by customer: how often, how many customers, the sum of each. */
async function charges(ids: readonly number[], status: string): Promise<unknown> {
  return till.read(
    `select count(*) as customers, times, sum from (
       select p.customer_id, count(s.id) as times, round(sum(s.amount), 2) as sum
       from payment p join sandbox_transaction s on s.idempotency_key = p.gateway_key
       where p.customer_id = any($1) and s.status = $2 group by 1) each
     group by times, sum order by times`,
    ids,
    status,
  );
}

const paid = async (): Promise<number> =>
  (await till.read(`select from payment where status = 'Paid'`)).length;

async function midway(turns: readonly Gate[], to: string): Promise<void> {
  await gates.close(...turns);
  await advance(to);
  await gates.reached(...turns);
}

async function isRight(t: ExecutionContext): Promise<void> {
  await auditIsClean(t, parts, { db, relayDb });
}

test.serial(
  'the worker dies amid 130 installments, then the engine: each is charged once',
  async (t) => {
    const ids = await newCustomers(APPROVED);
    for (const id of ids) {
      const { status, body } = await till.call('POST', `/customers/${id}/paymentPlan`, plan);
      await made(status, body);
    }
    const turns = turnsOf(ids, 1);
    await midway(turns, '2027-01-31');
    // Where payments failed, those left of the first hundred are made by their workflows.
    await until('the first hundred are paid', async () => (await paid()) >= claimedAtOnce);
    await parts.worker.kill();
    await endConnections(parts, 'worker');
    const before = await paid();
    t.true(before >= claimedAtOnce && before <= customers - held, `${before} were paid`);
    await gates.open(...turns);
    await parts.worker.start();
    await arrived();
    t.deepEqual(await charges(ids, 'Approved'), [{ customers, times: 1, sum: '10.00' }]);
    await isRight(t);

    await midway(turns, '2027-02-28');
    await parts.temporal.kill();
    await gates.open(...turns);
    await parts.temporal.start();
    await arrived();
    t.deepEqual(await charges(ids, 'Approved'), [{ customers, times: 2, sum: '20.00' }]);
    await advance('2027-03-31');
    await arrived();
    t.deepEqual(await charges(ids, 'Approved'), [{ customers, times: 3, sum: '30.00' }]);
    const ended = await till.read(
      `select count(*) as plans, bool_or(is_enabled) as "areEnabled" from payment_plan`,
    );
    t.deepEqual(ended, [{ plans: customers, areEnabled: false }]);
    await isRight(t);
  },
);

test.serial('the worker dies amid 130 retries: each invoice is tried again once', async (t) => {
  const ids = await newCustomers(DECLINED_LATER);
  for (const id of ids) {
    const order =
      `<subscriptionOrder><customer id="${id}"/><contractCode>P</contractCode>` +
      '<isAutoPay>true</isAutoPay></subscriptionOrder>';
    const { status, body } = await till.call('POST', '/orders', order);
    await made(status, body);
  }
  await advance('2027-04-01');
  await arrived();
  t.deepEqual(await charges(ids, 'Declined'), [{ customers, times: 1, sum: '10.00' }]);
  // Customers whose payments were declined sooner are tried again sooner.
  const retries = await till.read<{ customerId: number }>(
    `select customer_id from collection_attempt where kind = 'retry' order by due_on, id`,
  );
  const turns = turnsOf(
    retries.map((retry) => retry.customerId),
    2,
  );
  await midway(turns, '2027-04-02');
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await gates.open(...turns);
  await parts.worker.start();
  await arrived();
  t.deepEqual(await charges(ids, 'Declined'), [{ customers, times: 2, sum: '20.00' }]);
  const due = await till.read(
    `select count(*) as retries, due_on from collection_attempt
     where kind = 'retry' and state = 'due' group by 2`,
  );
  t.deepEqual(due, [{ retries: customers, dueOn: '2027-04-04' }]);
  await isRight(t);
});
