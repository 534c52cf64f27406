/** Heavy calls run in a thread of their own, whose death does not affect the API. */
import test, { registerCompletionHandler } from 'ava';
import pino from 'pino';
import { z } from 'zod';
import { startApi } from '../../../api/http/run-api.ts';
import { openHeavyThread, type HeavyThread } from '../../../api/http/heavy/thread.ts';
import type { RawCall } from '../../../api/calls/call.ts';
import { RequestError } from '../../../api/calls/errors.ts';
import { route } from '../../../api/calls/route.ts';
import type { XmlRoute } from '../../../api/calls/route-types.ts';
import { compile } from '../../../api/xml/codec.ts';
import { root, text } from '../../../api/xml/types.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { cheapCost } from '../../../operations/access/passwords.ts';
import { testDatabase } from '../../support/database.ts';
import { PASSWORD, SECRET_KEY, makeTenant } from '../../support/tenants.ts';
import { send } from '../support.ts';
import { noStorage } from '../../../providers/storage/open-storage.ts';

const { ownerUrl } = await testDatabase();
const db = await openDatabase({
  url: ownerUrl,
  role: 'sundial_app',
  poolMax: 2,
  statementTimeoutMs: 5_000,
  name: 'test',
});

const api = await startApi({
  log: pino({ level: 'silent' }),
  databaseUrl: ownerUrl,
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
});
registerCompletionHandler(() => void api.stop().then(() => db.close()));

async function caller(file: Readonly<Record<string, unknown>> = {}) {
  const tenant = await makeTenant({ db, realNow: Date.now }, { file });
  const at = { host: `${tenant.label}.localhost`, auth: `api@test:${PASSWORD}` };
  return {
    ...tenant,
    get: (path: string) => send(api.port, { ...at, path }),
    post: (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      send(api.port, { ...at, method: 'POST', path, body, headers }),
  };
}

const customer = (ref: string) =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact>` +
  '<firstName>Ada</firstName></billingContact></customer>';

/** An order whose body is large enough to be heavy. */
function largeOrder(second = '', customerId = ''): string {
  const line = '<orderLineItem><priceCode>SEAT</priceCode><quantity>1</quantity></orderLineItem>';
  return (
    `<subscriptionOrder>${customerId === '' ? '' : `<customer id="${customerId}"/>`}` +
    `<contractCode>SEATS</contractCode><orderLineItems>${line}${second}` +
    `${line.repeat(450)}</orderLineItems></subscriptionOrder>`
  );
}

/** Whether the thread has ever called PostgreSQL; other test files have threads, too. */
async function threadRuns(): Promise<boolean> {
  const [row] = (
    await db.pool.query<{ runs: boolean }>(
      `select exists (select from pg_stat_activity
         where application_name like 'api % heavy' and datname = current_database()) as runs`,
    )
  ).rows;
  return row?.runs ?? false;
}

test.serial('a light call does not start the thread', async (t) => {
  const own = await caller();
  t.is((await own.post('/rest/customers', customer('C1'))).status, 201);
  t.is((await own.get('/rest/customers?max=100')).status, 200);
  t.false(await threadRuns());
});

test.serial('a long list has the same answer as a short one', async (t) => {
  const own = await caller();
  await own.post('/rest/customers', customer('C1').replace('Ada', 'Ada Größe'));
  const light = await own.get('/rest/customers?max=100');
  const heavy = await own.get('/rest/customers?max=1000');
  t.true(await threadRuns());
  t.is(heavy.status, 200);
  t.regex(heavy.body, /<extCustomerRef>C1</);
  t.is(heavy.body, light.body);
  t.is(heavy.headers['content-type'], light.headers['content-type']);
  const indented = await own.get('/rest/customers?max=1000&indent=true');
  t.regex(indented.body, /\n +<extCustomerRef>C1</);
  t.is(indented.body, (await own.get('/rest/customers?max=100&indent=true')).body);
});

test.serial(
  'a heavy write is done once under its Idempotency-Key, and enqueues its workflow',
  async (t) => {
    const own = await caller();
    await own.post('/rest/customers', customer('C1'));
    const key = { 'idempotency-key': 'large' };
    const made = await own.post('/rest/orders?extCustomerRef=C1', largeOrder(), key);
    t.is(made.status, 201, made.body.slice(0, 500));
    const again = await own.post('/rest/orders?extCustomerRef=C1', largeOrder(), key);
    t.is(again.headers['idempotency-replayed'], 'true');
    t.is(again.body, made.body);
    const counts = await inTenant(db, own.id, (tx) =>
      tx.query(`select (select count(*)::int from subscription_order) as orders,
      (select count(*)::int from outbox where kind = 'order') as nudges`),
    );
    t.deepEqual(counts, [{ orders: 1, nudges: 1 }]);
  },
);

test.serial(
  'a refused heavy call names the place, changes nothing, and its foreign ids count',
  async (t) => {
    const other = await caller();
    const foreign = await other.post('/rest/customers', customer('C1'));
    const [, id = ''] = /<customer id="(\d+)"/.exec(foreign.body) ?? [];
    const own = await caller({ settings: { crossTenantAttempts: { max: 1, withinMinutes: 60 } } });
    await own.post('/rest/customers', customer('C1'));
    const wrong = '<orderLineItem><priceCode>NONE</priceCode></orderLineItem>';
    const refused = await own.post('/rest/orders?extCustomerRef=C1', largeOrder(wrong));
    t.is(refused.status, 400);
    t.regex(refused.body, /code="priceCode.unknown" path="[^"]*orderLineItem\[2\]\/priceCode"/);
    t.regex((await own.get('/rest/orders')).body, /<list\/>/);
    t.is((await own.post('/rest/orders', largeOrder('', id))).status, 404);
    t.is((await own.get('/rest/orders')).status, 401, 'the attempt has suspended the user');
  },
);

const answers = compile(root('answers', z.strictObject({ word: text().nullish() })));
const read = route({
  method: 'GET',
  path: '/read',
  summary: 'Reads.',
  right: 'read',
  response: answers,
  handler: () => Promise.resolve({}),
});

function call(method: string): RawCall {
  return {
    tenant: {} as RawCall['tenant'],
    user: { id: 1, username: 'u', roles: [], granted: [], requestsPerMinute: null },
    requestId: 'r',
    id: 0,
    pathTexts: {},
    method,
    path: '/read',
    url: '/read',
    address: '::1',
    parameters: {},
    isHeavy: true,
    bytes: new Uint8Array(),
    header: () => undefined,
    noteMiss: () => undefined,
  };
}

/** The thread with another program, and the errors that it raised. */
function threadOf(program: string): HeavyThread & { readonly raised: Error[] } {
  const raised: Error[] = [];
  const source = `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage({ kind: 'ready' });
    parentPort.on('message', ({ kind, number, call }) => {
      if (kind === 'end') return parentPort.close();
      const body = new TextEncoder().encode('done');
      const answer = { status: 200, type: 'text/plain', headers: {}, body };
      const answered = { kind: 'answered', number, answer, missed: [], moved: [] };
      ${program}
    });`;
  const thread = openHeavyThread({
    settings: {} as never,
    dispatch: () => undefined,
    onWork: () => undefined,
    noteMoved: () => undefined,
    onError: (error) => void raised.push(error),
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
  });
  return { ...thread, raised };
}

test('when the thread dies, the outcome of a write is unknown; the next call has a new thread', async (t) => {
  const thread = threadOf(`
    if (call.url === '/die') process.exit(1);
    parentPort.postMessage(answered);`);
  const dying = (route: XmlRoute, method: string) =>
    thread.respond(route, { ...call(method), url: '/die' });
  await t.throwsAsync(dying(read, 'GET'), { name: 'UnavailableError' });
  // A POST that only computes has changed nothing.
  await t.throwsAsync(dying(read, 'POST'), { name: 'UnavailableError' });
  const write = { ...read, isWrite: true };
  await t.throwsAsync(dying(write, 'POST'), { name: 'OutcomeUnknownError' });
  t.is(String((await thread.respond(read, call('GET'))).body), 'done');
  t.is(thread.raised.length, 3);
  await thread.close();
  t.is(thread.raised.length, 3, 'an end that was asked for is no error');
});

test('a thread that does not start has changed nothing', async (t) => {
  const thread = openHeavyThread({
    settings: {} as never,
    dispatch: () => undefined,
    onWork: () => undefined,
    noteMoved: () => undefined,
    onError: () => undefined,
    entry: new URL('data:text/javascript,throw new Error()'),
  });
  await t.throwsAsync(thread.respond(read, call('POST')), { name: 'UnavailableError' });
});

test('a call that exhausts its memory ends only the thread', async (t) => {
  const thread = threadOf(`
    const rows = [];
    for (;;) rows.push(new Array(1e6).fill(rows.length + 0.5));`);
  await t.throwsAsync(thread.respond(read, call('GET')), { name: 'UnavailableError' });
  t.is((thread.raised[0] as NodeJS.ErrnoException).code, 'ERR_WORKER_OUT_OF_MEMORY');
});

test('the cause of a failed call reaches the log', async (t) => {
  const thread = threadOf(`
    const cause = { type: 'TypeError', message: 'no rows', stack: ['at read (x.ts:1:1)'] };
    const refusal = { status: 500, errors: { code: 'service.fault', message: 'm' }, headers: {}, cause };
    parentPort.postMessage({ kind: 'refused', number, refusal, moved: [] });`);
  const error = await t.throwsAsync(thread.respond(read, call('GET')), {
    instanceOf: RequestError,
  });
  t.is(error.status, 500);
  t.like(error.cause, { name: 'TypeError', message: 'no rows' });
  await thread.close();
});
