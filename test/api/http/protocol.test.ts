/** The protocol around every call, over real HTTP: hosts, credentials, formats, statuses. */
import test from 'ava';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { DomainError } from '../../../domain/errors.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { route, writeRoute, type Route } from '../../../api/calls/route.ts';
import { compile } from '../../../api/xml/codec.ts';
import { enumeration, integer, root, text } from '../../../api/xml/types.ts';
import {
  makeTenant,
  openTestDatabase,
  quiet,
  refused,
  startApi,
  stopAtTheEnd,
} from '../support.ts';

const thing = compile(root('thing', z.strictObject({ name: text(), from: text().nullish() })));

const routes = (dependencies: Dependencies): Route[] => [
  route({
    method: 'GET',
    path: '/thing/:id',
    summary: 'A thing',
    right: 'read',
    query: z.object({
      max: integer(0, 1000).default(50),
      kind: enumeration(['a', 'b']).optional(),
    }),
    response: thing,
    handler: ({ id, query, tenant, user }) =>
      Promise.resolve({ name: `${id} ${query.max}`, from: `${user.username} ${tenant.label}` }),
  }),
  route({
    method: 'GET',
    path: '/thing/word',
    summary: 'A word',
    right: 'read',
    response: thing,
    handler: () => Promise.resolve({ name: 'word' }),
  }),
  writeRoute(quiet(dependencies), {
    method: 'POST',
    path: '/things',
    summary: 'Make a thing',
    right: 'write',
    audited: null,
    status: 201,
    request: thing,
    response: thing,
    handler: ({ body, write }) => write(() => Promise.resolve(body)),
  }),
  route({
    method: 'GET',
    path: '/fault/:id',
    summary: 'Goes wrong',
    right: 'read',
    response: thing,
    handler({ id }) {
      if (id === 1) throw new DomainError('customer.unknown', 'There is no customer 7');
      if (id === 2) throw Object.assign(new Error('secret words'), { code: '55P03' });
      throw new Error('secret words');
    },
  }),
];

const db = await openTestDatabase();
await makeTenant(db, 'demo');
await makeTenant(db, 'other');
// Wrong passwords count against a user at every API process.
await makeTenant(db, 'guessed');
const api = await startApi(db, routes);
stopAtTheEnd(api);
const { send } = api;

test('a call works under both prefixes, and answers XML with its declaration', async (t) => {
  for (const prefix of ['/rest', '/rest_v1']) {
    const answer = await send({ path: `${prefix}/thing/5?max=7&format=xml&_=x` });
    t.is(answer.status, 200);
    t.is(answer.headers['content-type'], 'application/xml; charset=utf-8');
    t.is(
      answer.body,
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<thing><name>5 7</name><from>api@demo demo</from></thing>',
    );
  }
});

test('a word in a path is not an id', async (t) => {
  t.regex((await send({ path: '/rest/thing/word' })).body, /<name>word<\/name>/);
});

test('a valid X-Request-Id is returned, another is replaced', async (t) => {
  const sane = await send({ path: '/rest/thing/5', headers: { 'x-request-id': 'abc-1' } });
  t.is(sane.headers['x-request-id'], 'abc-1');
  const odd = await send({ path: '/rest/thing/5', headers: { 'x-request-id': 'a b<c>' } });
  t.regex(String(odd.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  const card = { 'x-request-id': 'pay/4111-1111-1111-1111' };
  const telling = await send({ path: '/rest/thing/5', headers: card });
  t.regex(String(telling.headers['x-request-id']), /^[0-9a-f-]{36}$/);
});

const refusals: ReadonlyArray<
  readonly [rule: string, request: Parameters<typeof send>[0], status: number, error: string]
> = [
  ['a path that does not exist', { path: '/rest/nothing' }, 404, 'path.unknown'],
  ['a path without a prefix', { path: '/thing/5' }, 404, 'path.unknown'],
  ['a path in other capitals', { path: '/rest/Thing/5' }, 404, 'path.unknown'],
  ['a path whose prefix is in capitals', { path: '/REST/thing/5' }, 404, 'path.unknown'],
  ['an id that is no number', { path: '/rest/thing/5x' }, 404, 'object.notFound'],
  ['an id with an encoded slash', { path: '/rest/thing/5%2F6' }, 404, 'object.notFound'],
  ['an id of broken encoding', { path: '/rest/thing/%E0%A4%A' }, 404, 'object.notFound'],
  ['an id beyond 2^53 - 1', { path: '/rest/thing/9007199254740992' }, 404, 'object.notFound'],
  ['an id beyond 2^63', { path: '/rest/thing/9223372036854775808' }, 404, 'object.notFound'],
  ['another format', { path: '/rest/thing/5?format=json' }, 400, 'query.format format'],
  ['max above 1000', { path: '/rest/thing/5?max=1001' }, 400, 'query.range max'],
  ['a negative max', { path: '/rest/thing/5?max=-1' }, 400, 'query.range max'],
  ['max that is no number', { path: '/rest/thing/5?max=ten' }, 400, 'query.invalid max'],
  ['a repeated parameter', { path: '/rest/thing/5?max=1&max=2' }, 400, 'query.repeated max'],
  [
    'a repeated format',
    { path: '/rest/thing/5?format=xml&format=pdf' },
    400,
    'query.repeated format',
  ],
  ['another method', { path: '/rest/thing/5', method: 'DELETE' }, 405, 'path.method'],
  ['no credentials', { path: '/rest/thing/5', auth: null }, 401, 'auth.required'],
  ['a wrong password', { path: '/rest/thing/5', auth: 'clerk@demo:demo' }, 401, 'auth.invalid'],
  ['an unknown user', { path: '/rest/thing/5', auth: 'nobody:demo-secret' }, 401, 'auth.invalid'],
  [
    'a disabled user',
    { path: '/rest/thing/5', auth: 'gone@demo:demo-secret' },
    401,
    'auth.invalid',
  ],
  [
    'a user without the role',
    { path: '/rest/thing/5', auth: 'clerk@demo:demo-secret' },
    403,
    'auth.role',
  ],
  ['an unknown host', { path: '/rest/thing/5', host: 'nobody.localhost' }, 401, 'host.unknown'],
  ['a host without a tenant', { path: '/rest/thing/5', host: 'localhost' }, 401, 'host.unknown'],
  ['an unknown path without credentials', { path: '/rest/x', auth: null }, 401, 'auth.required'],
  ['a POST without a body', { path: '/rest/things', method: 'POST' }, 400, 'document.empty'],
  [
    'a body of another type',
    {
      path: '/rest/things',
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    },
    415,
    'document.contentType',
  ],
  [
    'a body of another charset',
    {
      path: '/rest/things',
      method: 'POST',
      body: '<thing/>',
      headers: { 'content-type': 'text/xml; charset=iso-8859-1' },
    },
    415,
    'document.contentType',
  ],
  [
    'a body that is no UTF-8',
    {
      path: '/rest/things',
      method: 'POST',
      body: Buffer.from('<thing><name>\u00e9</name></thing>', 'latin1'),
    },
    400,
    'document.encoding',
  ],
  [
    'a body past 8 MiB',
    { path: '/rest/things', method: 'POST', body: Buffer.alloc(8 * 1024 * 1024 + 1, 0x20) },
    413,
    'document.tooLarge',
  ],
  [
    'a body that grows past 8 MiB',
    {
      path: '/rest/things',
      method: 'POST',
      body: gzipSync(Buffer.alloc(9 * 1024 * 1024, 0x20)),
      headers: { 'content-encoding': 'gzip' },
    },
    413,
    'document.tooLarge',
  ],
  [
    'a body that is not compressed as it says',
    {
      path: '/rest/things',
      method: 'POST',
      body: '<thing/>',
      headers: { 'content-encoding': 'gzip' },
    },
    400,
    'document.malformed',
  ],
  [
    'a body compressed in an unknown way',
    {
      path: '/rest/things',
      method: 'POST',
      body: '<thing/>',
      headers: { 'content-encoding': 'x' },
    },
    415,
    'document.contentType',
  ],
  [
    'a missing element',
    { path: '/rest/things', method: 'POST', body: '<thing/>' },
    400,
    'field.required thing/name',
  ],
  ['a refusal of an operation', { path: '/rest/fault/1' }, 404, 'customer.unknown'],
  ['a lock that was not had', { path: '/rest/fault/2' }, 503, 'service.unavailable'],
  ['a fault', { path: '/rest/fault/3' }, 500, 'service.fault'],
];

for (const [rule, request, status, error] of refusals) {
  test(`refused: ${rule}`, async (t) => {
    const answer = await send(request);
    refused(t, answer, status, error);
    t.is(answer.headers['content-type'], 'application/xml; charset=utf-8');
    t.regex(answer.body, /^<\?xml [^>]*>\n<status><success>false<\/success><errors>/);
    t.notRegex(answer.body, /secret words/);
    t.is('www-authenticate' in answer.headers, status === 401 && !error.startsWith('host'));
  });
}

test('405 lists the allowed methods, 503 says when to retry', async (t) => {
  const allowed = await send({ path: '/rest/thing/5', method: 'DELETE' });
  t.is(allowed.headers.allow, 'GET, HEAD');
  const later = await send({ path: '/rest/fault/2' });
  t.is(later.headers['retry-after'], '1');
});

test('HEAD answers like GET, without the document', async (t) => {
  const got = await send({ path: '/rest/thing/5' });
  const head = await send({ path: '/rest/thing/5', method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.body, '');
  t.is(head.headers['content-length'], got.headers['content-length']);
});

test('a body may have any XML type or none, and may be compressed', async (t) => {
  const body = '<thing><name>\u00fcber</name></thing>';
  const sent = { path: '/rest/things', method: 'POST', body };
  for (const type of [undefined, 'application/xml', 'text/xml; charset=UTF-8']) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const answer = await send({ ...sent, headers });
    t.is(answer.status, 201);
    t.regex(answer.body, /<name>\u00fcber<\/name>/);
  }
  const headers = { 'content-encoding': 'gzip' };
  t.is((await send({ ...sent, body: gzipSync(body), headers })).status, 201);
});

test('bodies of GET and DELETE are ignored', async (t) => {
  const body = '{';
  const headers = { 'content-type': 'application/json', 'content-length': '1' };
  t.is((await send({ path: '/rest/thing/5', body, headers })).status, 200);
});

test('a password of one tenant is not valid at another', async (t) => {
  t.is((await send({ path: '/rest/thing/5', host: 'OTHER.localhost:8080' })).status, 200);
  const unlike = await send({
    path: '/rest/thing/5',
    auth: 'api@other:demo-secret',
    host: 'other.localhost',
  });
  t.is(unlike.status, 401);
});

test('health names the parts that do not answer', async (t) => {
  const ill = await send({ path: '/healthz', auth: null, host: '10.0.0.1' });
  t.is(ill.status, 503);
  t.regex(ill.body, /<success>false<\/success><missing><part>worker<\/part><\/missing>/);
  // A beat counts for seconds, and the answer may take longer beside other work.
  await db.pool.query("insert into worker_heartbeat values ('w', now() + interval '1 minute')");
  t.is((await send({ path: '/healthz', auth: null })).status, 200);
  await db.pool.query("update worker_heartbeat set beat_at = now() - interval '7 seconds'");
  t.is((await send({ path: '/healthz', auth: null })).status, 503);
});

test('in a system of npm start, health waits until the start has finished', async (t) => {
  let isDone = false;
  const well = () => Promise.resolve(true);
  const health = { database: well, temporal: well, worker: well };
  const started = await startApi(db, routes, {
    health: { ...health, start: () => Promise.resolve(isDone) },
  });
  t.teardown(started.stop);
  const early = await started.send({ path: '/healthz', auth: null });
  t.is(early.status, 503);
  t.regex(early.body, /<missing><part>start<\/part><\/missing>/);
  isDone = true;
  t.is((await started.send({ path: '/healthz', auth: null })).status, 200);
});

test('plain HTTP off loopback is refused before credentials are read', async (t) => {
  const remote = await startApi(db, routes, {
    transport: { isLoopback: false, trustProxy: true },
  });
  t.teardown(remote.stop);
  const plain = await remote.send({ path: '/rest/thing/5', auth: 'nobody:x' });
  refused(t, plain, 403, 'transport.insecure');
  const https = { 'x-forwarded-proto': 'https' };
  t.is((await remote.send({ path: '/rest/thing/5', headers: https })).status, 200);
  const spoofed = { 'x-forwarded-proto': 'https, http' };
  t.is((await remote.send({ path: '/rest/thing/5', headers: spoofed })).status, 403);
});

test('where the public address is https, every answer tells browsers to stay with it', async (t) => {
  const header = 'strict-transport-security';
  const plain = await startApi(db, routes);
  t.teardown(plain.stop);
  t.is((await plain.send({ path: '/rest/thing/5' })).headers[header], undefined);
  const secure = await startApi(db, routes, {
    transport: { isLoopback: true, trustProxy: false, isPublicTls: true },
  });
  t.teardown(secure.stop);
  for (const path of [
    '/rest/thing/5',
    '/rest/nothing',
    '/healthz',
    '/docs',
    '/css/signup.css',
    '/x',
  ]) {
    const { headers } = await secure.send({ path });
    t.is(headers[header], 'max-age=31536000', path);
  }
});

test('the header of an untrusted proxy is ignored', async (t) => {
  const remote = await startApi(db, routes, {
    transport: { isLoopback: false, trustProxy: false },
  });
  t.teardown(remote.stop);
  const headers = { 'x-forwarded-proto': 'https' };
  t.is((await remote.send({ path: '/rest/thing/5', headers })).status, 403);
});

test('after ten wrong passwords a user waits, but a known client does not', async (t) => {
  const guarded = await startApi(db, routes);
  t.teardown(guarded.stop);
  const sent = { path: '/rest/thing/5', host: 'guessed.localhost' };
  t.is((await guarded.send(sent)).status, 200);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    t.is((await guarded.send({ ...sent, auth: `api@demo:${attempt}` })).status, 401);
  }
  const limited = await guarded.send({ ...sent, auth: 'api@demo:11' });
  refused(t, limited, 429, 'auth.tooManyAttempts');
  t.true(Number(limited.headers['retry-after']) > 0);
  t.is((await guarded.send(sent)).status, 200);
});

test('a request in progress is answered before the server stops', async (t) => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow = route({
    method: 'GET',
    path: '/slow',
    summary: 'Waits',
    right: 'read',
    response: thing,
    async handler() {
      enter();
      await released;
      return { name: 'done' };
    },
  });
  const draining = await startApi(db, () => [slow]);
  const answer = draining.send({ path: '/rest/slow' });
  await Promise.race([entered, answer]);
  const stopped = draining.stop();
  await t.throwsAsync(draining.send({ path: '/rest/slow' }), { code: 'ECONNREFUSED' });
  release();
  t.is((await answer).status, 200);
  await stopped;
});
