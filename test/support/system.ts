/**
 * A whole system for a test file: a separate database, and a worker and an API in this process.
 */

import { registerCompletionHandler } from 'ava';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { startWorker, type WorkerSettings } from '../../activities/run-worker.ts';
import { startApi } from '../../api/http/run-api.ts';
import { audit } from './audit.ts';
import type { AuditReport } from '../../operations/books/report.ts';
import type { TemporalNamespace } from '../../providers/temporal/connect.ts';
import { cheapCost } from '../../operations/access/passwords.ts';
import type { Dependencies } from '../../operations/context/context.ts';
import { choosePort } from '../../providers/embedded/ports.ts';
import { patientSession, testDatabase } from './database.ts';
import { unsentMail } from './mail.ts';
import { testStorage } from './storage.ts';
import { suffix, testBundle, testTemporal } from './temporal.ts';
import { OPERATOR_PASSWORD, SECRET_KEY } from './tenants.ts';

export interface TestSystem {
  readonly dependencies: Dependencies;
  readonly ownerUrl: string;
  readonly apiUrl: string;
  readonly engine: TemporalNamespace;
  /** The audit of one tenant, including its workflows. */
  readonly audit: (label: string) => Promise<AuditReport>;
}

const host = '127.0.0.1';

export interface SystemOptions {
  readonly mail?: WorkerSettings['mail'];
  /** How long a call waits for a payment. */
  readonly paymentWaitSeconds?: number;
}

/** Its workflows run on the Temporal server of all tests, on a separate task queue. */
export async function startSystem({
  mail = unsentMail(),
  paymentWaitSeconds = 10,
}: SystemOptions = {}): Promise<TestSystem> {
  quietTemporal();
  const { ownerUrl, loginUrl } = await testDatabase();
  const engine = await testTemporal();
  const addresses = {
    databaseUrl: loginUrl,
    temporalAddress: engine.address,
    temporalNamespace: engine.namespace,
    taskQueue: `test-${suffix()}`,
  };
  const storage = testStorage();
  // The addresses of files have it before the server listens.
  const port = await choosePort({ variable: 'PORT', wanted: undefined, host });
  const worker = await startWorker({
    ...addresses,
    identity: `test ${suffix()}`,
    workflowBundle: await testBundle(),
    gateway: { secretKeys: SECRET_KEY },
    mail,
    storage,
    hashCost: cheapCost,
    realNow: Date.now,
    // Receivers of tests listen on this machine.
    allowPrivateCallbacks: true,
    onError: () => undefined,
  });
  const api = await startApi({
    ...addresses,
    log: pino({ level: 'silent' }),
    host,
    port,
    baseDomain: 'localhost',
    publicUrl: `http://localhost:${port}`,
    storage,
    trustProxy: false,
    gateway: { secretKeys: SECRET_KEY },
    paymentWaitSeconds,
    operatorPage: { password: OPERATOR_PASSWORD, header: undefined, temporalUiUrl: undefined },
    hashCost: cheapCost,
    limits: patientSession,
  });
  registerCompletionHandler(() => {
    void api.stop().catch(() => undefined);
    void worker.stop().catch(() => undefined);
  });
  const { dependencies, relayDb } = worker;
  return {
    dependencies,
    ownerUrl,
    apiUrl: `http://${host}:${api.port}`,
    engine,
    audit: (only) => audit(dependencies, { relayDb, engine, only }),
  };
}

let shared: Promise<TestSystem> | undefined;

/** One for all files of this process, whose tests have tenants of their own. */
export function sharedSystem(): Promise<TestSystem> {
  shared ??= startSystem();
  return shared;
}

let isQuiet = false;

function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
    shutdownSignals: [],
  });
}
