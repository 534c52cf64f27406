/**
 * Creates a PostgreSQL cluster: its data folder, its owner, and a file with the owner's password.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reachableFolder } from './postgres-binaries.ts';
import type { ServiceUser } from './postgres-binaries.ts';

/** The name of the superuser and of our database. */
export const OWNER = 'sundial';

export interface ClusterOptions {
  /** The folder of the data and the password. */
  readonly folder: string;
  readonly programs: string;
  readonly user: ServiceUser | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** Returns the owner's password, which is created with the cluster and stored beside it. */
export async function createCluster(options: ClusterOptions): Promise<string> {
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

export function passwordFile(folder: string): string {
  return join(folder, 'postgres.password');
}
