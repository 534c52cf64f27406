/**
 * Stripe's own mock server, which checks every request against Stripe's published description of
 * its interface. It is built with Go, once for all checkouts of this user.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerCompletionHandler } from 'ava';
import { childEnvironment, loadConfig } from '../../../config.ts';
import { waitForLock } from '../../../providers/embedded/lock.ts';
import { choosePort, isListening } from '../../../providers/embedded/ports.ts';

const VERSION = '0.203.0';
const PACKAGE = `github.com/stripe/stripe-mock@v${VERSION}`;
const GO_FOLDERS = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin'];
const run = promisify(execFile);

/** Its address, or the reason why there is none. It stops with this process. */
export async function startStripeMock(): Promise<{ url: string } | { leftOut: string }> {
  const program = await built();
  if ('leftOut' in program) return program;
  const port = await choosePort({ variable: 'the port of stripe-mock', wanted: undefined });
  const child = spawn(program.path, ['-http-port', String(port)], { stdio: 'ignore' });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  registerCompletionHandler(stop);
  const ended = once(child, 'exit').then(() => {
    throw new Error('stripe-mock did not start');
  });
  ended.catch(() => {});
  const listening = async (): Promise<void> => {
    while (!(await isListening(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await Promise.race([listening(), ended]);
  return { url: `http://127.0.0.1:${port}` };
}

async function built(): Promise<{ path: string } | { leftOut: string }> {
  const { cacheDir, searchPath } = loadConfig();
  const name = `stripe-mock-${VERSION}-${process.platform}-${process.arch}`;
  const cached = join(cacheDir, name);
  if (existsSync(cached)) return { path: cached };
  const go = [...searchPath, ...GO_FOLDERS].map((folder) => join(folder, 'go')).find(isProgram);
  if (go === undefined) return { leftOut: 'left out: there is no Go to build it with' };
  const signal = new AbortController().signal;
  const lock = await waitForLock(`${cached}.lock`, { signal, onWait: () => {} });
  try {
    // The previous holder of the lock may have installed it.
    if (!existsSync(cached)) await build(go, cached);
    return { path: cached };
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { leftOut: `left out: it could not be built: ${reason}` };
  } finally {
    lock.release();
  }
}

/** Into a separate folder first, then renamed, so that the cache is never incomplete. */
async function build(go: string, target: string): Promise<void> {
  const folder = `${target}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const settings = { GOBIN: folder, HOME: homedir(), GOFLAGS: '-trimpath', CGO_ENABLED: '0' };
    const env = childEnvironment(settings);
    await run(go, ['install', '-ldflags=-s -w', PACKAGE], { env, cwd: folder, maxBuffer: 2 ** 26 });
    renameSync(join(folder, 'stripe-mock'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
