/** The processes of a system as `npm start` runs them, which a test kills and restarts. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, loadConfig } from '../../../config.ts';
import { openLogFile } from '../../../cli/start/log-file.ts';
import { startNodeChild } from '../../../cli/start/node-child.ts';
import { choosePort } from '../../../providers/embedded/ports.ts';
import type { ServerProcess } from '../../../providers/embedded/process.ts';
import { temporalBinary } from '../../../providers/temporal/binary.ts';
import { startTemporal } from '../../../providers/temporal/server.ts';
import { testDatabase } from '../../support/database.ts';
import { testBundle } from '../../support/temporal.ts';
import { SECRET_KEY } from '../../support/tenants.ts';

const root = join(import.meta.dirname, '../../..');
const namespace = 'default';

type Settings = Readonly<Record<string, string>>;

/** A part that runs, is killed, and is restarted at the same address. */
export interface Mortal {
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>;
  /** SIGTERM, as a deployment sends it; resolves with how the process ended: `exit code 0`. */
  readonly end: () => Promise<string>;
  /** It was started, and has not ended, by itself or killed. */
  readonly runs: () => boolean;
  /** Of the process that runs; 0 if none does. */
  readonly pid: () => number;
  /** @param settings for this start, in addition to those of all parts */
  readonly start: (settings?: Settings) => Promise<void>;
  /** It runs, but does nothing. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

export interface Parts {
  /** The files of their logs: `worker.log`, `api.log`, `temporal.log`. */
  readonly folder: string;
  readonly ownerUrl: string;
  readonly apiUrl: string;
  readonly engine: { readonly address: string; readonly namespace: string };
  readonly temporal: Mortal;
  readonly worker: Mortal;
  /** A second worker, which does not run until it is started. */
  readonly another: Mortal;
  readonly api: Mortal;
  readonly stop: () => Promise<void>;
}

interface Started {
  readonly server: ServerProcess;
  readonly stop: () => Promise<void>;
}

/** Where the parts reach each other; a proxy may be between them. */
export interface PartsOptions {
  /** The address of the schema's owner; that of a database of its own by default. */
  readonly ownerUrl?: string;
  readonly databaseThrough?: (url: string) => Promise<string>;
  readonly engineThrough?: (address: string) => Promise<string>;
}

/** The Temporal server keeps a file, as it does for `npm start`. */
export async function startParts(
  settings: Settings = {},
  options: PartsOptions = {},
): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), 'sundial-crash-'));
  const stopping = new AbortController();
  const { signal } = stopping;
  const ownerUrl = options.ownerUrl ?? (await testDatabase()).ownerUrl;
  const [temporalPort, apiPort] = [await freePort('TEMPORAL_PORT'), await freePort('PORT')];
  const { temporalCliPath: cliPath, searchPath, cacheDir } = loadConfig();
  const binary = await temporalBinary({ cliPath, searchPath, cacheDir, signal, onProgress: quiet });
  const engine = { address: `127.0.0.1:${temporalPort}`, namespace };
  const env = childEnvironment({
    DATABASE_URL: (await options.databaseThrough?.(ownerUrl)) ?? ownerUrl,
    TEMPORAL_ADDRESS: (await options.engineThrough?.(engine.address)) ?? engine.address,
    TEMPORAL_NAMESPACE: namespace,
    SECRET_KEY,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    LOG_LEVEL: 'info',
    WORKFLOW_BUNDLE: (await testBundle()).codePath,
    ...settings,
  });
  const node = (name: string, entry: string) => (own: Settings) => {
    const log = openLogFile(join(folder, `${name}.log`), quiet);
    const child = { name, entry: join(root, entry), env: { ...env, ...own }, log, signal };
    return startNodeChild({ ...child, say: quiet, onProcess: quiet });
  };
  const temporal = mortal(() =>
    startTemporal({ binary, folder, headless: true, namespace, port: temporalPort, signal }),
  );
  const worker = mortal(node('worker', 'activities/worker.ts'));
  const another = mortal(node('another', 'activities/worker.ts'));
  const api = mortal(node('api', 'api/main.ts'));
  const stop = async (): Promise<void> => {
    for (const part of [api, another, worker, temporal]) await part.stop();
    stopping.abort();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await temporal.start();
    await worker.start();
    await api.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  return { folder, ownerUrl, apiUrl, engine, temporal, worker, another, api, stop };
}

function mortal(
  start: (settings: Settings) => Promise<Started>,
): Mortal & { readonly stop: () => Promise<void> } {
  let running: Started | undefined;
  // Ends everything if the test run is interrupted.
  process.once('exit', () => running?.server.child.kill('SIGKILL'));
  return {
    async start(settings = {}) {
      running = await start(settings);
    },
    async kill() {
      if (!running) throw new Error('it does not run');
      running.server.child.kill('SIGKILL');
      await running.server.exited;
      running = undefined;
    },
    async end() {
      if (!running) throw new Error('it does not run');
      const { server } = running;
      running = undefined;
      server.child.kill('SIGTERM');
      return server.exited;
    },
    runs: () => running?.server.running() === true,
    pid: () => running?.server.child.pid ?? 0,
    freeze: () => running?.server.child.kill('SIGSTOP'),
    thaw: () => running?.server.child.kill('SIGCONT'),
    async stop() {
      running?.server.child.kill('SIGCONT');
      await running?.stop();
    },
  };
}

function freePort(variable: string): Promise<number> {
  return choosePort({ variable, wanted: undefined });
}

function quiet(): void {}
