/** Payloads that are encrypted for Temporal, and the server that decrypts them for its Web UI. */
import { type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { defaultPayloadConverter } from '@temporalio/common';
import { payloadCodec } from '../../providers/temporal/codec.ts';
import {
  type CodecServerOptions,
  startCodecServer,
} from '../../providers/temporal/codec-server.ts';

const old = 'the old key of payloads, of 32 or more characters';
const next = 'the next key of payloads, of 32 or more characters';
const payload = defaultPayloadConverter.toPayload({ orderId: 17, name: 'Ada' });
const readable = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString();

test('a payload is encrypted with the id of its key, and decrypted as long as a process has the key', async (t) => {
  const [encrypted] = await payloadCodec({ encrypts: old, others: [] }).encode([payload]);
  t.is(readable(encrypted?.metadata?.['encoding']), 'binary/encrypted');
  t.false(readable(encrypted?.data).includes('Ada'));
  const both = payloadCodec({ encrypts: next, others: [old] });
  const [byNext] = await both.encode([payload]);
  t.not(
    readable(byNext?.metadata?.['encryption-key-id']),
    readable(encrypted?.metadata?.['encryption-key-id']),
  );
  for (const each of await both.decode([encrypted ?? {}, byNext ?? {}])) {
    t.deepEqual(defaultPayloadConverter.fromPayload(each), { orderId: 17, name: 'Ada' });
  }
  await t.throwsAsync(payloadCodec({ encrypts: next, others: [] }).decode([encrypted ?? {}]), {
    message: /which is neither PAYLOAD_KEY nor in PAYLOAD_KEYS_OTHER/,
  });
  const altered = { ...encrypted, data: Buffer.from(encrypted?.data ?? []) };
  altered.data[20] = (altered.data[20] ?? 0) ^ 1;
  await t.throwsAsync(both.decode([altered]));
});

test('what was written in clear stays readable, and a process without PAYLOAD_KEY writes in clear', async (t) => {
  const reading = payloadCodec({ others: [old] });
  t.deepEqual(await reading.decode([payload]), [payload]);
  t.deepEqual(await reading.encode([payload]), [payload]);
  const writing = payloadCodec({ encrypts: old, others: [] });
  const encrypted = await writing.encode([payload]);
  t.deepEqual(await writing.encode(encrypted), encrypted, 'nothing is encrypted twice');
  const [decrypted] = await reading.decode(encrypted);
  t.deepEqual(defaultPayloadConverter.fromPayload(decrypted ?? {}), { orderId: 17, name: 'Ada' });
});

const origin = 'http://127.0.0.1:8233';
const codec = payloadCodec({ encrypts: old, others: [] });

async function opened(t: ExecutionContext, more: Partial<CodecServerOptions> = {}) {
  const options = { codec, port: 0, host: '127.0.0.1', origins: [origin], password: undefined };
  const server = await startCodecServer({ ...options, ...more });
  t.teardown(() => server.stop());
  return (path: string, how: Asked = {}) => asked(new URL(path, server.url), how);
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Without `fetch`, which chooses headers of its own. */
async function asked(url: URL, { method = 'POST', headers = {}, body = '' }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof read>>>();
  const read = async (answer: IncomingMessage) => ({
    status: answer.statusCode,
    headers: answer.headers,
    body: await text(answer),
  });
  send(url, { method, headers }, (answer) => void read(answer).then(resolve, reject))
    .on('error', reject)
    .end(body);
  return promise;
}

test('the Web UI gets payloads in clear, and what people send is encrypted', async (t) => {
  const ask = await opened(t);
  const json = JSON.stringify({
    payloads: [{ metadata: { encoding: btoa('json/plain') }, data: btoa('"by an operator"') }],
  });
  const headers = { origin, 'content-type': 'application/json', 'x-namespace': 'default' };
  const encoded = await ask('/encode', { headers, body: json });
  t.is(encoded.status, 200);
  t.is(encoded.headers['access-control-allow-origin'], origin);
  t.false(encoded.body.includes(btoa('"by an operator"')));
  const decoded = await ask('/decode', { headers, body: encoded.body });
  t.deepEqual(JSON.parse(decoded.body), JSON.parse(json));
  const preflight = await ask('/decode', { method: 'OPTIONS', headers: { origin } });
  t.is(preflight.status, 204);
  t.regex(String(preflight.headers['access-control-allow-headers']), /X-Namespace/);
});

test('who may not ask, and what is no question, is refused, and nothing is decrypted', async (t) => {
  const ask = await opened(t);
  const guarded = await opened(t, { password: 'a password of people' });
  const [encrypted] = await codec.encode([payload]);
  const body = JSON.stringify({
    payloads: [
      {
        metadata: Object.fromEntries(
          Object.entries(encrypted?.metadata ?? {}).map(([key, value]) => [
            key,
            Buffer.from(value).toString('base64'),
          ]),
        ),
        data: Buffer.from(encrypted?.data ?? []).toString('base64'),
      },
    ],
  });
  const stranger = {
    payloads: [{ metadata: { encoding: btoa('binary/encrypted') }, data: btoa('x') }],
  };
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`anna:${password}`)}` });
  const table: readonly (readonly [typeof ask, string, Asked, number])[] = [
    [ask, '/decode', { body }, 200],
    [ask, '/decode', { body, headers: { origin: 'https://evil.example' } }, 403],
    [ask, '/decode', { body, headers: { host: 'evil.example' } }, 421],
    [ask, '/decode', { method: 'GET' }, 405],
    [ask, '/other', { body }, 404],
    // So the CLI asks about an event without payloads.
    [ask, '/decode', { body: '{}' }, 200],
    [ask, '/decode', { body: '{' }, 400],
    [ask, '/decode', { body: 'null' }, 400],
    [ask, '/decode', { body: '{"payloads":[{"data":1}]}' }, 400],
    [ask, '/decode', { body: JSON.stringify(stranger) }, 500],
    [guarded, '/decode', { body }, 401],
    [guarded, '/', { method: 'GET' }, 401],
    [guarded, '/decode', { body, headers: basic('a password of peopl') }, 401],
    [guarded, '/decode', { body, headers: basic('a password of people') }, 200],
    [guarded, '/', { method: 'GET', headers: basic('a password of people') }, 200],
    [guarded, '/decode', { body, headers: { authorization: 'Bearer a password of people' } }, 401],
  ];
  for (const [call, path, how, status] of table) {
    const answer = await call(path, how);
    t.is(answer.status, status, `${path} ${JSON.stringify(how.headers)} ${answer.body}`);
    if (status !== 200) t.false(answer.body.includes('Ada'));
  }
  const bearer = await opened(t, { password: 'a-password-of-people' });
  const headers = { authorization: 'Bearer a-password-of-people' };
  t.is((await bearer('/decode', { body, headers })).status, 200);
});
