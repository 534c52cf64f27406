/** A separate system for a benchmark: real servers with durable commits, in a temporary folder. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSystem } from '../../cli/start/system.ts';
import { makeTerminal, type Terminal } from '../../cli/start/terminal.ts';
import { childEnvironment, loadConfig } from '../../config.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import { readEndpoints, type Endpoints } from '../../providers/embedded/endpoints.ts';
import { startPostgres } from '../../providers/embedded/postgres.ts';
import { tenantIdOf } from '../../operations/context/context.ts';
import { makeFolder, removeFolder } from './folder.ts';

export type Pids = Readonly<Record<'postgres' | 'temporal' | 'worker' | 'api', number>>;

export interface BenchSystem {
  readonly apiUrl: string;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** A connection as the owner, for observation. */
  readonly ownerUrl: string;
  /** The log of the API. */
  readonly apiLog: string;
  /** A connection with the service's own role. */
  readonly db: Database;
  readonly pids: Pids;
  /** The present names of the start's processes: one that ended was restarted. */
  readonly pidsNow: () => Readonly<Record<'temporal' | 'worker' | 'api', number>>;
  /** The start's messages about parts that ended. */
  readonly deaths: () => readonly string[];
  /** Rejects at Ctrl-C or SIGTERM. */
  readonly interrupted: Promise<never>;
  readonly stop: () => Promise<void>;
}

/** Of the system, for a benchmark that opens what a tenant's file has encrypted. */
export const SECRET_KEY = 'b'.repeat(64);

const POOL_MAX = 4;
const STATEMENT_TIMEOUT_MS = 300_000;

export async function startBenchSystem(logLevel = 'warn'): Promise<BenchSystem> {
  const folder = await makeFolder();
  const stopping = new AbortController();
  const interrupted = interruption();
  const { cacheDir } = loadConfig();
  const postgres = await startPostgres({
    folder,
    cacheDir,
    signal: stopping.signal,
    onProgress: () => undefined,
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'top',
      'pg_stat_statements.track_utility': 'off',
    },
  });
  const config = loadConfig(
    childEnvironment({
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      PORT: '0',
      LOG_LEVEL: logLevel,
      SECRET_KEY,
      CALLBACK_ALLOW_PRIVATE: 'true',
      // The variables of the caller's shell about other servers are not for this one.
      TEMPORAL_ADDRESS: '',
      TEMPORAL_PORT: '',
      TEMPORAL_UI_PORT: '',
    }),
  );
  const deaths: string[] = [];
  const system = startSystem({ config, terminal: quiet(makeTerminal(), deaths), stopping });
  const stopServers = async (): Promise<void> => {
    stopping.abort();
    await system.stopped();
    await postgres.stop();
    await removeFolder(folder, postgres.dataFolder);
  };
  try {
    await system.ready;
    const endpoints = readEndpoints(folder);
    const options = {
      url: postgres.url,
      poolMax: POOL_MAX,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      name: 'bench',
    };
    const db = await openDatabase({ ...options, role: 'sundial_app' });
    return {
      ...addressesOf(endpoints),
      interrupted,
      ownerUrl: postgres.url,
      apiLog: join(folder, 'api.log'),
      db,
      pidsNow: () => pidsOf(readEndpoints(folder)),
      deaths: () => [...deaths],
      pids: { ...pidsOf(endpoints), postgres: postgres.server.identity.pid },
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

/** The servers are separate children, which end only when this process ends them. */
export function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  }
  return promise;
}

/** Applies a tenant file with the product's own command. */
export async function applyTenant(system: BenchSystem, file: string): Promise<void> {
  const env = childEnvironment({
    DATABASE_URL: system.ownerUrl,
    SECRET_KEY,
    CALLBACK_ALLOW_PRIVATE: 'true',
  });
  const root = join(import.meta.dirname, '../..');
  const args = [join(root, 'cli/tenant.ts'), 'apply', file];
  await promisify(execFile)(process.execPath, args, { env, cwd: root });
}

interface TenantSource {
  /** A file in bench/. */
  readonly file?: string;
  /** Further keys of the file. */
  readonly more?: string;
}

/** Applies a file in bench/ as a tenant with this label; returns its id. */
export async function makeTenant(
  system: BenchSystem,
  label: string,
  { file = 'tenant.yaml', more = '' }: TenantSource = {},
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sundial-tenant-'));
  try {
    const sample = await readFile(join(import.meta.dirname, '..', file), 'utf8');
    const own = join(folder, 'tenant.yaml');
    await writeFile(own, `${sample.replace(/^tenant: .*$/m, `tenant: ${label}`)}${more}`);
    await applyTenant(system, own);
  } finally {
    await rm(folder, { recursive: true });
  }
  const id = await tenantIdOf(system.db, label);
  if (id === null) throw new Error(`tenant ${label} was not made`);
  return id;
}

/** Prints nothing, and keeps the messages about parts that ended. */
function quiet(terminal: Terminal, deaths: string[]): Terminal {
  return {
    ...terminal,
    say: (line) => void (line.includes('ended unexpectedly') && deaths.push(line)),
  };
}

function addressesOf(endpoints: Endpoints | undefined) {
  const { apiUrl, temporalAddress, temporalNamespace } = endpoints ?? {};
  if (!apiUrl || !temporalAddress || !temporalNamespace)
    throw new Error('the start says too little');
  return { apiUrl, temporalAddress, temporalNamespace };
}

/** Throws if one of them does not run. */
export function pidsOf(
  endpoints: Endpoints | undefined,
): Record<'temporal' | 'worker' | 'api', number> {
  const pid = (name: string): number => {
    const found = endpoints?.processes[name]?.pid;
    if (found === undefined) throw new Error(`the start does not name ${name}`);
    return found;
  };
  return { temporal: pid('temporal'), worker: pid('worker'), api: pid('api') };
}
