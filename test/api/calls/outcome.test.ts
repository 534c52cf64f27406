/**
 * The database connection breaks during a write: an answer that says "nothing was changed" is true,
 * and a retry with the key ends with exactly one object.
 */
import test, { type ExecutionContext } from 'ava';
import { allRoutes } from '../../../api/resources/routes.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import {
  afterBytes,
  afterCommit,
  beforeCommit,
  startProxy,
  type Cut,
} from '../../support/proxy.ts';
import { ownDatabase } from '../../support/shared-database.ts';
import { PASSWORD, makeTenant } from '../../support/tenants.ts';
import { errorsOf, quiet, refused, startApi, type Received } from '../support.ts';
import { valueOf, valuesOf } from '../tenant-api.ts';
import { costly, fc } from '../../support/random.ts';

const { app: direct, ownerUrl } = await ownDatabase();
const realNow = Date.now;

/** An API that reaches its database through a proxy. */
async function startBroken(t: ExecutionContext) {
  const proxy = await startProxy(ownerUrl);
  const db = await openDatabase({
    url: proxy.url,
    role: 'sundial_app',
    poolMax: 2,
    waitMs: 30_000,
    statementTimeoutMs: 30_000,
    name: 'behind a proxy',
  });
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)));
  const sound = await startApi(direct, (dependencies) => allRoutes(quiet(dependencies)));
  t.teardown(async () => {
    await Promise.all([api.stop(), sound.stop()]);
    await db.close();
    proxy.stop();
  });
  const { label } = await makeTenant({ db: direct, realNow });
  const base = { auth: `api@test:${PASSWORD}`, host: `${label}.localhost` };
  const posted = (key: string | null, path: string, body: string) => ({
    ...base,
    method: 'POST',
    path: `/rest${path}`,
    body,
    headers: key === null ? {} : { 'idempotency-key': key },
  });
  return {
    proxy,
    post: (...sent: Parameters<typeof posted>) => api.send(posted(...sent)),
    /** Connects to the database directly, as `see` does. */
    prepare: (path: string, body: string) => sound.send(posted(null, path, body)),
    get: (path: string) => api.send({ ...base, path: `/rest${path}` }),
    see: (path: string) => sound.send({ ...base, path: `/rest${path}` }),
  };
}

type Broken = Awaited<ReturnType<typeof startBroken>>;

const customer = (ref: string) =>
  `<customer><extCustomerRef>${ref}</extCustomerRef><billingContact><firstName>Ada</firstName>` +
  '</billingContact></customer>';
const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

interface Write {
  readonly path: string;
  readonly body: string;
  /** The number of such objects. */
  readonly count: () => Promise<number>;
}

async function customerWrite({ see }: Broken, ref: string): Promise<Write> {
  const path = `/customer?extCustomerRef=${ref}`;
  const count = async () => ((await see(path)).status === 200 ? 1 : 0);
  return { path: '/customers', body: customer(ref), count };
}

/** With its invoice, for a customer that exists before. */
async function orderWrite({ prepare, see }: Broken, ref: string): Promise<Write> {
  const id = valueOf((await prepare('/customers', customer(ref))).body, 'customer@id');
  const counted = async (kind: string, element: string) =>
    valuesOf((await see(`/${kind}?customerId=${id}`)).body, element).length;
  const path = `/orders?extCustomerRef=${ref}&generateInvoice=true`;
  const count = async () => {
    const [orders, invoices] = [
      await counted('orders', 'orderNumber'),
      await counted('invoices', 'invoiceNumber'),
    ];
    if (orders !== invoices) throw new Error(`${orders} orders and ${invoices} invoices`);
    return orders;
  };
  return { path, body: order, count };
}

const saysUnchanged = ({ body }: Received): boolean => body.includes('nothing was changed');

/**
 * Sends it again until no session holds its key any more: a session whose client is gone ends soon.
 */
async function sendUntilFree(send: () => Promise<Received>): Promise<Received> {
  for (;;) {
    const answer = await send();
    if (errorsOf(answer)[0] !== 'idempotency.inUse') return answer;
  }
}

const places: readonly (readonly [name: string, cut: (words: string) => Cut, made: number])[] = [
  ['after it was done', afterCommit, 1],
  ['before it arrives', beforeCommit, 0],
];

for (const [name, cut, made] of places) {
  for (const key of ['a key', null]) {
    const how = key === null ? 'without a key' : 'under a key';
    test(`the connection breaks at COMMIT, ${name}: the answer says that the outcome is unknown (${how})`, async (t) => {
      const broken = await startBroken(t);
      for (const write of [await customerWrite(broken, 'one'), await orderWrite(broken, 'two')]) {
        const own = key && `${key} of ${write.path}`;
        const send = () => broken.post(own, write.path, write.body);
        // A read may come before it; every write adds an entry to the audit log.
        broken.proxy.cutOnce(cut('write-audit'));
        const answer = await send();
        t.true(broken.proxy.heal());
        refused(t, answer, 503, 'service.outcomeUnknown');
        t.regex(answer.body, /Idempotency-Key/);
        t.is(answer.headers['retry-after'], '1');
        t.is(await write.count(), made);
        if (own === null) continue;
        const again = await sendUntilFree(send);
        t.is(again.status, 201, again.body);
        t.is(again.headers['idempotency-replayed'], made === 1 ? 'true' : undefined);
        t.is(await write.count(), 1);
      }
    });
  }
}

/** More than any of the writes sends and receives. */
const BYTES_MAX = 40_000;
const RUNS = 60;

test('after a break at any byte the answer is true, and a retry makes the change once', async (t) => {
  const broken = await startBroken(t);
  const seen = new Map<string, number>();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      // Small numbers as often as large ones, because most messages are short.
      fc.oneof(fc.nat(2_000), fc.nat(BYTES_MAX)),
      fc.constantFrom(customerWrite, orderWrite),
      fc.boolean(),
      async (bytes, writeOf, hasKey) => {
        runs += 1;
        const ref = `r${runs}`;
        const write = await writeOf(broken, ref);
        const send = () => broken.post(hasKey ? ref : null, write.path, write.body);
        broken.proxy.cutOnce(afterBytes(bytes));
        const answer = await send();
        broken.proxy.heal();
        const count = await write.count();
        const code = answer.status === 201 ? 'made' : String(errorsOf(answer)[0]);
        seen.set(code, (seen.get(code) ?? 0) + 1);
        if (answer.status === 201) t.is(count, 1, `${bytes} bytes`);
        else t.is(answer.status, 503, `${bytes} bytes: ${answer.body}`);
        if (saysUnchanged(answer)) t.is(count, 0, `${bytes} bytes`);
        else if (answer.status !== 201) t.deepEqual(errorsOf(answer), ['service.outcomeUnknown']);
        if (!hasKey) return;
        const again = await sendUntilFree(send);
        t.is(again.status, 201, again.body);
        t.is(await write.count(), 1);
      },
    ),
    { ...costly, numRuns: RUNS, seed: 9 },
  );
  // Each of these outcomes occurred; otherwise the test would show nothing.
  t.deepEqual([...seen.keys()].toSorted(), [
    'made',
    'service.outcomeUnknown',
    'service.unavailable',
  ]);
});

test('where the database does not answer nothing was changed, and the call may be tried again', async (t) => {
  const broken = await startBroken(t);
  await broken.get('/plans');
  broken.proxy.stop();
  for (const answer of [
    await broken.post(null, '/customers', customer('x')),
    await broken.get('/customers'),
  ]) {
    t.is(answer.status, 503);
    t.deepEqual(errorsOf(answer), ['service.unavailable']);
    t.is(answer.headers['retry-after'], '1');
    t.true(saysUnchanged(answer));
  }
});

test('a call that waits too long for a connection gets 503 with Retry-After', async (t) => {
  const db = await openDatabase({
    url: ownerUrl,
    role: 'sundial_app',
    poolMax: 1,
    waitMs: 1,
    statementTimeoutMs: 30_000,
    name: 'a pool of one',
  });
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)));
  t.teardown(() => api.stop().then(db.close));
  const { id, label } = await makeTenant({ db: direct, realNow });
  const call = () =>
    api.send({
      auth: `api@test:${PASSWORD}`,
      host: `${label}.localhost`,
      method: 'POST',
      path: '/rest/customers',
      body: customer('y'),
    });
  await inTenant(db, id, async () => {
    const answer = await call();
    t.is(answer.status, 503);
    t.deepEqual(errorsOf(answer), ['service.unavailable']);
    t.is(answer.headers['retry-after'], '1');
    t.true(saysUnchanged(answer));
  });
  t.is((await call()).status, 201);
});
