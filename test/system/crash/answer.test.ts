/**
 * An API that is killed between the commit of a write and its answer. A proxy before PostgreSQL
 * kills the API after the commit of an answer with a key, before the API receives the result.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { childEnvironment } from '../../../config.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { errorsOf, send } from '../../api/support.ts';
import { valueOf, valuesOf } from '../../api/tenant-api.ts';
import { testDatabase } from '../../support/database.ts';
import { PASSWORD, SECRET_KEY, makeTenant } from '../../support/tenants.ts';

const { ownerUrl } = await testDatabase();
const KEY = { 'idempotency-key': 'once and for all' };

/**
 * A proxy between the API and PostgreSQL that calls `onCommit` instead of passing on the result.
 */
async function startProxy(t: ExecutionContext, onCommit: () => void): Promise<string> {
  const url = new URL(ownerUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    let keeps = false;
    let commits = false;
    client.on('data', (sent: Buffer) => {
      keeps ||= sent.includes('keep-answer');
      commits = keeps && sent.includes('commit\0');
      database.write(sent);
    });
    database.on('data', (said: Buffer) => {
      if (commits && said.includes('COMMIT\0')) onCommit();
      else client.write(said);
    });
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, database].forEach((each) => each.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

async function startChild(t: ExecutionContext, databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-answer-'));
  const child: ChildProcess = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../../api/main.ts')],
    {
      env: childEnvironment({
        DATABASE_URL: databaseUrl,
        // The client is gone, which is expected.
        TEMPORAL_ADDRESS: '127.0.0.1:9',
        SECRET_KEY,
        DATA_DIR: folder,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'info',
      }),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.teardown(async () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  if (child.stdout === null) throw new Error('a child without output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, port } = JSON.parse(line) as { readonly msg?: string; readonly port?: number };
    if (msg === 'ready' && port !== undefined) {
      child.stdout.resume();
      return { child, port };
    }
  }
  throw new Error('the API ended before it was ready');
}

async function makeOwnTenant(): Promise<string> {
  const options = { role: 'sundial_app', poolMax: 1, statementTimeoutMs: 5_000 } as const;
  const db = await openDatabase({ ...options, url: ownerUrl, name: 'test' });
  const file = { documents: { cancellation: 'document' } };
  const { label } = await makeTenant({ db, realNow: Date.now }, { file });
  await db.close();
  return `${label}.localhost`;
}

const auth = `api@test:${PASSWORD}`;
const orders = '/rest/orders?extCustomerRef=C&generateInvoice=true';
const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

/** A customer at an API that dies between the commit and the answer of its first call with a key. */
async function openDoomed(t: ExecutionContext) {
  const host = await makeOwnTenant();
  const killed = Promise.withResolvers<void>();
  const victims: ChildProcess[] = [];
  const proxied = await startProxy(t, () => {
    victims.forEach((each) => each.kill('SIGKILL'));
    killed.resolve();
  });
  const { child, port } = await startChild(t, proxied);
  victims.push(child);
  const body =
    '<customer><extCustomerRef>C</extCustomerRef><billingContact><firstName>Ada</firstName>' +
    '</billingContact></customer>';
  const made = await send(port, { method: 'POST', path: '/rest/customers', host, auth, body });
  t.is(made.status, 201, made.body);
  return { host, port, killed: killed.promise };
}

test('after a kill between commit and answer, a retry gets the answer, and nothing is made twice', async (t) => {
  const doomed = await openDoomed(t);
  const { host } = doomed;
  const request = { method: 'POST', path: orders, host, auth, body: order, headers: KEY };
  await t.throwsAsync(send(doomed.port, request), { message: /hang up|ECONNRESET/ });
  await doomed.killed;

  const { port } = await startChild(t, ownerUrl);
  const again = await send(port, request);
  t.is(again.status, 201, again.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  const list = await send(port, { path: '/rest/orders', host, auth });
  t.deepEqual(valuesOf(list.body, 'orderNumber'), ['1001']);
  t.is(valueOf(list.body, 'subscriptionOrder@id'), valueOf(again.body, 'subscriptionOrder@id'));
  const invoices = await send(port, { path: '/rest/invoices', host, auth });
  t.deepEqual(valuesOf(invoices.body, 'invoiceNumber'), ['1001']);
  const other = await send(port, { ...request, body: order.replace('GOLD', 'SEATS') });
  t.deepEqual([other.status, errorsOf(other)], [409, ['idempotency.otherRequest']]);
});

test('after a kill between commit and answer of a cancellation, it has one number, and no number is missing', async (t) => {
  const doomed = await openDoomed(t);
  const { host } = doomed;
  const ordering = { method: 'POST', path: orders, host, auth, body: order };
  t.is((await send(doomed.port, ordering)).status, 201);
  const path = '/rest/invoice?invoiceNumber=1001';
  const request = { method: 'DELETE', path, host, auth, headers: KEY };
  await t.throwsAsync(send(doomed.port, request), { message: /hang up|ECONNRESET/ });
  await doomed.killed;

  const { port } = await startChild(t, ownerUrl);
  const again = await send(port, request);
  t.is(again.status, 200, again.body);
  t.is(again.headers['idempotency-replayed'], 'true');
  const cancelled = await send(port, { path, host, auth });
  t.is(valueOf(cancelled.body, 'status'), 'Cancelled');
  t.is(valueOf(cancelled.body, 'cancellationNumber'), '1002');
  t.is((await send(port, ordering)).status, 201);
  const invoices = await send(port, { path: '/rest/invoices', host, auth });
  t.deepEqual(valuesOf(invoices.body, 'invoiceNumber').toSorted(), ['1001', '1003']);
});
