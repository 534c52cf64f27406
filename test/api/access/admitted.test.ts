/**
 * Admission over real HTTP: which calls are heavy, which run beside them, and which are refused.
 */
import test from 'ava';
import { createAdmission } from '../../../api/access/admission.ts';
import { route, type Route } from '../../../api/calls/route.ts';
import { reading } from '../../../api/calls/services.ts';
import { page } from '../../../api/calls/queries.ts';
import { compile } from '../../../api/xml/codec.ts';
import { root, text } from '../../../api/xml/types.ts';
import { z } from 'zod';
import { openDatabase } from '../../../db/connection/database.ts';
import type { Dependencies } from '../../../operations/context/context.ts';
import { testDatabase } from '../../support/database.ts';
import { errorsOf, makeTenant, quiet, startApi, stopAtTheEnd } from '../support.ts';

const word = compile(root('word', z.strictObject({ length: text() })));
const LARGE = 300_000;
const one = { placesMax: 1, waitingMax: 0, waitMs: 60_000 };
const many = { placesMax: 100, waitingMax: 0, waitMs: 60_000 };

const admission = createAdmission({ calls: many, heavyCalls: one, clock: () => 0 });
const { ownerUrl } = await testDatabase();
const db = await openDatabase({
  url: ownerUrl,
  role: 'sundial_app',
  poolMax: 4,
  statementTimeoutMs: 30_000,
  name: 'test',
  noteMoved: admission.noteMoved,
});

/** The calls that wait until the test releases them. */
let gate = Promise.withResolvers<void>();
let arrived = Promise.withResolvers<void>();

const query = z.object({ ...page, waits: z.enum(['yes', 'no']).default('no') });
const wait = async (waits: 'yes' | 'no'): Promise<void> => {
  if (waits === 'no') return;
  arrived.resolve();
  await gate.promise;
};

const routes = (dependencies: Dependencies): Route[] => [
  route({
    method: 'GET',
    path: '/words',
    summary: 'Words as long as many',
    right: 'read',
    query,
    response: word,
    async handler({ tenant, query: { waits, offset } }) {
      await wait(waits);
      const rows = await reading(quiet(dependencies), tenant, (tx) =>
        tx.query<{ word: string }>("select repeat('x', $1::int) as word", [offset]),
      );
      return { length: String(rows[0]?.word.length) };
    },
  }),
  route({
    method: 'GET',
    path: '/others',
    summary: 'Another kind',
    right: 'read',
    query,
    response: word,
    handler: ({ query: { waits } }) => wait(waits).then(() => ({ length: '0' })),
  }),
];

await makeTenant(db, 'demo');
await makeTenant(db, 'other');
await makeTenant(db, 'third');
const api = await startApi(db, routes, { admission });
stopAtTheEnd(api);

const get = (path: string, tenant = 'demo') =>
  api.send({ path: `/rest${path}`, host: `${tenant}.localhost` });

/** A heavy call of that tenant that runs until the result is called. */
async function underWay(path: string, tenant: string): Promise<() => Promise<number>> {
  gate = Promise.withResolvers<void>();
  arrived = Promise.withResolvers<void>();
  const answer = get(path, tenant);
  await arrived.promise;
  return async () => {
    gate.resolve();
    return (await answer).status;
  };
}

test.serial(
  'a long list is heavy: beside it another long list waits, and a short one runs',
  async (t) => {
    const end = await underWay('/others?max=101&waits=yes', 'demo');
    const refused = await get('/words?max=101');
    t.is(refused.status, 503);
    t.deepEqual(errorsOf(refused), ['service.unavailable']);
    t.is(refused.headers['retry-after'], '1');
    t.is((await get('/words?max=100')).status, 200);
    t.is(await end(), 200);
    t.is((await get('/words?max=101')).status, 200, 'the place is free again');
  },
);

test.serial('a kind of call that read much is heavy from then on, for that tenant', async (t) => {
  t.is((await get(`/words?offset=${LARGE}`, 'third')).status, 200);
  const end = await underWay('/others?max=101&waits=yes', 'demo');
  t.is((await get('/words?offset=1', 'third')).status, 503);
  t.is((await get('/others', 'third')).status, 200, 'another kind');
  t.is((await get('/words?offset=1', 'other')).status, 200, 'another tenant');
  t.is(await end(), 200);
  t.is((await get('/words?offset=1', 'third')).status, 200);
});
