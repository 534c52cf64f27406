/** Compresses answers that are worth it, for callers that understand. */
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { ApiContext, Next } from '../context.ts';

/** Below it the answer fits the first packets anyway. */
const BYTES_MIN = 1_024;

const compressed = promisify(gzip);

export async function compress(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  const body: unknown = ctx.body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
  ctx.vary('Accept-Encoding');
  if (Buffer.byteLength(body) < BYTES_MIN || !accepts(ctx)) return;
  // Fast rather than small: XML is a quarter or less of its size at any level.
  ctx.body = await compressed(body, { level: constants.Z_BEST_SPEED });
  ctx.set('Content-Encoding', 'gzip');
}

function accepts(ctx: ApiContext): boolean {
  // A header that is not there accepts anything, in theory; whoever wants it says so.
  return ctx.get('accept-encoding') !== '' && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
