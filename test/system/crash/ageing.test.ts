/**
 * Kills worker and engine with SIGKILL in the middle of 100 ageing steps. The test keeps half of
 * the customers locked, so exactly the other half stands at its new status when the part dies.
 * Afterwards each customer has each transition once, and its dunning has its workflow.
 */

import test from 'ava';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { done } from '../../../cli/rest.ts';
import type { RestTarget } from '../../../cli/rest.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { audit } from '../../support/audit.ts';
import { raise } from '../../../operations/events/raise.ts';
import { createInvoice } from '../../../operations/invoices/create.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { amounting } from '../../operations/support/payment-books.ts';
import { suffix } from '../../support/temporal.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { startParts } from './parts.ts';
import type { Mortal } from './parts.ts';
import { patientSession } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const customers = 100;
const pool = { poolMax: 4, ...patientSession, name: 'test' };
const parts = await startParts();
const db = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_app' });
const relayDb = await openDatabase({ ...pool, url: parts.ownerUrl, role: 'sundial_relay' });
const dependencies = { db, realNow: Date.now };
const { id: tenantId, label } = await makeTenant(dependencies, {
  label: `crash-${suffix()}`,
  testClock: '2027-01-01T12:00:00Z',
  file: {
    dunning: {
      thresholds: [
        { daysOverdue: 15, status: 'Overdue1' },
        { daysOverdue: 30, status: 'Suspended1' },
      ],
    },
  },
});
const target: RestTarget = {
  apiUrl: parts.apiUrl,
  hostName: `${label}.localhost`,
  username: 'api@test',
  password: PASSWORD,
};

test.after.always(async () => {
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** 100 customers with an invoice each, due on 5 January: steps on 20 January and 4 February. */
test.serial.before(async () => {
  for (let made = 1; made <= customers; made += 1) {
    await inOperation(dependencies, tenantId, async (work) => {
      const [customer] = await work.tx.query<{ id: number }>(
        `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
           updated_at)
         values ($1, 'A customer', 'Active', $2, 'USD', now(), now()) returning id`,
        [tenantId, `C-${made}`],
      );
      const id = customer?.id ?? 0;
      raise(work, [{ type: 'customer.created', customerId: id, objectId: id }]);
      await createInvoice(work, { id }, amounting('5', { dueDate: '2027-01-05' }));
    });
  }
});

const read = <Row extends object>(sql: string, ...values: unknown[]) =>
  inTenant(db, tenantId, (tx) => tx.query<Row & Record<string, unknown>>(sql, values), {
    readOnly: true,
  });

async function count(status: string): Promise<number> {
  const rows = await read<{ n: number }>(
    'select count(*) as n from customer where status = $1',
    status,
  );
  return rows[0]?.n ?? 0;
}

/** Locks every second customer until the test releases them, like a long write. */
async function lockHalf(t: ExecutionContext): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: parts.ownerUrl });
  await client.connect();
  let letGo = () => client.end();
  t.teardown(() => letGo());
  await client.query('begin');
  await client.query(`select set_config('app.tenant', $1, true)`, [String(tenantId)]);
  await client.query(
    `select from customer where tenant_id = $1 and right(ext_customer_ref, 1) in ('0', '2', '4', '6', '8')
     order by id for no key update`,
    [tenantId],
  );
  return async () => {
    await letGo();
    letGo = () => Promise.resolve();
  };
}

const isReady = async () => {
  const rows = await read<{ status: string }>('select status from test_clock');
  return rows[0]?.status === 'Ready';
};

async function advance(to: string): Promise<void> {
  await done(target, 'POST', `/rest/testClock?advanceTo=${to}`);
}

async function dies(t: ExecutionContext, part: Mortal, to: string, status: string) {
  await until('the clock is Ready', isReady);
  const letGo = await lockHalf(t);
  await advance(to);
  await until('half of the customers stand there', async () => {
    return (await count(status)) === customers / 2;
  });
  t.false(await isReady());
  await part.kill();
  await letGo();
  await part.start();
  await until('the clock is Ready', isReady);
  const steps = await read(
    `select transitioned_on::text as on, count(*) as times, count(distinct customer_id) as customers
     from customer_transition where new_status = $1 group by 1`,
    status,
  );
  t.deepEqual(steps, [{ on: to, times: customers, customers }]);
  t.is(await count(status), customers);
  const report = await audit(dependencies, { relayDb, engine: parts.engine, only: label });
  t.deepEqual(report.tenants[0]?.faults, []);
  t.true(report.clean);
}

test.serial(
  'the worker dies: the next worker takes the steps that are left, each once',
  async (t) => {
    await advance('2027-01-19');
    await dies(t, parts.worker, '2027-01-20', 'Overdue1');
  },
);

test.serial('the engine dies: the steps go on once it is back, each once', async (t) => {
  await dies(t, parts.temporal, '2027-02-04', 'Suspended1');
  const pauses = await read<{ n: number }>(
    `select count(*) as n from service_pause where suspended_on = '2027-02-04'`,
  );
  t.is(pauses[0]?.n, customers);
});
