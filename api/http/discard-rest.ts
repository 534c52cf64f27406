/** Reads a refused body to its end, so that its sender can read the answer. */
import type { IncomingMessage } from 'node:http';

/** Of a longer body the rest stays unread, and its sender's connection may be reset. */
const DISCARDED_BYTES_MAX = 16 * 1_024 * 1_024;

/**
 * A connection that is closed with a part of the body unread is reset, and a client that was still
 * sending loses the answer. Nothing that is read here is kept.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  // Where the body is compressed, the decompressor has it still.
  request.unpipe();
  let bytes = 0;
  try {
    for await (const chunk of kept(request)) {
      bytes += chunk.length;
      if (bytes > DISCARDED_BYTES_MAX) return;
    }
  } catch {
    // The caller has hung up, and reads no answer.
  }
}

/** Iterates over the stream, and leaves it open where that ends early: the answer is to be sent. */
export function kept(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}
