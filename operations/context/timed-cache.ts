/**
 * A cache with a limit of entries, and optionally of bytes, whose entries expire; it evicts the
 * least recently used entries first. It implements the expiry itself, because lru-cache never
 * expires an entry that was set at time 0, and the clocks of tests begin at any time.
 */
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connection/database.ts';

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

/*
 * What a process remembers of the tenants' files, and for how long. A process asks the database no
 * more than once a second for each tenant; `apply` answers only when all of them have forgotten
 * what it changed, so no call that begins afterwards sees the old file, in whatever process.
 */

/** How long anything that a tenant's file says may be remembered, from before it is read. */
export const REMEMBERED_MS = 1_000;
/** For timers that fire early, and clocks of machines that differ in their rates. */
const SLACK_MS = 20;
const TENANTS_REMEMBERED_MAX = 10_000;

/** Reads something that follows from a tenant's file. */
type Read<Fact> = (reader: { readonly db: Database }, tenantId: number) => Promise<Fact>;

/**
 * Reads at most once a second for each tenant and database. It counts in the time of the process,
 * which never goes back; a tenant's clock may move by weeks within that second.
 */
export function remembered<Fact>(read: Read<Fact>): Read<Fact> {
  const cacheOf = onceFor((_db: Database) =>
    createTimedCache<number, Promise<Fact>>({
      clock: () => performance.now(),
      entriesMax: TENANTS_REMEMBERED_MAX,
    }),
  );
  return (reader, tenantId) =>
    remember(cacheOf(reader.db), tenantId, { forMs: REMEMBERED_MS }, () => read(reader, tenantId));
}

/** Resolves when no process remembers anything that it read before this call. */
export async function allForgotten(): Promise<void> {
  await sleep(REMEMBERED_MS + SLACK_MS);
}
