/** Brings the parts of the system up in order, keeps them up, and takes them down in reverse. */

import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { withinFolder } from './folder.ts';
import { startParts } from './parts.ts';
import type { Addresses } from './parts.ts';
import { keepRunning } from './part.ts';
import type { Terminal } from './terminal.ts';
import type { ServerProcess } from '../../providers/embedded/process.ts';

export interface StartOptions {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Aborted by whoever wants the system stopped, also while it is starting. */
  readonly stopping: AbortController;
}

export interface System {
  readonly ready: Promise<Addresses>;
  /** Resolves when the stop is asked for, rejects when a part is given up. */
  readonly failed: Promise<void>;
  /** Resolves when every part has stopped; `stopping` must have been aborted. */
  readonly stopped: () => Promise<void>;
  /** Kills what still runs. */
  readonly kill: () => void;
}

export function startSystem({ config, terminal, stopping }: StartOptions): System {
  const { signal } = stopping;
  const stops: (() => Promise<void>)[] = [];
  const servers = new Set<ServerProcess>();
  const end = Promise.withResolvers<void>();
  end.promise.catch(() => {});
  signal.addEventListener('abort', () => end.resolve(), { once: true });

  const ready = (async () => {
    const folder = await withinFolder(config.dataDir, terminal.say);
    stops.push(async () => folder.release());
    return await startParts({
      config,
      signal,
      say: terminal.say,
      folder,
      root: join(import.meta.dirname, '../..'),
      onProcess(name, server) {
        servers.add(server);
        folder.note({ processes: { [name]: server.identity } });
      },
      async keep(name, start) {
        const options = { name, start, signal, say: terminal.say, onGivenUp: end.reject };
        const part = await keepRunning(options);
        stops.push(part.stop);
        return part;
      },
    });
  })();

  return {
    ready,
    failed: end.promise,
    async stopped() {
      await ready.catch(() => {});
      for (const stop of stops.toReversed()) await stop();
    },
    kill() {
      for (const server of servers) if (server.running()) server.child.kill('SIGKILL');
    },
  };
}
