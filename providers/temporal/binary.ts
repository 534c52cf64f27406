/** Finds the Temporal CLI, or installs it once per user: by download, else with Go. */

import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../../config.ts';
import { waitForLock } from '../embedded/lock.ts';

/** Includes Temporal server 1.29.1, for which the settings in server.ts were measured. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

export interface BinaryOptions {
  /** TEMPORAL_CLI_PATH, which overrides all other places. */
  readonly cliPath: string | undefined;
  readonly searchPath: readonly string[];
  readonly cacheDir: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

const CONNECT_LIMIT_SECONDS = 10;
const DOWNLOAD_LIMIT_SECONDS = 240;
const DOWNLOAD_HOST = 'https://temporal.download';
const run = promisify(execFile);

/**
 * The program's path. It looks at TEMPORAL_CLI_PATH, the PATH and the cache, then downloads the
 * CLI, then builds it with Go.
 */
export async function temporalBinary(options: BinaryOptions): Promise<string> {
  const present = options.cliPath ?? onPath('temporal', options.searchPath);
  if (present !== undefined) return present;
  const cached = cachedBinary(options.cacheDir);
  if (existsSync(cached)) return cached;
  const lock = await waitForLock(`${cached}.lock`, {
    signal: options.signal,
    onWait: () => options.onProgress(waitingText(progressFile(cached))),
  });
  try {
    // The previous holder of the lock may have installed it.
    if (!existsSync(cached)) await install(withProgress(options, progressFile(cached)), cached);
  } finally {
    rmSync(progressFile(cached), { force: true });
    lock.release();
  }
  return cached;
}

/** Who holds the lock writes there what it does: a build takes minutes. */
const progressFile = (cached: string): string => `${cached}.progress`;

const withProgress = (options: BinaryOptions, file: string): BinaryOptions => ({
  ...options,
  onProgress(line) {
    writeFileSync(file, `(pid ${process.pid}) that installs Temporal. It says: ${line}`);
    options.onProgress(line);
  },
});

function waitingText(file: string): string {
  let doing = 'that installs Temporal';
  try {
    doing = readFileSync(file, 'utf8');
  } catch {
    // It has not begun, or has just finished.
  }
  return `Waiting for another process ${doing}`;
}

export function cachedBinary(cacheDir: string): string {
  return join(cacheDir, `temporal-${TEMPORAL_CLI_VERSION}-${process.platform}-${process.arch}`);
}

function onPath(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs into a temporary folder and renames it, so that the cache is never incomplete. */
async function install(options: BinaryOptions, target: string): Promise<void> {
  const folder = `${target}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const got = (await download(options, folder)) ?? (await buildWithGo(options, folder));
    renameSync(got, target);
    options.onProgress(`Temporal is stored in ${target}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download(options: BinaryOptions, folder: string): Promise<string | undefined> {
  options.onProgress(`Downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} from ${DOWNLOAD_HOST}`);
  // The helper below has no time limit for the connection, so this checks the host first.
  const limit = AbortSignal.timeout(CONNECT_LIMIT_SECONDS * 1000);
  try {
    const signal = AbortSignal.any([limit, options.signal]);
    const answer = await fetch(DOWNLOAD_HOST, { method: 'HEAD', redirect: 'manual', signal });
    await answer.body?.cancel();
  } catch {
    options.signal.throwIfAborted();
    options.onProgress(`${DOWNLOAD_HOST} cannot be reached from this machine`);
    return undefined;
  }
  try {
    const script = join(import.meta.dirname, 'download.ts');
    const args = [script, `v${TEMPORAL_CLI_VERSION}`, folder];
    const timeout = DOWNLOAD_LIMIT_SECONDS * 1000;
    const { stdout } = await run(process.execPath, args, { timeout, signal: options.signal });
    return stdout.trim();
  } catch (error) {
    options.signal.throwIfAborted();
    options.onProgress(`The download failed: ${firstLine(error)}`);
    return undefined;
  }
}

const GO_FOLDERS = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin'];
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
const GO_TICK_SECONDS = 15;

/** Undefined without Go. */
export const goProgram = (searchPath: readonly string[]): string | undefined =>
  onPath('go', [...searchPath, ...GO_FOLDERS]);

async function buildWithGo(options: BinaryOptions, folder: string): Promise<string> {
  const go = goProgram(options.searchPath);
  if (go === undefined) {
    throw new Error(
      `Temporal is not available: ${DOWNLOAD_HOST} cannot be reached, and there is no Go (1.21 or ` +
        'newer) to build it. Install the Temporal CLI and put it on the PATH, or name it in ' +
        'TEMPORAL_CLI_PATH, or name a running server in TEMPORAL_ADDRESS.',
    );
  }
  options.onProgress(`Building it with ${go} instead; this takes some minutes, once`);
  await installWithGo([GO_PACKAGE], { ...options, go, folder });
  return join(folder, 'temporal');
}

interface GoOptions extends Pick<BinaryOptions, 'signal' | 'onProgress'> {
  readonly go: string;
  /** Where the programs go, each with the last name of its package. */
  readonly folder: string;
}

/** @param packages of Temporal, with their version */
export async function installWithGo(
  packages: readonly string[],
  options: GoOptions,
): Promise<void> {
  const { go, folder, signal } = options;
  const began = Date.now();
  const ticker = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000);
    options.onProgress(`Still building Temporal (${seconds} s)`);
  }, GO_TICK_SECONDS * 1000);
  try {
    // Go needs a home folder for its caches; a bare service environment may have none.
    const env = childEnvironment({
      GOBIN: folder,
      HOME: homedir(),
      GOFLAGS: '-trimpath',
      CGO_ENABLED: '0',
    });
    const flags = ['install', '-ldflags=-s -w', ...packages];
    await run(go, flags, { env, cwd: folder, signal, maxBuffer: 2 ** 26 });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`Temporal could not be built: ${firstLine(error)}`, { cause: error });
  } finally {
    clearInterval(ticker);
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n').slice(0, 3).join(' ');
}
