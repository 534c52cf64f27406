/**
 * What a process remembers of the tenants' files, and for how long. A process asks the database no
 * more than once a second for each tenant; `apply` answers only when all of them have forgotten
 * what it changed, so no call that begins afterwards sees the old file, in whatever process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connection/database.ts';
import { createTimedCache, remember, onceFor } from './timed-cache.ts';

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
