/** What each request passes before and after its call, the outermost first in `app.ts`. */
import { maskCardNumbers, holdsCardNumber } from '../../domain/payments/card-masking.ts';
import { type ApiContext, type Next, headerOf } from './context.ts';
import { isHealthPath } from './health.ts';
import { routeNameOf } from './origin.ts';
import type { Logger } from './log.ts';
import { Readable } from 'node:stream';
import { discardRest } from './plain-body.ts';
import { beyondLimit, limitRequest } from './server.ts';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { badRequest, RequestError, PageRefusal } from '../calls/errors.ts';
import { indentXml } from '../xml/indent.ts';
import { randomUUID } from 'node:crypto';
import type { TenantInfo } from '../../operations/context/context.ts';
import { BusyError } from '../../db/connection/faults.ts';
import type { Metrics } from '../../providers/metrics/registry.ts';
import type { PageAnswers } from '../pages/answers.ts';
import { acceptedLocale } from '../pages/language.ts';
import type { Guard } from '../access/guard.ts';
import type { Answer } from '../calls/answer.ts';
import { refusalAnswer, refusalOf, refusalText } from '../calls/refusals.ts';
import type { Route } from '../calls/route-types.ts';

/**
 * Logs each request once its answer is known, without the query string, which may contain secrets, and
 * counts it.
 */
export function accessLog(
  log: Logger,
  count: Metrics['request'] | undefined,
): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (isHealthPath(ctx.path)) return;
    const milliseconds = performance.now() - startedAt;
    const { tenant: of } = ctx.state;
    count?.({ route: routeNameOf(ctx), status: ctx.status, tenant: of?.label, milliseconds });
    log.info(
      {
        requestId: ctx.state.requestId,
        tenant: ctx.state.tenant?.label,
        user: ctx.state.user?.username ?? ctx.state.operator,
        address: ctx.ip,
        method: ctx.method,
        path: maskCardNumbers(ctx.state.shownPath),
        status: ctx.status,
        codes: ctx.state.codes,
        busy: ctx.state.busy,
        waited: ctx.state.waitedMs === undefined ? undefined : tenths(ctx.state.waitedMs),
        milliseconds: tenths(milliseconds),
      },
      'request',
    );
  };
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/* Sends a refusal before the body that it refuses has arrived, and discards the body then. */

/**
 * The answer is complete for its reader, who knows its length; the response ends, and with it the
 * connection, once the body was discarded, which takes as long as a request may. Outermost, since
 * others compress and replace the answer.
 */
export async function answerFirst(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  if (!ctx.state.leavesBody || ctx.req.complete || ctx.method === 'HEAD') return;
  const body: unknown = ctx.body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  limitRequest(ctx.req, ctx.res);
  ctx.set('Connection', 'close');
  const bytes = Buffer.from(body);
  ctx.body = Readable.from(thenRest(bytes, ctx), { objectMode: false });
  ctx.length = bytes.length;
}

async function* thenRest(answer: Buffer, { req }: ApiContext): AsyncGenerator<Buffer, void> {
  yield answer;
  await discardRest(req);
}

/* Compresses large answers for callers that accept it. */

/** A smaller answer fits into the first packets anyway. */
const BYTES_MIN = 1_024;

const compressed = promisify(gzip);

export async function compress(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  // The size of a compressed page would say something of the secrets that it shows beside input.
  if (ctx.state.address?.credentials === 'token' || ctx.state.ownRefusal) return;
  const body: unknown = ctx.body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  ctx.vary('Accept-Encoding');
  if (Buffer.byteLength(body) < BYTES_MIN || !accepts(ctx)) return;
  // Fast rather than small: any level reduces XML to a quarter or less.
  ctx.body = await compressed(body, { level: constants.Z_BEST_SPEED });
  ctx.set('Content-Encoding', 'gzip');
}

function accepts(ctx: ApiContext): boolean {
  // An absent header accepts anything in theory, but clients that want compression send it.
  return ctx.get('accept-encoding') !== '' && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/* Refuses a request that does not name exactly one host, before anything reads the host's name. */

/**
 * Proxies, caches and Koa choose differently among several hosts, and read `user@a` and `a, b` in
 * different ways. So such a request could reach a tenant that a proxy before us did not see.
 */
export async function oneHost(ctx: ApiContext, next: Next): Promise<void> {
  const { host: lines = [] } = ctx.req.headersDistinct;
  if (lines.length > 1) {
    throw badRequest('host.invalid', 'The request has more than one Host header', 'Host');
  }
  const [host = ''] = lines;
  // An empty one is allowed (RFC 9110, 7.2); it belongs to no tenant.
  if (host !== '') refuseUnlessHost('Host', host);
  const target = /^https?:\/\/([^/?#]*)/i.exec(ctx.req.url ?? '')?.[1];
  if (target !== undefined && target.toLowerCase() !== host.toLowerCase()) {
    const message = 'The address of the request and its Host header name different hosts';
    throw badRequest('host.invalid', message, 'Host', host);
  }
  const forwarded = ctx.app.proxy ? ctx.get('x-forwarded-host') : '';
  if (forwarded !== '') refuseUnlessHost('X-Forwarded-Host', forwarded);
  await next();
}

/** A name, an IPv4 address, or an IPv6 address in brackets; then a port, if any. */
const hostForm = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:(\d{1,5})?)?$/i;
const PORT_MAX = 65_535;

function refuseUnlessHost(header: string, text: string): void {
  const match = hostForm.exec(text);
  if (match !== null && Number(match[3] ?? 0) <= PORT_MAX) return;
  throw badRequest('host.invalid', `${header} is not one host with an optional port`, header, text);
}

/** Refuses calls on connections beyond the limit, and closes these, so that what is under way goes on. */
export async function fewConnections(ctx: ApiContext, next: Next): Promise<void> {
  if (beyondLimit.has(ctx.req.socket)) {
    ctx.set('Connection', 'close');
    throw new BusyError('too many connections are open');
  }
  await next();
}

/** Indents any XML answer of a call with `indent=true`, errors included. */
export async function indent(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  const body: unknown = ctx.body;
  if (ctx.query['indent'] !== 'true' || ctx.response.is('application/xml') === false) return;
  // A heavy call's answer comes as bytes.
  if (typeof body === 'string' || Buffer.isBuffer(body)) ctx.body = await indentXml(String(body));
}

/**
 * Adds an X-Request-Id to every answer: the caller's if it is valid and contains no card number.
 */
const sane = /^[A-Za-z0-9._:/+=-]{1,128}$/;

export async function requestId(ctx: ApiContext, next: Next): Promise<void> {
  const sent = ctx.get('x-request-id');
  const isUsable = sane.test(sent) && !holdsCardNumber(sent);
  ctx.state.requestId = isUsable ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}

/* Selects the tenant by the host name, before credentials are read. */

/** Finds the tenant of a label; undefined when there is none. */
export type FindTenant = (label: string) => Promise<TenantInfo | undefined>;

export function tenant(
  baseDomain: string,
  findTenant: FindTenant,
): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const label = labelOf(ctx.hostname, baseDomain);
    const found = label === undefined ? undefined : await findTenant(label);
    if (found === undefined) {
      throw new RequestError(401, {
        code: 'host.unknown',
        message: `The host name belongs to no tenant; use <tenant>.${baseDomain}`,
      });
    }
    ctx.state.tenant = found;
    await next();
  };
}

/** `demo.localhost` below `localhost` → `demo`; deeper names belong to no tenant. */
export function labelOf(hostname: string, baseDomain: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const suffix = `.${baseDomain}`;
  const label = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? label : undefined;
}

/**
 * Refuses credentials over plain HTTP before they are read, except on a loopback address, and tells
 * browsers to use https.
 */
export interface Transport {
  /** The server listens on a loopback address only. */
  readonly isLoopback: boolean;
  /** Trusts the proxy's header about the client's protocol. */
  readonly trustProxy: boolean;
  /** PUBLIC_URL is https: callers reach every host of the installation by TLS. */
  readonly isPublicTls?: boolean;
}

/** A year. Of the answering host alone: other hosts below the domain may be anybody's. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Tells browsers to use https from now on (RFC 6797); over plain HTTP they ignore it. */
export function strictTransport({
  isPublicTls = false,
}: Transport): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    if (isPublicTls) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    await next();
  };
}

export function requireSecureTransport(
  transport: Transport,
): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    if (!isSecure(ctx, transport)) {
      throw new RequestError(403, {
        code: 'transport.insecure',
        message: 'Credentials are not accepted over plain HTTP here; use https',
      });
    }
    await next();
  };
}

function isSecure(ctx: ApiContext, { isLoopback, trustProxy }: Transport): boolean {
  if ((ctx.req.socket as { encrypted?: boolean }).encrypted === true) return true;
  const forwarded = trustProxy ? ctx.get('x-forwarded-proto') : '';
  // The nearest proxy's header decides, even if the proxy runs on this machine.
  if (forwarded !== '') return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https';
  return isLoopback;
}

/** Whether only this machine can reach a listening address. */
export function isLoopbackAddress(host: string): boolean {
  return /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(host);
}

/** Answers with the thrown refusal, and records refused access. */
interface ErrorsOptions {
  readonly log: Logger;
  readonly guard: Guard;
  readonly pages: PageAnswers;
}

export function errors({
  log,
  guard,
  pages,
}: ErrorsOptions): (ctx: ApiContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status >= 400) ctx.state.codes = codesIn(ctx.body);
    } catch (error) {
      const refusal = refusalOf(error);
      ctx.state.codes = [...new Set(refusal.errors.map(({ code }) => code))];
      ctx.state.refusal = refusal;
      if (error instanceof BusyError) ctx.state.busy = error.message;
      else if (refusal.status >= 500) {
        log.error({ requestId: ctx.state.requestId, error }, 'the request failed');
      }
      await noteRefusal(ctx, guard, refusal);
      ctx.state.leavesBody = refusal.status === 413 || takesStream(ctx);
      if (ctx.state.ownRefusal) return ctx.state.ownRefusal(refusal);
      const answer = await answerOf(ctx, refusal, pages);
      ctx.status = answer.status;
      ctx.set({ ...answer.headers });
      ctx.type = answer.type;
      ctx.body = answer.body;
    }
  };
}

const routesOf = ({ state }: ApiContext): readonly Route[] => state.address?.routes ?? [];

/** Whether a route of the address takes a stream, which may still be on its way. */
const takesStream = (ctx: ApiContext): boolean =>
  routesOf(ctx).some(({ body }) => body === 'stream');

/** As callers by this method, or of this address if it has no such method, expect it. */
async function answerOf(
  ctx: ApiContext,
  refusal: RequestError,
  pages: ErrorsOptions['pages'],
): Promise<Answer> {
  const routes = routesOf(ctx);
  const route = routes.find(({ method }) => method === ctx.method) ?? routes[0];
  if (route?.answer === 'text') return refusalText(refusal);
  if (route?.answer !== 'page') return refusalAnswer(refusal);
  const { tenant } = ctx.state;
  if (refusal instanceof PageRefusal && tenant !== undefined) {
    const answer = await pages.answerOf(tenant, refusal.page);
    return { ...answer, headers: { ...refusal.headers, ...answer.headers } };
  }
  const locale = acceptedLocale(headerOf(ctx, 'accept-language'));
  return pages.refusalOf({ tenant, locale, path: ctx.path }, refusal);
}

/** A repeated request gets the stored refusal. */
function codesIn(body: unknown): string[] {
  const matches = String(body).matchAll(/<error code="([\w.]+)"/g);
  return [...new Set([...matches].map(([, code = '']) => code))];
}

async function noteRefusal(ctx: ApiContext, guard: Guard, refusal: RequestError): Promise<void> {
  const { tenant, user, requestId, login, auditCode } = ctx.state;
  const code = refusal.errors[0]?.code;
  if (tenant === undefined || !isOfAccess(refusal.status, code)) return;
  await guard.refused(tenant.id, {
    action: 'refused',
    userId: user?.id,
    username: user?.username ?? login,
    method: ctx.method,
    path: ctx.state.shownPath,
    status: refusal.status,
    code: auditCode ?? code,
    address: ctx.ip,
    requestId,
  });
}

const isOfAccess = (status: number, code = ''): boolean =>
  status === 401 || status === 403 || code.startsWith('auth.');

/* What logs and the audit log may have of a path: never the token of a hosted page. */

const MASK = ':token';

/**
 * Below the first words of pages, such as `/signup/`, everything may be a token, or most of one,
 * whether there is such an address or not. Where there is one, its pattern is shown.
 */
export function shownPath(
  routes: readonly Route[],
): (ctx: ApiContext, next: Next) => Promise<unknown> {
  const pages = routes.filter(({ credentials }) => credentials === 'token');
  const words = new Set(pages.map(({ path }) => firstWordOf(path)));
  return (ctx, next) => {
    const word = firstWordOf(ctx.path);
    ctx.state.shownPath = words.has(word) ? `/${word}/${MASK}` : ctx.path;
    return next();
  };
}

/** As people may mistype it: other cases, doubled slashes, escaped letters. */
function firstWordOf(path: string): string {
  const [word = ''] = decoded(path)
    .replace(/^[/\\]+/, '')
    .split(/[/\\]/, 1);
  return word.toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
