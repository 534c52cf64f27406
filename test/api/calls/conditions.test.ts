/** ETag and If-Match, compressed answers, and edge cases of queries, paths and bodies. */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { request } from 'node:http';
import { PASSWORD } from '../../support/tenants.ts';
import { refused, startTenantApi, valueOf, valuesOf, type TenantApi } from '../tenant-api.ts';

const api = await startTenantApi();
const contact = '<billingContact><firstName>Ada</firstName></billingContact>';
const customer = `<customer><extCustomerRef>C</extCustomerRef>${contact}</customer>`;
const order = '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>';

/** A customer `C` with a billed order. */
async function withOrder() {
  const own = await api.another();
  const made = await own.post('/customers', customer);
  const ordered = await own.post('/orders?extCustomerRef=C&generateInvoice=true', order);
  return {
    own,
    customerId: String(valueOf(made.body, 'customer@id')),
    orderId: String(valueOf(ordered.body, 'subscriptionOrder@id')),
    invoiceId: String(valueOf(ordered.body, 'invoice@id')),
  };
}

const etagOf = async (own: TenantApi, path: string): Promise<string> =>
  String((await own.get(path)).headers.etag);

test('a single object has its version, in every form of its address; a list has none', async (t) => {
  const { own, customerId, orderId, invoiceId } = await withOrder();
  const tag = await etagOf(own, `/customer/${customerId}`);
  t.regex(tag, /^"\d+"$/);
  t.is(await etagOf(own, '/customer?extCustomerRef=C'), tag);
  t.is(await etagOf(own, `/customer/${customerId}/billingContact`), tag);
  t.is(await etagOf(own, `/order/${orderId}`), await etagOf(own, '/order?orderNumber=1001'));
  t.regex(await etagOf(own, `/invoice/${invoiceId}`), /^"\d+"$/);
  t.is((await own.get('/customers')).headers.etag, undefined);
});

test('a change answers with the new version', async (t) => {
  const { own, customerId, orderId } = await withOrder();
  const before = await etagOf(own, `/customer/${customerId}`);
  const changed = await own.put(`/customer/${customerId}`, '<customer><name>B</name></customer>');
  t.not(changed.headers.etag, before);
  t.is(await etagOf(own, `/customer/${customerId}`), String(changed.headers.etag));
  const held = await own.post(`/order/${orderId}?action=suspend`);
  t.is(await etagOf(own, `/order/${orderId}`), String(held.headers.etag));
});

test('If-Match accepts a change of the version that was read, and no later one', async (t) => {
  const { own, customerId, orderId, invoiceId } = await withOrder();
  const changes = [
    ['PUT', `/customer/${customerId}`, '<customer><name>B</name></customer>'],
    ['PUT', '/customer?extCustomerRef=C', '<customer><name>D</name></customer>'],
    ['POST', `/customer/${customerId}/salesContact`, '<salesContact/>'],
    ['PUT', '/customer/billingContact?extCustomerRef=C', '<billingContact/>'],
    ['DELETE', `/customer/${customerId}/salesContact`],
    ['POST', `/customer/${customerId}?actionName=suspend`],
    ['POST', '/customer?extCustomerRef=C&actionName=activate'],
    ['POST', `/order/${orderId}?action=suspend`],
    ['POST', '/order?orderNumber=1001&action=activate'],
    [
      'PUT',
      '/order?orderNumber=1001',
      '<subscriptionOrder><isAutoRenew>0</isAutoRenew></subscriptionOrder>',
    ],
    ['DELETE', `/invoice/${invoiceId}`],
  ] as const;
  for (const [method, path, body] of changes) {
    const [, kind = ''] = /^\/(\w+)/.exec(path) ?? [];
    const ids: Record<string, string> = {
      customer: customerId,
      order: orderId,
      invoice: invoiceId,
    };
    const seen = await etagOf(own, `/${kind}/${ids[kind]}`);
    const call = (ifMatch: string) =>
      own.call(method, path, {
        headers: { 'if-match': ifMatch },
        ...(body === undefined ? {} : { body }),
      });
    for (const other of ['"999"', `W/${seen}`, 'x', '', '"', `${seen.slice(0, -1)}0"`]) {
      refused(t, await call(other), 412, 'object.changed');
    }
    t.is(await etagOf(own, `/${kind}/${ids[kind]}`), seen);
    const done = await call(`"77777", ${seen}`);
    t.true(done.status < 300, `${method} ${path} ${done.body}`);
    refused(t, await call(seen), 412, 'object.changed');
  }
});

test('If-Match: * requires only an object, and an unknown object is still 404', async (t) => {
  const { own, customerId } = await withOrder();
  const put = (path: string, tag: string) =>
    own.call('PUT', path, { headers: { 'if-match': tag }, body: '<customer/>' });
  t.is((await put(`/customer/${customerId}`, '*')).status, 200);
  refused(t, await put('/customer/999999', '*'), 404, 'customer.unknown');
  refused(t, await put('/customer/999999', '"1"'), 404, 'customer.unknown');
});

test('one of two simultaneous changes with one ETag succeeds', async (t) => {
  const { own, customerId } = await withOrder();
  const path = `/customer/${customerId}`;
  const headers = { 'if-match': await etagOf(own, path) };
  const answers = await Promise.all(
    ['X', 'Y', 'Z'].map((name) =>
      own.call('PUT', path, { headers, body: `<customer><name>${name}</name></customer>` }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 412, 412],
  );
});

function fetched(own: TenantApi, path: string, method: string, encodings?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly headers: Record<string, string | string[] | undefined>;
    readonly body: Buffer;
  }>();
  const headers = {
    host: `${own.label}.localhost`,
    ...(encodings === undefined ? {} : { 'accept-encoding': encodings }),
  };
  const auth = `api@test:${PASSWORD}`;
  const options = {
    host: '127.0.0.1',
    port: own.port,
    path: `/rest${path}`,
    method,
    auth,
    headers,
  };
  request({ ...options, agent: false }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => resolve({ headers: answer.headers, body: Buffer.concat(chunks) }));
  })
    .on('error', reject)
    .end();
  return promise;
}

test('large answers are compressed for callers that accept it, small ones are not', async (t) => {
  const plain = await fetched(api, '/plans', 'GET');
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.headers['vary'], 'Accept-Encoding');
  for (const encodings of ['gzip', 'br, gzip;q=0.5', '*']) {
    const packed = await fetched(api, '/plans', 'GET', encodings);
    t.is(packed.headers['content-encoding'], 'gzip', encodings);
    t.true(packed.body.length < plain.body.length / 3);
    t.deepEqual(gunzipSync(packed.body), plain.body);
    const head = await fetched(api, '/plans', 'HEAD', encodings);
    t.is(head.headers['content-length'], packed.headers['content-length']);
    t.is(head.body.length, 0);
  }
  for (const encodings of ['identity', 'gzip;q=0', 'br']) {
    const answer = await fetched(api, '/plans', 'GET', encodings);
    t.is(answer.headers['content-encoding'], undefined, encodings);
  }
  const small = await fetched(api, '/testClock', 'GET', 'gzip');
  t.is(small.headers['content-encoding'], undefined);
});

test('an offset beyond the end gives an empty list, in every list', async (t) => {
  const { own } = await withOrder();
  const lists = ['customers', 'orders', 'invoices', 'payments', 'credits', 'refunds', 'plans'];
  for (const list of [...lists, 'customers/transitions']) {
    for (const offset of ['1000', '9007199254740991']) {
      const answer = await own.get(`/${list}?offset=${offset}`);
      t.is(answer.status, 200);
      t.regex(answer.body, /<list\/>$/);
    }
    refused(t, await own.get(`/${list}?offset=-1`), 400, 'query.range offset');
    refused(t, await own.get(`/${list}?max=-1`), 400, 'query.range max');
    refused(t, await own.get(`/${list}?max=1001`), 400, 'query.range max');
    refused(t, await own.get(`/${list}?offset=9223372036854775808`), 400, 'query.invalid offset');
    refused(t, await own.get(`/${list}?max=1&max=1`), 400, 'query.repeated max');
    refused(t, await own.get(`/${list}?other=1&other=2`), 400, 'query.unknown other');
    t.is((await own.get(`/${list}?max=&offset=&_other=&=&utm_x`)).status, 200);
  }
});

test('a window that ends before it begins is refused, a window of one minute is valid', async (t) => {
  const { own } = await withOrder();
  for (const list of ['customers', 'orders', 'invoices']) {
    for (const window of ['create', 'update']) {
      const [start, end] = [`${window}StartTime`, `${window}EndTime`];
      const wrong = await own.get(`/${list}?${start}=202701010701&${end}=202701010700`);
      refused(t, wrong, 400, `query.invalid ${end}`);
      const minute = await own.get(`/${list}?${start}=202701010700&${end}=202701010700`);
      t.notRegex(minute.body, /<list\/>/);
    }
  }
});

test('a body that ends early changes nothing, and the server continues', async (t) => {
  const own = await api.another();
  const socket = connect(own.port, '127.0.0.1');
  const basic = Buffer.from(`api@test:${PASSWORD}`).toString('base64');
  // However the server ends the connection.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /rest/customers HTTP/1.1\r\nHost: ${own.label}.localhost\r\n` +
      `Authorization: Basic ${basic}\r\nContent-Length: 1000\r\n\r\n${customer}`,
  );
  socket.end();
  socket.resume();
  await closed;
  t.deepEqual(valuesOf((await own.get('/customers')).body, 'name'), []);
});

test('paths with encoded slashes, dots and odd ids find nothing', async (t) => {
  for (const path of [
    '/customer%2F5',
    '/customer/5%2FbillingContact',
    '/customer/9223372036854775808',
    '/customer/9223372036854775807',
    '/customer/18446744073709551617',
    '/customer/0',
    '/customer/-1',
    '/customer/1e3',
    '/customer/+1',
    '/customer/%31%00',
    '/order/0x10',
  ]) {
    t.is((await api.get(path)).status, 404, path);
  }
});

test('an unsupported method is 405, and Allow lists the supported ones', async (t) => {
  for (const [method, path, allow] of [
    ['DELETE', '/customer/1/billingContact', 'GET, HEAD, PUT'],
    ['POST', '/customer/1/billingContact', 'GET, HEAD, PUT'],
    ['PATCH', '/customer/1/salesContact', 'DELETE, GET, HEAD, POST, PUT'],
    ['PUT', '/customers', 'GET, HEAD, POST'],
    ['DELETE', '/orders', 'GET, HEAD, POST'],
    ['OPTIONS', '/invoice/1', 'DELETE, GET, HEAD, POST'],
    ['POST', '/plans', 'GET, HEAD'],
    ['PUT', '/testClock', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await api.call(method, path);
    refused(t, answer, 405, 'path.method');
    t.is(answer.headers.allow, allow, `${method} ${path}`);
  }
});
