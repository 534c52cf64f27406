/** Listens, over TLS if there is a certificate, and stops without interrupting an answer. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limitRequest } from './request-time.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Names of files. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** Accepts no new requests, finishes those in progress, and then resolves. */
  readonly drain: () => Promise<void>;
}

const DRAIN_MS_MAX = 20_000;
const IDLE_CHECK_MS = 50;
const HEADERS_MS_MAX = 10_000;
/** Longer than the usual proxy keeps an idle connection, so that the proxy is the one to close. */
const KEEP_ALIVE_MS = 75_000;

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
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, drain: () => drain(server) };
}

function create(listener: RequestListener, tls: ListenOptions['tls']): Server {
  if (tls === undefined) return createHttpServer(listener);
  return createHttpsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener);
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
