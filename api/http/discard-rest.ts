/** Reads a refused body to its end, so that its sender can read the answer. */
import type { IncomingMessage } from 'node:http';

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
export function kept(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}
