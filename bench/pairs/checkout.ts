/** Runs the system of any checkout by its own `npm start`, so that two commits can be compared. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../config.ts';
import { readEndpoints, type Endpoints } from '../../providers/embedded/endpoints.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { pidsOf, type Pids } from '../support/system.ts';

export interface Checkout {
  /** Where its API listens. */
  readonly apiUrl: string;
  readonly pids: Pids;
  /** Applies a tenant file with the checkout's own command. */
  readonly applyTenant: (file: string) => Promise<void>;
}

const LOOK_MS = 200;
const START_LIMIT_MS = 180_000;

/**
 * @param root the checkout's folder, in which `npm ci` has been run
 * @param cleanups receives what stops the system, before it is ready
 */
export async function startCheckout(
  root: string,
  cleanups: (() => Promise<void>)[],
): Promise<Checkout> {
  const folder = await makeFolder();
  const env = childEnvironment({
    DATA_DIR: folder,
    PORT: '0',
    // The variables of the caller's shell about other servers are not for this one.
    DATABASE_URL: '',
    POSTGRES_PORT: '',
    TEMPORAL_ADDRESS: '',
    TEMPORAL_PORT: '',
    TEMPORAL_UI_PORT: '',
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
  return {
    apiUrl: endpoints.apiUrl ?? '',
    pids: pidsOfAll(endpoints),
    async applyTenant(file) {
      const [code] = await once(run(['run', 'tenant', '--', 'apply', file]), 'exit');
      if (code !== 0) throw new Error(`the tenant file was refused in ${root}`);
    },
  };
}

function pidsOfAll(endpoints: Endpoints): Pids {
  const postgres = endpoints.processes['postgres']?.pid;
  if (postgres === undefined) throw new Error('the start does not name postgres');
  return { ...pidsOf(endpoints), postgres };
}
