/**
 * Refuses credentials over plain HTTP before they are read, except on a loopback address, and tells
 * browsers to use https.
 */
import type { ApiContext, Next } from '../context.ts';
import { RequestError } from '../../calls/errors.ts';

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
