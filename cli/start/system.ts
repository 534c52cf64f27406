/** Starts the parts of the system in order, keeps them running, and stops them in reverse order. */

import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { withinFolder } from './folder.ts';
import { startParts } from './parts.ts';
import type { Addresses } from './parts.ts';
import { keepRunning } from './part.ts';
import { watchRoom } from './room.ts';
import type { Terminal } from './terminal.ts';
import type { ServerProcess } from '../../providers/embedded/process.ts';

export interface StartOptions {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Aborted to stop the system, also while it is starting. */
  readonly stopping: AbortController;
}

export interface System {
  readonly ready: Promise<Addresses>;
  /** Resolves when a stop is requested; rejects when a part has failed too often. */
  readonly failed: Promise<void>;
  /** Resolves when every part has stopped; `stopping` must have been aborted before. */
  readonly stopped: () => Promise<void>;
  /** Stops the system because of an error of the start itself. */
  readonly fail: (error: unknown) => void;
  /** Kills the processes that still run. */
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
    const room = watchRoom({
      folders: [folder.path, join(folder.path, 'postgres')],
      signal,
      say: terminal.say,
    });
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
        const part = await keepRunning({
          name,
          start,
          signal,
          say: terminal.say,
          untilRoom: room.available,
          onGivenUp: end.reject,
        });
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
    fail(error) {
      end.reject(error);
      stopping.abort(error);
    },
    kill() {
      for (const server of servers) if (server.running()) server.child.kill('SIGKILL');
    },
  };
}
