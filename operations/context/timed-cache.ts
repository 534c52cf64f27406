/**
 * A cache with a limit of entries, and optionally of bytes, whose entries expire; it evicts the
 * least recently used entries first. It implements the expiry itself, because lru-cache never
 * expires an entry that was set at time 0, and the clocks of tests begin at any time.
 */
import { LRUCache } from 'lru-cache';

export interface TimedCache<Key, T> {
  readonly get: (key: Key) => T | undefined;
  readonly set: (key: Key, value: T, kept: Kept) => void;
  readonly delete: (key: Key) => void;
}

export interface Kept {
  readonly forMs: number;
  /** The size of the caller's part; the cache adds the rest. */
  readonly bytes?: number;
}

export interface TimedCacheOptions {
  /** Milliseconds of the caller's clock, which tests can set. */
  readonly clock: () => number;
  readonly entriesMax: number;
  /** For entries that callers can make large. */
  readonly bytesMax?: number;
}

/** The size of an entry without its key: an object of a few fields and a promise. */
const ENTRY_BYTES = 400;
const BYTES_OF_CHARACTER = 2;

interface Timed<T> {
  readonly value: T;
  readonly until: number;
  readonly bytes: number;
}

export function createTimedCache<Key extends string | number, T>(
  options: TimedCacheOptions,
): TimedCache<Key, T> {
  const { clock, entriesMax, bytesMax } = options;
  const inBytes = bytesMax !== undefined && { maxSize: bytesMax, sizeCalculation: bytesOf };
  const entries = new LRUCache<Key, Timed<T>>({ max: entriesMax, ...inBytes });
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.until > clock()) return entry?.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, { forMs, bytes = 0 }) {
      entries.set(key, { value, until: clock() + forMs, bytes });
    },
    delete: (key) => void entries.delete(key),
  };
}

function bytesOf({ bytes }: Timed<unknown>, key: string | number): number {
  return ENTRY_BYTES + String(key).length * BYTES_OF_CHARACTER + bytes;
}

/**
 * Shares one answer among simultaneous callers; a failure is not kept, so the next call retries.
 * The time counts from before the question, because the answer may be as old as that.
 */
export function remember<Key, T>(
  cache: TimedCache<Key, Promise<T>>,
  key: Key,
  kept: Kept,
  ask: () => Promise<T>,
): Promise<T> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  // Asked after it is set: nothing is read before its time begins.
  const asked = Promise.resolve().then(ask);
  cache.set(key, asked, kept);
  asked.catch(() => cache.delete(key));
  return asked;
}

/** Makes a value once per object, such as a cache per database; it is collected with the object. */
export function onceFor<Key extends WeakKey, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return (key) => {
    let kept = made.get(key);
    if (kept === undefined) made.set(key, (kept = { value: make(key) }));
    return kept.value;
  };
}
