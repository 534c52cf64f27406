/**
 * A body that is too large, from a client that sends all of it before it reads: the answer is 413,
 * and the connection is not reset before the client can read it. Without Content-Length the size is
 * not known beforehand.
 */
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
