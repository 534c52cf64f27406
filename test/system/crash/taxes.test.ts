/**
 * Kills the worker with SIGKILL while it asks the tax provider about 120 invoices, while it writes
 * them, and while it records them and others cancel some; and the API while it asks and bills.
 * Afterwards each invoice exists once, none is untaxed, and each is recorded once, or voided.
 */
import test from 'ava';
import { done, type RestTarget } from '../../../cli/rest.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { inLanes } from '../../../operations/context/lanes.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { send } from '../../api/support.ts';
import { startAvatax } from '../../support/avatax.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { gateAt } from './gate.ts';
import { startParts } from './parts.ts';
import { openTaxedTenant, ORDERS } from './taxed.ts';
import { openTestDatabase } from './till.ts';

const double = await startAvatax();
const parts = await startParts();
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const gate = await gateAt('tax', parts.ownerUrl);
const tenant = await openTaxedTenant(db, double);
const target: RestTarget = {
  apiUrl: parts.apiUrl,
  hostName: `${tenant.label}.localhost`,
  username: 'api@test',
  password: PASSWORD,
};

test.after.always(async () => {
  await gate.end();
  await parts.stop();
  double.close();
  for (const opened of [db, relayDb]) await opened.close();
});

test.afterEach.always(() => gate.open());

const asked = (): number => double.calls.get('create') ?? 0;
const advance = (to: string) => done(target, 'POST', `/rest/testClock?advanceTo=${to}`);

/** The next worker completes the day. */
async function completes(): Promise<void> {
  double.be('well');
  await tenant.hurry();
  await parts.worker.start();
  await tenant.isReady();
  await tenant.allRecorded();
}

test.serial('the worker dies while it asks: the next one asks again, and bills once', async (t) => {
  double.be('well', { delayMs: 200 });
  await advance('2027-02-01');
  await until('some are asked about', () => Promise.resolve(asked() >= 40));
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  t.true(asked() < ORDERS);
  t.is(await tenant.billedOn('2027-02-01'), 0);
  await completes();
  await tenant.isWhole(t, '2027-02-01');
  await auditIsClean(t, parts, { db, relayDb });
});

test.serial(
  'the worker dies while it writes: the next one bills by the stored answers',
  async (t) => {
    const before = asked();
    await gate.close();
    await advance('2027-03-01');
    await gate.reached();
    t.is(asked() - before, ORDERS);
    await parts.worker.kill();
    await endConnections(parts, 'worker');
    await gate.open();
    t.is(await tenant.billedOn('2027-03-01'), 0);
    await completes();
    t.is(asked() - before, ORDERS);
    await tenant.isWhole(t, '2027-03-01');
    await auditIsClean(t, parts, { db, relayDb });
  },
);

test.serial(
  'the worker dies while it records and others cancel: recorded once, or voided',
  async (t) => {
    const before = double.records.size;
    await gate.close();
    await advance('2027-04-01');
    await gate.reached();
    // All are asked about: what follows is recording, which takes its time.
    double.be('well', { delayMs: 300 });
    await gate.open();
    await until('all are billed', async () => (await tenant.billedOn('2027-04-01')) === ORDERS);
    const rows = await tenant.sql<{ number: number }>(
      `select invoice_number::int as number from invoice where invoice_date = '2027-04-01' order by 1`,
    );
    const numbers = rows.map(({ number }) => number);
    const tenth = (from: number) => numbers.filter((_, index) => index % 10 === from);
    const cancelled = cancelAll(tenth(0));
    await until('some are recorded', () => Promise.resolve(double.records.size >= before + 20));
    await parts.worker.kill();
    await endConnections(parts, 'worker');
    await cancelled;
    await cancelAll(tenth(5));
    const { toRecord = 0, toVoid = 0 } = await tenant.states();
    t.true(toRecord + toVoid > 0);
    // Calls of the dead worker that the provider carries out nevertheless.
    await until('the provider has ended them', () => Promise.resolve(double.underWay() === 0));
    await completes();
    const invoices = await tenant.sql<{ id: number; status: string }>(
      `select id, status from invoice where invoice_date = '2027-04-01'`,
    );
    t.is(invoices.filter(({ status }) => status === 'Cancelled').length, ORDERS / 5);
    const wrong = invoices.filter(({ id, status }) => {
      const record = double.records.get(String(id));
      if (status === 'Cancelled') return record?.status === 'Committed';
      return record?.status !== 'Committed' || record.total !== 36 || record.tax !== 3.2;
    });
    t.deepEqual(wrong, []);
    t.like(await tenant.states(), { recorded: 3 * ORDERS - ORDERS / 5, voided: ORDERS / 5 });
    await auditIsClean(t, parts, { db, relayDb });
  },
);

const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };

function cancelAll(numbers: readonly number[]): Promise<boolean> {
  const { dependencies, tenantId } = tenant;
  const cancel = (number: number) =>
    inOperation(dependencies, tenantId, (its) =>
      cancelInvoice(dependencies, its, { number: String(number) }, noFlags),
    );
  return inLanes(numbers, cancel, { lanes: 2 });
}

test.serial(
  'the API dies while it asks and bills: a repeated call makes one taxed order',
  async (t) => {
    const body = '<subscriptionOrder><contractCode>P</contractCode></subscriptionOrder>';
    const calls = Array.from({ length: 24 }, (_, index) => index + 1);
    const post = (index: number) =>
      send(Number(new URL(parts.apiUrl).port), {
        method: 'POST',
        path: `/rest/orders?extCustomerRef=C-${index}&generateInvoice=true`,
        host: target.hostName,
        auth: `api@test:${PASSWORD}`,
        headers: { 'idempotency-key': `order ${index}` },
        body,
      }).catch(() => undefined);
    // On the day before, the same questions were answered already.
    await advance('2027-04-02');
    await tenant.isReady();
    double.be('well', { delayMs: 100 });
    const before = asked();
    const answers = calls.map(post);
    await until('some are asked about', () => Promise.resolve(asked() >= before + 12));
    await parts.api.kill();
    await Promise.all(answers);
    await endConnections(parts, 'api');
    double.be('well');
    await parts.api.start();
    // A customer that the API may have died of is billed apart first.
    for (const index of calls) {
      await until('the order is made', async () => (await post(index))?.status === 201);
    }
    await tenant.allRecorded();
    const rows = await tenant.sql<{ text: string; count: number }>(
      `select round(i.current_amount_due, 2)::text as text, count(*)::int as count
     from subscription_order o join invoice_line l on l.order_id = o.id
     join invoice i on i.id = l.invoice_id
     where o.start_date = '2027-04-02' group by 1`,
    );
    t.deepEqual(rows, [{ text: '39.20', count: calls.length }]);
    await auditIsClean(t, parts, { db, relayDb });
  },
);
