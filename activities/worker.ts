/** Entry of the worker: takes the tasks of the workflows, and relays the outbox. */
import '../cli/node-version.ts';
import { appendFile, mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Runtime } from '@temporalio/worker';
import { OperatorError } from '../operator-error.ts';
import { loadConfig, reachable, type Reachable } from '../config.ts';
import { buildIdOf, releaseVersion } from '../release.ts';
import { withRunningSystem } from '../providers/embedded/running-system.ts';
import { workLog } from '../operations/context/work-log.ts';
import { enqueueMissing } from '../operations/outbox/missing-workflows.ts';
import { newestMigration } from '../db/connection/schema-version.ts';
import { metricsOfProcess, type ProcessMetrics } from '../providers/metrics/of-process.ts';
import { openTraces, type Traces } from '../providers/traces/open-traces.ts';
import { sdkMetrics, type SdkMetrics } from '../providers/metrics/sdk.ts';
import { engineGeneration } from '../operations/processes/engine-generation.ts';
import { guardEventLoop } from '../operations/processes/standstill.ts';
import { openMailer } from '../providers/mail/open-mailer.ts';
import { openStorage, logStorage } from '../providers/storage/open-storage.ts';
import { checkTemporal } from '../providers/temporal/check.ts';
import { connectTemporal, temporalOf } from '../providers/temporal/connect.ts';
import { ensureSearchAttributes } from '../providers/temporal/search-attributes.ts';
import { namespaceId } from '../providers/temporal/server.ts';
import { defaultTaskQueue } from '../workflows/contract/contract.ts';
import { startWorkerHealth } from './health.ts';
import { createLogger, temporalLogger, type Logger } from './log.ts';
import { startWorker, type RunningWorker, type WorkerSettings } from './run-worker.ts';

const HELP = `npm run worker

Runs one worker against DATABASE_URL and TEMPORAL_ADDRESS (TEMPORAL_NAMESPACE) with the SECRET_KEY
of the API, or against the running npm start of DATA_DIR. It waits for both servers, logs to standard output, and ends in
order on SIGTERM. With METRICS_PORT it answers scrapes of Prometheus there (docs/metrics.md), on
HEALTH_PORT /livez, and /readyz while it takes tasks.

  --alone   no other worker has work: this one takes all of it at once. Without it a worker of another
            build of the workflows waits until npm run workflows -- promote, or until no worker of
            the current build lives (docs/upgrade.md).
`;

const ALONE = '--alone';

const RETRY_MS = 1_000;
const RECOGNISE_MS = 60_000;

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const config = reachable(withRunningSystem(loadConfig()), 'the API');
  guardEventLoop();
  const log = createLogger(config.logLevel);
  const sdk = config.metrics && (await sdkMetrics());
  installRuntime(log, sdk);
  const own = { version: releaseVersion, build: buildIdOf(), schema: newestMigration() };
  const metrics = await metricsOfProcess(config.metrics, { process: 'worker', ...own }, sdk?.text);
  if (metrics !== undefined) log.info({ port: metrics.port }, 'answers scrapes');
  const { tracesUrl: endpoint, healthPort: port, host } = config;
  const traces = await openTraces({ endpoint, process: 'worker', version: releaseVersion });
  const state = { takesTasks: false };
  const isReady = (): boolean => state.takesTasks;
  const health = port === undefined ? undefined : await startWorkerHealth({ port, host, isReady });
  await run(log, config, { metrics, traces, state });
  await health?.stop();
  await metrics?.stop();
  await traces?.close();
}

function installRuntime(log: Logger, sdk: SdkMetrics | undefined): void {
  Runtime.install({
    logger: temporalLogger(log),
    telemetryOptions: {
      // While the engine is down its client would log every retried poll.
      logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} },
      ...(sdk && { metrics: sdk.exporter }),
    },
    shutdownSignals: [],
  });
}

/** What it tells to whom watches it. */
interface Watched {
  readonly metrics: ProcessMetrics | undefined;
  readonly traces: Traces | undefined;
  /** What supervisors are told. */
  readonly state: { takesTasks: boolean };
}

async function run(log: Logger, config: Reachable, watched: Watched): Promise<void> {
  const { state } = watched;
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  // Later a Temporal that has lost its data is waited for.
  await checkTemporal(temporalOf(config));
  while (!stopping.signal.aborted) {
    const worker = await persistently(log, stopping.signal, () => start(log, config, watched));
    if (!worker) break;
    const stop = (): void => {
      state.takesTasks = false;
      void worker.stop().catch(() => undefined);
    };
    stopping.signal.addEventListener('abort', stop, { once: true });
    if (stopping.signal.aborted) stop();
    else {
      state.takesTasks = true;
      // Whoever started it waits for this line, whatever LOG_LEVEL hides.
      log.child({}, { level: 'info' }).info('ready');
    }
    const watch = watchEngine(log, config, worker, stop);
    try {
      await worker.ended;
    } catch (error) {
      // The engine refused the worker permanently, as a new engine does, so the worker starts
      // again.
      log.error({ error }, 'the worker failed and is restarted');
    }
    state.takesTasks = false;
    clearInterval(watch);
    stopping.signal.removeEventListener('abort', stop);
  }
  log.info('stopped');
}

async function start(
  log: Logger,
  config: Reachable,
  { metrics, traces }: Watched,
): Promise<RunningWorker> {
  const { databaseUrl, readDatabaseUrl, temporalAddress, temporalNamespace, temporalAccess } =
    config;
  const { secretKeys } = config;
  const { workflowBundle: codePath } = config;
  const storage = await openStorage(config, { secretKeys, realNow: Date.now });
  void logStorage(storage, log);
  const worker = await startWorker({
    databaseUrl,
    readDatabaseUrl,
    onReplica: (text) => log.info(text),
    mayLoginOwn: config.isLocal,
    temporalAddress,
    temporalNamespace,
    temporalAccess,
    taskQueue: defaultTaskQueue,
    build: { buildId: buildIdOf(), isAlone: process.argv.includes(ALONE) },
    workflowBundle: codePath === undefined ? undefined : { codePath },
    allowPrivateCallbacks: config.callbackAllowPrivate,
    gateway: { secretKeys, stripeApiUrl: config.stripeApiUrl },
    mail: mailOf(log, config),
    storage,
    identity: `sundial ${releaseVersion} ${process.pid}@${hostname()}`,
    realNow: () => Date.now(),
    onError: (error) => {
      log.warn({ error }, 'continues');
      metrics?.error();
    },
    onWork: workLog(log, metrics?.work),
    metrics,
    traces,
    keepHead: headKeeper(log, config.auditHeadsFile),
  });
  try {
    await recognise(log, config, worker);
  } catch (error) {
    await worker.stop();
    throw error;
  }
  return worker;
}

/** The heads of the audit logs go to the log, and to a file that the operator keeps elsewhere. */
function headKeeper(log: Logger, file: string): NonNullable<WorkerSettings['keepHead']> {
  return async (head) => {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify(head)}\n`, { mode: 0o600, flush: true });
    log.info(head, 'the head of the audit log');
  };
}

function mailOf(log: Logger, config: Reachable): WorkerSettings['mail'] {
  const mailer = openMailer(config);
  log.info({ destination: mailer.destination }, 'where mails go');
  const { publicUrl, baseDomain } = config;
  return { mailer, host: new URL(publicUrl).hostname, pages: { publicUrl, baseDomain } };
}

/**
 * The engine may be replaced, lose its data, or be restored from a backup while the worker runs. What
 * the worker remembers of workflows is not theirs after a restore, so it begins anew.
 */
function watchEngine(
  log: Logger,
  config: Reachable,
  worker: RunningWorker,
  stop: () => void,
): NodeJS.Timeout {
  let isAsking = false;
  const began = engineGeneration(worker.dependencies).catch(() => undefined);
  const compare = async (): Promise<void> => {
    const generation = await engineGeneration(worker.dependencies);
    if (generation === ((await began) ?? generation)) return;
    log.warn({ generation }, 'the engine was restored from a backup: the worker begins anew');
    stop();
  };
  return setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    recognise(log, config, worker)
      .then(compare)
      .catch((error: unknown) => log.warn({ error }, 'identifying the engine failed'))
      .finally(() => (isAsking = false));
  }, RECOGNISE_MS);
}

/** Prepares an engine that the database does not know, and restarts all workflows on it. */
async function recognise(log: Logger, config: Reachable, worker: RunningWorker): Promise<void> {
  const server = temporalOf(config);
  const { namespace } = server;
  const connection = await connectTemporal(server);
  try {
    const engineId = await namespaceId(connection, namespace);
    await ensureSearchAttributes(connection, namespace);
    const missing = await enqueueMissing(worker.dependencies, worker.relayDb, engineId);
    if (missing > 0) log.info({ missing }, 'a new engine: all workflows are restarted');
  } finally {
    await connection.close();
  }
}

/** The servers may start later than the worker, so it retries until it works or is stopped. */
async function persistently<Result>(
  log: Logger,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let said = ''; !signal.aborted;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const text = String(error);
      if (text !== said) log.warn({ error }, 'is waiting for its servers');
      said = text;
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

try {
  await main();
} catch (error) {
  // A user's mistake prints its message only; a bug prints its stack.
  const text = error instanceof OperatorError ? error.message : String((error as Error).stack);
  process.stderr.write(`${text}\n`);
  // Nothing that still runs keeps a process whose start failed.
  process.exit(1);
}
