/** Runs one API: its connections, its server and its deliveries, and stops them in order. */
import { type Database, type DatabaseOptions, openDatabase } from '../../db/connection/database.ts';
import { firstLookAt } from '../../operations/due/first-looks.ts';
import { startDispatcher } from '../../operations/outbox/dispatch-after-commit.ts';
import { openGateways } from '../../operations/gateway-calls/gateways.ts';
import { type GatewayOptions, gatewayAdapters } from '../../providers/gateway/adapters.ts';
import { openTaxProviders } from '../../operations/tax/providers.ts';
import { taxAdapters } from '../../providers/tax/adapters.ts';
import { webhookSecrets } from '../../operations/gateway-calls/webhook-secret.ts';
import type { FileStorage } from '../../providers/storage/storage.ts';
import { temporalOf, type TemporalServer } from '../../providers/temporal/connect.ts';
import { type Vault, createVault } from '../../providers/vault.ts';
import {
  type Engine,
  engineAnswers,
  type OpenEngine,
  openEngine,
} from '../../operations/outbox/engine.ts';
import { type HashCost, standardCost } from '../../operations/access/passwords.ts';
import { awaitPayment } from '../../operations/gateway-calls/await.ts';
import { awaitSignup } from '../../operations/signups/await.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { refuseAPowerfulLogin, replicaOf } from '../../db/connection/logins.ts';
import { type SharedLanes, openSharedLanes } from '../../db/connection/shared-lanes.ts';
import {
  refuseOlderDatabase,
  watchForOlderDatabase,
} from '../../operations/processes/older-database.ts';
import { type HeldKeys, holdSecretKey } from '../../operations/processes/secret-key.ts';
import { holdPayloadKeys } from '../../operations/processes/payload-keys.ts';
import { workLog } from '../../operations/context/work-log.ts';
import { ofNobody } from '../../operations/context/origin.ts';
import type { Traces } from '../../providers/traces/open-traces.ts';
import { keepEventDocuments as keepDocuments } from '../../operations/feed/event-views.ts';
import { type Admission, admissionDefaults, createAdmission } from '../access/admission.ts';
import { createApp } from './app.ts';
import { openHeavyThread } from './heavy/thread.ts';
import { credentialStore, databaseAnswers, tenantFinder, workerIsAlive } from '../access/store.ts';
import { createFormKeys } from '../calls/form-keys.ts';
import type { RouteDependencies } from '../calls/services.ts';
import type { Metrics } from '../../providers/metrics/registry.ts';
import type { HealthChecks } from './health.ts';
import type { OperatorPage } from '../../config.ts';
import { type Opening, openOperatorSettings, webUiOf } from '../operator/settings.ts';
import type { Logger } from './log.ts';
import { type Transport, isLoopbackAddress } from './middleware.ts';
import { allRoutes } from '../resources/routes.ts';
import { type ListenOptions, listen } from './server.ts';

export interface ApiSettings extends ListenOptions {
  readonly log: Logger;
  /** Of a login that may become a role with fewer rights, to which the pool switches. */
  readonly databaseUrl: string;
  /** Of a replica, for reads that take much. */
  readonly readDatabaseUrl?: string | undefined;
  /** Whether that may be the schema's owner, as on a machine of one's own; true by default. */
  readonly mayLoginOwn?: boolean;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalAccess?: TemporalServer['access'];
  readonly taskQueue: string;
  readonly baseDomain: string;
  /** The base of the addresses of files. */
  readonly publicUrl: string;
  /** Where the files of batches are. */
  readonly storage: FileStorage;
  readonly trustProxy: boolean;
  /** How to reach the gateways, and the key that decrypts their secrets. */
  readonly gateway: GatewayOptions;
  /** How long a call waits for its payment to be final. */
  readonly paymentWaitSeconds: number;
  /** Of the operator's page of all tenants; there is none without. */
  readonly operatorPage?: OperatorPage;
  /** For an API that is part of `npm start`: whether all of the start is done. */
  readonly isStarted?: () => boolean;
  /** Tests of other subjects use a cheaper one. */
  readonly hashCost?: HashCost;
  /** Tests that hold a table while people act wait longer than callers would. */
  readonly limits?: Pick<DatabaseOptions, 'statementTimeoutMs' | 'lockTimeoutMs'>;
  /** Counts what it does; without it nothing does. */
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}

export interface RunningApi {
  readonly port: number;
  /** Finishes the calls in progress, then closes everything. */
  readonly stop: () => Promise<void>;
  /** Rejects if it may not go on. */
  readonly failed: Promise<never>;
}

const POOL_MAX = 10;
/** The rest of the connections stays available to other tenants. */
const TENANT_CONNECTIONS_MAX = 5;

export async function startApi(settings: ApiSettings): Promise<RunningApi> {
  const { log, metrics, traces, databaseUrl, readDatabaseUrl, gateway } = settings;
  const hashCost = settings.hashCost ?? standardCost;
  const vault = createVault(settings.gateway.secretKeys);
  const lanes = heavyLanes(settings);
  const admission = createAdmission({ sharedLane: (tenantId) => lanes.take(String(tenantId)) });
  const { db, fingerprintKey } = await openPool(settings, admission, vault);
  const onWork = workLog(log, metrics?.work);
  const hidePool = metrics?.pool('api', db.pool);
  const dependencies = dependenciesOf(settings, { db, realNow: Date.now, onWork, keepDocuments });
  const engine = engineOf(settings);
  const older = await heldBackIfOlder(db, engine);
  const goesOn = goingOn(settings);
  const delivery = startDispatcher(dependencies, engine, goesOn('a delivery is left to the relay'));
  const asNobody = ofNobody();
  const heavy = openHeavyThread({
    settings: { databaseUrl, readDatabaseUrl, gateway, hashCost, fingerprintKey },
    // The thread answers messages of all requests in the context of the first.
    dispatch: (...nudged) => asNobody(() => delivery.dispatch(...nudged)),
    onWork,
    noteMoved: admission.noteMoved,
    onError: goesOn('the thread for heavy calls'),
  });
  const operator = operatorOf(settings, { dependencies, engine, dispatch: delivery.dispatch });
  const { app, guard } = createApp({
    dependencies,
    operator: operator.settings,
    log,
    transport: transportOf(settings),
    baseDomain: settings.baseDomain,
    findTenant: tenantFinder(dependencies),
    credentials: credentialStore(db, hashCost),
    admission,
    heavy,
    health: healthOf(settings, db, engine),
    count: metrics?.request,
    countUnsent: metrics?.error,
    traces,
    routes: allRoutes({
      ...dependencies,
      dispatch: delivery.dispatch,
      hashCost,
      fingerprintKey,
      vault,
      ...waitsBy(engine),
      ...setFor(settings, dependencies),
      webhookSecretOf: webhookSecrets(dependencies, vault),
    }),
  });
  const close = async (): Promise<void> => {
    hidePool?.();
    await older.stop();
    await guard.idle();
    await heavy.close();
    await operator.close();
    await lanes.close();
    await delivery.close();
    await engine.close();
    await db.close();
  };
  try {
    // oxlint-disable-next-line typescript/no-misused-promises -- Koa answers by itself
    const server = await listen(app.callback(), settings);
    return { port: server.port, stop: () => server.drain().then(close), failed: older.found };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What an error does after which the API goes on: a line of the log, and a count. */
const goingOn =
  ({ log, metrics }: Pick<ApiSettings, 'log' | 'metrics'>) =>
  (what: string) =>
  (error: unknown): void => {
    log.warn({ error }, what);
    metrics?.error();
  };

const healthOf = (
  { temporalNamespace: namespace, isStarted }: ApiSettings,
  db: Database,
  engine: Engine,
): HealthChecks => ({
  database: () => databaseAnswers(db),
  temporal: () => engineAnswers(engine, namespace),
  worker: () => workerIsAlive(db),
  start: async () => isStarted?.() ?? true,
});

function engineOf(settings: ApiSettings): OpenEngine {
  const { taskQueue, traces } = settings;
  const interceptors = traces === undefined ? [] : [traces.client];
  const identity = `api ${process.pid}`;
  return openEngine({ ...temporalOf(settings), identity, taskQueue, interceptors, firstLookAt });
}

/** What calls need of the settings. */
const setFor = (
  { gateway, paymentWaitSeconds, storage, baseDomain, publicUrl }: ApiSettings,
  dependencies: Dependencies,
) => ({
  gateways: openGateways(dependencies, gatewayAdapters(dependencies, gateway)),
  formKeys: createFormKeys(gateway.secretKeys, Date.now),
  paymentWaitSeconds,
  storage,
  baseDomain,
  publicUrl,
});

/** A tenant's admins have the page also without settings. */
function operatorOf(
  { operatorPage, temporalNamespace, gateway, databaseUrl }: ApiSettings,
  own: Pick<Opening, 'dependencies' | 'engine' | 'dispatch'>,
) {
  return openOperatorSettings({
    ...own,
    databaseUrl,
    password: operatorPage?.password,
    header: operatorPage?.header,
    webUi: webUiOf(operatorPage?.temporalUiUrl, temporalNamespace),
    secretKeys: gateway.secretKeys,
  });
}

/** Of tenants, which all processes share. */
const heavyLanes = ({ databaseUrl: url }: ApiSettings): SharedLanes =>
  openSharedLanes({
    url,
    name: `api ${process.pid} lanes`,
    of: 'heavy calls',
    waitMs: admissionDefaults.heavyCalls.waitMs,
  });

/** Nothing is given out by a database that was restored from an older backup. */
async function heldBackIfOlder(db: Database, engine: OpenEngine) {
  try {
    await refuseOlderDatabase(db, engine);
  } catch (error) {
    await engine.close();
    await db.close();
    throw error;
  }
  const { promise: found, reject } = Promise.withResolvers<never>();
  // Whoever runs the API without waiting for it is stopped by others.
  found.catch(() => undefined);
  return { found, stop: watchForOlderDatabase(db, engine, reject).stop };
}

function waitsBy(engine: Engine): Pick<RouteDependencies, 'awaitPayment' | 'awaitSignup'> {
  return {
    awaitPayment: (tenant, payment, limitMs) => awaitPayment(engine, tenant, payment, limitMs),
    awaitSignup: (tenant, submitted, limitMs) => awaitSignup(engine, tenant, submitted, limitMs),
  };
}

function dependenciesOf({ gateway }: ApiSettings, plain: Dependencies): Dependencies {
  const { secretKeys } = gateway;
  return { ...plain, taxProviderOf: openTaxProviders(plain, taxAdapters(plain, { secretKeys })) };
}

type OfPool = Pick<
  ApiSettings,
  | 'databaseUrl'
  | 'readDatabaseUrl'
  | 'mayLoginOwn'
  | 'log'
  | 'metrics'
  | 'limits'
  | 'temporalAccess'
>;

async function openPool(
  { databaseUrl, mayLoginOwn: mayOwn = true, log, metrics, limits, temporalAccess, ...its }: OfPool,
  { noteMoved }: Pick<Admission, 'noteMoved'>,
  vault: Vault,
): Promise<{ readonly db: Database } & Pick<HeldKeys, 'fingerprintKey'>> {
  const pool = { databaseUrl, poolMax: POOL_MAX, tenantConnectionsMax: TENANT_CONNECTIONS_MAX };
  const name = `api ${process.pid}`;
  const replica = replicaOf(its.readDatabaseUrl, { mayOwn, tell: (text) => log.info(text) });
  const db = await openDatabase({ ...apiDatabase(pool), ...limits, name, noteMoved, replica });
  // The pool replaces an idle connection that breaks; without a listener the error would end the
  // process.
  db.pool.on('error', goingOn({ log, metrics })('a database connection was lost'));
  try {
    await refuseAPowerfulLogin(db.pool, { mayOwn });
    const { fingerprintKey, older } = await holdSecretKey(db, vault, { url: databaseUrl });
    tellOlder(log, vault, older);
    await holdPayloadKeys(db, temporalAccess);
    return { db, fingerprintKey };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function tellOlder(log: Logger, { ids }: Vault, older: readonly string[]): void {
  const [first, ...others] = ids;
  if (older.length > 0) log.warn({ first, older }, 'values have older secret keys: npm run rekey');
  else if (others.length > 0) log.info({ first, others }, 'no value needs SECRET_KEYS_OTHER');
}

const transportOf = ({ host, trustProxy, publicUrl }: ApiSettings): Transport => ({
  isLoopback: isLoopbackAddress(host),
  trustProxy,
  isPublicTls: new URL(publicUrl).protocol === 'https:',
});

/* The settings of the API's connections to PostgreSQL, in each of its threads. */

const WAITING_MAX = 500;
const TENANT_WAITING_MAX = 250;
const WAIT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** A new connection plans each statement of a call again, which takes up to 20 ms. */
const IDLE_MS = 600_000;

interface ApiPool {
  readonly databaseUrl: string;
  readonly poolMax: number;
  /** The rest of the connections stays available to other tenants. */
  readonly tenantConnectionsMax: number;
}

export function apiDatabase({ databaseUrl, poolMax, tenantConnectionsMax }: ApiPool) {
  return {
    url: databaseUrl,
    role: 'sundial_app',
    poolMax,
    tenantConnectionsMax,
    waitingMax: WAITING_MAX,
    tenantWaitingMax: TENANT_WAITING_MAX,
    waitMs: WAIT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleMs: IDLE_MS,
  } as const satisfies Partial<DatabaseOptions>;
}
