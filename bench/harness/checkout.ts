/** Runs the system of any checkout by its own `npm start`, so that two commits can be compared. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../config.ts';
import { readEndpoints } from '../../providers/embedded/endpoints.ts';
import { untilQuiet } from './processes.ts';
import type { Cleanup } from './scenario.ts';
import { makeFolder, ownServers, pidsOf, removeFolder, type Side } from './system.ts';

const LOOK_MS = 200;
const START_LIMIT_MS = 180_000;

/**
 * @param root the checkout's folder, in which `npm ci` has been run
 * @param cleanups receives what stops the system, before it is ready
 */
export async function startCheckout(root: string, cleanups: Cleanup[]): Promise<Side> {
  const folder = await makeFolder();
  const env = childEnvironment({
    DATA_DIR: folder,
    PORT: '0',
    ...ownServers,
    DATABASE_URL: '',
    POSTGRES_PORT: '',
    // The receiver of callbacks is on this machine.
    CALLBACK_ALLOW_PRIVATE: 'true',
  });
  const run = (args: readonly string[]) =>
    spawn('npm', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const start = run(['start']);
  const giveUpAt = performance.now() + START_LIMIT_MS;
  const exited = once(start, 'exit');
  let endpoints = readEndpoints(folder);
  cleanups.push(async () => {
    start.kill('SIGTERM');
    await exited;
    await removeFolder(folder, endpoints?.postgresFolder);
  });
  while (endpoints?.status !== 'ready') {
    const hasEnded = start.exitCode !== null;
    if (hasEnded || performance.now() > giveUpAt) {
      throw new Error(`npm start in ${root} ${hasEnded ? 'ended' : 'is never ready'}`);
    }
    await sleep(LOOK_MS);
    endpoints = readEndpoints(folder);
  }
  const pids = pidsOf(endpoints);
  return {
    apiUrl: endpoints.apiUrl ?? '',
    pids,
    settled: () => untilQuiet(pids),
    async applyTenant(text) {
      const file = join(folder, 'tenant.yaml');
      await writeFile(file, text);
      const [code] = await once(run(['run', 'tenant', '--', 'apply', file]), 'exit');
      if (code !== 0) throw new Error(`the tenant file was refused in ${root}`);
    },
  };
}
