/** Starts the parts of the system in order, keeps them running, and stops them in reverse order. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { withinFolder } from './folder.ts';
import { startParts, type Addresses } from './parts.ts';
import { keepRunning } from './part.ts';
import type { Terminal } from './terminal.ts';
import type { ServerProcess } from '../../providers/embedded/process.ts';
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StartOptions {
  readonly config: Config;
  /** Neither a worker nor an API: for commands that need the servers alone. */
  readonly serversOnly?: boolean;
  readonly terminal: Terminal;
  /** Aborted to stop the system, also while it is starting. */
  readonly stopping: AbortController;
}

export interface System {
  /** Null without an API. */
  readonly ready: Promise<Addresses | null>;
  /** Resolves when a stop is requested; rejects when a part has failed too often. */
  readonly failed: Promise<void>;
  /** Resolves when every part has stopped; `stopping` must have been aborted before. */
  readonly stopped: () => Promise<void>;
  /** Stops the system because of an error of the start itself. */
  readonly fail: (error: unknown) => void;
  /** Kills the processes that still run. */
  readonly kill: () => void;
}

export function startSystem(options: StartOptions): System {
  const { config, serversOnly = false, terminal, stopping } = options;
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
      serversOnly,
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

/* The room on the disks of the system: what ended on a full disk waits for it before it starts. */

interface Room {
  /** Resolves when there is room, with whether it had to wait; rejects when it is aborted. */
  readonly available: () => Promise<boolean>;
}

/** PostgreSQL's recovery writes a few log files of 4 MB, and Temporal and the logs continue to write. */
const ROOM_MB_MIN = 32;
const LOOK_MS = 1_000;
const BYTES_PER_MB = 1_000_000;

interface RoomOptions {
  /** One that does not exist has room. */
  readonly folders: readonly string[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** All parts that wait share one wait, so the terminal says it once. */
function watchRoom({ folders, signal, say }: RoomOptions): Room {
  let waiting: Promise<void> | undefined;
  return {
    async available() {
      if (waiting === undefined && (await fullOne(folders)) === undefined) return false;
      await (waiting ??= wait().finally(() => (waiting = undefined)));
      return true;
    },
  };

  async function wait(): Promise<void> {
    let said: string | undefined;
    for (;;) {
      const full = await fullOne(folders);
      if (full === undefined) break;
      if (said === undefined) {
        say(`The disk is full: ${full}. What has ended starts again once there is room.`);
      }
      said ??= full;
      await sleep(LOOK_MS, undefined, { signal });
    }
    if (said !== undefined) say('The disk has room again');
  }
}

/** The first folder without room, in words. */
async function fullOne(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    // The system does not say, so nobody can wait for it.
    const disk = await statfs(folder).catch(() => undefined);
    if (disk === undefined) continue;
    const freeMb = Math.floor((disk.bavail * disk.bsize) / BYTES_PER_MB);
    if (freeMb < ROOM_MB_MIN) {
      return `${folder} has ${freeMb} MB left, and ${ROOM_MB_MIN} MB are needed`;
    }
    // Some file systems do not count their files, and report 0.
    if (disk.files > 0 && disk.ffree === 0) return `${folder} can hold no further file`;
  }
  return undefined;
}
