/** Counts attempts of keys in windows of a minute, in this process. */
import { createHash } from 'node:crypto';
import { waitOf } from '../../operations/access/shared-attempts.ts';
import { createTimedCache } from '../../operations/context/timed-cache.ts';

export interface Attempts {
  /** Seconds until another attempt of the key is allowed, or 0. */
  readonly waitSeconds: (key: string, failuresMax: number) => number;
  /** No attempt has failed or is in progress. */
  readonly isNew: (key: string) => boolean;
  /** Counts an attempt before it ends, so that simultaneous attempts stay within the limit. */
  readonly begin: (key: string) => void;
  readonly end: (key: string, isFailure: boolean) => void;
}

interface Window {
  readonly endsAt: number;
  failures: number;
  underWay: number;
}

const WINDOW_MS = 60_000;
const KEYS_MAX = 20_000;
const BYTES_MAX = 16 * 1_024 * 1_024;

/** @param clock a monotonic clock in milliseconds */
export function createAttempts(clock: () => number): Attempts {
  const bounds = { clock, entriesMax: KEYS_MAX, bytesMax: BYTES_MAX };
  const windows = createTimedCache<string, Window>(bounds);
  function windowOf(key: string): Window {
    let window = windows.get(key);
    if (window === undefined) {
      window = { endsAt: clock() + WINDOW_MS, failures: 0, underWay: 0 };
      windows.set(key, window, { forMs: WINDOW_MS });
    }
    return window;
  }
  return {
    waitSeconds(key, failuresMax) {
      const window = windows.get(key);
      if (window === undefined) return 0;
      const { failures, underWay, endsAt } = window;
      const secondsLeft = Math.ceil((endsAt - clock()) / 1_000);
      return waitOf({ failures, underWay: underWay + 1, secondsLeft }, failuresMax);
    },
    isNew(key) {
      const window = windows.get(key);
      return window === undefined || window.failures + window.underWay === 0;
    },
    begin: (key) => void (windowOf(key).underWay += 1),
    end(key, isFailure) {
      const window = windowOf(key);
      // The attempt may have begun in an earlier window.
      window.underWay = Math.max(0, window.underWay - 1);
      if (isFailure) window.failures += 1;
    },
  };
}

/** A key of fixed size, however long the name is; no token remains in memory. */
export function attemptKey(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** The same key, as it is counted for all processes. */
export const sharedKey = (key: string): Buffer => Buffer.from(key, 'base64');
