/** The API as it is deployed: over TLS, without the workflow engine, with its log. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import test from 'ava';
import pino from 'pino';
import { describeError } from '../../../operations/context/describe-error.ts';
import { startApi, type ApiSettings } from '../../../api/http/run-api.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { testDatabase } from '../../support/database.ts';
import { administer } from '../../support/template.ts';
import { PASSWORD, SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { amount, card, cash, pay } from '../payments/bodies.ts';
import { send } from '../support.ts';
import { createMetrics } from '../../../providers/metrics/registry.ts';
import { noStorage } from '../../../providers/storage/open-storage.ts';

const { ownerUrl } = await testDatabase();
const fixtures = join(import.meta.dirname, 'fixtures');
const tls = { cert: join(fixtures, 'localhost.crt'), key: join(fixtures, 'localhost.key') };
const lines: string[] = [];

function settings(): ApiSettings {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return {
    log: pino({ serializers: { error: describeError } }, destination),
    databaseUrl: ownerUrl,
    // Nothing listens there, so the workflow engine is down.
    temporalAddress: '127.0.0.1:9',
    temporalNamespace: 'default',
    taskQueue: 'nobody',
    host: '127.0.0.1',
    port: 0,
    baseDomain: 'localhost',
    publicUrl: 'http://localhost',
    storage: noStorage,
    trustProxy: false,
    gateway: { secretKeys: SECRET_KEY },
    paymentWaitSeconds: 1,
    hashCost: cheapCost,
  };
}

const session = { role: 'sundial_app', poolMax: 1, statementTimeoutMs: 5_000 } as const;

async function tenantLabel(): Promise<string> {
  const db = await openDatabase({ ...session, url: ownerUrl, name: 'test' });
  const { label } = await makeTenant({ db, realNow: Date.now });
  await db.close();
  return label;
}

const customer =
  '<customer><extCustomerRef>C1</extCustomerRef><billingContact><firstName>Adelheid</firstName>' +
  '<passwd>Geheim123</passwd></billingContact></customer>';
const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

test.serial(
  'while the workflow engine is down orders are accepted and billed, payments accepted',
  async (t) => {
    const host = `${await tenantLabel()}.localhost`;
    const api = await startApi(settings());
    t.teardown(api.stop);
    const auth = `api@test:${PASSWORD}`;
    const call = (method: string, path: string, body?: string) =>
      send(api.port, { method, path, host, auth, ...(body === undefined ? {} : { body }) });
    t.is((await call('POST', '/rest/customers', customer)).status, 201);
    const made = await call('POST', '/rest/orders?extCustomerRef=C1&generateInvoice=true', order);
    t.is(made.status, 201);
    t.is((await call('GET', '/rest/invoice?invoiceNumber=1001')).status, 200);
    const path = '/rest/payments?extCustomerRef=C1';
    const payment = await call('POST', path, pay(amount('78.95') + card()));
    t.is(payment.status, 202, payment.body);
    t.regex(payment.body, /<status>Pending</);
    t.is((await call('POST', path, pay(amount('1.00') + cash()))).status, 201);
    const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const retried = () => told().find((line) => line['of'] === 'delivery');
    await until('the failed delivery is told', async () => retried() !== undefined);
    t.like(retried(), { msg: 'retry', tenant: host.split('.')[0], level: 40 });
    t.regex(JSON.stringify(retried()?.['error']), /UNAVAILABLE|DEADLINE_EXCEEDED/);
    const health = await call('GET', '/healthz');
    t.is(health.status, 503);
    t.regex(health.body, /<missing><part>temporal<\/part><part>worker<\/part><\/missing>/);
  },
);

test.serial('the log has every call, without bodies, queries and passwords', async (t) => {
  const host = `${await tenantLabel()}.localhost`;
  const api = await startApi(settings());
  lines.length = 0;
  const auth = `api@test:${PASSWORD}`;
  const call = { host, auth, headers: { 'x-request-id': 'trace-1' } };
  await send(api.port, { ...call, method: 'POST', path: '/rest/customers', body: customer });
  await send(api.port, { ...call, method: 'POST', path: '/rest/customers', body: customer });
  await send(api.port, { ...call, path: '/rest/customers?search=Adelheid' });
  await send(api.port, { host, auth: 'api@test:wrong-secret', path: '/rest/plans' });
  await api.stop();
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  t.deepEqual(
    entries.map(({ requestId, method, path, status, user }) => [
      requestId === 'trace-1',
      method,
      path,
      status,
      user,
    ]),
    [
      [true, 'POST', '/rest/customers', 201, 'api@test'],
      [true, 'POST', '/rest/customers', 400, 'api@test'],
      [true, 'GET', '/rest/customers', 200, 'api@test'],
      [false, 'GET', '/rest/plans', 401, undefined],
    ],
  );
  t.notRegex(lines.join(''), /Adelheid|Geheim|secret|C1/);
});

test.serial('an error after which the API goes on is in its log, and counted', async (t) => {
  const metrics = createMetrics({ process: 'api', version: '1', build: 'b', schema: '0001' });
  t.teardown(metrics.close);
  const host = `${await tenantLabel()}.localhost`;
  const api = await startApi({ ...settings(), metrics });
  t.teardown(api.stop);
  t.is((await send(api.port, { path: '/livez', host, auth: null })).status, 200);
  const counted = async (): Promise<number> =>
    Number(/^sundial_errors_total (\d+)$/m.exec(await metrics.text())?.[1]);
  t.is(await counted(), 0);
  await administer(
    ownerUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'api ${process.pid}' and datname = current_database()`,
  );
  await until('it is counted', async () => (await counted()) > 0);
  t.true(lines.some((line) => line.includes('a database connection was lost')));
});

test('the log omits what a database error quotes', (t) => {
  const error = Object.assign(new Error('duplicate key: (Adelheid)'), {
    code: '23505',
    constraint: 'customer_key',
    detail: 'Key (name)=(Adelheid) already exists.',
  });
  const said = JSON.stringify(describeError(error));
  t.notRegex(said, /Adelheid/);
  t.regex(said, /23505.*customer_key/);
});

test('over TLS, credentials are accepted on any address', async (t) => {
  const host = `${await tenantLabel()}.localhost`;
  const api = await startApi({ ...settings(), host: '0.0.0.0', tls });
  t.teardown(api.stop);
  const plain = await startApi({ ...settings(), host: '0.0.0.0' });
  t.teardown(plain.stop);
  const auth = `api@test:${PASSWORD}`;
  t.is((await send(plain.port, { path: '/rest/plans', host, auth })).status, 403);
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const options = { host: '127.0.0.1', port: api.port, path: '/rest/plans', auth, agent: false };
  const ca = readFileSync(tls.cert);
  request({ ...options, ca, servername: 'localhost', headers: { host } }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  })
    .on('error', reject)
    .end();
  t.is(await promise, 200);
});

test('a taken port is reported', async (t) => {
  const first = await startApi(settings());
  t.teardown(first.stop);
  await t.throwsAsync(startApi({ ...settings(), port: first.port }), { code: 'EADDRINUSE' });
});
