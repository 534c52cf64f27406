/** Chooses the route of a request among those of its address, has it answered, and sends that. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Admission, Visit } from '../access/admission.ts';
import type { Answer, StreamedAnswer } from '../calls/answer.ts';
import { RequestError } from '../calls/errors.ts';
import { type Route, routeKey, type PlainCall, type PlainRoute } from '../calls/route-types.ts';
import { selectedBy } from '../calls/selection.ts';
import { ID_MAX } from '../xml/types.ts';
import { type ApiContext, headerOf } from './context.ts';
import type { Incoming, RouterOptions } from './incoming.ts';
import { performPage } from './page-calls.ts';
import { readBytes, streamOf } from './plain-body.ts';
import { performXml } from './xml-calls.ts';

export function buildRouter(options: RouterOptions): (ctx: ApiContext) => Promise<void> {
  return async (ctx) => {
    const { address, tenant } = ctx.state;
    if (address === undefined || tenant === undefined)
      throw new Error('a route runs before its access checks');
    if (address.refusal !== undefined) throw address.refusal;
    const route = routeFor(ctx, address.routes);
    const place = placeOf(route, address.parameters);
    const answer = await perform(route, { ctx, tenant, ...place }, options);
    holdAnswer(options.admission, tenant.id, ctx, answer);
    send(ctx, answer);
  };
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
  return selectedBy(ctx.query, candidates);
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
  ctx.set({ ...answer.headers });
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
    const answer = await respond(route, incoming, { visit, stalledBodyMs });
    if (answer.body instanceof Readable && !ctx.res.closed) visit.stay(once(ctx.res, 'close'));
    return answer;
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
    return readBytes(ctx, bodyBytesMax);
  };
  return route.respond({ ...call, body });
}
