/** Posts to real receivers: what they get, and what counts as delivered, refused or unreachable. */
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { openLine } from '../../../providers/callbacks/post.ts';
import type { LineOptions } from '../../../providers/callbacks/line.ts';
import { startReceiver } from '../../support/receiver.ts';
import { certificate, privateKey } from './certificate.ts';

const options: LineOptions = { allowPrivate: true, connectionsMax: 4 };
const post = {
  type: 'invoice.paid',
  headers: { 'webhook-id': 'evt_7', 'x-event': 'invoice.paid' },
  body: '<invoice id="7"><notes>Grüße</notes></invoice>',
};

async function open(t: ExecutionContext, url: string, more: Partial<LineOptions> = {}) {
  const line = await openLine(url, { ...options, ...more });
  t.teardown(line.close);
  return line;
}

test('a receiver gets the document, the type as a query parameter, and the headers', async (t) => {
  const receiver = await startReceiver(t);
  const line = await open(t, `${receiver.url}/a%20b?token=x+y&empty=#part`);
  t.deepEqual(await line.post(post), { kind: 'delivered' });
  const [received] = receiver.received;
  t.is(received?.method, 'POST');
  t.is(received?.path, '/hook/a%20b?token=x+y&empty=&type=invoice.paid');
  t.is(received?.body, post.body);
  t.is(received?.headers['content-type'], 'text/xml; charset=utf-8');
  t.is(received?.headers['webhook-id'], 'evt_7');
  t.is(received?.headers['x-event'], 'invoice.paid');
});

test('any 2xx is delivered, and nothing else is', async (t) => {
  const receiver = await startReceiver(t);
  const line = await open(t, receiver.url);
  for (const status of [200, 201, 204, 299]) {
    receiver.behave(() => status);
    t.deepEqual(await line.post(post), { kind: 'delivered' }, String(status));
  }
  for (const status of [304, 400, 404, 410, 429, 500, 503]) {
    receiver.behave(() => status);
    t.deepEqual(await line.post(post), { kind: 'refused', code: `http_${status}` });
  }
});

test('a redirect is not followed', async (t) => {
  const [receiver, target] = [await startReceiver(t), await startReceiver(t)];
  const line = await open(t, receiver.url);
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.behave((_, response) => {
      response.writeHead(status, { location: target.url }).end();
    });
    t.deepEqual(await line.post(post), { kind: 'refused', code: `http_${status}` });
  }
  t.is(target.received.length, 0);
});

test('a receiver that does not answer in time is refused, and so is one that hangs up', async (t) => {
  const receiver = await startReceiver(t);
  const line = await open(t, receiver.url, { timeLimitMs: 300 });
  receiver.behave(() => undefined);
  t.deepEqual(await line.post(post), { kind: 'refused', code: 'timeout' });
  receiver.behave((_, response) => void response.socket?.destroy());
  const outcome = await line.post(post);
  t.is(outcome.kind, 'refused');
  receiver.behave(() => 200);
  t.deepEqual(await line.post(post), { kind: 'delivered' });
});

test('a long or endless answer ends the connection, and counts by its status', async (t) => {
  const receiver = await startReceiver(t);
  const line = await open(t, receiver.url);
  let closed = 0;
  receiver.behave((_, response) => {
    response.once('close', () => (closed += 1));
    response.writeHead(200);
    const chunk = Buffer.alloc(32_768, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more);
    };
    more();
  });
  t.deepEqual(await line.post(post), { kind: 'delivered' });
  receiver.behave(() => 200);
  t.deepEqual(await line.post(post), { kind: 'delivered' });
  line.close();
  while (closed === 0) await new Promise((resolve) => setImmediate(resolve));
  t.is(closed, 1);
});

test('a connection that the receiver closed while it was idle is opened again', async (t) => {
  const receiver = await startReceiver(t);
  const line = await open(t, receiver.url);
  t.deepEqual(await line.post(post), { kind: 'delivered' });
  await receiver.close();
  await receiver.open();
  t.deepEqual(await line.post(post), { kind: 'delivered' });
  t.is(receiver.accepted.length, 2);
});

test('a receiver that is not there is unreachable', async (t) => {
  const receiver = await startReceiver(t);
  await receiver.close();
  const line = await open(t, receiver.url);
  t.deepEqual(await line.post(post), { kind: 'unreachable', code: 'ECONNREFUSED' });
});

test('private addresses are unreachable, and get no connection', async (t) => {
  const receiver = await startReceiver(t);
  const refused = { kind: 'unreachable', code: 'private_address' } as const;
  const { port } = receiver;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
    const line = await open(t, `http://${host}:${port}/`, { allowPrivate: false });
    t.deepEqual(await line.post(post), refused, host);
  }
  const names = { 'a.example': ['10.0.0.1'], 'b.example': ['8.8.8.8', '127.0.0.1'] };
  for (const [name, addresses] of Object.entries(names)) {
    const resolve = () => Promise.resolve(addresses);
    const line = await open(t, `http://${name}:${port}/`, { allowPrivate: false, resolve });
    t.deepEqual(await line.post(post), refused, name);
  }
  t.is(receiver.received.length, 0);
});

test('a name is resolved once, so a later answer of DNS changes nothing', async (t) => {
  const receiver = await startReceiver(t);
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
  let asked = 0;
  const resolve = () => {
    asked += 1;
    return Promise.resolve(answers.shift() ?? []);
  };
  const line = await open(t, `http://hooks.example.com:${receiver.port}/hook`, { resolve });
  for (let count = 0; count < 3; count += 1) {
    // Each post needs a connection of its own.
    receiver.behave((_, response) => void response.writeHead(200, { connection: 'close' }).end());
    t.deepEqual(await line.post(post), { kind: 'delivered' });
  }
  t.is(asked, 1);
  t.is(receiver.received[0]?.headers.host, `hooks.example.com:${receiver.port}`);
});

test('a name without an address is unreachable', async (t) => {
  const line = await open(t, 'http://gone.example/', { resolve: () => Promise.resolve([]) });
  t.deepEqual(await line.post(post), { kind: 'unreachable', code: 'unknown_host' });
});

test('TLS asks for the name of the URL at the address that was checked', async (t) => {
  const names: string[] = [];
  const server = createServer({
    cert: certificate,
    key: privateKey,
    SNICallback(name, done) {
      names.push(name);
      done(null);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const line = await open(t, `https://hooks.example.com:${port}/`, { resolve });
  // Nobody has signed the certificate but itself.
  const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
  t.deepEqual(await line.post(post), { kind: 'unreachable', code });
  t.deepEqual(names, ['hooks.example.com']);
});
