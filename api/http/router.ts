/** Chooses the route of a request among those of its address, has it answered, and sends that. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Admission, AdmittedCall, Visit } from '../access/admission.ts';
import { type Answer, type StreamedAnswer, isStreamed } from '../calls/answer.ts';
import { deprecationHeaders } from '../calls/deprecation.ts';
import { RequestError } from '../calls/errors.ts';
import { hrefOf } from '../docs/calls.ts';
import {
  type Credentials,
  type PlainCall,
  type PlainRoute,
  type Route,
  type XmlRoute,
  HeavyCall,
  routeKey,
} from '../calls/route-types.ts';
import { refuseWithoutRight } from '../access/authentication.ts';
import { selectedBy } from '../calls/parameters.ts';
import { ID_MAX } from '../xml/types.ts';
import { type ApiContext, type ApiState, type Next, headerOf } from './context.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { noteExport } from './exports.ts';
import { performPage } from './page-calls.ts';
import { BODY_BYTES_MAX, readBody } from './xml-body.ts';
import { arriving, ignored, readBytes, streamOf } from './plain-body.ts';
import type { TenantInfo } from '../../operations/context/context.ts';
import { asksProvider } from '../../operations/customers/addresses.ts';
import type { RawCall } from '../calls/call.ts';
import assert from 'node:assert/strict';
import { Router } from '@koa/router';
import { didYouMean } from '../../operations/context/nearest.ts';

export function buildRouter(options: RouterOptions): (ctx: ApiContext) => Promise<void> {
  return async (ctx) => {
    const { address, tenant } = ctx.state;
    if (address === undefined || tenant === undefined)
      throw new Error('a route runs before its access checks');
    if (address.refusal !== undefined) throw address.refusal;
    const route = routeFor(ctx, address.routes);
    announce(ctx, route);
    const place = placeOf(route, address.parameters);
    const answer = await perform(route, { ctx, tenant, ...place }, options);
    const isExport = route.isExport === true || ctx.query['format'] === 'csv';
    if (isExport && ctx.method === 'GET') await noteExport(options, ctx, answer);
    holdAnswer(options.admission, tenant.id, ctx, answer);
    send(ctx, answer);
  };
}

/** Refusals have these headers, too. */
function announce(ctx: ApiContext, route: Route): void {
  if (route.answer !== 'xml' || route.deprecation === undefined) return;
  ctx.set(deprecationHeaders(route.deprecation, hrefOf(route)));
}

function perform(
  route: Route,
  incoming: Incoming,
  options: RouterOptions,
): Promise<Answer | StreamedAnswer> {
  if (route.answer === 'xml') return performXml(route, incoming, options);
  if (route.answer === 'page') return performPage(route, incoming, options);
  return performPlain(route, incoming, options);
}

/** HEAD is a GET without its body, and never changes anything. */
function routeFor(ctx: ApiContext, routes: readonly Route[]): Route {
  const candidates = routes.filter((each) =>
    ctx.method === 'HEAD' ? hasHead(each) : each.method === ctx.method,
  );
  if (candidates.length === 0) throw methodNotAllowed(routes, ctx);
  // Whoever may make none of these calls does not learn what selects them.
  refuseWithoutRight(ctx.state.user, candidates);
  const route = selectedBy(ctx.query, candidates);
  refuseWithoutRight(ctx.state.user, [route]);
  return route;
}

const hasHead = ({ method, isWrite }: Route): boolean => method === 'GET' && !isWrite;

function methodNotAllowed(routes: readonly Route[], ctx: ApiContext): RequestError {
  const methods = routes.map((each) => each.method);
  const allowed = [...new Set(routes.some(hasHead) ? ['HEAD', ...methods] : methods)];
  const Allow = allowed.toSorted((a, b) => a.localeCompare(b)).join(', ');
  const message = `${ctx.method} is not supported here; use ${allowed.join(' or ')}`;
  return new RequestError(405, { code: 'path.method', message }, { Allow });
}

function placeOf(
  { pathParameters }: Route,
  given: Readonly<Record<string, string>>,
): Pick<Incoming, 'id' | 'pathTexts'> {
  const kinds = Object.entries(pathParameters);
  const texts = kinds.filter(([, kind]) => kind === 'text');
  return {
    id: kinds.some(([, kind]) => kind === 'id') ? idOf(given['id'] ?? '') : 0,
    pathTexts: Object.fromEntries(texts.map(([name]) => [name, given[name] ?? ''])),
  };
}

/** Text that is not an id gets 404, like an unknown id. */
function idOf(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && id <= ID_MAX) return id;
  throw new RequestError(404, {
    code: 'object.notFound',
    message: 'The addressed object does not exist',
  });
}

/** A caller that reads nothing of its answer for this long is disconnected. */
const STALLED_ANSWER_MS = 60_000;

/** Counts the answer's bytes until it is sent, however slowly the caller reads. */
function holdAnswer(
  admission: Admission,
  tenantId: number,
  { res }: ApiContext,
  { body }: Answer | StreamedAnswer,
): void {
  // The call itself counts what a stream holds.
  const release = admission.hold(tenantId, body instanceof Readable ? 0 : body.length);
  if (res.closed) return release();
  res.once('close', release);
  res.setTimeout(STALLED_ANSWER_MS, () => res.destroy());
}

function send(ctx: ApiContext, answer: Answer | StreamedAnswer): void {
  ctx.status = answer.status;
  // The pages of a list have links, too.
  const links = [ctx.response.get('Link'), answer.headers['Link']].filter(Boolean);
  ctx.set({ ...answer.headers, ...(links.length > 0 && { Link: links.join(', ') }) });
  ctx.type = answer.type;
  ctx.body = answer.body;
  if (!('bytes' in answer)) return;
  if (answer.bytes !== undefined) ctx.length = answer.bytes;
  // Koa listens once it sends the stream, which is never for HEAD, and reports its error then.
  answer.body.on('error', () => undefined);
}

/* Performs an admitted call whose body and answer are not documents, but bytes, text or a file. */

type Given = Answer | StreamedAnswer;

function performPlain(
  route: PlainRoute,
  incoming: Incoming,
  { admission, stalledBodyMs }: Pick<RouterOptions, 'admission' | 'stalledBodyMs'>,
): Promise<Given> {
  const { ctx, tenant } = incoming;
  const kind = routeKey(route);
  const isStream = route.body === 'stream' || route.answer === 'file';
  const call = { tenantId: tenant.id, kind, isHeavy: false, waitsForOthers: false, isStream };
  return admission.admit(call, async (visit) => {
    return staying(visit, ctx, await respond(route, incoming, { visit, stalledBodyMs }));
  });
}

interface Reading {
  readonly visit: Visit;
  readonly stalledBodyMs: number | undefined;
}

function respond(
  route: PlainRoute,
  { ctx, tenant, id, pathTexts }: Incoming,
  { visit, stalledBodyMs }: Reading,
): Promise<Given> {
  const call: PlainCall<undefined> = {
    tenant,
    id,
    pathTexts,
    requestId: ctx.state.requestId,
    parameters: ctx.query,
    url: ctx.originalUrl,
    header: (name) => headerOf(ctx, name),
    body: undefined,
  };
  if (route.body === 'none') return route.respond(call);
  const { bodyBytesMax } = route;
  if (route.body === 'stream') {
    const body = (): Readable =>
      streamOf(ctx, { bytesMax: bodyBytesMax, stalledMs: stalledBodyMs });
    return route.respond({ ...call, body });
  }
  const body = (): Promise<Uint8Array> => {
    visit.hold(bodyBytesMax);
    return arriving(ctx, visit, () => readBytes(ctx, bodyBytesMax));
  };
  return route.respond({ ...call, body });
}

/* Performs an admitted call that takes and gives documents, here or in the thread for heavy calls. */

function performXml(
  route: XmlRoute,
  { ctx, tenant, id, pathTexts }: Incoming,
  { admission, heavy }: Pick<RouterOptions, 'admission' | 'heavy'>,
): Promise<Given> {
  const { user, requestId } = ctx.state;
  if (user === undefined) throw new Error('a route runs before its access checks');
  const admitted = admittedCall(route, tenant, ctx);
  return admission.admit(admitted, async (visit) => {
    const bytes = await (route.body === 'none' ? ignoredOf(ctx, visit) : bodyOf(ctx, visit));
    const begin = async (bodyBytes: number): Promise<boolean> => {
      const askedAt = performance.now();
      const begun = await visit.begin(bodyBytes);
      if (begun) ctx.state.waitedMs = performance.now() - askedAt;
      return begun;
    };
    // A stream takes no turn of those that compute for long: it lasts as long as its caller reads.
    const begun = !admitted.isStream && (await begin(bytes.length));
    const raw: Omit<RawCall, 'isHeavy'> = {
      tenant,
      user,
      requestId,
      id,
      pathTexts,
      method: ctx.method,
      path: ctx.path,
      url: ctx.originalUrl,
      address: ctx.ip,
      parameters: ctx.query,
      bytes,
      header: (name) => headerOf(ctx, name),
      noteMiss: (kind, missed) => ctx.state.missed.push({ kind, id: missed }),
    };
    const respond = (isHeavy: boolean): Promise<Given> => {
      if (heavy === undefined) return route.respond({ ...raw, isHeavy: true });
      const call = { ...raw, isHeavy };
      return isHeavy ? heavy.respond(route, call) : route.respond(call);
    };
    try {
      return staying(visit, ctx, await respond(begun));
    } catch (error) {
      if (!(error instanceof HeavyCall)) throw error;
      await begin(Number.POSITIVE_INFINITY);
      return respond(true);
    }
  });
}

/** A stream keeps its place until it is sent, and ends if nobody reads it. */
function staying(visit: Visit, { res }: ApiContext, answer: Given): Given {
  if (!isStreamed(answer)) return answer;
  const { body } = answer;
  if (res.closed) body.destroy();
  else {
    visit.stay(once(res, 'close'));
    res.once('close', () => body.destroy());
  }
  return answer;
}

const noBody = new Uint8Array();

const ignoredOf = (ctx: ApiContext, visit: Visit): Uint8Array | Promise<Uint8Array> =>
  ctx.req.complete ? noBody : ignored(ctx, visit, BODY_BYTES_MAX);

function bodyOf(ctx: ApiContext, visit: Visit): Promise<Uint8Array> {
  visit.hold(announcedBytes(ctx));
  return arriving(ctx, visit, () => readBody(ctx));
}

/** A list of at most this many objects is a light call. */
const LIGHT_LIST_MAX = 100;

function admittedCall(route: XmlRoute, tenant: TenantInfo, ctx: ApiContext): AdmittedCall {
  const isHeavy = route.isHeavy || Number(ctx.query['max']) > LIGHT_LIST_MAX;
  const waitsForOthers = route.waitsForOthers || (route.validatesAddresses && asksProvider(tenant));
  const kind = routeKey(route);
  const isStream = route.streamedFormats.includes(String(ctx.query['format']));
  return { tenantId: tenant.id, kind, isHeavy, waitsForOthers, isStream };
}

/** The assumed size of a body without Content-Length; nearly all bodies are smaller. */
const UNANNOUNCED_BYTES = 1_024 * 1_024;

function announcedBytes(ctx: ApiContext): number {
  const bytes = ctx.request.length ?? UNANNOUNCED_BYTES;
  // The reader refuses a longer body once it has read that much.
  return Math.min(bytes, BODY_BYTES_MAX);
}

/* Finds the routes of a request's path before credentials are read, and what they ask for. */

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

/**
 * Below the prefixes of the interface an unknown path is an address without routes, which is
 * refused after the credentials. Elsewhere it is refused before: a browser shows no login.
 */
export function addresses(routes: readonly Route[]): Middleware {
  const routers = new Map<string, Router<ApiState>>();
  for (const here of Map.groupBy(byPrecedence(routes), addressKey).values()) {
    const [{ under, path }, credentials] = [here[0] ?? assert.fail(), credentialsOf(here)];
    const isOfHost = under !== 'rest';
    for (const whole of isOfHost ? [path] : restPrefixes.map((prefix) => prefix + path)) {
      const key = isOfHost ? HOST : startOf(whole);
      const made = () => new Router<ApiState>({ sensitive: true, strict: isOfHost });
      routers.getOrInsertComputed(key, made).all(whole, ({ state, params }) => {
        state.address = { routes: here, parameters: { ...params }, credentials };
        if (credentials === 'token') state.shownPath = path;
      });
    }
  }
  const known = routes
    .filter(({ under }) => under === 'rest')
    .map(({ path }) => `${restPrefixes[0]}${path.replaceAll(/:\w+/g, ID)}`);
  const finders = new Map([...routers].map(([key, router]) => [key, router.routes()]));
  return async (ctx, next) => {
    const isOfRest = isBelowRest(ctx.path);
    const find = finders.get(isOfRest ? startOf(ctx.path) : HOST);
    await find?.(ctx as Parameters<typeof find>[0], () => Promise.resolve());
    if (ctx.state.address === undefined) {
      const prefix = restPrefixes.find((each) => ctx.path.startsWith(`${each}/`)) ?? '';
      const refusal = unknownPath(`${restPrefixes[0]}${ctx.path.slice(prefix.length)}`, known);
      if (!isOfRest) throw refusal;
      ctx.state.address = { routes: [], parameters: {}, credentials: 'basic', refusal };
    }
    await next();
  };
}

/** The key of what is not below the prefixes of the interface. */
const HOST = '';

/** A router tries its addresses one by one: each first word, which is fixed, has its own. */
const startOf = (path: string): string => path.split('/', 3).join('/');

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

/** @param known addresses that the path may have been meant to be */
export function unknownPath(path: string, known: Iterable<string>): RequestError {
  // Only ids begin with a digit.
  const named = path.replaceAll(/(?<=\/)\d\w*/g, ID);
  const message = `There is no such address${didYouMean(named, known)}`;
  return new RequestError(404, { code: 'path.unknown', message });
}

const ID = '{id}';

/* Addresses of the interface: everything below /rest, or its other name. */

/** Both prefixes have the same calls; clients use both. */
const restPrefixes = ['/rest', '/rest_v1'];

export const isBelowRest = (path: string): boolean =>
  restPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
