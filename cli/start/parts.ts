/** The order of starting: PostgreSQL, migrations, Temporal, its search attributes, worker, API. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { childEnvironment, type Config } from '../../config.ts';
import { isConnectionFault } from '../../db/connection/faults.ts';
import { prepareDatabase } from '../../db/connection/prepare.ts';
import { isLoopbackHost } from '../../providers/callbacks/line.ts';
import { choosePort } from '../../providers/embedded/ports.ts';
import { startPostgres } from '../../providers/embedded/postgres.ts';
import { checkTemporal } from '../../providers/temporal/check.ts';
import {
  connectTemporal,
  temporalOf,
  type TemporalNamespace,
} from '../../providers/temporal/connect.ts';
import { ensureSearchAttributes } from '../../providers/temporal/search-attributes.ts';
import { temporalBinary } from '../../providers/temporal/binary.ts';
import { withPatience } from '../../providers/patience.ts';
import { namespaceId, startTemporal } from '../../providers/temporal/server.ts';
import { keptSecretKey, type Folder } from './folder.ts';
import { openLogFile } from './log-file.ts';
import { runNodeChild, startNodeChild, type NodeChildOptions } from './node-child.ts';
import type { ServerProcess } from '../../providers/embedded/process.ts';
import type { KeptPart, Part } from './part.ts';
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Addresses {
  readonly api: string;
  readonly port: number;
  readonly temporalUi: string | undefined;
  /** Why a sample tenant could not be applied, by its label; empty if all were. */
  readonly sampleFailures: ReadonlyMap<string, string>;
}

const FOREIGN_LIMIT_SECONDS = 120;
/**
 * In the order of their start, with the Node options of `npm run worker` and `npm run api`. Without
 * the sizes, garbage doubles the memory. V8's four helper threads, which collect it for the heavy
 * calls too, would outnumber the thread that answers all others; one does not.
 */
const ownPrograms = [
  {
    name: 'worker',
    entry: 'activities/worker.ts',
    nodeOptions: ['--max-semi-space-size=4', '--max-old-space-size=512'],
    isBackground: true,
  },
  {
    name: 'api',
    entry: 'api/main.ts',
    nodeOptions: ['--max-semi-space-size=8', '--max-old-space-size=512', '--v8-pool-size=1'],
  },
];
const FOREIGN_PAUSE_MS = 1_000;

/** Null if only the servers were to be started. */
export async function startParts(system: Starting): Promise<Addresses | null> {
  const { config, folder, say } = system;
  const ports = await checkPorts(config);
  system.signal.throwIfAborted();
  if (config.temporalAddress !== undefined) {
    await checkTemporal(temporalOf({ ...config, temporalAddress: config.temporalAddress }));
  }

  const { databaseUrl, migrateUrl } = await databaseOf(system, ports.postgres);
  folder.note({ databaseUrl, ...(migrateUrl !== undefined && { migrateUrl }) });

  const own = config.temporalAddress === undefined ? await ownTemporal(system, ports) : undefined;
  const temporalAddress = config.temporalAddress ?? own?.address ?? '';
  const { temporalNamespace } = config;
  folder.note({ temporalAddress, temporalNamespace });
  if (own?.uiUrl !== undefined) folder.note({ temporalUiUrl: own.uiUrl });
  // Nothing of the access is set for a server of our own.
  const server = temporalOf({ ...config, temporalAddress });
  await untilDone(system, 'Temporal', () => prepareTemporal(server));
  say('Search attributes registered');
  if (system.serversOnly) {
    say('PostgreSQL and Temporal run, without a worker and an API');
    return null;
  }

  const scheme = config.tls ? 'https' : 'http';
  // With PORT=0 the port is known only now.
  const publicUrl = config.publicUrl.replace(/:0$/, `:${ports.api}`);
  const api = `${scheme}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${ports.api}`;
  const allowsPrivateCallbacks = config.callbackAllowPrivate || isDemo(config);
  const env = childEnvironment({
    DATABASE_URL: databaseUrl,
    // Theirs is the login.
    MIGRATE_URL: '',
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    SECRET_KEY: config.secretKey ?? keptSecretKey(folder.path),
    DATA_DIR: config.dataDir,
    PORT: String(ports.api),
    PUBLIC_URL: publicUrl,
    // The operator's page links to it.
    TEMPORAL_UI_URL: config.operatorPage.temporalUiUrl ?? own?.uiUrl ?? '',
    CALLBACK_ALLOW_PRIVATE: String(allowsPrivateCallbacks),
  });
  // No other worker reaches a Temporal of our own.
  const alone = own === undefined ? [] : ['--alone'];
  for (const { name, ...program } of ownPrograms) {
    const isWorker = name === 'worker';
    const own = isWorker ? { ...env, ...workerMetrics(config) } : env;
    await ownProgram(system, { ...program, name, env: own, args: isWorker ? alone : [] });
  }
  await untilHealthy(`${api}/healthz`, { butFor: 'start', signal: system.signal });
  const sampleFailures = await applySamples(system, env);
  // From now on the API reports healthy, so a caller that waited for that finds the system and its
  // tenant.
  folder.note({ status: 'ready', apiUrl: api, publicUrl, allowsPrivateCallbacks });
  await untilHealthy(`${api}/healthz`, { signal: system.signal });
  say('Healthy: database, Temporal and worker answer');
  return { api, port: ports.api, temporalUi: own?.uiUrl, sampleFailures };
}

/** The API has METRICS_PORT, and the worker beside it the next one. */
function workerMetrics({ metrics }: Config): Record<string, string> {
  return metrics === undefined || metrics.port === 0
    ? {}
    : { METRICS_PORT: String(metrics.port + 1) };
}

interface DatabaseUrls {
  readonly databaseUrl: string;
  readonly migrateUrl?: string | undefined;
}

/** With the newest schema, and a login for the processes that owns nothing. */
async function databaseOf(system: Starting, port: number | undefined): Promise<DatabaseUrls> {
  const { config, say } = system;
  const isOwn = config.databaseUrl === undefined;
  const migrateUrl = isOwn ? await ownPostgres(system, port) : config.migrateUrl;
  const databaseUrl = config.databaseUrl ?? loginOf(migrateUrl ?? '');
  await untilDone(system, 'the database', async () => {
    const done = await prepareDatabase({ databaseUrl, migrateUrl, setsPassword: isOwn });
    if (done === undefined) say('No MIGRATE_URL: the schema stays as it is');
    else if (migrateUrl !== undefined) say('Migrations done');
    else say('Migrations done, by the login of DATABASE_URL: it is for this machine only');
  });
  return { databaseUrl, migrateUrl };
}

const SERVICE_LOGIN = 'sundial_service';

/** It gets a new password at each start. */
function loginOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = SERVICE_LOGIN;
  url.password = randomBytes(24).toString('base64url');
  return url.href;
}

/** A system of our own servers, for this machine alone: the receiver of the demo runs beside it. */
function isDemo({ databaseUrl, temporalAddress, host }: Config): boolean {
  return databaseUrl === undefined && temporalAddress === undefined && isLoopbackHost(host);
}

interface Ports {
  readonly api: number;
  readonly postgres: number | undefined;
  readonly temporal: number | undefined;
  readonly temporalUi: number | undefined;
}

/** All taken ports are reported at once, before anything is started. */
async function checkPorts(config: Config): Promise<Ports> {
  const results = await Promise.allSettled([
    choosePort({ variable: 'PORT', wanted: config.port, host: config.host }),
    asked('POSTGRES_PORT', config.databaseUrl === undefined ? config.postgresPort : undefined),
    asked('TEMPORAL_PORT', config.temporalAddress === undefined ? config.temporalPort : undefined),
    asked('TEMPORAL_UI_PORT', config.temporalUiPort),
    ...metricsPorts(config),
  ]);
  const failures = results.flatMap((it) =>
    it.status === 'rejected' ? [String(it.reason.message)] : [],
  );
  const [api, postgres, temporal, temporalUi] = results.map((it) =>
    it.status === 'fulfilled' ? it.value : undefined,
  );
  if (api === undefined || failures.length > 0) throw new Error(failures.join('\n'));
  return { api, postgres, temporal, temporalUi };
}

const PORT_MAX = 65_535;

function metricsPorts({ metrics }: Config): readonly Promise<number>[] {
  if (metrics === undefined || metrics.port === 0) return [];
  const { host, port } = metrics;
  if (port === PORT_MAX) {
    const text = `METRICS_PORT ${port} leaves none for the worker, which has the next one: take a lower one.`;
    return [Promise.reject(new Error(text))];
  }
  return [port, port + 1].map((wanted) => choosePort({ variable: 'METRICS_PORT', wanted, host }));
}

async function asked(variable: string, wanted: number | undefined): Promise<number | undefined> {
  return wanted ? await choosePort({ variable, wanted }) : undefined;
}

/** Chosen once, so that a restarted server answers at its previous address. */
async function ownPostgres(system: Starting, wanted: number | undefined): Promise<string> {
  const { config, folder, say } = system;
  const port = await choosePort({ variable: 'POSTGRES_PORT', wanted });
  const part = await system.keep('PostgreSQL', (signal) =>
    startPostgres({
      folder: folder.path,
      cacheDir: config.cacheDir,
      port,
      signal,
      onProgress: say,
      onProcess: (server, postgresFolder) => {
        system.onProcess('postgres', server);
        folder.note({ postgresFolder });
      },
    }),
  );
  say(`PostgreSQL answers on 127.0.0.1:${port}, its data are in ${part.first.dataFolder}`);
  return part.first.url;
}

async function ownTemporal(
  system: Starting,
  ports: Ports,
): Promise<{ address: string; uiUrl: string | undefined }> {
  const { config, folder, say } = system;
  const { temporalCliPath: cliPath, searchPath, cacheDir } = config;
  const context = { cliPath, searchPath, cacheDir, signal: system.signal, onProgress: say };
  const binary = await temporalBinary(context);
  const port = await choosePort({ variable: 'TEMPORAL_PORT', wanted: ports.temporal });
  const uiPort = await choosePort({ variable: 'TEMPORAL_UI_PORT', wanted: ports.temporalUi });
  const part = await system.keep('Temporal', (signal) =>
    startTemporal({
      binary,
      folder: folder.path,
      namespace: config.temporalNamespace,
      port,
      uiPort,
      signal,
      onProcess: (server) => system.onProcess('temporal', server),
    }),
  );
  say(`Temporal answers on ${part.first.address}, its Web UI on ${part.first.uiUrl}`);
  return part.first;
}

async function prepareTemporal(server: TemporalNamespace): Promise<void> {
  const { namespace } = server;
  const connection = await connectTemporal(server);
  try {
    await namespaceId(connection, namespace);
    await ensureSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}

/** External servers may start after us, so each is asked again for a while. */
async function untilDone(system: Starting, what: string, work: () => Promise<void>): Promise<void> {
  let hasSaid = false;
  await withPatience(work, {
    limitSeconds: FOREIGN_LIMIT_SECONDS,
    pauseMs: FOREIGN_PAUSE_MS,
    signal: system.signal,
    mayPass(error) {
      const mayPass = isUnreachable(error);
      if (mayPass && !hasSaid) system.say(`Waiting for ${what}: ${String(error)}`);
      hasSaid ||= mayPass;
      return mayPass;
    },
  });
}

/** No connection, or a server that is just starting: worth another attempt. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConnectionFault(error) || isConnectionFault(error.cause)) return true;
  return /UNAVAILABLE|connect/i.test(`${error.name} ${error.message} ${String(error.cause)}`);
}

type Program = Pick<
  NodeChildOptions,
  'name' | 'entry' | 'env' | 'args' | 'nodeOptions' | 'isBackground'
>;

function childOptions(system: Starting, program: Program): Omit<NodeChildOptions, 'signal'> {
  return {
    ...program,
    entry: join(system.root, program.entry),
    log: openLogFile(join(system.folder.path, `${program.name}.log`), system.say),
    say: system.say,
    onProcess: (server) => system.onProcess(program.name, server),
  };
}

async function ownProgram(system: Starting, program: Program): Promise<void> {
  const options = childOptions(system, program);
  await system.keep(program.name, (signal) => startNodeChild({ ...options, signal }));
  system.say(`${program.name} is ready; it logs to ${options.log.path}`);
}

/** The files of `tenants/` that every start applies; `npm run demo` and the README use them. */
const samples = ['demo', 'tour'];

async function applySamples(
  system: Starting,
  env: Record<string, string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>();
  for (const label of samples) {
    const file = `tenants/${label}.yaml`;
    const args = ['apply', join(system.root, file)];
    const options = childOptions(system, { name: 'tenant', entry: 'cli/tenant.ts', env, args });
    try {
      await runNodeChild({ ...options, signal: system.signal });
      system.say(`Tenant ${label} applied from ${file}`);
    } catch (error) {
      system.signal.throwIfAborted();
      failures.set(label, error instanceof Error ? error.message : String(error));
    }
  }
  return failures;
}

/* What the steps of a start receive. */

/** What the steps need to know of the system that they start. */
interface Starting {
  readonly config: Config;
  readonly serversOnly: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly folder: Folder;
  readonly root: string;
  readonly onProcess: (name: string, server: ServerProcess) => void;
  /** Starts a part and keeps it; parts are stopped in reverse order. */
  readonly keep: <P extends Part>(
    name: string,
    start: (signal: AbortSignal) => Promise<P>,
  ) => Promise<KeptPart<P>>;
}

/* Checks that the started API reports the database, Temporal and the worker as healthy. */

const LIMIT_SECONDS = 60;
const POLL_MS = 100;
const ANSWER_LIMIT_MS = 5_000;

/** Throws with what the API reports as missing, except `butFor`, if it stays unhealthy. */
async function untilHealthy(
  url: string,
  { butFor, signal }: { readonly butFor?: string; readonly signal: AbortSignal },
): Promise<void> {
  const isAllThatIsMissing = (trouble: string): boolean =>
    butFor !== undefined && trouble.includes(`<missing><part>${butFor}</part></missing>`);
  const patience = { limitSeconds: LIMIT_SECONDS, pauseMs: POLL_MS, signal };
  await withPatience(async () => {
    const trouble = await ask(url, signal).catch((error: unknown) => String(error));
    if (trouble === undefined || isAllThatIsMissing(trouble)) return;
    throw new Error(`The system does not become healthy: ${trouble}`);
  }, patience);
}

async function ask(url: string, stopping: AbortSignal): Promise<string | undefined> {
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  return await new Promise((resolve, reject) => {
    // The API is our own child process, and its certificate is made for the names that callers use.
    const request = get(url, { signal, rejectUnauthorized: false }, (answer) => {
      text(answer).then((body) => resolve(answer.statusCode === 200 ? undefined : body), reject);
    });
    request.on('error', reject);
  });
}
