/**
 * Every route of the table, with what belongs to another tenant: ids of every kind in the path and in
 * the parameters that take one, and whatever of a documented call is of its tenant (ids in bodies,
 * references, tokens). It is answered like what nobody has, by the same statements, and changes nothing
 * of the other tenant. The route table, the schemas and the examples say what is tried.
 */
import test from 'ava';
import { z } from 'zod';
import { story } from '../../../api/docs/examples/examples.ts';
import { type Route, routeKey } from '../../../api/calls/route-types.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import type { RouteDependencies } from '../../../api/calls/services.ts';
import { ID_MAX } from '../../../api/xml/types.ts';
import { kinds } from '../../../operations/context/kinds.ts';
import { overheard, type Said } from '../../operations/support/overheard.ts';
import { PASSWORD } from '../../support/tenants.ts';
import { prepareStep, storyUsers } from '../docs/example-story.ts';
import { likeDemo } from '../signups/calls.ts';
import { send, type Received } from '../support.ts';
import { admin, startTenantApi, type CallOptions, type TenantApi } from '../tenant-api.ts';

const said: Said[] = [];
const options = {
  ...likeDemo,
  file: {
    ...likeDemo.file,
    users: storyUsers,
    gateway: { type: 'sandbox', actionDays: 3 },
    // The walk is one user's.
    settings: { crossTenantAttempts: { max: 1_000, withinMinutes: 1 } },
  },
};
const own = await startTenantApi({
  ...options,
  overhear: (db) => overheard(db, said),
  waitSeconds: 1,
});
const other = await own.another(options);
const routes = allRoutes({} as RouteDependencies);

interface Asked {
  readonly method: string;
  /** From the root of the host. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly isOfAdmin: boolean;
  /** A GET may be one. */
  readonly isWrite: boolean;
}

const keysOf = ({ method, path, selection }: Route): string[] =>
  selection.values.map((value) => `${method} ${path} ${value ?? ''}`);

/** A documented call of a tenant, and all that was answered to it. */
interface Recorded {
  readonly route: string;
  readonly asked: Asked;
}

const texts = new Map<TenantApi, string[]>([
  [own, []],
  [other, []],
]);

/** The examples, one for each call of the route table, with objects of this tenant. */
async function recorded(api: TenantApi, prefix: string): Promise<Recorded[]> {
  const calls: Recorded[] = [];
  let last: Asked | undefined;
  const call = async (method: string, path: string, more: CallOptions = {}): Promise<Received> => {
    const isOfAdmin = more.auth?.startsWith(admin.username) === true;
    last = { method, path: `/rest${path}`, body: more.body, isOfAdmin, isWrite: method !== 'GET' };
    const answer = await api.call(method, path, more);
    texts.get(api)?.push(answer.body, path);
    return answer;
  };
  const once = new Map(
    story
      .filter(({ status = 200 }) => status < 400)
      .toReversed()
      .map((step) => [`${step.method} ${step.route} ${step.mode ?? step.action ?? ''}`, step]),
  );
  for (const [index, [route, step]] of [...once].entries()) {
    const sendIt = await prepareStep({ ...api, call }, step, `${prefix}-${index}`);
    await sendIt();
    const isWrite = routes.some((each) => each.isWrite && keysOf(each).includes(route));
    if (last !== undefined) calls.push({ route, asked: { ...last, isWrite } });
  }
  return calls;
}

const mine = await recorded(own, 'MINE');
const theirs = await recorded(other, 'THEIRS');

/** One id of each kind, of the other tenant. */
const foreignIds = await (async () => {
  const tables = new Set(Object.values(kinds).map(({ table }) => table));
  const columns = await own.asOwner<{ table: string }>(
    `select table_name as table from information_schema.columns where column_name = 'id'`,
  );
  const selects = columns
    .filter(({ table }) => tables.has(table as never) || table === 'base_user')
    .map(
      ({ table }) =>
        `select '${table}' as table, max(id)::text as id from ${table} where tenant_id = ${other.tenantId}`,
    );
  const rows = await own.asOwner<{ table: string; id: string | null }>(selects.join(' union all '));
  return rows.flatMap(({ table, id }) => (id === null ? [] : [{ table, id }]));
})();

let unknown = 0;

/** Of the same form, and nobody's. */
function nobodys(value: string): string {
  unknown += 1;
  if (/^\d+$/.test(value)) return String(ID_MAX - unknown);
  const end = unknown.toString(36);
  return `${value.slice(0, -end.length - 1).replaceAll(/[A-Za-z0-9]/g, 'q')}z${end}`;
}

interface Outcome {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  /** The statements that it took. */
  readonly statements: readonly string[];
}

let walked = 0;

async function outcomeOf(asking: (value: string) => Asked, value: string): Promise<Outcome> {
  const { method, path, body, isOfAdmin, isWrite } = asking(value);
  said.length = 0;
  walked += 1;
  const isPage = !path.startsWith('/rest/');
  const user = isOfAdmin ? admin.username : 'api@test';
  const form = {
    origin: `http://${own.label}.localhost`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const answer = await send(own.port, {
    method,
    path,
    host: `${own.label}.localhost`,
    auth: isPage ? null : `${user}:${PASSWORD}`,
    ...(isPage ? method === 'POST' && { headers: form, body: '' } : body !== undefined && { body }),
  });
  const {
    'content-type': type,
    location = '',
    'retry-after': retry = '',
    etag = '',
  } = answer.headers;
  const { status } = answer;
  // Another reference makes another object, as it may: with ids, links and instants of its own.
  if (status < 300 && isWrite) return { status, headers: '', body: '', statements: [] };
  const masked = (text: string): string =>
    text.replaceAll(value, 'VALUE').replaceAll(encodeURIComponent(value), 'VALUE');
  return {
    status,
    headers: masked([type, location, retry, etag].join(' | ')),
    body: masked(answer.body),
    statements: said.map(({ text }) => text).filter((text) => !ofTheCount.test(text)),
  };
}

/** The one statement in which they differ, by design: what counts an attempt, and what does not. */
const ofTheCount = /^insert into "?audit_log|^delete from foreign_attempt where id/;

/** The calls whose answers differ, and in what. */
const differences: string[] = [];
const statuses = new Map<number, number>();
/** Caches end by the clock, so a call may look up again what the one before had at hand. */
const TRIES_MAX = 3;

/** Tries values of the other tenant in a place of a call; returns how nobody's is answered. */
async function walk(
  asking: (value: string) => Asked,
  values: readonly string[],
): Promise<Outcome | undefined> {
  let missing: Outcome | undefined;
  for (const value of values) {
    let found: string | undefined = '';
    for (let tries = 0; found !== undefined && tries < TRIES_MAX; tries += 1) {
      if (missing === undefined || tries > 0) {
        // What the first call has looked up, others find in caches.
        await outcomeOf(asking, nobodys(value));
        missing = await outcomeOf(asking, nobodys(value));
      }
      const foreign = await outcomeOf(asking, value);
      statuses.set(foreign.status, (statuses.get(foreign.status) ?? 0) + 1);
      found = differenceOf(foreign, missing);
    }
    const { method, path, body = '' } = asking(value);
    if (found !== undefined) differences.push(`${method} ${path} ${body}: ${found}`);
  }
  await own.asOwner(`delete from foreign_attempt where tenant_id = ${own.tenantId}`);
  return missing;
}

function differenceOf(foreign: Outcome, missing: Outcome): string | undefined {
  const [its, nobody] = [foreign, missing].map((each) => [
    String(each.status),
    each.headers,
    each.body,
    ...each.statements,
  ]);
  if (its === undefined || nobody === undefined || its.join() === nobody.join()) return undefined;
  const place = its.findIndex((part, index) => part !== nobody[index]);
  const at = place === -1 ? its.length : place;
  return `${its[at]}\n  in place of ${nobody[at]}`;
}

/** Tokens of a tenant's links, as its answers have them. */
function tokenOf(api: TenantApi, path: string): string | undefined {
  const [start = ''] = path.split(':token');
  const pattern = new RegExp(`${start.replaceAll('/', '\\/')}([\\w~-]{16,})`);
  for (const text of texts.get(api) ?? []) {
    const [, token] = pattern.exec(text) ?? [];
    if (token !== undefined) return token;
  }
  return undefined;
}

const everyTable = await own.asOwner<{ name: string }>(`
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'`);

/** All rows of the other tenant, by table. */
const theirRows = () =>
  own.asOwner<{ name: string; rows: string }>(
    everyTable
      .map(
        ({
          name,
        }) => `select '${name}' as name, md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as rows
          from ${name} r where tenant_id = ${other.tenantId}`,
      )
      .join(' union all '),
  );

const before = await theirRows();

/** The call that the examples have of a route, or one without a body. */
const exampleOf = (route: Route): Asked =>
  mine.find((each) => keysOf(route).includes(each.route))?.asked ?? {
    method: route.method,
    path: `${route.under === 'rest' ? '/rest' : ''}${route.path}`,
    isOfAdmin: false,
    isWrite: route.isWrite,
  };

const ids = foreignIds.map(({ id }) => id);
/** Of what a customer's own pages show. */
const idsOfPages = foreignIds
  .filter(({ table }) => ['subscription_order', 'invoice', 'payment'].includes(table))
  .map(({ id }) => id);

test.serial('an id in the path of any route', async (t) => {
  t.true(ids.length >= 10, JSON.stringify(foreignIds));
  const withIds = routes.filter(({ path }) => /:id\b/.test(path));
  const withoutToken: string[] = [];
  for (const route of withIds) {
    const token = route.path.includes(':token') ? tokenOf(own, route.path) : '';
    if (token === undefined) {
      withoutToken.push(routeKey(route));
      continue;
    }
    const example = exampleOf(route);
    const query = example.path.split('?')[1];
    const start = route.under === 'rest' ? '/rest' : '';
    const path = (id: string): string =>
      `${start}${route.path.replace(':token', token).replace(':id', id)}${query === undefined ? '' : `?${query}`}`;
    await walk(
      (id) => ({ ...example, method: route.method, path: path(id) }),
      route.answer === 'page' ? idsOfPages : ids,
    );
  }
  t.deepEqual(withoutToken, []);
  t.deepEqual(differences.splice(0), []);
  t.true(withIds.length > 40);
});

/** The parameters of a call that take an id. */
const idParameters = (query: z.ZodObject): string[] =>
  Object.entries(query.shape).flatMap(([name, schema]) => (isId(schema) ? [name] : []));

function isId(schema: unknown): boolean {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodNumber && inner.minValue === 1 && inner.maxValue === ID_MAX;
}

/** Another name of the same object would exclude an id. */
function withoutKeys(url: URL, query: z.ZodObject): string {
  const changed = new URL(url);
  for (const each of ['id', 'extCustomerRef', 'orderNumber', 'currentOrderNumber', 'jobId']) {
    if (each in query.shape) changed.searchParams.delete(each);
  }
  return changed.pathname + changed.search;
}

test.serial('an id in any parameter that takes one', async (t) => {
  let parameters = 0;
  for (const route of routes) {
    if (route.answer !== 'xml') continue;
    for (const name of idParameters(route.query)) {
      parameters += 1;
      const example = exampleOf(route);
      const url = new URL(example.path, 'http://localhost');
      const asking = (id: string): Asked => {
        const changed = new URL(withoutKeys(url, route.query), url);
        changed.searchParams.set(name, id);
        return { ...example, method: route.method, path: changed.pathname + changed.search };
      };
      await walk(asking, ids);
    }
  }
  t.true(parameters > 10, String(parameters));
  t.deepEqual(differences.splice(0), []);
});

const tokenPattern = /([\w.~-]+)/;

/** The parts of a call that another tenant has otherwise: what names its own. */
function placesOf(one: Asked, another: Asked) {
  const whole = ({ path, body = '' }: Asked): string[] => `${path}\n${body}`.split(tokenPattern);
  const [parts, others] = [whole(one), whole(another)];
  if (parts.length !== others.length) return [];
  return parts.flatMap((part, index) => {
    const theirs = others[index] ?? '';
    if (part === theirs) return [];
    const asking = (value: string): Asked => {
      const [path = '', ...body] = parts.with(index, value).join('').split('\n');
      return { ...one, path, ...(one.body !== undefined && { body: body.join('\n') }) };
    };
    return [{ part, theirs, asking }];
  });
}

test.serial(
  'whatever names an object in a documented call: ids in bodies, references, tokens',
  async (t) => {
    t.is(mine.length, theirs.length);
    let places = 0;
    let bodies = 0;
    for (const [index, { asked }] of mine.entries()) {
      const another = theirs[index]?.asked;
      if (another === undefined) continue;
      for (const { theirs: value, asking } of placesOf(asked, another)) {
        places += 1;
        if (asked.body?.includes(value) === false && asking(value).body?.includes(value))
          bodies += 1;
        await walk(asking, [value]);
      }
    }
    t.log(`${places} places, ${bodies} of them in bodies`);
    t.true(places > 100 && bodies > 10, `${places} ${bodies}`);
    t.deepEqual(differences.splice(0), []);
  },
);

/** The elements that name an object by its id, in a document that a call takes: `<plan id="1"/>`. */
function referencesIn(schema: unknown): string[] {
  const object = unwrapped(schema);
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape).flatMap(([name, field]) => {
    const { readOnly = false, xml } = (field as z.ZodType).meta() ?? {};
    const inner = unwrapped(field);
    const isReference = inner instanceof z.ZodObject && isId(inner.shape['id']);
    return isReference && !readOnly ? [xml?.name ?? name] : [];
  });
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodNullable
  ) {
    inner = inner.unwrap();
  }
  return inner;
}

test.serial('an id in every element of a document that takes one', async (t) => {
  let elements = 0;
  const lookedUp: string[] = [];
  for (const route of routes) {
    if (route.answer !== 'xml') continue;
    for (const { name: root, schema } of route.request?.documents ?? []) {
      for (const name of referencesIn(schema)) {
        elements += 1;
        const example = exampleOf(route);
        const { body = `<${root}></${root}>` } = example;
        const without = body.replace(
          new RegExp(`<${name} [^>]*/>|<${name}[ >].*?</${name}>`, 's'),
          '',
        );
        const asking = (id: string): Asked => ({
          ...example,
          method: route.method,
          path: withoutKeys(new URL(example.path, 'http://localhost'), route.query),
          body: without.replace(/^([^>]*>)/, `$1<${name} id="${id}"/>`),
        });
        const missing = await walk(asking, ids);
        if (missing?.body.includes('.unknown"') === true) lookedUp.push(`${route.path} ${name}`);
      }
    }
  }
  // The others are refused, or ignored, before anything is looked up: such an order is billed already.
  t.true(lookedUp.length > 8, JSON.stringify(lookedUp));
  t.true(elements > 10, String(elements));
  t.log(`${elements} elements`);
  t.deepEqual(differences.splice(0), []);
});

/** Their tokens are in mails alone, or of a gateway. */
const untold = ['/signup/confirm/:token', '/widget/reset/:token', '/sandbox/:token'];

test.serial('a link of another tenant, on every page that has one', async (t) => {
  const missing: string[] = [];
  for (const route of routes) {
    if (route.credentials !== 'token' || !route.path.includes(':token')) continue;
    const token = tokenOf(other, route.path);
    if (token === undefined) {
      missing.push(route.path);
      continue;
    }
    const id = ids[0] ?? '1';
    const path = (value: string): string => route.path.replace(':token', value).replace(':id', id);
    await walk((value) => ({ ...exampleOf(route), path: path(value) }), [token]);
  }
  t.deepEqual([...new Set(missing)], untold);
  t.deepEqual(differences.splice(0), []);
});

test.serial('nothing of the other tenant has changed', async (t) => {
  t.deepEqual(await theirRows(), before);
  t.log(`${walked} calls`, Object.fromEntries(statuses));
  const [server] = [...statuses.keys()].filter(
    (status) => status >= 500 || status === 429 || status === 401,
  );
  t.is(server, undefined);
  t.true((statuses.get(404) ?? 0) > 500);
});
