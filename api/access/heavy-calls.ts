/**
 * Classifies a tenant's calls as heavy by the bytes that they recently exchanged with PostgreSQL.
 * It measures bytes, because time would blame a tenant for the load of others.
 */
import { createTimedCache } from '../../operations/context/timed-cache.ts';

/** A transaction that moves at most this much is light. */
export const LIGHT_MOVED_BYTES_MAX = 256 * 1_024;
/** The rate at which the excess is forgotten. */
export const FORGOTTEN_BYTES_PER_SECOND = 1_024 * 1_024;
/** The most that is remembered: a minute after the last heavy call everything is forgotten. */
export const REMEMBERED_BYTES_MAX = 60 * FORGOTTEN_BYTES_PER_SECOND;
const KEYS_MAX = 10_000;
const SECOND_MS = 1_000;

export interface HeavyCalls {
  /** @param key names the kind of call and its tenant */
  readonly isHeavy: (key: string) => boolean;
  readonly noteMoved: (key: string, bytes: number) => void;
}

interface Remembered {
  readonly bytes: number;
  readonly atMs: number;
}

/** @param clock a monotonic clock in milliseconds */
export function createHeavyCalls(clock: () => number): HeavyCalls {
  const remembered = createTimedCache<string, Remembered>({ clock, entriesMax: KEYS_MAX });

  function leftOf(key: string): number {
    const noted = remembered.get(key);
    if (noted === undefined) return 0;
    const forgotten = ((clock() - noted.atMs) / SECOND_MS) * FORGOTTEN_BYTES_PER_SECOND;
    return Math.max(0, noted.bytes - forgotten);
  }
  return {
    isHeavy: (key) => leftOf(key) > 0,
    noteMoved(key, moved) {
      if (!(moved > LIGHT_MOVED_BYTES_MAX)) return;
      const bytes = Math.min(leftOf(key) + moved, REMEMBERED_BYTES_MAX);
      const forMs = (bytes / FORGOTTEN_BYTES_PER_SECOND) * SECOND_MS;
      remembered.set(key, { bytes, atMs: clock() }, { forMs });
    },
  };
}
