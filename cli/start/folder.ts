/** DATA_DIR while a start uses it: locks it, ends what an earlier start left, keeps its notes. */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretKeyFile } from '../../providers/embedded/running-system.ts';
import {
  endpointsFile,
  readEndpoints,
  removeEndpoints,
  writeEndpoints,
  type Endpoints,
} from '../../providers/embedded/endpoints.ts';
import { tryLock } from '../../providers/embedded/lock.ts';
import { isRunning, processStartedAt, stopOrphan } from '../../providers/embedded/process.ts';

export interface Folder {
  readonly path: string;
  /** Adds to endpoints.json. */
  readonly note: (more: Partial<Endpoints>) => void;
  readonly release: () => void;
}

const ORPHAN_LIMIT_SECONDS = 30;
const NOTE_AGAIN_MS = 1_000;

/** In the order in which they are stopped; SIGINT is PostgreSQL's fast shutdown. */
const ORPHANS = {
  api: 'SIGTERM',
  worker: 'SIGTERM',
  temporal: 'SIGTERM',
  postgres: 'SIGINT',
} as const;

export async function withinFolder(path: string, say: (line: string) => void): Promise<Folder> {
  const lock = tryLock(join(path, 'start.lock'));
  if (!lock) {
    const pid = readEndpoints(path)?.processes['start']?.pid;
    const holder = pid === undefined ? 'another npm start' : `another npm start (pid ${pid})`;
    throw new Error(`${path} is in use by ${holder}. Stop it, or set another DATA_DIR.`);
  }
  await stopOrphans(path, say);
  const start = { pid: process.pid, startedAt: processStartedAt(process.pid) ?? '' };
  let endpoints: Endpoints = { status: 'starting', processes: { start } };
  writeEndpoints(path, endpoints);
  let again: NodeJS.Timeout | undefined;
  return {
    path,
    note(more) {
      const processes = { ...endpoints.processes, ...more.processes };
      endpoints = { ...endpoints, ...more, processes };
      write();
    },
    release() {
      clearTimeout(again);
      removeEndpoints(path);
      lock.release();
    },
  };

  /** A full disk must not stop a part that runs: the file is written when there is room. */
  function write(): void {
    const hasFailed = again !== undefined;
    clearTimeout(again);
    again = undefined;
    try {
      writeEndpoints(path, endpoints);
      if (hasFailed) say(`${endpointsFile(path)} is written again`);
    } catch (error) {
      if (!hasFailed) say(`${endpointsFile(path)} cannot be written: ${String(error)}`);
      again = setTimeout(write, NOTE_AGAIN_MS);
    }
  }
}

/** Processes that a killed start left running would keep the ports and the data. */
async function stopOrphans(path: string, say: (line: string) => void): Promise<void> {
  const processes = readEndpoints(path)?.processes ?? {};
  for (const [name, signal] of Object.entries(ORPHANS)) {
    const identity = processes[name];
    if (!identity || !isRunning(identity)) continue;
    say(`Stopping ${name} (pid ${identity.pid}), which the last start left running`);
    await stopOrphan(identity, { signal, limitSeconds: ORPHAN_LIMIT_SECONDS });
  }
}

/** Made at the first start and kept: secrets sealed with it cannot be read with another key. */
export function keptSecretKey(path: string): string {
  const name = secretKeyFile(path);
  if (!existsSync(name)) {
    // Renamed when it is complete, as a full disk would leave an empty key.
    writeFileSync(`${name}.new`, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    renameSync(`${name}.new`, name);
  }
  return readFileSync(name, 'utf8').trim();
}
