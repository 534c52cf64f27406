/**
 * Serves the documentation of the interface: `/docs`, `/openapi.json`, `/schema/`. It is the same
 * for all tenants and contains none of their data, so it needs neither credentials nor a tenant's
 * host.
 */
import { createHash } from 'node:crypto';
import type { ApiContext, Next } from '../http/context.ts';
import { RequestError } from '../calls/errors.ts';
import type { Route } from '../calls/route.ts';
import { documentsOf } from './documents.ts';
import type { Content } from './documents.ts';

const CACHE_SECONDS = 300;

/** Pages load nothing from other hosts; Swagger UI writes styles into the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Prepared {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
}

export function documents(
  routes: readonly Route[],
): (ctx: ApiContext, next: Next) => Promise<void> {
  const contents = documentsOf(routes);
  const prepared = new Map<string, Prepared>();
  return async (ctx, next) => {
    if (!/^\/(docs|schema|openapi\.json)(\/|$)/.test(ctx.path)) return next() as Promise<void>;
    const path = ctx.path.replace(/\/$/, '');
    const content = contents.get(path);
    if (content === undefined) {
      throw new RequestError(404, { code: 'path.unknown', message: 'There is no such address' });
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const message = `${ctx.method} is not supported here; use GET or HEAD`;
      throw new RequestError(405, { code: 'path.method', message }, { Allow: 'GET, HEAD' });
    }
    let ready = prepared.get(path);
    if (ready === undefined) {
      ready = prepare(content);
      prepared.set(path, ready);
    }
    answer(ctx, ready);
  };
}

function prepare({ type, text }: Content): Prepared {
  const body = Buffer.from(text());
  const digest = createHash('sha256').update(body).digest('base64url');
  return { type, etag: `W/"${digest.slice(0, 22)}"`, body };
}

function answer(ctx: ApiContext, { type, etag, body }: Prepared): void {
  ctx.set({
    'Cache-Control': `public, max-age=${CACHE_SECONDS}`,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ETag: etag,
  });
  ctx.status = 200;
  ctx.type = type;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}
