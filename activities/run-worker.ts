/**
 * Runs one worker: its connections, task queues, relay, sequencer and heartbeat, and stops them in
 * order.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { PagesHost } from '../operations/hosted-pages/tenant-origin.ts';
import { type Database, openDatabase } from '../db/connection/database.ts';
import { DUE_CUSTOMERS_MAX } from '../operations/due/orders.ts';
import { firstLookAt } from '../operations/due/first-looks.ts';
import { startDispatcher } from '../operations/outbox/dispatch-after-commit.ts';
import { type Engine, openEngine } from '../operations/outbox/engine.ts';
import { openGateways } from '../operations/gateway-calls/gateways.ts';
import { type GatewayOptions, gatewayAdapters } from '../providers/gateway/adapters.ts';
import { openTaxProviders } from '../operations/tax/providers.ts';
import { taxAdapters } from '../providers/tax/adapters.ts';
import { startHeartbeat } from '../operations/processes/heartbeat.ts';
import type { Dependencies } from '../operations/context/context.ts';
import type { TellWork } from '../operations/context/work-log.ts';
import { refuseAPowerfulLogin, replicaOf } from '../db/connection/logins.ts';
import {
  refuseOlderDatabase,
  watchForOlderDatabase,
} from '../operations/processes/older-database.ts';
import { holdSecretKey } from '../operations/processes/secret-key.ts';
import { holdPayloadKeys } from '../operations/processes/payload-keys.ts';
import { watchSuspects } from '../operations/processes/suspects.ts';
import { createActivities } from './activities.ts';
import { startHashProcess } from './hash-apart.ts';
import { createQueueWorkers } from './queues.ts';
import type { ImportDependencies } from '../operations/imports/slice.ts';
import type { BillingDependencies } from '../operations/billing/apart.ts';
import { keepEventDocuments as keepDocuments } from '../operations/feed/event-views.ts';
import { type RunningApart, startApart } from './apart.ts';
import type { HashCost } from '../operations/access/passwords.ts';
import { createVault } from '../providers/vault.ts';
import {
  dataConversionOf,
  temporalOf,
  type TemporalNamespace,
} from '../providers/temporal/connect.ts';
import { connectWorker } from '../providers/temporal/connect-worker.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import type { FileStorage } from '../providers/storage/storage.ts';
import type { Loop } from '../operations/context/loop.ts';
import { startAuditChain } from '../operations/access/audit-chain.ts';
import { type AuditHeadsOptions, startAuditHeads } from '../operations/access/audit-heads.ts';
import { type SequencerOptions, startSequencer } from '../operations/events/sequencer.ts';
import { numberedHooks } from '../operations/feed/numbered-hooks.ts';
import { type RelayOptions, startRelay } from '../operations/outbox/relay.ts';
import { type ImportFilesOptions, startImportFiles } from '../operations/processes/import-files.ts';
import { startTakeOver } from '../operations/processes/builds.ts';
import { startRetention } from '../operations/processes/retention.ts';
import { type RemovalOptions, startRemovals } from '../operations/payment-methods/removals.ts';
import { startSupervision } from '../operations/processes/supervision.ts';
import { startFigures } from '../operations/figures/loop.ts';
import type { Traces } from '../providers/traces/open-traces.ts';
import type { Metrics } from '../providers/metrics/registry.ts';
import { startOldParties } from '../operations/processes/old-parties.ts';
import { startUsageDays } from '../operations/processes/usage-days.ts';

export interface WorkerSettings {
  /** Of a login that may become roles with fewer rights, to which the pools switch. */
  readonly databaseUrl: string;
  /** Of a replica, for reports that are written to files. */
  readonly readDatabaseUrl?: string | undefined;
  /** Hears where these reads go. */
  readonly onReplica?: (text: string) => void;
  /** Whether that may be the schema's owner, as on a machine of one's own; true by default. */
  readonly mayLoginOwn?: boolean;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalAccess?: TemporalNamespace['access'];
  readonly taskQueue: string;
  /**
   * The build of its workflows: Temporal gives it tasks once the build is current, which it is made at
   * once if the worker is alone. Without it Temporal gives it tasks whatever its build is.
   */
  readonly build?: { readonly buildId: string; readonly isAlone: boolean } | undefined;
  /** Shown in the Temporal Web UI and in the heartbeat. */
  readonly identity: string;
  /** Built at start, in some seconds, if absent. */
  readonly workflowBundle?: WorkflowBundleOption | undefined;
  /** How to reach the gateways, and the key that decrypts their secrets. */
  readonly gateway: GatewayOptions;
  /** Callbacks also go to addresses that are not public; false by default. */
  readonly allowPrivateCallbacks?: boolean;
  /** What sends mails; the worker closes it. The host is that of Message-IDs. */
  readonly mail: { readonly mailer: Mailer; readonly host: string; readonly pages: PagesHost };
  /** Where the files of batches are. */
  readonly storage: FileStorage;
  /** Of the hashes of imported passwords; by default that of all. */
  readonly hashCost?: HashCost | undefined;
  /** Batches that a billing run processes at once. */
  readonly billingLanes?: number;
  /** From so many due customers on, lanes bill them, which workers share. */
  readonly lanesFrom?: number;
  /** Workflows kept in memory, as many as the heap has room for by default; others replay their run at their next wake. */
  readonly cachedWorkflows?: number;
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  readonly onError: (error: unknown) => void;
  /** Receives a line for the log about each piece of work. */
  readonly onWork?: TellWork | undefined;
  /** Starts again what was ended and is needed; true by default. */
  readonly supervises?: boolean;
  /** Whether a workflow that has nothing to do at once begins with a first look at its object; true by default. */
  readonly looksFirst?: boolean;
  /** Counts what it does, and shows the figures of the installation; without it nothing does. */
  readonly metrics?: Pick<Metrics, 'pool' | 'sampled'> | undefined;
  /** Puts its activities and signals into traces. */
  readonly traces?: Pick<Traces, 'client' | 'activity'> | undefined;
  /** Keeps the heads of the audit logs outside the database; without it nobody does. */
  readonly keepHead?: AuditHeadsOptions['keepHead'];
}

export type WorkerDependencies = BillingDependencies & ImportDependencies;

export interface RunningWorker {
  readonly dependencies: WorkerDependencies;
  readonly engine: Engine;
  readonly relayDb: Database;
  /** Rejects when the worker fails; resolves when it has stopped. */
  readonly ended: Promise<void>;
  /** Stops taking tasks, finishes those in progress, closes everything. */
  readonly stop: () => Promise<void>;
}

const APP_POOL_MAX = 12;
const RELAY_POOL_MAX = 2;
/** Longer than a batch takes; an activity that times out here is retried. */
const CONNECTION_WAIT_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A new connection plans each statement anew: those of a run are still there for the next one. */
const IDLE_MS = 3_600_000;
const BILLING_LANES = 2;
/** Each takes 0.2 to 0.5 MB of a heap of its thread, whose limit is Node's; fewer than wake together would cost replays. */
const CACHED_WORKFLOWS_MAX = Math.ceil(getHeapStatistics().heap_size_limit / 2 ** 19);
const WORKFLOW_TASKS_MAX = 40;
const LOCAL_ACTIVITIES_MAX = 40;
/** Slices of billing runs and test clocks; each fills all of its lanes. */
const ACTIVITIES_MAX = 8;
const BUNDLE_BYTES_MAX = 2 ** 26;
/** How long tasks that are under way may take when the process ends. */
const DRAIN_SECONDS_MAX = 20;
/** Many waking workflows may queue for longer than the default of 10 s, and must stay cached. */
const STICKY_LIMIT = '20 seconds';

export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const { identity, onError, taskQueue } = settings;
  const server = temporalOf(settings);
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close().catch(onError);
  };
  try {
    const db = await openedWithItsKey(settings, closers);
    const relayDb = await opened(settings, 'sundial_relay', RELAY_POOL_MAX, closers);
    const connection = await connectWorker(server);
    closers.push(() => connection.close());
    const { dependencies, apart } = billingBy(settings, db);
    const engine = await engineOf(settings, db, closers);
    const soon = startDispatcher(dependencies, engine, onError);
    closers.push(() => soon.close());
    const { dispatch } = soon;
    const sizes = sizesOf(settings);
    const gateways = openGateways(dependencies, gatewayAdapters(dependencies, settings.gateway));
    const options = { ...sizes, dispatch, gateways };
    const served = { connection, namespace: server.namespace, ...dataConversionOf(server) };
    const draining = {
      shutdownForceTime: `${DRAIN_SECONDS_MAX} seconds`,
      ...deploymentOf(settings),
    } as const;
    const shared = { ...served, identity, ...draining, ...tracedBy(settings) };
    const worker = await Worker.create({
      ...shared,
      taskQueue,
      workflowBundle: settings.workflowBundle ?? (await bundle()),
      activities: createActivities(dependencies, engine, options),
      ...limitsOf(sizes.cachedWorkflows),
    });
    const hashing = startHashProcess(settings.hashCost);
    closers.push(async () => hashing.stop());
    closers.push(async () => settings.mail.mailer.close());
    const { mail, allowPrivateCallbacks: allowPrivate = false, gateway } = settings;
    const vault = createVault(gateway.secretKeys);
    const queues = { ...options, dependencies, vault, mail, allowPrivate, hashing };
    const own = await createQueueWorkers({ ...shared, taskQueue }, queues);
    const running = runTogether([worker, ...own]);
    const reporting = { onError, keepHead: settings.keepHead };
    const looped = { dependencies, relayDb, engine, dispatch, gateways, ...reporting };
    const loops = [...startLoops(looped, settings), watch(looped, running)];
    closers.push(...loops.map((loop) => () => loop.stop()));
    showFigures(looped, settings, closers);
    const suspects = watchSuspects({ dependencies, relayDb, onError });
    closers.push(() => Promise.all([apart.stop(), suspects.stop()]));
    const heartbeat = await startHeartbeat(db, settings, onError);
    closers.push(() => heartbeat.stop());
    const closed = closeAfter(running.ended, closeAll);
    return {
      dependencies,
      engine,
      relayDb,
      ended: closed,
      stop: () => {
        running.stop();
        // Stop waiting for suspects.
        void apart.stop().catch(onError);
        return closed;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const sizesOf = ({
  billingLanes = BILLING_LANES,
  lanesFrom = DUE_CUSTOMERS_MAX,
  cachedWorkflows = CACHED_WORKFLOWS_MAX,
}: WorkerSettings) => ({ billingLanes, lanesFrom, cachedWorkflows });

const tracedBy = ({ traces }: WorkerSettings) =>
  traces === undefined ? {} : { interceptors: { activity: [traces.activity] } };

const limitsOf = (cachedWorkflows: number) => ({
  maxCachedWorkflows: cachedWorkflows,
  maxConcurrentWorkflowTaskExecutions: Math.min(WORKFLOW_TASKS_MAX, cachedWorkflows),
  maxConcurrentLocalActivityExecutions: LOCAL_ACTIVITIES_MAX,
  maxConcurrentActivityTaskExecutions: ACTIVITIES_MAX,
  stickyQueueScheduleToStartTimeout: STICKY_LIMIT,
});

/** A workflow goes on with the current build at its next task, unless its type is pinned: workflows.ts. */
function deploymentOf({ build, taskQueue: deploymentName }: WorkerSettings) {
  if (build === undefined) return {};
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName, buildId: build.buildId },
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  } as const;
}

/** What operations are handed, and the process for suspects, which gets the same. */
function billingBy(
  settings: WorkerSettings,
  db: Database,
): { readonly dependencies: WorkerDependencies; readonly apart: RunningApart } {
  const { databaseUrl, gateway, storage, realNow, onError, onWork = () => undefined } = settings;
  const { secretKeys } = gateway;
  const onAlert = (text: string): void => onError(new Error(text));
  const plain: Dependencies = { db, realNow, onBug: onError, onAlert, onWork, keepDocuments };
  const taxProviderOf = openTaxProviders(plain, taxAdapters(plain, { secretKeys }));
  const dependencies = { ...plain, taxProviderOf };
  const apart = startApart({ dependencies, databaseUrl, secretKeys, onError });
  return { dependencies: { ...dependencies, apart, storage }, apart };
}

/** Runs the workers together: if one fails, the others stop as well. */
function runTogether(workers: readonly Worker[]) {
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const runs = workers.map((worker) => worker.run().finally(stop));
  const ended = Promise.allSettled(runs).then((results) => {
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  return { ended, stop };
}

/** Its next start says what to do. */
function watch(
  { dependencies, engine, onError }: Pick<LoopOptions, 'dependencies' | 'engine' | 'onError'>,
  running: { readonly stop: () => void },
): Loop {
  return watchForOlderDatabase(dependencies.db, engine, (error) => {
    onError(error);
    running.stop();
  });
}

async function closeAfter(ended: Promise<void>, closeAll: () => Promise<void>): Promise<void> {
  try {
    await ended;
  } finally {
    await closeAll();
  }
}

const firstLooks = ({ looksFirst = true }: WorkerSettings) => (looksFirst ? { firstLookAt } : {});

async function engineOf(
  settings: WorkerSettings,
  db: Database,
  closers: (() => Promise<unknown>)[],
): Promise<Engine> {
  const { identity, taskQueue } = settings;
  const interceptors = settings.traces === undefined ? [] : [settings.traces.client];
  const its = { ...temporalOf(settings), identity, taskQueue, interceptors };
  const engine = openEngine({ ...its, ...firstLooks(settings) });
  closers.push(() => engine.close());
  await refuseOlderDatabase(db, engine);
  return engine;
}

async function openedWithItsKey(
  settings: WorkerSettings,
  closers: (() => Promise<unknown>)[],
): Promise<Database> {
  const db = await opened(settings, 'sundial_app', APP_POOL_MAX, closers);
  await refuseAPowerfulLogin(db.pool, { mayOwn: settings.mayLoginOwn ?? true });
  const url = settings.databaseUrl;
  await holdSecretKey(db, createVault(settings.gateway.secretKeys), { url });
  await holdPayloadKeys(db, settings.temporalAccess);
  return db;
}

async function opened(
  { databaseUrl: url, identity, onError, ...settings }: WorkerSettings,
  role: 'sundial_app' | 'sundial_relay',
  poolMax: number,
  closers: (() => Promise<unknown>)[],
): Promise<Database> {
  const name = `worker ${identity}`;
  const { mayLoginOwn: mayOwn = true, onReplica: tell } = settings;
  const replica = replicaOf(role === 'sundial_app' ? settings.readDatabaseUrl : undefined, {
    mayOwn,
    tell,
  });
  const limits = { poolMax, waitMs: CONNECTION_WAIT_MS, idleMs: IDLE_MS };
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const db = await openDatabase({ url, role, replica, statementTimeoutMs, ...limits, name });
  closers.push(() => db.close());
  // The pool replaces an idle connection that breaks; without a listener the error ends the
  // process.
  db.pool.on('error', onError);
  return db;
}

async function bundle(): Promise<WorkflowBundleOption> {
  const entry = join(import.meta.dirname, 'bundle.ts');
  const { stdout: code } = await promisify(execFile)(process.execPath, [entry], {
    maxBuffer: BUNDLE_BYTES_MAX,
  });
  return { code };
}

/** Shows its pools and the figures of the installation, if anybody scrapes. */
function showFigures(
  { dependencies, relayDb, onError }: LoopOptions,
  { metrics }: WorkerSettings,
  closers: (() => Promise<unknown>)[],
): void {
  if (metrics === undefined) return;
  const figures = startFigures({ dependencies, relayDb, onError });
  const hide = [
    metrics.pool('worker', dependencies.db.pool),
    metrics.pool('relay', relayDb.pool),
    metrics.sampled(figures),
  ];
  closers.push(async () => {
    for (const each of hide) each();
    await figures.stop();
  });
}

/* What a worker does for all tenants beside its tasks. */

type LoopOptions = RelayOptions &
  Omit<SequencerOptions, 'hooks'> &
  ImportFilesOptions &
  AuditHeadsOptions &
  RemovalOptions;

function startLoops(
  options: LoopOptions,
  { supervises = true, build }: WorkerSettings,
): readonly Loop[] {
  const sequencer = startSequencer({ ...options, hooks: numberedHooks });
  return [
    startRelay(options),
    sequencer,
    startRetention(options),
    startUsageDays(options),
    startOldParties(options),
    startImportFiles(options),
    startAuditChain(options),
    startAuditHeads(options),
    startRemovals(options),
    ...(supervises ? [startSupervision(options)] : []),
    ...(build ? [startTakeOver({ ...options, ...build })] : []),
  ];
}
