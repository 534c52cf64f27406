/**
 * `GET /livez` and `/readyz` of a worker, without credentials: whether the process runs, and whether it
 * takes tasks. For supervisors; an API answers for the installation (`/healthz`).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../operator-error.ts';

export interface WorkerHealth {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export interface WorkerHealthOptions {
  readonly port: number;
  readonly host: string;
  /** It takes tasks: it has started, and does not end yet. */
  readonly isReady: () => boolean;
}

const REQUEST_MS_MAX = 5_000;

export async function startWorkerHealth(options: WorkerHealthOptions): Promise<WorkerHealth> {
  const { port, host, isReady } = options;
  const answers = new Map([
    ['/livez', () => true],
    ['/readyz', isReady],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const isWell = answers.get(url)?.();
    response.statusCode = isWell === undefined ? 404 : isWell ? 200 : 503;
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'text/plain');
    response.end(isWell === undefined ? 'not found\n' : isWell ? 'ok\n' : 'takes no tasks\n');
  });
  server.requestTimeout = REQUEST_MS_MAX;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new OperatorError(`HEALTH_PORT: ${(error as Error).message}`, { cause: error });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
