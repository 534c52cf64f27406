/** Refuses a request that does not name exactly one host, before anything reads the host's name. */
import type { ApiContext, Next } from '../context.ts';
import { badRequest } from '../../calls/errors.ts';

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
