/** The real PgBouncer in transaction mode, before the PostgreSQL of the tests. */
import { chmodSync, chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';
import { choosePort } from '../../providers/embedded/ports.ts';
import { startServer } from '../../providers/embedded/process.ts';
import { pooledPorts } from './prepared.ts';
import { withPatience } from '../../providers/patience.ts';

/** Of Debian's package, which `.ci/run` installs. */
const PROGRAM = '/usr/sbin/pgbouncer';

export const hasPgbouncer = existsSync(PROGRAM);

/** It refuses to run as root. */
const NOBODY = 65_534;
const START_LIMIT_SECONDS = 30;
/** Fewer than any test's pool has: sessions change hands all the time. */
const SERVERS = 2;

/** Returns the address through it: without `direct`, as for a client that knows nothing of it. */
export async function startPgbouncer(
  t: Pick<ExecutionContext, 'teardown'>,
  loginUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { hostname, port: serverPort, username, password } = new URL(loginUrl);
  const folder = mkdtempSync(join(tmpdir(), 'sundial-pgbouncer-'));
  const port = await choosePort({ variable: 'PORT', wanted: undefined });
  pooledPorts.add(port);
  const users = join(folder, 'users.txt');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: String(SERVERS),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=${hostname} port=${serverPort}`;
  writeFileSync(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'));
  const isRoot = process.getuid?.() === 0;
  for (const path of isRoot ? [folder, users, file] : []) chownSync(path, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
  const server = await startServer({
    name: 'PgBouncer',
    command: PROGRAM,
    args: [file],
    logFile: join(folder, 'pgbouncer.log'),
    ...(isRoot && { user: { uid: NOBODY, gid: NOBODY } }),
  });
  t.teardown(async () => {
    await server.stop({ signal: 'SIGTERM', limitSeconds: 5 });
    await rm(folder, { recursive: true, force: true });
  });
  const url = Object.assign(new URL(loginUrl), { host: `127.0.0.1:${port}` }).href;
  await withPatience(() => answers(url), {
    limitSeconds: START_LIMIT_SECONDS,
    pauseMs: 20,
    signal: AbortSignal.timeout(START_LIMIT_SECONDS * 1_000),
  });
  return url;
}

async function answers(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same address for the product: it names PostgreSQL itself, too. */
export function withDirect(pooledUrl: string, loginUrl: string): string {
  const url = new URL(pooledUrl);
  url.searchParams.set('direct', new URL(loginUrl).host);
  return url.href;
}
