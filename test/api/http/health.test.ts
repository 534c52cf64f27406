/** Three questions about a process: does it run, is its database there, is the whole service there. */
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { databaseAnswers } from '../../../api/access/store.ts';
import { startApi } from '../../../api/http/run-api.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { noStorage } from '../../../providers/storage/open-storage.ts';
import { testDatabase } from '../../support/database.ts';
import { startProxy } from '../../support/proxy.ts';
import { PASSWORD, SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { suffix, testTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { openTestDatabase, send, startApi as startRoutes } from '../support.ts';

type PartName = 'database' | 'temporal' | 'worker' | 'start';

/** The status of each address and the parts that it misses, while these parts do not answer. */
async function answersWithout(t: ExecutionContext, ...down: readonly PartName[]) {
  const db = await openTestDatabase();
  t.teardown(() => db.close());
  const check = (part: PartName) => () => Promise.resolve(!down.includes(part));
  const health = {
    database: check('database'),
    temporal: check('temporal'),
    worker: check('worker'),
    start: check('start'),
  };
  const api = await startRoutes(db, () => [], { health });
  t.teardown(api.stop);
  const answers: string[] = [];
  for (const path of ['/livez', '/readyz', '/healthz']) {
    const { status, body } = await api.send({ path, auth: null, host: '10.0.0.1' });
    const missing = [...body.matchAll(/<part>(\w+)/g)].map(([, part]) => part);
    answers.push([path, status, ...missing].join(' '));
  }
  return answers;
}

test('each address asks for its own parts', async (t) => {
  t.deepEqual(await answersWithout(t), ['/livez 200', '/readyz 200', '/healthz 200']);
  t.deepEqual(await answersWithout(t, 'temporal', 'worker'), [
    '/livez 200',
    '/readyz 200',
    '/healthz 503 temporal worker',
  ]);
  t.deepEqual(await answersWithout(t, 'database'), [
    '/livez 200',
    '/readyz 503 database',
    '/healthz 503 database',
  ]);
  t.deepEqual(await answersWithout(t, 'start'), [
    '/livez 200',
    '/readyz 200',
    '/healthz 503 start',
  ]);
});

test('connections that were lost without a word leave the pool, and the next ones answer', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const proxy = await startProxy(ownerUrl);
  t.teardown(proxy.stop);
  const db = await openDatabase({
    url: proxy.url,
    role: 'sundial_app',
    poolMax: 2,
    statementTimeoutMs: 30_000,
    name: 'test',
  });
  t.teardown(() => db.close());
  db.pool.on('error', () => undefined);
  await Promise.all([databaseAnswers(db), databaseAnswers(db)]);
  proxy.silence();
  const isReady = () => databaseAnswers(db).catch(() => false);
  t.false(await isReady());
  await until('the database answers again', isReady);
});

test('the engine is asked on the connection that tries a lost server again within seconds', async (t) => {
  const [{ ownerUrl }, temporal] = await Promise.all([testDatabase(t), testTemporal()]);
  const proxy = await startProxy(`tcp://${temporal.address}`);
  t.teardown(proxy.stop);
  const role = { role: 'sundial_app', poolMax: 1, statementTimeoutMs: 30_000 } as const;
  const db = await openDatabase({ ...role, url: ownerUrl, name: 'test' });
  t.teardown(() => db.close());
  const { label } = await makeTenant({ db, realNow: Date.now });
  const api = await startApi({
    log: pino({ level: 'silent' }),
    databaseUrl: ownerUrl,
    temporalAddress: new URL(proxy.url).host,
    temporalNamespace: temporal.namespace,
    taskQueue: `nobody-${suffix()}`,
    host: '127.0.0.1',
    port: 0,
    baseDomain: 'localhost',
    publicUrl: 'http://localhost',
    storage: noStorage,
    trustProxy: false,
    gateway: { secretKeys: SECRET_KEY },
    paymentWaitSeconds: 1,
    hashCost: cheapCost,
  });
  t.teardown(api.stop);
  const call = (method: string, path: string, body: string) =>
    send(api.port, {
      method,
      path,
      host: `${label}.localhost`,
      auth: `api@test:${PASSWORD}`,
      body,
    });
  const name = '<billingContact><firstName>Ada</firstName></billingContact>';
  const ada = `<customer><extCustomerRef>C1</extCustomerRef>${name}</customer>`;
  t.is((await call('POST', '/rest/customers', ada)).status, 201);
  const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';
  t.is((await call('POST', '/rest/orders?extCustomerRef=C1', order)).status, 201);
  await until('its delivery has a connection', async () => proxy.made() > 0);
  const { body } = await send(api.port, { path: '/healthz' });
  t.regex(body, /<missing><part>worker<\/part><\/missing>/);
  t.is(proxy.made(), 1);
});
