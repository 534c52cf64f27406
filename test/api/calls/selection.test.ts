/** Which route a call means: by its path, its method, and the parameter that selects among them. */
import test from 'ava';
import { z } from 'zod';
import type { Dependencies } from '../../../operations/context/context.ts';
import { route, writeRoute } from '../../../api/calls/route.ts';
import type { Route } from '../../../api/calls/route.ts';
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

const routes = (dependencies: Dependencies): Route[] => {
  const writing = (method: 'POST' | 'PUT', path: string, mode: string): Route =>
    writeRoute(quiet(dependencies), {
      method,
      path,
      modes: [mode],
      summary: 'Writes',
      response: word,
      handler: ({ write }) => write(() => Promise.resolve({ name: `${method} ${mode}` })),
    });
  return [
    writing('POST', '/batch', 'Init'),
    writing('POST', '/batch', 'Upload'),
    writing('PUT', '/batch', 'Finalize'),
    route({
      method: 'GET',
      path: '/batch',
      summary: 'Reads',
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
    t.regex(answer.body, new RegExp(`<name>${method} ${mode}</name>`));
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

test('a GET that reads answers a HEAD, which Allow names', async (t) => {
  t.is((await send({ method: 'HEAD', path: '/rest/batch' })).status, 200);
  const other = await send({ method: 'DELETE', path: '/rest/batch' });
  refused(t, other, 405, 'path.method');
  t.is(other.headers.allow, 'GET, HEAD, POST, PUT');
});
