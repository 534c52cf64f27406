/** Builds a router from the table of routes, under both prefixes, with 404, 405 and HEAD. */
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { TenantInfo } from '../../operations/context/context.ts';
import { asksProvider } from '../../operations/customers/addresses.ts';
import type { AdmittedCall, Admission, Visit } from '../access/admission.ts';
import { isBelowRest, restPrefixes } from './below-rest.ts';
import { BODY_BYTES_MAX, readBody } from './body.ts';
import type { ApiContext, ApiState, Next } from './context.ts';
import { headerOf } from './header.ts';
import type { HeavyThread } from './heavy/thread.ts';
import { RequestError } from '../calls/errors.ts';
import type { Answer } from '../calls/answer.ts';
import type { RawCall } from '../calls/call.ts';
import { HeavyCall } from '../calls/heavy-call.ts';
import { routeKey } from '../calls/route.ts';
import type { Route } from '../calls/route.ts';
import { selectedBy } from '../calls/selection.ts';
import { ID_MAX } from '../xml/types.ts';

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

export interface RouterOptions {
  readonly admission: Admission;
  /** Performs heavy calls; without it this thread does. */
  readonly heavy?: Pick<HeavyThread, 'respond'> | undefined;
}

export function buildRouter(routes: readonly Route[], options: RouterOptions): Middleware {
  const router = new Router<ApiState>({ sensitive: true });
  for (const prefix of restPrefixes) {
    for (const [path, here] of Map.groupBy(byPrecedence(routes), (each) => each.path)) {
      router.all(prefix + path, (ctx) => dispatch(here, options, ctx));
    }
  }
  const handle = router.routes();
  return async (ctx, next) => {
    await handle(ctx as Parameters<typeof handle>[0], () => Promise.resolve());
    if (ctx.body === undefined || ctx.body === null) await next();
  };
}

/** Fixed words before parameters: the `salesContact` of `/customer/salesContact` is not an id. */
function byPrecedence(routes: readonly Route[]): Route[] {
  const parameters = (path: string) => path.split(':').length - 1;
  return routes.toSorted((a, b) => parameters(a.path) - parameters(b.path));
}

async function dispatch(
  routes: readonly Route[],
  { admission, heavy }: RouterOptions,
  ctx: RouterContext<ApiState>,
): Promise<void> {
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  const candidates = routes.filter((each) => each.method === method);
  if (candidates.length === 0) throw methodNotAllowed(routes, ctx);
  const route = selectedBy(ctx.query, candidates);
  const { tenant, user, requestId } = ctx.state;
  if (tenant === undefined || user === undefined)
    throw new Error('a route runs before its access checks');
  const id = idOf(ctx.params['id']);
  const answer = await admission.admit(admittedCall(route, tenant, ctx), async (visit) => {
    // A route without a document ignores the body, which is then not part of the fingerprint.
    const bytes = route.request === undefined ? noBody : await bodyOf(ctx, visit);
    const begin = async (bodyBytes: number): Promise<boolean> => {
      const askedAt = performance.now();
      const begun = await visit.begin(bodyBytes);
      if (begun) ctx.state.waitedMs = performance.now() - askedAt;
      return begun;
    };
    const begun = await begin(bytes.length);
    const raw: Omit<RawCall, 'isHeavy'> = {
      tenant,
      user,
      requestId,
      id,
      method: ctx.method,
      path: ctx.path,
      url: ctx.originalUrl,
      address: ctx.ip,
      parameters: ctx.query,
      bytes,
      header: (name) => headerOf(ctx, name),
      noteMiss: (kind, missed) => ctx.state.missed.push({ kind, id: missed }),
    };
    const respond = (isHeavy: boolean): Promise<Answer> => {
      if (heavy === undefined) return route.respond({ ...raw, isHeavy: true });
      const call = { ...raw, isHeavy };
      return isHeavy ? heavy.respond(route, call) : route.respond(call);
    };
    try {
      return await respond(begun);
    } catch (error) {
      if (!(error instanceof HeavyCall)) throw error;
      await begin(Number.POSITIVE_INFINITY);
      return respond(true);
    }
  });
  holdAnswer(admission, tenant, ctx, answer.body.length);
  ctx.status = answer.status;
  ctx.set({ ...answer.headers });
  ctx.type = answer.type;
  ctx.body = answer.body;
}

const noBody = new Uint8Array();

function bodyOf(ctx: RouterContext<ApiState>, visit: Visit): Promise<Uint8Array> {
  visit.hold(announcedBytes(ctx));
  return readBody(ctx);
}

/** A list of at most this many objects is a light call. */
const LIGHT_LIST_MAX = 100;

function admittedCall(
  route: Route,
  tenant: TenantInfo,
  ctx: RouterContext<ApiState>,
): AdmittedCall {
  const isHeavy = route.isHeavy || Number(ctx.query['max']) > LIGHT_LIST_MAX;
  const waitsForOthers = route.waitsForOthers || (route.validatesAddresses && asksProvider(tenant));
  const kind = routeKey(route);
  return { tenantId: tenant.id, kind, isHeavy, waitsForOthers, isStream: false };
}

/** The assumed size of a body without Content-Length; nearly all bodies are smaller. */
const UNANNOUNCED_BYTES = 1_024 * 1_024;

function announcedBytes(ctx: RouterContext<ApiState>): number {
  const bytes = ctx.request.length ?? UNANNOUNCED_BYTES;
  // The reader refuses a longer body once it has read that much.
  return Math.min(bytes, BODY_BYTES_MAX);
}

/** A caller that reads nothing of its answer for this long is disconnected. */
const STALLED_ANSWER_MS = 60_000;

/** Counts the answer's bytes until it is sent, however slowly the caller reads. */
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

function methodNotAllowed(routes: readonly Route[], ctx: RouterContext<ApiState>): RequestError {
  const methods = routes.map((each) => each.method);
  const allowed = methods.includes('GET') ? ['HEAD', ...methods] : methods;
  const Allow = [...new Set(allowed)].toSorted((a, b) => a.localeCompare(b)).join(', ');
  const message = `${ctx.method} is not supported here; use ${allowed.join(' or ')}`;
  return new RequestError(405, { code: 'path.method', message }, { Allow });
}

/** Text that is not an id gets 404, like an unknown id. */
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

/** Other addresses are unknown before credentials are asked for: a browser shows no login. */
export function onlyCalls(openPaths: readonly string[]): Middleware {
  const open = new Set(openPaths);
  return async ({ path }, next) => {
    await (isBelowRest(path) || open.has(path) ? next() : unknownPath());
  };
}

export function unknownPath(): Promise<never> {
  throw new RequestError(404, { code: 'path.unknown', message: 'There is no such address' });
}
