/**
 * Kills the worker with SIGKILL while it records 200 invoices at the tax provider and others of them
 * are cancelled. Afterwards each is recorded once, or voided if it was cancelled, and none is missing.
 */
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { askTaxes } from '../../../operations/billing/tax-answers.ts';
import { UnansweredTaxes } from '../../../operations/billing/taxing.ts';
import { inLanes } from '../../../operations/context/lanes.ts';
import { inOperation, tenantInfo } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { cancelInvoice } from '../../../operations/invoices/cancel.ts';
import { createOrder } from '../../../operations/orders/create.ts';
import { createAvatax } from '../../../providers/tax/avatax/avatax.ts';
import { guarded } from '../../../providers/tax/guarded.ts';
import { prepaid, recurring } from '../../operations/support/plans.ts';
import { avataxAccount, portland, startAvatax } from '../../support/avatax.ts';
import { suffix } from '../../support/temporal.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase } from './till.ts';

const INVOICES = 200;
const first = 1001;

const double = await startAvatax();
/** It is asked about the invoices, and is never slow. */
const asked = await startAvatax();
const parts = await startParts({ AVATAX_URL: double.url }, 'test/system/crash/taxing-worker.ts');
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const dependencies = { db, realNow: Date.now };
const provider = guarded(createAvatax({ ...avataxAccount, url: asked.url }), {
  timeLimitMs: 60_000,
  now: Date.now,
});
const { id: tenantId } = await makeTenant(dependencies, {
  label: `taxes-${suffix()}`,
  testClock: '2027-01-15T12:00:00Z',
  timezone: 'UTC',
  plans: [recurring('P', 36, { ...prepaid, taxCodes: ['STANDARD'] })],
  file: { address: { ...portland, street2: undefined } },
});

test.after.always(async () => {
  await parts.stop();
  for (const each of [double, asked]) each.close();
  for (const opened of [db, relayDb]) await opened.close();
});

const sql = <Row extends object>(text: string, ...values: readonly unknown[]) =>
  inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(text, values));
const lanes = { lanes: 2 };

async function taxed(): Promise<void> {
  await sql(
    `update tenant set file = jsonb_set(file, '{tax}', '{"type": "avatax"}') where id = $1`,
    tenantId,
  );
  await until('the tenant is taxed', async () => {
    return (await tenantInfo(dependencies, tenantId)).taxProvider !== null;
  });
}

async function newCustomer(): Promise<number> {
  return inOperation(dependencies, tenantId, async (context) => {
    const [row] = await context.tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       values ($1, 'A customer', 'Active', 'USD', now(), now()) returning id`,
      [tenantId],
    );
    const id = row?.id ?? 0;
    await context.tx.query(
      `insert into contact (tenant_id, customer_id, kind, street1, city, state, zip, country_code)
       values ($1, $2, 'billing', '350 5th Ave', 'New York', 'NY', '10118', 'US')`,
      [tenantId, id],
    );
    raise(context, [{ type: 'customer.created', customerId: id, objectId: id }]);
    return id;
  });
}

/** An order with its invoice of 39.20, of which 3.20 are taxes. */
async function invoice(): Promise<void> {
  const order = { customerId: await newCustomer(), contractCode: 'P' };
  const flags = { generateInvoice: true, forceInvoiceGeneration: false };
  const made = () =>
    inOperation(dependencies, tenantId, (its) => createOrder(dependencies, its, order, flags));
  try {
    await made();
  } catch (error) {
    if (!(error instanceof UnansweredTaxes)) throw error;
    await askTaxes(db, { tenantId, provider }, error.documents);
    await made();
  }
}

const noFlags = { suspendOrders: false, cancelOrders: false, rollbackBillingPeriod: false };
const cancelAll = (numbers: readonly number[]) =>
  inLanes(
    numbers,
    (number) =>
      inOperation(dependencies, tenantId, (its) =>
        cancelInvoice(dependencies, its, { number }, noFlags),
      ),
    lanes,
  );
/** Every tenth invoice, from this one on. */
const tenth = (from: number) => Array.from({ length: INVOICES / 10 }, (_, nth) => from + 10 * nth);

const states = async (): Promise<Record<string, number>> => {
  const rows = await sql<{ state: string; count: number }>(
    `select state, count(*)::int as count from tax_record group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};

test('the worker dies while it records and others cancel: each invoice is recorded once, or voided', async (t) => {
  await taxed();
  // The worker begins to record while the invoices are made, and is far behind.
  double.be('well', { delayMs: 2_000 });
  await inLanes(Array.from({ length: INVOICES }), invoice, lanes);
  double.be('well', { delayMs: 200 });
  const before = double.records.size;
  t.log(`${before} recorded while they were made`);
  const cancelled = cancelAll(tenth(first));
  await until('some more are recorded', () =>
    Promise.resolve(double.records.size >= Math.min(before + 20, INVOICES - 20)),
  );
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  await cancelled;
  await cancelAll(tenth(first + 5));
  // Calls of the dead worker that the provider carries out nevertheless.
  await until('the provider has ended them', () => Promise.resolve(double.underWay() === 0));
  const open = await states();
  t.true((open.toRecord ?? 0) + (open.toVoid ?? 0) > 20, JSON.stringify(open));
  await sql(
    `update tax_record set next_attempt_at = next_attempt_at - interval '3 minutes',
       leased_until = leased_until - interval '3 minutes' where state in ('toRecord', 'toVoid')`,
  );
  double.be('well', { delayMs: 20 });
  await parts.worker.start();
  await until('nothing is open', async () => {
    const { toRecord = 0, toVoid = 0 } = await states();
    return toRecord + toVoid === 0;
  });
  t.deepEqual(await states(), { recorded: INVOICES * 0.8, voided: INVOICES * 0.2 });
  const rows = await sql<{ id: number; status: string }>('select id, status from invoice');
  t.is(rows.length, INVOICES);
  const wrong = rows.filter(({ id, status }) => {
    const record = double.records.get(String(id));
    if (status === 'Cancelled') return record?.status === 'Committed';
    return record?.status !== 'Committed' || record.total !== 36 || record.tax !== 3.2;
  });
  t.deepEqual(wrong, []);
  t.is(rows.filter(({ status }) => status === 'Cancelled').length, INVOICES * 0.2);
  await auditIsClean(t, parts, { db, relayDb });
});
