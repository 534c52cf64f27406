/**
 * Kills the worker with SIGKILL after an Update's work is committed, and before the engine has its
 * answer: the Update is answered as the first time, and its work is done once.
 */
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { Client as Database } from 'pg';
import test from 'ava';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { inOperation } from '../../../operations/context/context.ts';
import { raise } from '../../../operations/events/raise.ts';
import { resumeCallbacks } from '../../../workflows/contract-callbacks.ts';
import { callbackSecret, startReceiver } from '../../support/receiver.ts';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { auditIsClean, endConnections } from './aftermath.ts';
import { startParts } from './parts.ts';
import { openTestDatabase } from './till.ts';

const parts = await startParts({ CALLBACK_ALLOW_PRIVATE: 'true' });
const db = await openTestDatabase(parts, 'sundial_app');
const relayDb = await openTestDatabase(parts, 'sundial_relay');
const dependencies = { db, realNow: Date.now };
const owner = new Database({ connectionString: parts.ownerUrl });
await owner.connect();
const connection = await NativeConnection.connect({ address: parts.engine.address });
const client = new Client({ connection, namespace: parts.engine.namespace });

test.after.always(async () => {
  await connection.close();
  await owner.end();
  await parts.stop();
  for (const opened of [db, relayDb]) await opened.close();
});

/** Who resumes callbacks waits in its transaction, which has done everything, until it is opened. */
const gate = `
create function gate() returns trigger language plpgsql set lock_timeout = 0 as $$
begin
  perform pg_advisory_xact_lock_shared(42);
  return new;
end $$;
create trigger gate_answer before insert on update_answer for each row execute function gate();
select pg_advisory_lock(42);
`;

test('a worker killed between the commit and the answer of a resume resumes once', async (t) => {
  const receiver = await startReceiver(t);
  receiver.behave(() => 500);
  const { id: tenantId, label } = await makeTenant(dependencies, {
    plans: [],
    file: {
      callbacks: [{ url: receiver.url, secret: callbackSecret, events: ['customer.updated'] }],
    },
  });
  const count = async (rows: string): Promise<number> => {
    const [row] = await inTenant(db, tenantId, (tx) =>
      tx.query<{ n: number }>(`select count(*) as n from ${rows}`),
    );
    return row?.n ?? 0;
  };
  const [endpoint] = await inOperation(dependencies, tenantId, async (context) => {
    const [customer] = await context.tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       values ($1, 'Ada', 'Active', 'USD', now(), now()) returning id`,
      [tenantId],
    );
    const id = customer?.id ?? 0;
    const types = ['customer.created', 'customer.updated'] as const;
    raise(
      context,
      types.map((type) => ({ type, customerId: id, objectId: id })),
    );
    return context.tx.query<{ id: number }>('select id from callback_endpoint');
  });
  const workflow = client.workflow.getHandle(`callbacks/${label}/${endpoint?.id ?? 0}`);
  await until('it fails', async () => (await count(`callback_delivery where attempts > 0`)) === 1);
  await inTenant(db, tenantId, (tx) =>
    tx.query('update callback_delivery set retry_at = now(), give_up_at = now()'),
  );
  await workflow.signal('nudge');
  await until(
    'it gives up',
    async () => (await count(`callback_delivery where state = 'GivenUp'`)) === 1,
  );
  receiver.behave(() => 200);

  await owner.query(gate);
  const asked = workflow.executeUpdate(resumeCallbacks, {
    args: [{ reason: 'it is mended' }],
    updateId: 'resume-1',
  });
  await until('the work is done', async () => {
    const { rows } = await owner.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
    );
    return rows.length === 1;
  });
  // The engine cannot hear of it.
  parts.temporal.freeze();
  await owner.query('select pg_advisory_unlock(42)');
  await until('it is committed', async () => (await count('update_answer')) === 1);
  await parts.worker.kill();
  await endConnections(parts, 'worker');
  parts.temporal.thaw();
  await parts.worker.start();

  t.deepEqual(await asked, { events: 1 });
  t.is(await count('callback_resumption'), 1);
  await workflow.result();
  t.is(receiver.accepted.length, 1);
  // Its sender did not get the answer either, and asks again with the same id.
  const again = workflow.executeUpdate(resumeCallbacks, {
    args: [{ reason: 'it is mended' }],
    updateId: 'resume-1',
  });
  t.deepEqual(await again, { events: 1 });
  await auditIsClean(t, parts, { db, relayDb });
});
