/**
 * Routes that take and give streams without credentials: signed, limited in bytes, beside other
 * calls, and disconnected if the caller stalls. The routes are of this test.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { z } from 'zod';
import { STREAM_BYTES, createAdmission } from '../../../api/access/admission.ts';
import { textAnswer } from '../../../api/calls/answer.ts';
import { RequestError } from '../../../api/calls/errors.ts';
import { plainRoute } from '../../../api/calls/route-types.ts';
import { route, type Route } from '../../../api/calls/route.ts';
import type { ApiContext } from '../../../api/http/context.ts';
import { streamOf } from '../../../api/http/plain-body.ts';
import { compile } from '../../../api/xml/codec.ts';
import { root, text as xmlText } from '../../../api/xml/types.ts';
import {
  makeTenant,
  openTestDatabase,
  refused,
  startApi,
  stopAtTheEnd,
  type Sent,
  type TestApi,
} from '../support.ts';

const MEBIBYTE = 1_024 * 1_024;
const BYTES_MAX = 4 * MEBIBYTE;
const CHUNK_BYTES = 64 * 1_024;
const word = compile(root('word', z.strictObject({ name: xmlText() })));

/** What happens to uploads and downloads, by their names. */
const begun = new Map<string, PromiseWithResolvers<void>>();
const failed = new Map<string, PromiseWithResolvers<unknown>>();
const sources = new Map<string, Readable>();
/** What is read only once this is settled, by name. */
const held = new Map<string, Promise<unknown>>();
const noted = <Value>(map: Map<string, PromiseWithResolvers<Value>>, name: string) =>
  map.get(name) ?? map.set(name, Promise.withResolvers<Value>()).get(name) ?? never();

function never(): never {
  throw new Error('a map has what was set');
}

const upload = plainRoute({
  method: 'PUT',
  under: 'host',
  path: '/upload/:name',
  credentials: 'signature',
  right: null,
  body: 'stream',
  bodyBytesMax: BYTES_MAX,
  answer: 'text',
  isWrite: true,
  async respond({ tenant, pathTexts: { name = '' }, parameters, body }) {
    if (parameters['signature'] !== 'good') {
      throw new RequestError(403, { code: 'auth.invalid', message: 'The signature is wrong' });
    }
    const hash = createHash('sha256');
    await held.get(name);
    try {
      for await (const chunk of body()) {
        hash.update(chunk as Buffer);
        noted(begun, name).resolve();
      }
    } catch (error) {
      noted(failed, name).resolve(error);
      throw error;
    }
    return textAnswer(201, `${tenant.label} ${name} ${hash.digest('hex')}`);
  },
});

/** The file `endless`, one that breaks off, and one of three lines. */
function* linesOf(name: string): Generator<string> {
  yield 'a,b\n1,2\n';
  if (name === 'broken') throw new Error('the storage is gone');
  while (name === 'endless') yield 'x'.repeat(CHUNK_BYTES);
  yield '3,4\n';
}

const download = plainRoute({
  method: 'GET',
  under: 'host',
  path: '/file/:name',
  credentials: 'signature',
  right: null,
  body: 'none',
  answer: 'file',
  isWrite: false,
  respond({ pathTexts: { name = '' }, parameters }) {
    if (parameters['signature'] !== 'good') {
      throw new RequestError(403, { code: 'auth.invalid', message: 'The signature is wrong' });
    }
    const body = Readable.from(linesOf(name), { objectMode: false });
    sources.set(name, body);
    const bytes = name === 'three' ? 12 : undefined;
    const headers = { 'Content-Disposition': 'attachment' };
    return Promise.resolve({ status: 200, type: 'text/csv; charset=utf-8', headers, body, bytes });
  },
});

const routes = (): Route[] => [
  upload,
  download,
  route({
    method: 'GET',
    path: '/word',
    summary: 'A word',
    right: 'read',
    response: word,
    handler: () => Promise.resolve({ name: 'word' }),
  }),
];

const db = await openTestDatabase();
await makeTenant(db, 'demo');
await makeTenant(db, 'other');
const few = { placesMax: 2, lanePlacesMax: 1, waitingMax: 8, waitMs: 60_000 };
const none = { ...few, waitingMax: 0 };
// The largest body in memory would exceed this.
const tenantBytesMax = 12 * STREAM_BYTES;
const api = await startApi(db, routes, { admission: createAdmission({ tenantBytesMax }) });
stopAtTheEnd(api);

const put = (name: string, body: Buffer, more: Partial<Sent> = {}) =>
  api.send({ method: 'PUT', path: `/upload/${name}?signature=good`, auth: null, body, ...more });

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** A connection that has sent the head of an upload and some bytes of a larger body. */
function begin(to: TestApi, name: string, announced = 1_000): Socket {
  const socket = connect({ port: to.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(
    `PUT /upload/${name}?signature=good HTTP/1.1\r\nHost: demo.localhost\r\n` +
      `Connection: close\r\nContent-Length: ${announced}\r\n\r\nsome`,
  );
  return socket;
}

test('an upload needs a signature and no credentials, and its name is any text', async (t) => {
  const body = Buffer.alloc(3 * MEBIBYTE, 'row,of,text\n');
  const answer = await put('a%2Fb-%C3%BC', body, { host: 'other.localhost' });
  t.is(answer.status, 201, answer.body);
  t.is(answer.body, `other a/b-ü ${hashOf(body)}\n`);
  t.is(answer.headers['content-type'], 'text/plain; charset=utf-8');
});

test('an upload without a length is read to its end', async (t) => {
  const body = Buffer.alloc(MEBIBYTE, 'x');
  const answer = await put('chunked', body, { headers: { 'transfer-encoding': 'chunked' } });
  t.is(answer.body, `demo chunked ${hashOf(body)}\n`);
});

test('a refused upload is read on, and its connection closed', async (t) => {
  const body = Buffer.alloc(MEBIBYTE, 'x');
  const answer = await put('refused', body, { path: '/upload/refused?signature=bad' });
  t.is(answer.status, 403);
  t.is(answer.body, 'The signature is wrong\n');
  t.is(answer.headers.connection, 'close');
});

test('an upload beyond the limit is 413, whether its length is announced or not', async (t) => {
  const body = Buffer.alloc(BYTES_MAX + 1, 'x');
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    const answer = await put('large', body, { headers });
    t.is(answer.status, 413);
    t.is(answer.body, `The body has more than ${BYTES_MAX} bytes\n`);
    t.is(answer.headers.connection, 'close');
  }
  t.is((await put('large', body.subarray(1))).status, 201);
});

test('a refused upload gets its answer before any of its body', async (t) => {
  const sent: Sent = { method: 'PUT', path: '/upload/large?signature=good', auth: null };
  const large = await api.send({ ...sent, announcedBytes: BYTES_MAX + 1 });
  t.is(large.status, 413);
  const forged = await api.send({ ...sent, path: '/upload/large', announcedBytes: 10 });
  t.is(forged.status, 403);
});

test('another method, another path and an unknown host are refused without credentials', async (t) => {
  const other = await api.send({ path: '/upload/a', auth: null });
  t.is(other.status, 405);
  t.is(other.headers.allow, 'PUT');
  refused(t, await api.send({ path: '/upload/a/b', auth: null }), 404, 'path.unknown');
  refused(t, await api.send({ path: '/upload/a/', auth: null }), 404, 'path.unknown');
  const nowhere = await put('a', Buffer.from('x'), { host: 'nobody.localhost' });
  t.is(nowhere.status, 401);
});

test('an upload that breaks off fails its stream', async (t) => {
  const socket = begin(api, 'aborted');
  await noted(begun, 'aborted').promise;
  socket.destroy();
  const error = await noted(failed, 'aborted').promise;
  t.true(error instanceof RequestError);
  t.like((error as RequestError).errors, [{ code: 'request.aborted' }]);
});

test('an upload of more bytes than it announces breaks off, and is no fault', async (t) => {
  const socket = connect(api.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  // Node ends the connection before the body is read, which is there as a whole.
  held.set('longer', once(socket.resume(), 'close'));
  socket.write(
    'PUT /upload/longer?signature=good HTTP/1.1\r\nHost: demo.localhost\r\n' +
      'Content-Length: 5\r\nConnection: close\r\n\r\nabcdefgh',
  );
  const error = await noted(failed, 'longer').promise;
  t.true(error instanceof RequestError, String(error));
  t.like((error as RequestError).errors, [{ code: 'request.aborted' }]);
});

test('a sender that stalls is disconnected', async (t) => {
  const impatient = await startApi(db, routes, { stalledBodyMs: 20 });
  t.teardown(impatient.stop);
  const socket = begin(impatient, 'stalled');
  socket.resume();
  await once(socket, 'close');
  const error = await noted(failed, 'stalled').promise;
  t.like((error as RequestError).errors, [{ code: 'request.aborted' }]);
});

test('a stream reads no further ahead than its buffers', async (t) => {
  let read = 0;
  const source = new Readable({
    read() {
      read += CHUNK_BYTES;
      this.push(Buffer.alloc(CHUNK_BYTES));
    },
  });
  const req = Object.assign(source, { headers: {}, complete: false });
  const ctx = { req, res: {}, request: {} } as unknown as ApiContext;
  const stream = streamOf(ctx, { bytesMax: 1_024 * MEBIBYTE });
  await once(stream, 'readable');
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  t.true(read <= STREAM_BYTES, `${read}`);
  stream.destroy();
});

test('slow uploads of a tenant delay neither its calls nor uploads of others', async (t) => {
  const admission = createAdmission({ calls: { ...none, placesMax: 1 }, streams: none });
  const shared = await startApi(db, routes, { admission });
  t.teardown(shared.stop);
  const slow = begin(shared, 'slow', 8);
  await noted(begun, 'slow').promise;
  const body = Buffer.from('quick');
  const sent: Sent = { method: 'PUT', path: '/upload/quick?signature=good', auth: null, body };
  t.is((await shared.send(sent)).status, 503);
  t.is((await shared.send({ path: '/rest/word' })).status, 200);
  t.is((await shared.send({ ...sent, host: 'other.localhost' })).status, 201);
  slow.write('more');
  t.regex(await text(slow), new RegExp(`^HTTP/1.1 201 .*${hashOf(Buffer.from('somemore'))}`, 's'));
  t.is((await shared.send(sent)).status, 201);
});

test('a file is sent with its type and length, and a HEAD opens and closes it', async (t) => {
  const path = '/file/three?signature=good';
  const answer = await api.send({ path, auth: null });
  t.is(answer.status, 200);
  t.is(answer.body, 'a,b\n1,2\n3,4\n');
  t.is(answer.headers['content-type'], 'text/csv; charset=utf-8');
  t.is(answer.headers['content-length'], '12');
  t.is(answer.headers['content-disposition'], 'attachment');
  const head = await api.send({ method: 'HEAD', path, auth: null });
  t.is(head.status, 200);
  t.is(head.headers['content-length'], '12');
  t.is(head.body, '');
  t.true(sources.get('three')?.destroyed);
  refused(t, await api.send({ path: '/file/three', auth: null }), 403, 'auth.invalid');
});

test('a file that breaks off ends the connection, so that nobody takes it for complete', async (t) => {
  const path = '/file/broken?signature=good';
  await t.throwsAsync(api.send({ path, auth: null }), { code: 'ECONNRESET' });
});

test('a file holds its place until it is sent, and is closed if its reader leaves', async (t) => {
  const shared = await startApi(db, routes, { admission: createAdmission({ streams: none }) });
  t.teardown(shared.stop);
  const socket = connect({ port: shared.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const path = '/file/endless?signature=good';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: demo.localhost\r\n\r\n`);
  await once(socket, 'readable');
  const three: Sent = { path: '/file/three?signature=good', auth: null };
  t.is((await shared.send(three)).status, 503);
  t.is((await shared.send({ ...three, host: 'other.localhost' })).status, 200);
  const source = sources.get('endless');
  const closed = source === undefined ? undefined : once(source, 'close');
  socket.destroy();
  await closed;
  t.is((await shared.send(three)).status, 200);
});
