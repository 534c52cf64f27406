/** Finds the routes of a request's path before credentials are read, and what they ask for. */
import assert from 'node:assert/strict';
import { Router } from '@koa/router';
import { didYouMean } from '../../operations/context/nearest.ts';
import { RequestError } from '../calls/errors.ts';
import type { Credentials, Route } from '../calls/route-types.ts';
import type { ApiContext, ApiState, Next } from './context.ts';

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

/**
 * Below the prefixes of the interface an unknown path is an address without routes, which is
 * refused after the credentials. Elsewhere it is refused before: a browser shows no login.
 */
export function addresses(routes: readonly Route[]): Middleware {
  const routers = {
    rest: new Router<ApiState>({ sensitive: true }),
    host: new Router<ApiState>({ sensitive: true, strict: true }),
  };
  for (const here of Map.groupBy(byPrecedence(routes), addressKey).values()) {
    const [{ under, path }, credentials] = [here[0] ?? assert.fail(), credentialsOf(here)];
    for (const prefix of under === 'rest' ? restPrefixes : ['']) {
      routers[under].all(prefix + path, ({ state, params }) => {
        state.address = { routes: here, parameters: { ...params }, credentials };
        if (credentials === 'token') state.shownPath = path;
      });
    }
  }
  const known = routes
    .filter(({ under }) => under === 'rest')
    .map(({ path }) => `${restPrefixes[0]}${path.replaceAll(/:\w+/g, ID)}`);
  const refusalOf = (path: string): RequestError => {
    const [prefix = ''] = restPrefixes.filter((each) => path.startsWith(`${each}/`));
    return unknownPath(`${restPrefixes[0]}${path.slice(prefix.length)}`, known);
  };
  const rest = routers.rest.routes();
  const host = routers.host.routes();
  return async (ctx, next) => {
    const isOfRest = isBelowRest(ctx.path);
    const find = isOfRest ? rest : host;
    await find(ctx as Parameters<typeof find>[0], () => Promise.resolve());
    if (ctx.state.address === undefined) {
      const refusal = refusalOf(ctx.path);
      if (!isOfRest) throw refusal;
      ctx.state.address = { routes: [], parameters: {}, credentials: 'basic', refusal };
    }
    await next();
  };
}

const addressKey = ({ under, path }: Route): string => `${under} ${path}`;

/**
 * Fixed words before parameters: the `salesContact` of `/customer/salesContact` is not an id. Then
 * the path with more fixed text: `/invoices/:id.pdf` before `/invoices/:id`, which would take it.
 */
function byPrecedence(routes: readonly Route[]): Route[] {
  const parameters = ({ pathParameters }: Route) => Object.keys(pathParameters).length;
  const fixed = ({ path }: Route) => path.replaceAll(/:\w+/g, '').length;
  return routes.toSorted((a, b) => parameters(a) - parameters(b) || fixed(b) - fixed(a));
}

/** The credentials are read before the route is chosen among those of the address. */
function credentialsOf(routes: readonly Route[]): Credentials {
  const kinds = new Set(routes.map(({ credentials }) => credentials));
  assert.equal(kinds.size, 1, `the routes of ${routes[0]?.path} ask for different credentials`);
  for (const here of Map.groupBy(routes, ({ method }) => method).values()) {
    const names = new Set(here.map(({ selection }) => selection.names.join(' ')));
    assert.equal(names.size, 1, `different parameters select the routes of ${here[0]?.path}`);
  }
  return routes[0]?.credentials ?? 'basic';
}

/** Applies to addresses that ask for these credentials only. */
export function where(credentials: Credentials, apply: Middleware): Middleware {
  return async (ctx, next) => {
    await (ctx.state.address?.credentials === credentials ? apply(ctx, next) : next());
  };
}

/** @param known addresses that the path may have been meant to be */
export function unknownPath(path: string, known: Iterable<string>): RequestError {
  // Only ids begin with a digit.
  const named = path.replaceAll(/(?<=\/)\d\w*/g, ID);
  const message = `There is no such address${didYouMean(named, known)}`;
  return new RequestError(404, { code: 'path.unknown', message });
}

const ID = '{id}';

/* The addresses of the interface: everything below /rest, or its other name. */

/** Both prefixes have the same calls; clients use both. */
const restPrefixes = ['/rest', '/rest_v1'];

export const isBelowRest = (path: string): boolean =>
  restPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
