/** A separate system for a benchmark: real servers with durable commits, in a temporary folder. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startSystem } from '../../cli/start/system.ts';
import { makeTerminal } from '../../cli/start/terminal.ts';
import { childEnvironment, loadConfig } from '../../config.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import { applyTenantFile } from '../../operations/tenants/apply.ts';
import { readEndpoints, type Endpoints } from '../../providers/embedded/endpoints.ts';
import { startPostgres } from '../../providers/embedded/postgres.ts';
import { checkTemplates } from '../../providers/mail/check-templates.ts';
import { createVault } from '../../providers/vault.ts';
import { untilQuiet, type Pids } from './processes.ts';

/** A running system, of this checkout or of another one. */
export interface Side {
  readonly apiUrl: string;
  readonly pids: Pids;
  /** Resolves when it has finished its work. */
  readonly settled: () => Promise<void>;
  /** Applies the text of a tenant file. */
  readonly applyTenant: (text: string) => Promise<void>;
}

export interface BenchSystem extends Side {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** A connection as the owner, for observation. */
  readonly ownerUrl: string;
  /** The log of the API. */
  readonly apiLog: string;
  /** A connection with the service's own role. */
  readonly db: Database;
  /** The present processes: one that ended was restarted. */
  readonly pidsNow: () => Pids;
  /** The start's messages about parts that ended. */
  readonly deaths: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Of the system, for a benchmark that opens what a tenant's file has encrypted. */
export const SECRET_KEY = 'b'.repeat(64);

const POOL_MAX = 4;
const STATEMENT_TIMEOUT_MS = 300_000;
const STOP_AGAIN_MS = 20;
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.track_utility': 'off',
};
/** The variables of the caller's shell about other servers are not for this one. */
export const ownServers = { TEMPORAL_ADDRESS: '', TEMPORAL_PORT: '', TEMPORAL_UI_PORT: '' };

export async function startBenchSystem(environment = {}): Promise<BenchSystem> {
  const folder = await makeFolder();
  const stopping = new AbortController();
  const { signal } = stopping;
  const { cacheDir } = loadConfig();
  const onProgress = (): void => undefined;
  const postgres = await startPostgres({ folder, cacheDir, signal, onProgress, settings });
  const { url } = postgres;
  const its = {
    DATA_DIR: folder,
    DATABASE_URL: url,
    SECRET_KEY,
    PORT: '0',
    LOG_LEVEL: 'warn',
    CALLBACK_ALLOW_PRIVATE: 'true',
    ...ownServers,
    ...environment,
  };
  const deaths: string[] = [];
  const terminal = {
    ...makeTerminal(),
    say: (line: string) => void (line.includes('ended unexpectedly') && deaths.push(line)),
  };
  const config = loadConfig(childEnvironment(its));
  const system = startSystem({ config, terminal, stopping });
  const stopServers = async (): Promise<void> => {
    stopping.abort();
    await system.stopped();
    await postgres.stop();
    await removeFolder(folder, postgres.dataFolder);
  };
  try {
    await system.ready;
    const limits = { poolMax: POOL_MAX, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const db = await openDatabase({ url, ...limits, name: 'bench', role: 'sundial_app' });
    const { pid } = postgres.server.identity;
    const pidsNow = (): Pids => pidsOf(readEndpoints(folder), pid);
    return {
      ...addressesOf(readEndpoints(folder)),
      pids: pidsNow(),
      settled: () => untilQuiet(pidsNow()),
      applyTenant: (text) => applyTenant(db, text),
      ownerUrl: url,
      apiLog: join(folder, 'api.log'),
      db,
      pidsNow,
      deaths,
      stop: async () => {
        await db.close();
        await stopServers();
      },
    };
  } catch (error) {
    await stopServers();
    throw error;
  }
}

/** The worker's process is stopped meanwhile, at a moment when it has no transaction open. */
export async function whileWorkerIsStill<Result>(
  { ownerUrl, pidsNow }: BenchSystem,
  work: () => Promise<Result>,
): Promise<Result> {
  const { worker } = pidsNow();
  const watch = new pg.Client({ connectionString: ownerUrl });
  await watch.connect();
  try {
    while (true) {
      process.kill(worker, 'SIGSTOP');
      const { rows } = await watch.query(
        `select from pg_stat_activity where application_name like 'worker %' and xact_start is not null`,
      );
      if (rows.length === 0) return await work();
      process.kill(worker, 'SIGCONT');
      await sleep(STOP_AGAIN_MS);
    }
  } finally {
    process.kill(worker, 'SIGCONT');
    await watch.end();
  }
}

async function applyTenant(db: Database, text: string): Promise<void> {
  const applied = await applyTenantFile(
    { db, realNow: Date.now },
    {
      text,
      vault: createVault(SECRET_KEY),
      secretOf: () => undefined,
      checkTemplates,
      isStrict: false,
      isDryRun: false,
      allowPrivateCallbacks: true,
    },
  );
  if (!applied.isValid) throw new Error(JSON.stringify(applied.mistakes));
}

/** PostgreSQL may run as another user, who must be able to enter the folder. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sundial-bench-'));
  await chmod(folder, 0o755);
  return folder;
}

/** @param dataFolder PostgreSQL's, which is elsewhere where its user cannot enter `folder` */
export async function removeFolder(folder: string, dataFolder?: string): Promise<void> {
  const folders = new Set([folder, ...(dataFolder === undefined ? [] : [dirname(dataFolder)])]);
  for (const each of folders) await rm(each, { recursive: true, force: true });
}

/** The servers are separate children, which end only when this process ends them. */
export function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  }
  return promise;
}

function addressesOf({ apiUrl, temporalAddress, temporalNamespace }: Partial<Endpoints> = {}) {
  if (!apiUrl || !temporalAddress || !temporalNamespace) {
    throw new Error('the start does not name all addresses');
  }
  return { apiUrl, temporalAddress, temporalNamespace };
}

/** Throws if one of them does not run. */
export function pidsOf(endpoints: Endpoints | undefined, postgresPid?: number): Pids {
  const pid = (name: string): number => {
    const found = endpoints?.processes[name]?.pid;
    if (found === undefined) throw new Error(`the start does not name ${name}`);
    return found;
  };
  const postgres = postgresPid ?? pid('postgres');
  return { api: pid('api'), postgres, worker: pid('worker'), temporal: pid('temporal') };
}
