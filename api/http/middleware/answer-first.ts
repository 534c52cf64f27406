/** Sends a refusal before the body that it refuses has arrived, and discards the body then. */
import { Readable } from 'node:stream';
import type { ApiContext, Next } from '../context.ts';
import { discardRest } from '../discard-rest.ts';
import { limitRequest } from '../request-time.ts';

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
