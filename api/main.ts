/** Entry of `npm run api`: the REST interface, until SIGTERM. */
import '../cli/node-version.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { loadConfig, reachable } from '../config.ts';
import { openStorage, logStorage } from '../providers/storage/open-storage.ts';
import { checkTemporal } from '../providers/temporal/check.ts';
import { temporalOf } from '../providers/temporal/connect.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { guardEventLoop } from '../operations/processes/standstill.ts';
import { isBeingStartedBy } from '../providers/embedded/endpoints.ts';
import { defaultTaskQueue } from '../workflows/contract/contract.ts';
import { buildIdOf, releaseVersion } from '../release.ts';
import { newestMigration } from '../db/connection/schema-version.ts';
import { openTraces } from '../providers/traces/open-traces.ts';
import { metricsOfProcess } from '../providers/metrics/of-process.ts';
import { createLogger } from './http/log.ts';
import { lowerOtherThreads } from './http/priorities.ts';
import { startApi, type ApiSettings, type RunningApi } from './http/run-api.ts';

const HELP = `npm run api

Runs one API against DATABASE_URL and TEMPORAL_ADDRESS (TEMPORAL_NAMESPACE) with the SECRET_KEY of
the workers, or against the running npm start of DATA_DIR. It listens on HOST and PORT, waits for the database, logs to standard output,
and on SIGTERM answers what is under way before it ends. With METRICS_PORT it answers scrapes of
Prometheus there (docs/metrics.md).
`;

const RETRY_MS = 1_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const config = reachable(withRunningSystem(loadConfig()), 'the workers');
  guardEventLoop();
  const log = createLogger(config.logLevel);
  const { secretKeys } = config;
  // A Temporal that does not answer is no reason to wait: calls are taken without it.
  await checkTemporal(temporalOf(config));
  const storage = await openStorage(config, { secretKeys, realNow: Date.now });
  void logStorage(storage, log);
  const own = { version: releaseVersion, build: buildIdOf(), schema: newestMigration() };
  const metrics = await metricsOfProcess(config.metrics, { process: 'api', ...own });
  const { tracesUrl: endpoint } = config;
  const traces = await openTraces({ endpoint, process: 'api', version: releaseVersion });
  const settings: ApiSettings = {
    ...config,
    log,
    metrics,
    traces,
    taskQueue: defaultTaskQueue,
    mayLoginOwn: config.isLocal,
    isStarted: startIsDone(config.dataDir),
    gateway: { secretKeys, stripeApiUrl: config.stripeApiUrl },
    storage,
  };
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  const api = await persistently(settings, stopping.signal);
  if (api === undefined) return metrics?.stop();
  await lowerOtherThreads();
  // The parent process waits for this line, whatever LOG_LEVEL hides.
  log
    .child({}, { level: 'info' })
    .info({ port: api.port, host: config.host, metricsPort: metrics?.port }, 'ready');
  log.flush();
  try {
    await Promise.race([untilAborted(stopping.signal), api.failed]);
  } finally {
    await api.stop();
    await metrics?.stop();
    await traces?.close();
  }
  log.info('stopped');
}

/**
 * In a system of `npm start` the API is healthy only once the start has finished, so that other
 * commands find the system by its endpoints file.
 */
function startIsDone(dataDir: string): () => boolean {
  let isDone = false;
  return () => (isDone ||= !isBeingStartedBy(dataDir, process.ppid));
}

/** The database may come up after us; a taken port or a bad certificate does not mend itself. */
async function persistently(
  settings: ApiSettings,
  signal: AbortSignal,
): Promise<RunningApi | undefined> {
  let said = '';
  while (!signal.aborted) {
    try {
      return await startApi(settings);
    } catch (error) {
      if (!mayPass(error)) throw error;
      const text = String(error);
      if (text !== said) settings.log.warn({ error }, 'waits for its database');
      said = text;
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** No connection, no such role or function yet: the database is coming up or being migrated. */
function mayPass(error: unknown): boolean {
  const { code, errors } = (error ?? {}) as { readonly code?: unknown; readonly errors?: unknown };
  if (Array.isArray(errors)) return errors.some(mayPass);
  return typeof code === 'string' && /^(ECONN|ENOTFOUND|EAI_AGAIN|08|57P|53|22023|42)/.test(code);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explained(error)}\n`);
  // Nothing that still runs keeps a process whose start failed.
  process.exit(1);
}

function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  if (code === 'EADDRINUSE') return `The address is taken: ${error.message}`;
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message);
}
