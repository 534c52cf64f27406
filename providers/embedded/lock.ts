/** A lock between processes that the operating system frees when its holder ends. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** References that prevent garbage collection, which would close a database and free its lock. */
const held = new Set<DatabaseSync>();

/**
 * Undefined when another process holds it. The lock is SQLite's own on an empty database file: the
 * operating system frees it when the holder dies, so there is no stale lock to recognise.
 */
export function tryLock(file: string): FileLock | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) return undefined;
    throw error;
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.close();
    },
  };
}

const LOCK_POLL_MS = 250;

/** Somebody who waits at a terminal is told so often. */
const WAITING_TOLD_MS = 15_000;

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called once it has to wait, and again and again while it does. */
  readonly onWait: () => void;
  readonly againMs?: number;
}

/** Waits until the lock is free. */
export async function waitForLock(
  file: string,
  { signal, onWait, againMs = WAITING_TOLD_MS }: WaitOptions,
): Promise<FileLock> {
  let tellAt = 0;
  for (;;) {
    signal.throwIfAborted();
    const lock = tryLock(file);
    if (lock) return lock;
    const now = performance.now();
    if (now >= tellAt) {
      tellAt = now + againMs;
      onWait();
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}
