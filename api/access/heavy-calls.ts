/**
 * Which of a tenant's calls are heavy: what they moved between here and PostgreSQL lately says so.
 * Bytes, because time would blame a tenant for the load that others make.
 */

/** Moved by one transaction; so much costs no one anything. */
export const LIGHT_MOVED_BYTES_MAX = 256 * 1_024;
/** What is beyond it is forgotten by and by. */
export const FORGOTTEN_BYTES_PER_SECOND = 1_024 * 1_024;
/** No more is remembered: a minute after the last heavy call all is forgotten. */
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

/** @param clock milliseconds that only go forwards */
export function createHeavyCalls(clock: () => number): HeavyCalls {
  const remembered = new Map<string, Remembered>();

  function left({ bytes, atMs }: Remembered): number {
    return bytes - ((clock() - atMs) / SECOND_MS) * FORGOTTEN_BYTES_PER_SECOND;
  }
  function leftOf(key: string): number {
    const noted = remembered.get(key);
    return noted === undefined ? 0 : Math.max(0, left(noted));
  }
  function makeRoom(): void {
    for (const [key, noted] of remembered) if (left(noted) <= 0) remembered.delete(key);
    // The oldest notes: a call that goes on being heavy is noted again.
    for (const key of remembered.keys()) {
      if (remembered.size < KEYS_MAX) return;
      remembered.delete(key);
    }
  }
  return {
    isHeavy: (key) => leftOf(key) > 0,
    noteMoved(key, moved) {
      if (!(moved > LIGHT_MOVED_BYTES_MAX)) return;
      const bytes = Math.min(leftOf(key) + moved, REMEMBERED_BYTES_MAX);
      remembered.delete(key);
      if (remembered.size >= KEYS_MAX) makeRoom();
      remembered.set(key, { bytes, atMs: clock() });
    },
  };
}
