/** Disconnects a caller whose request takes too long to arrive. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a request may take to arrive, unless it is a stream. */
export const REQUEST_MS_MAX = 120_000;

const limits = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Answers 408 and disconnects if the body has not arrived completely by then; a second call
 * replaces the first. Node's own limit is one for all requests of a server, and would end streams.
 */
export function limitRequest(
  request: IncomingMessage,
  response: ServerResponse,
  msMax = REQUEST_MS_MAX,
): void {
  if (!hasBody(request) || request.complete || request.destroyed) return;
  const before = limits.get(request);
  clearTimeout(before);
  if (before === undefined) request.once('close', () => clearTimeout(limits.get(request)));
  limits.set(request, setTimeout(() => disconnect(request, response), msMax).unref());
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > 0;
}

function disconnect(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { socket } = request;
  if (!response.headersSent) {
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  }
  socket.destroySoon();
}
