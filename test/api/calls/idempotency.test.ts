/** Idempotency-Key: a repeated request with its key gets the same answer, and is executed once. */
import test from 'ava';
import { xmlRoutesOf } from '../../../api/calls/route-types.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { inTenant } from '../../../db/connection/tenancy.ts';
import { quiet, type Received } from '../support.ts';
import {
  asAdmin,
  refused,
  startTenantApi,
  withAdmin,
  valueOf,
  valuesOf,
  type TenantApi,
} from '../tenant-api.ts';

const api = await startTenantApi({ file: withAdmin });
const REPLAYED = 'idempotency-replayed';
const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
const customer = (name = 'Ada') => `<customer><name>${name}</name>${contact}</customer>`;

const post = (own: TenantApi, key: string, path: string, body?: string) =>
  own.call('POST', path, {
    headers: { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  });

/** Waits until another session waits for a lock of this one. */
async function waiting(own: TenantApi, holderPid: number): Promise<void> {
  for (;;) {
    const { rowCount } = await own.db.pool.query(
      'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [holderPid],
    );
    if (rowCount !== 0) return;
  }
}

function replays(first: Received, again: Received): boolean {
  return (
    again.headers[REPLAYED] === 'true' &&
    first.headers[REPLAYED] === undefined &&
    again.status === first.status &&
    again.body === first.body &&
    again.headers.etag === first.headers.etag &&
    again.headers['content-type'] === first.headers['content-type']
  );
}

test('a repeated request with its key gets the first answer, and is executed once', async (t) => {
  const own = await api.another();
  const first = await post(own, 'key 1', '/customers', customer());
  t.is(first.status, 201);
  t.truthy(first.headers.etag);
  const again = await post(own, 'key 1', '/customers', customer());
  t.true(replays(first, again));
  t.not(again.headers['x-request-id'], first.headers['x-request-id']);
  t.is(valuesOf((await own.get('/customers')).body, 'name').length, 1);
});

test('an order with its invoice is made once, however often it is sent', async (t) => {
  const own = await api.another();
  const id = valueOf((await own.post('/customers', customer())).body, 'customer@id');
  const order = `<subscriptionOrder><customer id="${id}"/><contractCode>GOLD</contractCode></subscriptionOrder>`;
  const path = '/orders?generateInvoice=true';
  const first = await post(own, 'order', path, order);
  t.is(first.status, 201);
  t.true(replays(first, await post(own, 'order', path, order)));
  t.is(valuesOf((await own.get('/orders')).body, 'orderNumber').length, 1);
  t.deepEqual(valuesOf((await own.get('/invoices')).body, 'invoiceNumber'), ['1001']);
});

test('another request with a used key is 409: another method, path, query or body', async (t) => {
  const own = await api.another();
  await post(own, 'used', '/customers', customer());
  const headers = { 'idempotency-key': 'used' };
  for (const [method, path, body] of [
    ['POST', '/customers', customer('Bea')],
    ['POST', '/customers?actionName=saveCustomerRest', customer()],
    ['POST', '/invoices?customerId=1', customer()],
    ['PUT', '/customer/1', customer()],
    ['POST', '/customers', '<customer'],
  ] as const) {
    const other = await own.call(method, path, { body, headers });
    refused(t, other, 409, 'idempotency.otherRequest');
  }
  t.deepEqual(valuesOf((await own.get('/customers')).body, 'name'), ['Ada']);
});

test('refusals are stored too, both of the document and of the operation', async (t) => {
  const own = await api.another();
  for (const [key, body, code] of [
    ['malformed', '<customer', 'document.malformed'],
    ['missing', '<customer/>', 'field.required customer/billingContact'],
    [
      'currency',
      `<customer><currency id="XXY"/>${contact}</customer>`,
      'field.invalid customer/currency/@id',
    ],
  ] as const) {
    const first = await post(own, key, '/customers', body);
    refused(t, first, 400, code);
    t.true(replays(first, await post(own, key, '/customers', body)), key);
    refused(t, await post(own, key, '/customers', customer()), 409, 'idempotency.otherRequest');
  }
  t.deepEqual(valuesOf((await own.get('/customers')).body, 'name'), []);
});

test('a refusal is repeated even if its reason no longer holds', async (t) => {
  const own = await api.another();
  const body = `<customer><extCustomerRef>R</extCustomerRef>${contact}</customer>`;
  const taken = await own.post('/customers', body);
  const first = await post(own, 'late', '/customers', body);
  refused(t, first, 400, 'customer.refTaken customer/extCustomerRef');
  await own.remove(`/customer/${valueOf(taken.body, 'customer@id')}`);
  t.true(replays(first, await post(own, 'late', '/customers', body)));
});

test('while the first request runs a second one is 409, and later gets the stored answer', async (t) => {
  const own = await api.another();
  const id = valueOf((await own.post('/customers', customer())).body, 'customer@id');
  const path = `/customer/${id}?actionName=suspend`;
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<number>();
  const holder = inTenant(own.db, own.tenantId, async (tx) => {
    const [session] = await tx.query<{ pid: number }>(
      'select pg_backend_pid() as pid from customer where id = $1 for update',
      [Number(id)],
    );
    locked.resolve(session?.pid ?? 0);
    await held.promise;
  });
  const holderPid = await locked.promise;
  const first = post(own, 'slow', path);
  await waiting(own, holderPid);
  refused(t, await post(own, 'slow', path), 409, 'idempotency.inUse');
  held.resolve();
  await holder;
  t.is((await first).status, 200);
  t.true(replays(await first, await post(own, 'slow', path)));
});

test('one of many simultaneous requests is executed', async (t) => {
  const own = await api.another();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => post(own, 'many', '/customers', customer())),
  );
  const made = answers.filter(({ status }) => status === 201);
  t.true(made.length >= 1);
  t.is(made.filter(({ headers }) => headers[REPLAYED] === undefined).length, 1);
  t.true(answers.every(({ status }) => status === 201 || status === 409));
  t.is(valuesOf((await own.get('/customers')).body, 'name').length, 1);
});

test('a key belongs to its tenant', async (t) => {
  const [own, other] = [await api.another(), await api.another()];
  await post(own, 'shared', '/customers', customer());
  const there = await post(other, 'shared', '/customers', customer('Bea'));
  t.is(there.status, 201);
  t.is(there.headers[REPLAYED], undefined);
});

test('a key has 1 to 255 printable characters', async (t) => {
  const own = await api.another();
  t.is((await post(own, 'k'.repeat(255), '/customers', customer())).status, 201);
  for (const key of ['', 'k'.repeat(256), 'a\tb', 'ü']) {
    refused(
      t,
      await post(own, key, '/customers', customer()),
      400,
      'idempotency.key Idempotency-Key',
    );
  }
  t.is(valuesOf((await own.get('/customers')).body, 'name').length, 1);
});

test('a card number as a key is not stored, and works like any other key', async (t) => {
  const own = await api.another();
  const card = '4111111111111111';
  const first = await post(own, card, '/customers', customer());
  t.true(replays(first, await post(own, card, '/customers', customer())));
  const keys = await inTenant(own.db, own.tenantId, (tx) =>
    tx.query<{ key: string }>('select key from idempotency_key'),
  );
  t.is(keys.length, 1);
  t.false(keys[0]?.key.includes(card));
});

test('after a day a key is new, and old answers are deleted a few at a time', async (t) => {
  const own = await api.another();
  for (let n = 0; n < 13; n += 1) await post(own, `old ${n}`, '/customers', customer());
  await inTenant(own.db, own.tenantId, (tx) =>
    tx.query(`update idempotency_key set kept_at = now() - interval '24 hours 1 second'`),
  );
  const again = await post(own, 'old 0', '/customers', customer());
  t.is(again.headers[REPLAYED], undefined);
  const left = () =>
    inTenant(own.db, own.tenantId, (tx) =>
      tx.query<{ key: string }>('select key from idempotency_key order by kept_at, key'),
    );
  t.is((await left()).length, 3);
  await post(own, 'new', '/customers', customer());
  t.deepEqual(
    (await left()).map(({ key }) => key),
    ['old 0', 'new'],
  );
  t.is(valuesOf((await own.get('/customers')).body, 'name').length, 15);
});

test('every route that writes stores the key', async (t) => {
  const routes = xmlRoutesOf(allRoutes(quiet({ db: api.db, realNow: Date.now })));
  const writes = routes.filter(({ isWrite }) => isWrite);
  t.true(writes.length > 20);
  for (const [index, { method, path, right, selection }] of writes.entries()) {
    const [value] = selection.values;
    const selector = selection.names.at(-1);
    const query =
      'extCustomerRef=none&orderNumber=1&invoiceNumber=1' +
      (value === undefined ? '' : `&${selector}=${value}`);
    const address = `${path.replace(':id', '999999')}?${query}`;
    const headers = { 'idempotency-key': `route ${index}` };
    const sent = { headers, ...(right === 'admin' && asAdmin) };
    const first = await api.call(method, address, sent);
    const again = await api.call(method, address, sent);
    t.true(first.status === 400 || first.status === 404, `${method} ${address}: ${first.body}`);
    t.true(replays(first, again), `${method} ${path}`);
    const other = await api.call(method, `${address}&x=1`, sent);
    refused(t, other, 409, 'idempotency.otherRequest');
  }
});
