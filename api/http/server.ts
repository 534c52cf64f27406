/** Listens, over TLS if there is a certificate, and stops without interrupting an answer. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Names of files. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** How many connections may be open; calls on further ones are refused. */
  readonly connectionsMax?: number;
}

interface RunningServer {
  readonly port: number;
  /** Accepts no new requests, finishes those in progress, and then resolves. */
  readonly drain: () => Promise<void>;
}

/** How long calls that are under way may take when the process ends. */
const DRAIN_MS_MAX = 20_000;
const IDLE_CHECK_MS = 50;
const HEADERS_MS_MAX = 10_000;
/** Longer than the usual proxy keeps an idle connection, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 75_000;
/** More than the calls that run and wait; each takes a file descriptor and some kilobytes. */
const CONNECTIONS_MAX = 2_000;
/** So many more are told that there are too many; what comes beyond them is closed unheard. */
const REFUSED_CONNECTIONS_MAX = 200;

export async function listen(
  listener: RequestListener,
  options: ListenOptions,
): Promise<RunningServer> {
  const limited: RequestListener = (request, response) => {
    limitRequest(request, response);
    listener(request, response);
  };
  const server = create(limited, options.tls);
  server.headersTimeout = HEADERS_MS_MAX;
  // Every request has its own limit.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  limitConnections(server, options);
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, drain: () => drain(server) };
}

function create(listener: RequestListener, tls: ListenOptions['tls']): Server {
  if (tls === undefined) return createHttpServer(listener);
  return createHttpsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener);
}

/* Limits the connections: a process without file descriptors would reach no database. */

/** Those before which as many were open as may be. */
export const beyondLimit = new WeakSet<Socket>();

function limitConnections(
  server: Server,
  { tls, connectionsMax = CONNECTIONS_MAX }: ListenOptions,
): void {
  server.maxConnections = connectionsMax + REFUSED_CONNECTIONS_MAX;
  let open = 0;
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open > connectionsMax) beyondLimit.add(socket);
  });
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that was busy when the server closed is idle once its answer is sent.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const overdue = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  await closed;
  clearInterval(idle);
  clearTimeout(overdue);
}

/* Disconnects a caller whose request takes too long to arrive. */

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
