/**
 * Delivery of the outbox to a real server: down, up again, two relays at once, and a server that
 * lost its data.
 */

import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import test from 'ava';
import { openDatabase } from '../../../db/connection/database.ts';
import { claimOverdue, deleteDelivered } from '../../../db/queries/outbox/outbox.ts';
import { startDispatcher } from '../../../operations/outbox/dispatch-after-commit.ts';
import { deliver } from '../../../operations/outbox/deliver.ts';
import { openEngine, type Engine } from '../../../operations/outbox/engine.ts';
import { readDeliveries } from '../../../operations/outbox/deliveries.ts';
import { enqueueMissing } from '../../../operations/outbox/missing-workflows.ts';
import { enqueue } from '../../../operations/outbox/enqueue.ts';
import { updateOrder } from '../../../operations/orders/update.ts';
import { startRelay } from '../../../operations/outbox/relay.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { withOrigin } from '../../../operations/context/origin.ts';
import type { WorkLine } from '../../../operations/context/work-log.ts';
import { holdRelay, overdue, testDatabase } from '../../support/database.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import { suffix, testTemporal } from '../../support/temporal.ts';
import { busyEngine } from './busy-engine.ts';
import { isRunning, openTenant, order, until } from '../harness.ts';

interface Setting {
  readonly dependencies: Dependencies;
  readonly relayDb: Dependencies['db'];
  readonly engineAt: (address: string) => Engine;
  readonly address: string;
}

/** There is no worker: only the test delivers, and nobody takes the workflows' tasks. */
async function setting(t: Parameters<typeof testDatabase>[0] & object): Promise<Setting> {
  const { ownerUrl: url } = await testDatabase(t);
  await holdRelay(url);
  const pool = { url, poolMax: 4, statementTimeoutMs: 30_000, name: 'test' };
  const db = await openDatabase({ ...pool, role: 'sundial_app' });
  const relayDb = await openDatabase({ ...pool, role: 'sundial_relay' });
  const { address, namespace } = await testTemporal();
  t.teardown(async () => {
    await db.close();
    await relayDb.close();
  });
  return {
    dependencies: { db, realNow: () => Date.now() },
    relayDb,
    address,
    engineAt: (where) => {
      const engine = openEngine({
        address: where,
        namespace,
        taskQueue: `test-${suffix()}`,
        identity: 'test',
      });
      t.teardown(() => engine.close());
      return engine;
    },
  };
}

async function books({ dependencies, engineAt, address }: Setting) {
  const engine = engineAt(address);
  return { engine, ...(await openTenant({ dependencies, engine }, {})) };
}

function freePort(): Promise<number> {
  return choosePort({ variable: 'a free port', wanted: undefined });
}

/** Forwards everything to a server, as if it had started at this port. */
async function forward(port: number, address: string): Promise<Server> {
  const [host = '', to = ''] = address.split(':');
  const server = createServer((socket) => {
    const upstream = connect(Number(to), host);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) {
      end.on('error', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('rows that are written while the engine is down wait, and are delivered once it is back', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const port = await freePort();
  const id = await tenant.order({ customerId: await tenant.customer(), contractCode: 'GOLD' });
  await tenant.work(({ tx }) => tx.query(overdue));
  const relay = startRelay({
    dependencies: its.dependencies,
    relayDb: its.relayDb,
    engine: its.engineAt(`127.0.0.1:${port}`),
    onError: (error) => t.fail(String(error)),
  });
  t.teardown(() => relay.stop());
  const attempts = () =>
    tenant.read((tx) => tx.query<{ attempts: number }>('select attempts from outbox'));
  await until('it was tried twice', async () => ((await attempts())[0]?.attempts ?? 0) >= 2);
  const server = await forward(port, its.address);
  t.teardown(() => void server.close());
  await until('it is delivered', async () => (await tenant.outbox()).length === 0);
  t.true(await isRunning(tenant.workflow(order(id))));
});

test('an engine that is down is tried again every second, however often it was down', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const id = await tenant.order({ customerId: await tenant.customer(), contractCode: 'GOLD' });
  await tenant.work(({ tx }) => tx.query('update outbox set attempts = 10'));
  const away = its.engineAt(`127.0.0.1:${await freePort()}`);
  const workflowId = `order/${tenant.label}/${id}`;
  const result = await deliver(its.dependencies, away, tenant.tenantId, [workflowId]);
  t.deepEqual(result, { delivered: 0, failed: 1, unreachable: true });
  const [row] = await tenant.read((tx) =>
    tx.query<{ soon: boolean; attempts: number; error: string }>(
      `select deliver_after <= now() + interval '1 second' as soon, attempts, last_error as error
       from outbox where workflow_id = $1`,
      [workflowId],
    ),
  );
  t.like(row, { soon: true, attempts: 11 });
  t.regex(row?.error ?? '', /UNAVAILABLE/);
});

test('an overloaded engine is called again at once', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const id = await tenant.order({ customerId: await tenant.customer(), contractCode: 'GOLD' });
  const busy = await busyEngine(its.address, 2);
  t.teardown(busy.close);
  const workflowId = `order/${tenant.label}/${id}`;
  const engine = its.engineAt(busy.address);
  const result = await deliver(its.dependencies, engine, tenant.tenantId, [workflowId]);
  t.deepEqual(result, { delivered: 1, failed: 0, unreachable: false });
  t.is(busy.refused(), 2);
});

test('only the version that was delivered is deleted', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const id = await tenant.order({ customerId: await tenant.customer(), contractCode: 'GOLD' });
  const rows = await tenant.read((tx) => readDeliveries(tx, [`order/${tenant.label}/${id}`]));
  t.like(rows[0], { kind: 'order', objectId: id, facts: { contractCode: 'GOLD' } });
  // The order changes again between the signal and the deletion.
  await tenant.work(async ({ tx }) => enqueue({ tx, tenant }, [order(id)]));
  await tenant.work(async ({ tx }) => deleteDelivered(tx, rows));
  t.deepEqual(await tenant.outbox(), [`order/${tenant.label}/${id}`]);
  await tenant.deliver(order(id));
  t.deepEqual(await tenant.outbox(), []);
});

test('two relays at once share the rows, and skip those that the writer still delivers', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const customerId = await tenant.customer();
  for (let count = 0; count < 6; count += 1) {
    await tenant.order({ customerId, contractCode: 'GOLD' });
  }
  t.deepEqual(await claimOverdue(its.relayDb.pool, 10), []);
  await tenant.work(({ tx }) => tx.query(overdue));
  const [one, two] = await Promise.all([
    claimOverdue(its.relayDb.pool, 3),
    claimOverdue(its.relayDb.pool, 3),
  ]);
  const claimed = new Set([...one, ...two].map((row) => row.workflowId));
  t.is(claimed.size, 6);
  t.deepEqual(await claimOverdue(its.relayDb.pool, 10), [], 'a claimed row is on its way');
});

test('the writer delivers at once in the background, and loses nothing if it cannot', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const customerId = await tenant.customer();
  const first = await tenant.order({ customerId, contractCode: 'GOLD' });
  const dead = startDispatcher(
    its.dependencies,
    its.engineAt(`127.0.0.1:${await freePort()}`),
    (e) => t.fail(String(e)),
  );
  dead.dispatch(tenant.tenantId, [order(first)]);
  await dead.close();
  t.deepEqual(await tenant.outbox(), [`order/${tenant.label}/${first}`]);

  const alive = startDispatcher(its.dependencies, tenant.engine, (error) => t.fail(String(error)));
  const second = await tenant.order({ customerId, contractCode: 'GOLD' });
  alive.dispatch(tenant.tenantId, [order(first), order(second)]);
  await until('both are delivered', async () => (await tenant.outbox()).length === 0);
  await alive.close();
  t.true(await isRunning(tenant.workflow(order(second))));
});

test('a workflow has the id of the request that made it, and the log names both', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const customerId = await tenant.customer();
  const [own, nobodys] = [
    await tenant.order({ customerId, contractCode: 'GOLD' }),
    await tenant.order({ customerId, contractCode: 'GOLD' }),
  ];
  const lines: WorkLine[] = [];
  const told = { ...its.dependencies, onWork: (line: WorkLine) => void lines.push(line) };
  const dispatcher = startDispatcher(told, tenant.engine, (error) => t.fail(String(error)));
  withOrigin({ requestId: 'request-7' }, () => dispatcher.dispatch(tenant.tenantId, [order(own)]));
  dispatcher.dispatch(tenant.tenantId, [order(nobodys)]);
  await until('both are delivered', async () => (await tenant.outbox()).length === 0);
  await dispatcher.close();
  t.deepEqual((await tenant.workflow(order(own)).describe()).memo, { requestId: 'request-7' });
  t.falsy((await tenant.workflow(order(nobodys)).describe()).memo?.['requestId']);
  const line = lines.find(({ workflows }) =>
    (workflows as readonly string[] | undefined)?.includes(`order/${tenant.label}/${own}`),
  );
  t.deepEqual(line?.['requests'], ['request-7']);
});

test('an engine that lost its data gets every open order, and none a second time', async (t) => {
  const its = await setting(t);
  const tenant = await books(its);
  const customerId = await tenant.customer();
  const open = await tenant.order({ customerId, contractCode: 'GOLD' });
  const over = await tenant.order({ customerId, contractCode: 'GOLD' });
  await tenant.work((work) =>
    updateOrder(its.dependencies, work, { id: over }, { orderStatus: 'Canceled' }),
  );
  await tenant.work(({ tx }) => tx.query('delete from outbox'));
  t.is(await enqueueMissing(its.dependencies, its.relayDb, 'one engine'), 1);
  t.deepEqual(await tenant.outbox(), [`billing/${tenant.label}`, `order/${tenant.label}/${open}`]);
  await tenant.work(({ tx }) => tx.query('delete from outbox'));
  t.is(await enqueueMissing(its.dependencies, its.relayDb, 'one engine'), 0);
  t.deepEqual(await tenant.outbox(), []);
  t.is(await enqueueMissing(its.dependencies, its.relayDb, 'another'), 1);
});
