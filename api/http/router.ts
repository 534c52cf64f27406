/** The table of routes → a router under both prefixes, with 404, 405 and HEAD as the table says. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { TenantInfo } from '../../operations/context/context.ts';
import type { AdmittedCall, Admission } from '../access/admission.ts';
import { BODY_BYTES_MAX, readBody } from './body.ts';
import type { ApiContext, ApiState, Next } from './context.ts';
import { RequestError, badRequest } from '../calls/errors.ts';
import type { Route } from '../calls/route.ts';
import { ID_MAX } from '../xml/types.ts';

/** The same calls under either; clients of both exist. */
const prefixes = ['/rest', '/rest_v1'];

/** By path: actions of the interface that are to come, so that nobody takes them for mistakes. */
const actionsToCome: Readonly<Record<string, readonly string[]>> = { '/orders': ['rateOrder'] };

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

export function buildRouter(routes: readonly Route[], admission: Admission): Middleware {
  const router = new Router<ApiState>();
  for (const prefix of prefixes) {
    for (const [path, here] of Map.groupBy(byPrecedence(routes), (each) => each.path)) {
      router.all(prefix + path, (ctx) => dispatch(here, admission, ctx));
    }
  }
  const handle = router.routes();
  return async (ctx, next) => {
    await handle(ctx as Parameters<typeof handle>[0], () => Promise.resolve());
    if (ctx.body === undefined || ctx.body === null) await next();
  };
}

/** Fixed words before parameters: `/customer/salesContact` is no id. */
function byPrecedence(routes: readonly Route[]): Route[] {
  const parameters = (path: string) => path.split(':').length - 1;
  return routes.toSorted((a, b) => parameters(a.path) - parameters(b.path));
}

async function dispatch(
  routes: readonly Route[],
  admission: Admission,
  ctx: RouterContext<ApiState>,
): Promise<void> {
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  const candidates = routes.filter((each) => each.method === method);
  if (candidates.length === 0) throw methodNotAllowed(routes, ctx);
  const route = chosenByAction(candidates, ctx);
  const { tenant, user, requestId } = ctx.state;
  if (tenant === undefined || user === undefined) throw new Error('a route runs before its fences');
  const id = idOf(ctx.params['id']);
  const answer = await admission.admit(admittedCall(route, tenant, ctx), (visit) =>
    route.respond({
      tenant,
      user,
      requestId,
      id,
      method: ctx.method,
      path: ctx.path,
      url: ctx.originalUrl,
      address: ctx.ip,
      parameters: ctx.query,
      header: (name) => headerOf(ctx.req.headers[name]),
      readBody() {
        visit.hold(announcedBytes(ctx));
        return readBody(ctx);
      },
      begin: (bodyBytes = 0) => visit.begin(bodyBytes),
      noteMiss: (kind, missed) => ctx.state.missed.push({ kind, id: missed }),
    }),
  );
  holdAnswer(admission, tenant, ctx, answer.body.length);
  ctx.status = answer.status;
  ctx.set({ ...answer.headers });
  ctx.type = answer.type;
  ctx.body = answer.body;
}

/** A list of so many is answered like any call. */
const LIGHT_LIST_MAX = 100;

function admittedCall(
  { method, path, actions, waitsForOthers }: Route,
  { id }: TenantInfo,
  ctx: RouterContext<ApiState>,
): AdmittedCall {
  const isHeavy = Number(ctx.query['max']) > LIGHT_LIST_MAX;
  const kind = `${method} ${path} ${actions.join(' ')}`;
  return { tenantId: id, kind, isHeavy, waitsForOthers };
}

/** Of a body that does not say how long it is: more than nearly all have. */
const UNANNOUNCED_BYTES = 1_024 * 1_024;

function announcedBytes(ctx: RouterContext<ApiState>): number {
  const bytes = ctx.request.length ?? UNANNOUNCED_BYTES;
  // A longer one is refused when that much of it was read.
  return Math.min(bytes, BODY_BYTES_MAX);
}

/** A caller that takes nothing of its answer for so long has left. */
const STALLED_ANSWER_MS = 60_000;

/** Until it is on its way to the caller, however slowly that one reads. */
function holdAnswer(
  admission: Admission,
  { id }: TenantInfo,
  { res }: RouterContext<ApiState>,
  bytes: number,
): void {
  const release = admission.hold(id, bytes);
  if (res.closed) return release();
  res.once('close', release);
  res.setTimeout(STALLED_ANSWER_MS, () => res.destroy());
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** POST calls say by `action` or `actionName` what they want; to others it is an unknown parameter. */
function chosenByAction(routes: readonly Route[], ctx: RouterContext<ApiState>): Route {
  const [only] = routes;
  if (only !== undefined && ctx.method !== 'POST') return only;
  const path = ctx.query['action'] === undefined ? 'actionName' : 'action';
  const action = ctx.query[path] === '' ? undefined : ctx.query[path];
  if (Array.isArray(action)) {
    throw badRequest('query.repeated', `${path} is given more than once`, path);
  }
  const route = routes.find((each) => each.actions.includes(action));
  if (route !== undefined) return route;
  if (only !== undefined && action !== undefined && actionsToCome[only.path]?.includes(action)) {
    throw badRequest('action.notBuilt', `${action} is not built yet`, path, action);
  }
  const known = routes.flatMap((each) => each.actions).filter((each) => each !== undefined);
  if (action === undefined) throw badRequest('query.required', 'action is required', 'action');
  const expected = known.length === 0 ? 'absent' : `one of ${known.join(', ')}`;
  throw badRequest('query.invalid', `${path} must be ${expected} here`, path, action);
}

function methodNotAllowed(routes: readonly Route[], ctx: RouterContext<ApiState>): RequestError {
  const methods = routes.map((each) => each.method);
  const allowed = methods.includes('GET') ? ['HEAD', ...methods] : methods;
  const Allow = [...new Set(allowed)].toSorted((a, b) => a.localeCompare(b)).join(', ');
  const message = `${ctx.method} is not offered here; ${Allow} ${allowed.length > 1 ? 'are' : 'is'}`;
  return new RequestError(405, { code: 'path.method', message }, { Allow });
}

/** What is no id names no object: 404, like an id that nobody has. */
function idOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > ID_MAX) throw notFound();
  return id;
}

export function notFound(): RequestError {
  return new RequestError(404, {
    code: 'object.notFound',
    message: 'The addressed object does not exist',
  });
}

export function unknownPath(): Promise<never> {
  throw new RequestError(404, { code: 'path.unknown', message: 'There is no such address' });
}
