/**
 * The worker is killed with SIGKILL among the notices of a day, and among their mails. The test makes
 * sure that it is the middle: it keeps half of the customers locked, and a gate holds the process that
 * has noted others, but not committed them. Afterwards each date was announced once.
 */
import test from 'ava';
import { Client } from 'pg';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { raise } from '../../../operations/events/raise.ts';
import { suffix } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateOn } from './gate.ts';
import { startParts } from './parts.ts';
import { openTestDatabase, openTill } from './till.ts';

const ORDERS = 200;
/** So many mails are sent before the second kill. */
const SENT_BEFORE = 20;

const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const till = await openTill(parts, db, {
  label: `crash-${suffix()}`,
  timezone: 'UTC',
  testClock: '2027-01-01T12:00:00Z',
  plans: [recurring('P', 10, prepaid, { billingPeriod: 'Yearly' })],
  file: {
    notices: { renewalNoticeDays: 10 },
    notifications: { from: 'billing@demo.example', enabled: ['renewalNotice'] },
  },
});
const gate = await gateOn('notice', parts.ownerUrl);

test.after.always(async () => {
  await gate.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** Each customer has an order whose next term begins on 2027-02-01. */
async function order(n: number): Promise<void> {
  const dependencies = { db, realNow: Date.now };
  await inOperation(dependencies, till.tenantId, async (work) => {
    const [customer] = await work.tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at, updated_at)
       values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
      [till.tenantId, `C-${n}`],
    );
    const customerId = customer?.id ?? 0;
    await work.tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, email_primary)
       values ($1, $2, 'billing', 'Ada', 'ada@example.com')`,
      [till.tenantId, customerId],
    );
    raise(work, [{ type: 'customer.created', customerId, objectId: customerId }]);
    const input = { customerId, contractCode: 'P', endDate: '2027-01-31' };
    const bills = { generateInvoice: false, forceInvoiceGeneration: false };
    await createOrder(dependencies, work, input, bills);
  });
}

/** Locks the second half of the customers, like a long write. */
async function lockHalf(): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: parts.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`select set_config('app.tenant', $1, true)`, [String(till.tenantId)]);
  await client.query(
    `select from customer where tenant_id = $1 and id > (
       select id from customer where tenant_id = $1 order by id offset ${ORDERS / 2 - 1} limit 1)
     order by id for no key update`,
    [till.tenantId],
  );
  return () => client.end();
}

const count = async (what: string): Promise<number> =>
  (await till.read<{ n: number }>(`select count(*)::int as n from ${what}`))[0]?.n ?? 0;

const isReady = async () => (await count(`test_clock where status = 'Ready'`)) === 1;

const advance = (to: string) => till.call('POST', `/testClock?advanceTo=${to}`);

test('after kills among notices each date is announced once', async (t) => {
  t.timeout(10 * 60_000);
  for (let n = 0; n < ORDERS; n += 1) await order(n);
  await advance('2027-01-21');
  await until('the clock is Ready', isReady);
  t.is(await count('notice'), 0);
  const letGo = await lockHalf();
  await advance('2027-01-22');
  await until('half is announced', async () => (await count('notice')) === ORDERS / 2);
  await gate.close();
  await letGo();
  await gate.reached();
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await gate.open();
  t.is(await count('notice'), ORDERS / 2);
  await parts.worker.start();
  await until('the clock is Ready', isReady);
  const sent = `mail where state = 'sent'`;
  await until('some mails are sent', async () => (await count(sent)) >= SENT_BEFORE);
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  // A mail that was being sent is sent again three minutes later.
  await inTenant(db, till.tenantId, (tx) =>
    tx.query(`update mail set attempted_at = now() - interval '1 hour' where state = 'sending'`),
  );
  await parts.worker.start();
  await until('all are sent', async () => (await count(sent)) === ORDERS);
  const [row] = await till.read(
    `select count(*)::int as events, count(distinct e.object_id)::int as orders,
       count(distinct m.id)::int as mails, count(distinct m.message_id)::int as messages,
       min(e.detail->>'date') as first, max(e.detail->>'date') as last,
       (select count(*)::int from notice) as notices,
       (select count(*)::int from mail where state <> 'sent') as unsent
     from event e left join mail m on m.event_id = e.id
     where e.type = 'order.renewalNotice'`,
  );
  const each = { events: ORDERS, orders: ORDERS, mails: ORDERS, messages: ORDERS, notices: ORDERS };
  t.deepEqual(row, { ...each, first: '2027-02-01', last: '2027-02-01', unsent: 0 });
  await auditIsClean(t, parts, { db, relayDb });
});
