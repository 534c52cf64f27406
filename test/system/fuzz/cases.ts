/** Makes the hostile calls of each route from what the route declares: its documents, parameters, forms. */
import { z } from 'zod';
import { stepsOf } from '../../../api/docs/examples/examples.ts';
import type { Step } from '../../../api/docs/examples/example-step.ts';
import type { PageRoute, PlainRoute, Route, XmlRoute } from '../../../api/calls/route-types.ts';
import { callOf } from '../../api/docs/example-story.ts';
import type { Dice } from '../../support/dice.ts';
import { PASSWORD } from '../../support/tenants.ts';
import type { Request } from './exchange.ts';
import {
  headerNames,
  hostileCsv,
  hostileForm,
  hostileHeaders,
  hostileQuery,
  hostileXml,
  plainQuery,
  texts,
  type Headers,
  type Pairs,
} from './hostile.ts';
import type { PageForm } from './pages.ts';
import { entered, type World } from './world.ts';

export type MakeCase = (dice: Dice, world: World) => Request;

const shared = ['format', 'indent', 'max', 'action', 'mode', 'extCustomerRef', 'customerId', 'id'];

/** Calls of the route that look like right ones, but are not, with a few that are. */
export function casesOf(route: Route): MakeCase {
  if (route.answer === 'xml') return xmlCases(route);
  if (route.answer === 'page') return pageCases(route);
  return plainCases(route);
}

interface Plain {
  readonly path: string;
  readonly query: Pairs;
  readonly names: readonly string[];
  readonly headers: Headers;
  readonly body: Buffer;
}

const basic = (user: string): string =>
  `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`;

/** Changes what is around the body. */
function sent(dice: Dice, world: World, method: string, plain: Plain): Request {
  const headers = { host: `${world.api.label}.localhost`, ...plain.headers };
  // Walls count by networks.
  const from = `127.${1 + dice.below(250)}.${dice.below(250)}.1`;
  const { body, path } = plain;
  const target = (own: string, query: string): string => own + (query === '' ? '' : `?${query}`);
  if (body.length > 0 && dice.chance(2)) {
    const announcedBytes = Math.max(0, body.length + dice.pick([-1, 1, 100, 2 ** 40]));
    return {
      method,
      target: target(path, plainQuery(plain.query)),
      headers,
      body,
      from,
      announcedBytes,
    };
  }
  const query = dice.chance(45)
    ? hostileQuery(dice, plain.query, plain.names)
    : plainQuery(plain.query);
  return {
    method: dice.chance(2)
      ? dice.pick(['HEAD', 'PATCH', 'OPTIONS', 'get', 'PUT', 'DELETE'])
      : method,
    target: target(hostilePath(dice, world, path), query),
    headers: dice.chance(25) ? hostileHeaders(dice, headers) : headers,
    body,
    from,
  };
}

const oddIds = [
  '0',
  '1',
  '-1',
  '1.5',
  '00012',
  '9007199254740993',
  '9'.repeat(30),
  'a',
  '%00',
  '%2e%2e',
];

/** Mostly as it is; sometimes with the id of something else, of another tenant, or of nothing. */
function hostilePath(dice: Dice, world: World, path: string): string {
  if (!dice.chance(15)) return path;
  const ids = [...world.values.values()].filter((value) => /^\d+$/.test(value));
  const id = dice.pick([dice.pick(ids), dice.pick(world.foreignIds), dice.pick(oddIds)]);
  if (dice.chance(80)) return path.replace(/\/\d+(?=[/.?]|$)/, `/${id}`);
  return path + dice.pick(['/', '/..', '//', '/%2f', '%', '%zz', '.xml', ';a=b', ' ', '\u00E9']);
}

/* Calls of the interface. */

function xmlCases(route: XmlRoute): MakeCase {
  const steps = stepsOf(route);
  const declared = (route.request?.documents ?? []).flatMap(({ schema }) => namesIn(schema));
  const elements = [...new Set([...declared, 'customer', 'id', 'amount', 'x', '__proto__'])];
  const names = [...Object.keys(route.query.shape), ...shared, '__proto__', 'x'];
  return (dice, world) => {
    const { path, query, body, headers } = plainCall(dice, world, route, steps);
    const document = body ?? (dice.chance(20) ? '<x/>' : '');
    return sent(dice, world, route.method, {
      path,
      query,
      names,
      headers,
      body:
        document !== '' && dice.chance(92)
          ? hostileXml(dice, document, elements)
          : Buffer.from(document),
    });
  };
}

/** An example, with objects of the world. */
function plainCall(dice: Dice, world: World, { path }: Route, steps: readonly Step[]) {
  const step = steps.length === 0 ? undefined : dice.pick(steps);
  const call = step === undefined ? { path } : callOf(step, world.values);
  const { pathname, searchParams } = new URL(`http://localhost${call.path}`);
  const headers: Record<string, string> = {
    authorization: basic(step?.isOfAdmin === true ? 'admin@test' : 'api@test'),
    ...(call.body !== undefined && { 'content-type': 'application/xml' }),
  };
  if (dice.chance(10)) headers['idempotency-key'] = `key ${dice.below(1_000_000)}`;
  return { path: `/rest${pathname}`, query: [...searchParams], body: call.body, headers };
}

/** The names of the elements of a document, at all depths. */
function namesIn(schema: z.ZodType): string[] {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return [...text.matchAll(/"([a-zA-Z]\w*)":\{/g)].map(([, name = '']) => name);
}

/* Files, and the events of gateways. */

const columns = [
  'extCustomerRef',
  'firstName',
  'lastName',
  'emailPrimary',
  'username',
  'passwd',
  'currency',
  'outstandingBalance',
  'updateMode',
];

export const customersCsv = (reference: string): string =>
  `${columns.join(',')}\n${reference}-1,Ada,Field,ada@example.com,,,USD,1.00,I\n` +
  `${reference}-2,Grace,,grace@example.com,${reference}.g,Hostile-Input-72,,,\n`;

export const someCsv = (dice: Dice, reference: string): Buffer =>
  hostileCsv(dice, columns, customersCsv(reference));

function plainCases(route: PlainRoute): MakeCase {
  return (dice, world) => {
    const isFile = route.path === '/file';
    const url = new URL(world.values.get('uploadUrl') ?? 'http://localhost/rest/file');
    const event = {
      id: 'evt_1',
      type: 'charge.refunded',
      data: { object: { id: dice.pick(texts) } },
    };
    const body = isFile
      ? someCsv(dice, `U-${dice.below(1_000)}`)
      : Buffer.from(JSON.stringify(event));
    const auth = route.credentials === 'basic' ? { authorization: basic('api@test') } : {};
    return sent(dice, world, route.method, {
      path: (route.under === 'rest' ? '/rest' : '') + route.path,
      query: isFile ? [...url.searchParams] : [],
      names: ['token', 'account', 'format', 'start', 'end', 'x'],
      headers: { ...auth, 'content-type': isFile ? 'text/csv' : 'application/json' },
      body: route.body === 'none' ? Buffer.alloc(0) : body,
    });
  };
}

/* Pages and their forms. */

const pageNames = ['step', 'page', 'from', 'to', 'year', 'contractCode', 'locale', 'x', 'ended'];

function pageCases(route: PageRoute): MakeCase {
  const pattern = new RegExp(
    `^${route.path.replaceAll('.', '\\.').replaceAll(/:id/g, '\\d+').replaceAll(/:\w+/g, '[\\w-]{22,}')}(\\?|$)`,
  );
  return (dice, world) => {
    const forms = world.pages.forms.filter(({ action }) => pattern.test(action));
    const paths = world.pages.paths.filter((path) => pattern.test(path));
    const isForm = route.body === 'form';
    const form = isForm && forms.length > 0 ? dice.pick(forms) : undefined;
    const path =
      form?.action ?? (paths.length > 0 ? dice.pick(paths) : strangePath(dice, world, route));
    const [pathname = '', search = ''] = path.split('?');
    return sent(dice, world, route.method, {
      path: pathname,
      query: [...new URLSearchParams(search)],
      names: [...pageNames, ...headerNames.slice(0, 3)],
      headers: isForm
        ? {
            'content-type': 'application/x-www-form-urlencoded',
            origin: `http://${world.api.label}.localhost`,
          }
        : {},
      body: isForm ? Buffer.from(formBody(dice, form)) : Buffer.alloc(0),
    });
  };
}

/** Of a route that no page of the world leads to. */
function strangePath(dice: Dice, world: World, { path }: Route): string {
  const tokens = world.pages.paths.flatMap((each) => /[\w-]{43}/.exec(each)?.[0] ?? []);
  const ids = [...world.values.values()].filter((value) => /^\d+$/.test(value));
  return path.replaceAll(/:id/g, dice.pick(ids)).replaceAll(/:\w+/g, dice.pick(tokens));
}

function formBody(dice: Dice, form: PageForm | undefined): string {
  const shown = form?.fields ?? [['formKey', 'x'] as const];
  const fields = shown.map(
    ([name, value]) => [name, name === 'formKey' ? value : (entered[name] ?? value)] as const,
  );
  return dice.chance(10) ? plainQuery(fields) : hostileForm(dice, fields);
}
