/** Answers scrapes of Prometheus on a port of their own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { OperatorError } from '../../operator-error.ts';
import { listenAt, type ListeningServer } from '../listening.ts';
import { isSameSecret } from '../vault.ts';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Whoever scrapes sends it as `Authorization: Bearer …`; without it everybody may. */
  readonly token: string | undefined;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

const PATH = '/metrics';
/** Scrapes are one every some seconds. */
const CONNECTIONS_MAX = 20;
const REQUEST_MS_MAX = 5_000;

/** Throws an OperatorError if the port is taken, or is not this user's. */
export async function startMetricsServer(options: MetricsServerOptions): Promise<ListeningServer> {
  const { host, port } = options;
  const server = createServer((request, response) => void answer(request, response, options));
  server.maxConnections = CONNECTIONS_MAX;
  server.requestTimeout = REQUEST_MS_MAX;
  server.headersTimeout = REQUEST_MS_MAX;
  try {
    return await listenAt(server, { host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `METRICS_PORT ${port} of ${host} cannot be used: ${reasons[code ?? ''] ?? String(error)}`,
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'METRICS_HOST is no address of this machine',
  ENOTFOUND: 'METRICS_HOST is no name that leads to an address',
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { token, text, contentType }: MetricsServerOptions,
): Promise<void> {
  const refuse = (status: number, why: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
    response.end(`${why}\n`);
  };
  // Who may not scrape is told nothing else either.
  if (token !== undefined && !isAuthorized(request, token)) {
    return refuse(401, 'A scrape needs METRICS_TOKEN as bearer', { 'www-authenticate': 'Bearer' });
  }
  if (request.url?.split('?', 1)[0] !== PATH) return refuse(404, `Metrics are at ${PATH}`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(405, `${PATH} is read with GET`, { allow: 'GET, HEAD' });
  }
  try {
    const body = await text();
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(body);
  } catch (error) {
    refuse(500, `The metrics cannot be read: ${String(error)}`);
  }
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return isSameSecret(sent, token);
}
