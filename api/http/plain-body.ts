/** The body of a request as bytes or as a stream of bytes, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Visit } from '../access/admission.ts';
import { RequestError } from '../calls/errors.ts';
import type { ApiContext } from './context.ts';
import { limitRequest } from './server.ts';

/** Throws a RequestError, 413, if the body is larger. */
export async function readBytes(ctx: ApiContext, bytesMax: number): Promise<Uint8Array> {
  refuseAnnounced(ctx, bytesMax);
  const chunks: Buffer[] = [];
  for await (const chunk of counted(ctx.req, bytesMax)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads the body of an admitted call. One that has not arrived yet takes as long as its sender, who
 * may be anybody: the call leaves its place meanwhile, so that it keeps no other call of the tenant out.
 */
export async function arriving<Body>(
  { req }: ApiContext,
  { stepOut }: Pick<Visit, 'stepOut'>,
  read: () => Promise<Body>,
): Promise<Body> {
  try {
    return await (req.complete ? read() : stepOut(read));
  } catch (error) {
    throw isBrokenOff(error) ? aborted(error) : error;
  }
}

/**
 * The connection ended, or went on with what is no HTTP, as after more bytes than were announced: anybody
 * can do that, and nothing here failed.
 */
export function isBrokenOff(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return (
    typeof code === 'string' && /^(HPE_|ECONNRESET$|EPIPE$|ERR_STREAM_PREMATURE_CLOSE$)/.test(code)
  );
}

/**
 * The body that a call without a document has: none, which is then not part of the fingerprint. What has
 * not arrived yet has to arrive nevertheless: a call that breaks off changes nothing.
 */
export async function ignored(
  ctx: ApiContext,
  visit: Pick<Visit, 'hold' | 'stepOut'>,
  bytesMax: number,
): Promise<Uint8Array> {
  visit.hold(Math.min(ctx.request.length ?? bytesMax, bytesMax));
  await arriving(ctx, visit, () => readBytes(ctx, bytesMax));
  return new Uint8Array();
}

/** A sender of a stream that sends nothing for this long is disconnected. */
const STALLED_BODY_MS = 60_000;
/** A stream that is not complete by then is disconnected: a gigabyte takes that at 2.4 Mbit/s. */
const STREAM_MS_MAX = 3_600_000;
/** What a stream buffers for its reader. */
const BUFFERED_BYTES_MAX = 64 * 1_024;

export interface StreamOptions {
  readonly bytesMax: number;
  readonly stalledMs?: number | undefined;
}

/**
 * The body as it arrives. The reader's pace is the sender's: nothing is read ahead but a chunk and
 * what the socket buffers, and a slow reader is no stall. A larger body, and one that breaks off,
 * fail the stream with a RequestError; the connection remains open for the answer if the sender is
 * still there. Throws the 413 at once if the size is announced.
 */
export function streamOf(
  ctx: ApiContext,
  { bytesMax, stalledMs = STALLED_BODY_MS }: StreamOptions,
): Readable {
  refuseAnnounced(ctx, bytesMax);
  limitRequest(ctx.req, ctx.res, STREAM_MS_MAX);
  const chunks = counted(ctx.req, bytesMax, stalledMs);
  return Readable.from(chunks, { objectMode: false, highWaterMark: BUFFERED_BYTES_MAX });
}

async function* counted(
  request: IncomingMessage,
  bytesMax: number,
  stalledMs?: number,
): AsyncGenerator<Buffer, void> {
  const watch = (): NodeJS.Timeout | undefined =>
    stalledMs === undefined ? undefined : setTimeout(() => request.destroy(), stalledMs);
  let timer = watch();
  let bytes = 0;
  try {
    for await (const chunk of kept(request)) {
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
      timer = watch();
    }
  } catch (error) {
    const isAborted = isBrokenOff(error) || (request.destroyed && !request.complete);
    throw isAborted ? aborted(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws the 413 of a body whose announced length is too much. */
export function refuseAnnounced(ctx: ApiContext, bytesMax: number): void {
  if ((ctx.request.length ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

/** The rest of the body stays unread, so the connection cannot be reused. */
function tooLarge(bytesMax: number): RequestError {
  const message = `The body has more than ${bytesMax} bytes`;
  return new RequestError(413, { code: 'document.tooLarge', message }, { Connection: 'close' });
}

function aborted(cause: unknown): RequestError {
  const message = 'The body ended before its announced length';
  const error = new RequestError(400, { code: 'request.aborted', message });
  error.cause = cause;
  return error;
}

/* Reads a refused body to its end, so that its sender can read the answer. */

/** The rest of a longer body stays unread, and its sender's connection may be reset. */
const DISCARDED_BYTES_MAX = 16 * 1_024 * 1_024;

/**
 * A connection that is closed before its body was read is reset, and a client that is still sending
 * loses the answer. The body that is read here is discarded.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  // The decompressor still has the body if it is compressed.
  request.unpipe();
  let bytes = 0;
  try {
    for await (const chunk of kept(request)) {
      bytes += chunk.length;
      if (bytes > DISCARDED_BYTES_MAX) return;
    }
  } catch {
    // The client has disconnected, and reads no answer.
  }
}

/**
 * Iterates over the stream, and leaves it open if it ends early, because the answer must still be
 * sent.
 */
function kept(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}
