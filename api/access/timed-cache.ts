/** A cache bounded in entries and bytes, whose entries expire; the least recently used go first. */
import { LRUCache } from 'lru-cache';

export interface TimedCache<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T, kept: Kept) => void;
  readonly delete: (key: string) => void;
}

export interface Kept {
  readonly forMs: number;
  /** What the caller chooses the size of; the rest is counted anyway. */
  readonly bytes?: number;
}

export interface TimedCacheOptions {
  /** Milliseconds on a clock that only goes forwards. */
  readonly clock: () => number;
  readonly entriesMax: number;
  readonly bytesMax: number;
}

/** Of an entry, its key left out: what an object of a few fields and a promise take. */
const ENTRY_BYTES = 400;
const BYTES_OF_CHARACTER = 2;

interface Timed<T> {
  readonly value: T;
  readonly until: number;
  readonly bytes: number;
}

export function createTimedCache<T>(options: TimedCacheOptions): TimedCache<T> {
  const { clock, entriesMax, bytesMax } = options;
  const entries = new LRUCache<string, Timed<T>>({
    max: entriesMax,
    maxSize: bytesMax,
    sizeCalculation: ({ bytes }, key) => ENTRY_BYTES + key.length * BYTES_OF_CHARACTER + bytes,
  });
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
