/** Which route a call means: by its path, its method, and the parameter that selects among them. */
import test from 'ava';
import { z } from 'zod';
import type { Dependencies } from '../../../operations/context/context.ts';
import { plainRoute } from '../../../api/calls/route-types.ts';
import { textAnswer } from '../../../api/calls/answer.ts';
import { route, writeRoute, type Route } from '../../../api/calls/route.ts';
import { compile } from '../../../api/xml/codec.ts';
import { root, text } from '../../../api/xml/types.ts';
import {
  makeTenant,
  openTestDatabase,
  quiet,
  refused,
  startApi,
  stopAtTheEnd,
} from '../support.ts';

const word = compile(root('word', z.strictObject({ name: text() })));
let starts = 0;

const routes = (dependencies: Dependencies): Route[] => {
  const writing = (method: 'GET' | 'POST' | 'PUT', path: string, mode?: string): Route =>
    writeRoute(quiet(dependencies), {
      method,
      path,
      ...(mode !== undefined && { modes: [mode] }),
      summary: 'Writes',
      right: 'write',
      audited: null,
      response: word,
      handler: ({ write }) =>
        write(() => {
          if (method === 'GET') starts += 1;
          return Promise.resolve({ name: `${method} ${mode} ${starts}` });
        }),
    });
  return [
    writing('POST', '/batch', 'Init'),
    writing('POST', '/batch', 'Upload'),
    writing('PUT', '/batch', 'Finalize'),
    writing('GET', '/start'),
    route({
      method: 'GET',
      path: '/verify/:tracking',
      summary: 'Reads by a text',
      right: 'read',
      response: word,
      handler: ({ id, pathTexts }) => Promise.resolve({ name: `${id} ${pathTexts['tracking']}` }),
    }),
    route({
      method: 'GET',
      path: '/batch',
      summary: 'Reads',
      right: 'read',
      response: word,
      handler: () => Promise.resolve({ name: 'read' }),
    }),
  ];
};

const db = await openTestDatabase();
await makeTenant(db, 'demo');
const api = await startApi(db, routes);
stopAtTheEnd(api);
const { send } = api;

test('mode selects a route of its method', async (t) => {
  for (const [method, mode] of [
    ['POST', 'Init'],
    ['POST', 'Upload'],
    ['PUT', 'Finalize'],
  ] as const) {
    const answer = await send({ method, path: `/rest/batch?mode=${mode}` });
    t.is(answer.status, 200, answer.body);
    t.regex(answer.body, new RegExp(`<name>${method} ${mode} \\d+</name>`));
  }
  t.regex((await send({ path: '/rest/batch' })).body, /<name>read</);
});

const refusals = [
  ['POST', '', 'query.required mode', /mode is required/],
  ['POST', '?mode=', 'query.required mode', /mode is required/],
  ['POST', '?action=Init', 'query.required mode', /mode is required/],
  ['POST', '?mode=Finalize', 'query.invalid mode', /mode must be one of Init, Upload here/],
  ['PUT', '?mode=Init', 'query.invalid mode', /mode must be one of Finalize here/],
  ['PUT', '?mode=Finalize&mode=Finalize', 'query.repeated mode', /given more than once/],
  ['POST', '?mode=Init&action=Init', 'query.unknown action', /known: [^<]*mode/],
  ['GET', '?mode=Init', 'query.unknown mode', /no parameter of this call/],
] as const;

for (const [method, query, error, words] of refusals) {
  test(`refused: ${method} ${query}`, async (t) => {
    const answer = await send({ method, path: `/rest/batch${query}` });
    refused(t, answer, 400, error);
    t.regex(answer.body, words);
  });
}

test('a GET that writes answers a HEAD with 405, and replays its Idempotency-Key', async (t) => {
  const head = await send({ method: 'HEAD', path: '/rest/start' });
  t.is(head.status, 405);
  t.is(head.headers.allow, 'GET');
  t.is(starts, 0);
  const headers = { 'idempotency-key': 'start' };
  const first = await send({ path: '/rest/start', headers });
  t.is(first.status, 200);
  const again = await send({ path: '/rest/start', headers });
  t.is(again.headers['idempotency-replayed'], 'true');
  t.is(again.body, first.body);
  t.is(starts, 1);
});

test('a GET that reads answers a HEAD, which Allow names', async (t) => {
  t.is((await send({ method: 'HEAD', path: '/rest/batch' })).status, 200);
  const other = await send({ method: 'DELETE', path: '/rest/batch' });
  refused(t, other, 405, 'path.method');
  t.is(other.headers.allow, 'GET, HEAD, POST, PUT');
});

test('a parameter of the path that is not called id is any text', async (t) => {
  const answer = await send({ path: '/rest/verify/Zk3P_-a%2Fb' });
  t.regex(answer.body, /<name>0 Zk3P_-a\/b</);
});

test('the routes of an address ask for the same credentials, and are selected by one parameter', async (t) => {
  const plain = plainRoute({
    method: 'PUT',
    under: 'rest',
    path: '/batch',
    credentials: 'signature',
    right: null,
    body: 'none',
    answer: 'text',
    isWrite: true,
    respond: () => Promise.resolve(textAnswer(200, 'taken')),
  });
  const mixed = (dependencies: Dependencies) => [...routes(dependencies), plain];
  await t.throwsAsync(startApi(db, mixed), { message: /\/batch ask for different credentials/ });
  const twice = (dependencies: Dependencies) => [
    ...routes(dependencies),
    writeRoute(quiet(dependencies), {
      method: 'PUT',
      path: '/batch',
      summary: 'Writes',
      right: 'write',
      audited: null,
      response: word,
      handler: ({ write }) => write(() => Promise.resolve({ name: 'put' })),
    }),
  ];
  await t.throwsAsync(startApi(db, twice), { message: /different parameters select/ });
});
