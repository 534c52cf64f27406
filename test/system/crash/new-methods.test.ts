/**
 * The API is killed with SIGKILL while customers put new cards on file, and the worker while these pay
 * declined invoices. Each invoice has one attempt by the new card, and is charged once.
 */
import test from 'ava';
import { isLong } from '../../support/random.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const CUSTOMERS = isLong ? 100 : 12;
/** So many cards are on file, and then so many invoices are paid, before a kill. */
const DONE_BEFORE = Math.ceil(CUSTOMERS / 4);
const DECLINED = '4000000000000341';
const APPROVED = '5555555555554444';

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid)],
  file: { dunning: { thresholds: [], retryDays: [] } },
});

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

const count = async (what: string): Promise<number> =>
  (await till.read<{ n: number }>(`select count(*)::int as n from ${what}`))[0]?.n ?? 0;

async function advance(to: string): Promise<void> {
  await till.call('POST', `/testClock?advanceTo=${to}`);
}

const isReady = async () => (await count(`test_clock where status = 'Ready'`)) === 1;

test('after kills among new cards each declined invoice is charged once', async (t) => {
  t.timeout(10 * 60_000);
  const customers: number[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const id = await till.customer(false);
    await till.onFile(id, DECLINED);
    const fields = `<customer id="${id}"/><contractCode>P</contractCode><isAutoPay>true</isAutoPay>`;
    const order = `<subscriptionOrder>${fields}</subscriptionOrder>`;
    t.is((await till.call('POST', '/orders', order)).status, 201);
    customers.push(id);
  }
  await advance('2027-01-02');
  await until('the clock is Ready', isReady);
  t.is(await count(`payment where status = 'Declined'`), CUSTOMERS);
  let filed = 0;
  let killing: Promise<void> | undefined;
  const file = async (id: number): Promise<boolean> => {
    const isFiled = await till.onFile(id, APPROVED).then(
      () => true,
      () => false,
    );
    if (isFiled) filed += 1;
    if (filed >= DONE_BEFORE) killing ??= parts.api.kill();
    return isFiled;
  };
  await Promise.all(customers.map(file));
  await killing;
  await endConnections(parts, 'api');
  await parts.api.start();
  for (const id of customers) await until('the card is on file', () => file(id));
  const attempts = `collection_attempt where by_new_method`;
  t.is(await count(attempts), CUSTOMERS);
  await advance('2027-01-03');
  const paid = `payment where status = 'Paid' and payment_type = 'Payment'`;
  await until('some are paid', async () => (await count(paid)) >= DONE_BEFORE);
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await parts.worker.start();
  await until('the clock is Ready', isReady);
  const [row] = await till.read(
    `select (select count(*)::int from ${paid} and amount = 10) as paid,
       (select count(*)::int from ${attempts} and state = 'done') as attempts,
       (select count(*)::int from sandbox_transaction
        where operation = 'charge' and status = 'Approved') as charges,
       (select string_agg(distinct concat_ws(' ', status, round(outstanding_balance, 2)), ', ')
        from invoice) as invoices`,
  );
  const each = { paid: CUSTOMERS, attempts: CUSTOMERS, charges: CUSTOMERS };
  t.deepEqual(row, { ...each, invoices: 'Paid 0.00' });
  await auditIsClean(t, parts, { db, relayDb });
});
