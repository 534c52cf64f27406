/**
 * What is too much is refused with 503 and Retry-After before anything falls over: connections, bodies that
 * do not arrive, calls for connections to the database. What was under way goes on.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { createAdmission, type Admission } from '../../../api/access/admission.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { patientSession, testDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { errorsOf, makeTenant, quiet, startApi, USER, type TestApi } from '../support.ts';

const { ownerUrl } = await testDatabase();
const session = { ...patientSession, url: ownerUrl, role: 'sundial_app', name: 'test' } as const;
/** As many calls run in the database, and as many wait for one of its connections. */
const RUN = 2;
const WAIT = 5;
const db = await openDatabase({ ...session, poolMax: 8 });
const narrow = await openDatabase({ ...session, poolMax: RUN, waitingMax: WAIT });
await makeTenant(db, 'demo');

test.after.always(async () => void (await Promise.all([db.close(), narrow.close()])));

async function open(
  t: ExecutionContext,
  ...[own, overrides]: [typeof db, Parameters<typeof startApi>[2]?]
): Promise<TestApi> {
  const api = await startApi(own, (dependencies) => allRoutes(quiet(dependencies)), overrides);
  t.teardown(api.stop);
  return api;
}

async function connected(t: ExecutionContext, { port }: TestApi): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const head = (line: string, ...headers: readonly string[]): string =>
  [
    `${line} HTTP/1.1`,
    'Host: demo.localhost',
    `Authorization: Basic ${Buffer.from(USER).toString('base64')}`,
    ...headers,
  ].join('\r\n');

const customer = '<customer><billingContact><firstName>Ada</firstName></billingContact></customer>';

test.serial(
  'calls on connections beyond the limit are 503, those within it go on, and health answers',
  async (t) => {
    const LIMIT = 3;
    const api = await open(t, db, { connectionsMax: LIMIT });
    const first = await connected(t, api);
    for (let nth = 1; nth < LIMIT; nth += 1) await connected(t, api);
    const refused = await api.send({ path: '/rest/plans' });
    t.is(refused.status, 503);
    t.deepEqual(errorsOf(refused), ['service.unavailable']);
    t.is(refused.headers['retry-after'], '1');
    t.is(refused.headers.connection, 'close');
    t.is((await api.send({ path: '/livez' })).status, 200);
    first.write(`${head('GET /rest/plans', 'Connection: close')}\r\n\r\n`);
    t.regex(await text(first), /^HTTP\/1\.1 200 /);
    await until(
      'there is room',
      async () => (await api.send({ path: '/rest/plans' })).status === 200,
    );
  },
);

/** With one place for all calls of a tenant, and room to wait for it; counts the calls that step out of it. */
function onePlace(): { readonly admission: Admission; readonly outside: () => number } {
  const one = { placesMax: 1, lanePlacesMax: 1, waitingMax: 10, waitMs: 30_000 };
  const admission = createAdmission({ calls: one });
  let outside = 0;
  return {
    outside: () => outside,
    admission: {
      ...admission,
      admit: (call, work) =>
        admission.admit(call, (visit) =>
          work({
            ...visit,
            stepOut(elsewhere) {
              outside += 1;
              return visit.stepOut(elsewhere);
            },
          }),
        ),
    },
  };
}

test.serial('bodies that arrive slowly keep no other call of their tenant out', async (t) => {
  const { admission, outside } = onePlace();
  const api = await open(t, db, { admission });
  const slowly = async (line: string, type: string, body: string) => {
    const socket = await connected(t, api);
    const before = outside();
    const more = [`Content-Type: ${type}`, `Content-Length: ${body.length}`, 'Connection: close'];
    socket.write(`${head(line, 'Origin: http://demo.localhost', ...more)}\r\n\r\n`);
    socket.write(body.slice(0, 1));
    await until('it waits for the rest', () => Promise.resolve(outside() > before));
    return () => {
      socket.write(body.slice(1));
      return text(socket);
    };
  };
  const form = 'username=nobody&password=nothing';
  const ends = [
    await slowly('POST /rest/customers', 'application/xml', customer),
    await slowly('POST /widget/login', 'application/x-www-form-urlencoded', form),
  ];
  t.is((await api.send({ path: '/rest/plans' })).status, 200);
  t.is((await api.send({ method: 'POST', path: '/rest/customers', body: customer })).status, 201);
  const [made = ''] = await Promise.all(ends.map((end) => end()));
  t.regex(made, /^HTTP\/1\.1 201 /);
});

test.serial(
  'where the database’s connections are taken, the calls that would wait behind too many are 503',
  async (t) => {
    const api = await open(t, narrow);
    t.is((await api.send({ path: '/rest/customers' })).status, 200);
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    t.teardown(() => owner.end());
    await owner.query('begin; lock table customer in access exclusive mode');
    const MORE = 20;
    const calls = Array.from({ length: RUN + WAIT + MORE }, () =>
      api.send({ path: '/rest/customers' }),
    );
    let refused = 0;
    for (const call of calls) void call.then(({ status }) => status === 503 && (refused += 1));
    await until('what is too much was refused', () => Promise.resolve(refused >= MORE));
    await owner.query('commit');
    const answers = await Promise.all(calls);
    t.deepEqual(
      [
        ...new Set(answers.map(({ status, headers }) => `${status} ${headers['retry-after']}`)),
      ].toSorted(),
      ['200 undefined', '503 1'],
    );
    t.true(answers.filter(({ status }) => status === 200).length >= RUN);
    t.is((await api.send({ path: '/rest/customers' })).status, 200, 'and all is well again');
  },
);

test.serial('a stop finishes the calls that are under way, and then takes no more', async (t) => {
  const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)));
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  await owner.query('begin; lock table customer in access exclusive mode');
  const under = Array.from({ length: 3 }, () =>
    api.send({ method: 'POST', path: '/rest/customers', body: customer }),
  );
  await until('all of them wait for the table', async () => {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation
       where c.relname = 'customer' and not l.granted`,
    );
    return rows[0]?.n === under.length;
  });
  const stopped = api.stop();
  await t.throwsAsync(api.send({ path: '/rest/plans' }), { code: 'ECONNREFUSED' });
  await owner.query('commit');
  t.deepEqual(
    (await Promise.all(under)).map(({ status }) => status),
    [201, 201, 201],
  );
  await stopped;
});
