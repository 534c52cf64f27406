/**
 * A body that is too large: the answer is 413 as soon as the size is known, which is at once where
 * Content-Length announces it. A client that sends all of it before it reads gets the answer, too:
 * the connection is not reset before.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import Stripe from 'stripe';
import { allRoutes } from '../../../api/resources/routes.ts';
import { USER, makeTenant, openTestDatabase, quiet, startApi, stopAtTheEnd } from '../support.ts';

const SECRET = 'whsec_1';
const MEBIBYTE = 1_024 * 1_024;
const db = await openTestDatabase();
await makeTenant(db, 'demo');
const api = await startApi(db, (dependencies) =>
  allRoutes({ ...quiet(dependencies), webhookSecretOf: () => Promise.resolve(SECRET) }),
);
stopAtTheEnd(api);

interface Body {
  readonly path: string;
  readonly bytes: number;
  readonly isChunked: boolean;
  readonly headers?: string;
}

/** Writes everything before it reads anything; returns what it received. */
async function sendAll({ path, bytes, isChunked, headers = '' }: Body): Promise<string> {
  const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.pause();
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  const sizeLine = isChunked ? `${bytes.toString(16)}\r\n` : '';
  const login = Buffer.from(USER).toString('base64');
  const written = Promise.withResolvers<void>();
  socket.on('error', written.reject);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: demo.localhost\r\nAuthorization: Basic ${login}\r\n` +
      `${headers}${length}\r\n\r\n${sizeLine}`,
  );
  socket.write(Buffer.alloc(bytes, 0x20));
  socket.write(isChunked ? '\r\n0\r\n\r\n' : '', () => written.resolve());
  await written.promise;
  return text(socket);
}

const stripeHeaders = `Stripe-Signature: ${Stripe.webhooks.generateTestHeaderString({
  payload: '{}',
  secret: SECRET,
})}\r\n`;
const events = { path: '/gateway/stripe', headers: stripeHeaders, bytes: 6 * MEBIBYTE };
const customers = { path: '/rest/customers', bytes: 14 * MEBIBYTE };

for (const [name, body, expected] of [
  ['an event, in chunks', { ...events, isChunked: true }, 'more than 262144 bytes'],
  ['an event, announced', { ...events, isChunked: false }, 'more than 262144 bytes'],
  ['a document, in chunks', { ...customers, isChunked: true }, 'document.tooLarge'],
  ['a document, announced', { ...customers, isChunked: false }, 'document.tooLarge'],
] as const) {
  test(name, async (t) => {
    const answer = await sendAll(body);
    t.regex(answer, /^HTTP\/1\.1 413 /);
    t.regex(answer, /\r\nConnection: close\r\n/i);
    t.true(answer.includes(expected), answer);
  });
}

const headersOf = (lines: string) =>
  Object.fromEntries(lines.split('\r\n').map((line) => line.split(': ')));
const xml = { path: '/rest/customers', headers: { 'content-type': 'application/xml' } };

for (const [name, sent, announcedBytes] of [
  ['an event', { path: '/gateway/stripe', headers: headersOf(stripeHeaders.trim()) }, 262_145],
  ['a document', xml, 8 * MEBIBYTE + 1],
  [
    'a compressed document',
    { ...xml, headers: { ...xml.headers, 'content-encoding': 'gzip' } },
    8 * MEBIBYTE + 1,
  ],
] as const) {
  test(`${name} that announces a byte too much gets its 413 before it is read`, async (t) => {
    const answer = await api.send({ ...sent, method: 'POST', announcedBytes });
    t.is(answer.status, 413, answer.body);
    t.is(answer.headers.connection, 'close');
  });
}

test('a document in chunks gets its 413 before it ends', async (t) => {
  const socket = connect({ port: api.port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  const login = Buffer.from(USER).toString('base64');
  const bytes = 8 * MEBIBYTE + 1;
  socket.write(
    `POST ${customers.path} HTTP/1.1\r\nHost: demo.localhost\r\nAuthorization: Basic ${login}\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n`,
  );
  socket.write(Buffer.alloc(bytes, 0x20));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  t.regex(answer.toString(), /^HTTP\/1.1 413 /);
});
