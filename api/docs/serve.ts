/**
 * Serves the documentation of the interface: `/docs`, `/llms.txt`, `/openapi.json`, `/schema/`; and the files of
 * hosted pages: `/css`, `/js`. They are the same for all tenants and contain none of their data, so
 * they need neither credentials nor a tenant's host. Outside of the interface, a browser gets its
 * refusals as pages.
 */
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { LRUCache } from 'lru-cache';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { ApiContext, Next } from '../http/context.ts';
import { isBelowRest, unknownPath } from '../http/router.ts';
import { labelOf } from '../http/middleware.ts';
import { RequestError } from '../calls/errors.ts';
import type { XmlRoute } from '../calls/route-types.ts';
import { formPageOf, hrefOf } from './calls.ts';
import { type Content, documentsOf } from './documents.ts';
import { OWN_ADDRESS, SAMPLE_ADDRESS } from './examples/shell.ts';
import { refusalPage } from './pages/pages.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invoicePartStyle } from '../../providers/invoice-documents/html.ts';

const CACHE_SECONDS = 300;
/** All pages together have some 5 MiB, the script of Swagger UI 1.5 MiB. */
const RENDERED_BYTES_MAX = 8 * 1_024 * 1_024;

/** Pages load nothing from other hosts. */
const policyOf = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Swagger UI writes styles into its page. */
const SWAGGER_PAGE = '/docs/reference';

const headersOf = (path: string) => ({
  'Content-Security-Policy': policyOf(path === SWAGGER_PAGE ? "'self' 'unsafe-inline'" : "'self'"),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

interface Prepared {
  readonly type: string;
  readonly digest: string;
  readonly body: Buffer;
  /** Its examples call the address at which the reader reads it. */
  readonly hasAddress: boolean;
}

type Middleware = (ctx: ApiContext, next: Next) => Promise<void>;

export function documents(routes: readonly XmlRoute[], baseDomain: string): Middleware {
  const contents = new Map([...documentsOf(routes), ...pageFiles]);
  // Each form of a call had a page of its own.
  const formerAddresses = new Map<string, string>(
    routes
      .map((route) => [`/docs/${formPageOf(route)}`, hrefOf(route)] as const)
      .filter(([former, now]) => former !== now),
  );
  const rendered = new LRUCache<string, Prepared>({
    maxSize: RENDERED_BYTES_MAX,
    sizeCalculation: ({ body }) => body.length,
  });
  return async (ctx, next) => {
    if (!/^\/(docs|schema|openapi\.json|llms\.txt|css|js)(\/|$)/.test(ctx.path))
      return next() as Promise<void>;
    const path = ctx.path.replace(/\/$/, '');
    const moved = formerAddresses.get(path);
    if (moved !== undefined) {
      requireReading(ctx);
      ctx.status = 301;
      ctx.redirect(moved);
      return;
    }
    const content = contents.get(path);
    if (content === undefined) throw unknownPath(path, contents.keys());
    requireReading(ctx);
    let ready = rendered.get(path);
    if (ready === undefined) {
      ready = prepare(content);
      rendered.set(path, ready);
    }
    answer(
      ctx,
      path,
      addressed(ready, (label) => addressFor(ctx, label, baseDomain)),
    );
  };
}

function requireReading(ctx: ApiContext): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  const message = `${ctx.method} is not supported here; use GET or HEAD`;
  throw new RequestError(405, { code: 'path.method', message }, { Allow: 'GET, HEAD' });
}

function prepare({ type, text }: Content): Prepared {
  const body = Buffer.from(text());
  const hasAddress = body.includes(SAMPLE_ADDRESS) || body.includes(OWN_ADDRESS);
  return { type, digest: digestOf(body), body, hasAddress };
}

const digestOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);

/** Where a tenant is called by who reads here; without a label the tenant of the host name, or the sample. */
function addressFor(ctx: ApiContext, given: string | undefined, baseDomain: string): string {
  const label = given ?? labelOf(ctx.hostname, baseDomain) ?? 'demo';
  const port = /:\d{1,5}$/.exec(ctx.host)?.[0] ?? '';
  return `${ctx.secure ? 'https' : 'http'}://${label}.${baseDomain}${port}`;
}

function addressed(ready: Prepared, addressOf: (label?: string) => string): Prepared {
  if (!ready.hasAddress) return ready;
  const address = addressOf();
  const text = ready.body.toString().replaceAll(SAMPLE_ADDRESS, address);
  const body = Buffer.from(text.replaceAll(OWN_ADDRESS, addressOf('shop')));
  return { ...ready, digest: digestOf(`${ready.digest} ${address}`), body };
}

function answer(ctx: ApiContext, path: string, { type, digest, body }: Prepared): void {
  const etag = `W/"${digest}"`;
  ctx.set({ 'Cache-Control': `public, max-age=${CACHE_SECONDS}`, ...headersOf(path), ETag: etag });
  ctx.status = 200;
  ctx.type = type;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}

/** Browsers prefer HTML to XML; what accepts anything, or XML, is a client of the interface. */
function isBrowser(ctx: ApiContext): boolean {
  ctx.vary('Accept');
  return ctx.accepts('application/xml', 'text/html') === 'text/html';
}

/** `/` leads a browser to the documentation, and says to a client where the interface is. */
export function entrance(baseDomain: string): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/') return next() as Promise<void>;
    requireReading(ctx);
    ctx.set(headersOf('/'));
    if (isBrowser(ctx)) {
      ctx.redirect('/docs');
      return;
    }
    const here = `${ctx.protocol}://${ctx.host}`;
    const isTenant = labelOf(ctx.hostname, baseDomain) !== undefined;
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = signpost(here, isTenant ? here : `https://TENANT.${baseDomain}`);
  };
}

const signpost = (here: string, tenant: string): string => `Sundial, a subscription billing system

Interface       ${tenant}/rest/   (XML, HTTP Basic credentials)
First call      curl -u USER:PASSWORD '${tenant}/rest/plans?indent=true'
Documentation   ${here}/docs
Index           ${here}/llms.txt
OpenAPI         ${here}/openapi.json
XML Schemas     ${here}/schema/
`;

/** The answers of calls stay as they are; elsewhere a browser gets its refusal as a page. */
export async function browserPages(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  const { refusal } = ctx.state;
  if (refusal === undefined || isBelowRest(ctx.path) || isOfCall(ctx) || !isBrowser(ctx)) return;
  const title = refusal.status === 404 ? 'Page not found' : titleOf(refusal.status);
  ctx.set(headersOf(ctx.path));
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = refusalPage(
    title,
    refusal.errors.map(({ message }) => maskCardNumbers(message).replace(/(?<![?.])$/, '.')),
  );
}

/** It answers by itself: machines get what its route answers them with, and people its own page. */
const isOfCall = ({ state }: ApiContext): boolean =>
  (state.address?.routes.length ?? 0) > 0 || state.ownRefusal !== undefined;

const titleOf = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim();

/* The files of hosted pages, which are the same for all tenants. */

const CSS_TYPE = 'text/css; charset=utf-8';
const pageAssets = join(import.meta.dirname, '../pages/assets');

const file = (type: string, name: string): Content => ({
  type,
  text: () => readFileSync(join(pageAssets, name)),
});

const pageFiles: ReadonlyMap<string, Content> = new Map([
  ['/css/invoice.css', { type: CSS_TYPE, text: () => invoicePartStyle }],
  ['/css/ops.css', file(CSS_TYPE, 'ops.css')],
  ['/css/signup.css', file(CSS_TYPE, 'signup.css')],
  ['/js/account.js', file('text/javascript; charset=utf-8', 'account.js')],
  ['/js/cards.js', file('text/javascript; charset=utf-8', 'cards.js')],
  ['/js/choice.js', file('text/javascript; charset=utf-8', 'choice.js')],
  ['/js/gateway.js', file('text/javascript; charset=utf-8', 'gateway.js')],
  ['/js/states.js', file('text/javascript; charset=utf-8', 'states.js')],
  ['/js/pages.js', file('text/javascript; charset=utf-8', 'pages.js')],
]);
