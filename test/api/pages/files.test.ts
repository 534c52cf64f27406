/** The stylesheet and the script of pages, as any host gives them. */
import { gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { openTestDatabase, refused, startApi, stopAtTheEnd } from '../support.ts';

const api = await startApi(await openTestDatabase(), () => []);
stopAtTheEnd(api);

const files = [
  ['/css/invoice.css', 'text/css; charset=utf-8'],
  ['/css/signup.css', 'text/css; charset=utf-8'],
  ['/js/account.js', 'text/javascript; charset=utf-8'],
  ['/js/cards.js', 'text/javascript; charset=utf-8'],
  ['/js/choice.js', 'text/javascript; charset=utf-8'],
  ['/js/states.js', 'text/javascript; charset=utf-8'],
  ['/js/pages.js', 'text/javascript; charset=utf-8'],
] as const;

for (const [path, type] of files) {
  test(`${path} needs no credentials, and is cached`, async (t) => {
    for (const host of ['demo.localhost', 'other.localhost', 'localhost']) {
      const answer = await api.send({ path, auth: null, host });
      t.is(answer.status, 200);
      t.is(answer.headers['content-type'], type);
      t.is(answer.headers['cache-control'], 'public, max-age=300');
      t.is(answer.headers['x-content-type-options'], 'nosniff');
      const headers = { 'if-none-match': String(answer.headers.etag) };
      const again = await api.send({ path, auth: null, host, headers });
      t.is(again.status, 304);
      t.is(again.body, '');
    }
  });
}

test('a file is compressed for who accepts that', async (t) => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const headers = { host: 'demo.localhost', 'accept-encoding': 'gzip' };
  const path = '/css/signup.css';
  let encoding: string | undefined;
  get({ port: api.port, path, headers, agent: false }, (incoming) => {
    encoding = incoming.headers['content-encoding'];
    void buffer(incoming).then(resolve);
  });
  const received = await promise;
  const plain = await api.send({ path, auth: null });
  const body = encoding === 'gzip' ? gunzipSync(received) : received;
  t.is(body.toString(), plain.body);
  t.is(encoding === 'gzip', Buffer.byteLength(plain.body) >= 1_024);
});

test('another file is 404, another method 405', async (t) => {
  for (const path of ['/css/other.css', '/css', '/js/pages.js/more', '/css/../config.ts']) {
    refused(t, await api.send({ path, auth: null }), 404, 'path.unknown');
  }
  const answer = await api.send({ method: 'POST', path: '/js/pages.js', auth: null });
  refused(t, answer, 405, 'path.method');
});
