/** Compresses large answers for callers that accept it. */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ApiContext, Next } from '../context.ts';

/** A smaller answer fits into the first packets anyway. */
const BYTES_MIN = 1_024;

const compressed = promisify(gzip);

export async function compress(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  // The size of a compressed page would say something of the secrets that it shows beside input.
  if (ctx.state.address?.credentials === 'token') return;
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
