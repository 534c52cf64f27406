/** A second API process on the same servers, as a deployment has them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../../config.ts';
import type { BenchSystem } from '../support/system.ts';

export interface SecondApi {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export interface SecondApiOptions {
  /** Options for Node, before the entry. */
  readonly execArgv?: readonly string[];
  /** Receives its output once it is ready. */
  readonly onLine?: (line: string) => void;
}

export async function startSecondApi(
  system: BenchSystem,
  { execArgv = [], onLine = () => undefined }: SecondApiOptions = {},
): Promise<SecondApi> {
  const entry = join(import.meta.dirname, '../../api/main.ts');
  const child = spawn(process.execPath, [...execArgv, entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({
      DATABASE_URL: system.ownerUrl,
      TEMPORAL_ADDRESS: system.temporalAddress,
      TEMPORAL_NAMESPACE: system.temporalNamespace,
      SECRET_KEY: 'b'.repeat(64),
      PORT: '0',
      LOG_LEVEL: 'warn',
    }),
  });
  const exited = once(child, 'exit');
  const ready = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, port } = JSON.parse(line) as { readonly msg?: string; readonly port?: number };
    if (msg === 'ready' && port !== undefined) ready.resolve(port);
    else onLine(line);
  });
  const ended = exited.then(() => {
    throw new Error('the second API ended before it was ready');
  });
  const port = await Promise.race([ready.promise, ended]);
  ended.catch(() => undefined);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
