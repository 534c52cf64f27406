/**
 * `GET /livez` and `/readyz` of a worker, without credentials: whether the process runs, and whether it
 * takes tasks. For supervisors; an API answers for the installation (`/healthz`).
 */
import { createServer } from 'node:http';
import { OperatorError } from '../operator-error.ts';
import { listenAt, type ListeningServer } from '../providers/listening.ts';

export interface WorkerHealthOptions {
  readonly port: number;
  readonly host: string;
  /** It takes tasks: it has started, and does not end yet. */
  readonly isReady: () => boolean;
}

const REQUEST_MS_MAX = 5_000;

export async function startWorkerHealth(options: WorkerHealthOptions): Promise<ListeningServer> {
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
  try {
    return await listenAt(server, { host, port });
  } catch (error) {
    throw new OperatorError(`HEALTH_PORT: ${(error as Error).message}`, { cause: error });
  }
}
