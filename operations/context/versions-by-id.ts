/** Rows that never change once made, such as versions of plans: a process reads each of them once. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/connection/database.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { onceFor } from './timed-cache.ts';

const CACHED_VERSIONS_MAX = 10_000;

/** Those of these ids that exist; `db` is the database that the transaction belongs to. */
export type VersionsById<Version> = (
  db: Database,
  tx: Tx,
  ids: Iterable<number>,
) => Promise<ReadonlyMap<number, Version>>;

/** Keeps what `read` returns; ids are unique over all tenants of a database. */
export function versionsById<Version extends { readonly id: number }>(
  read: (tx: Tx, ids: readonly number[]) => Promise<readonly Version[]>,
): VersionsById<Version> {
  const cacheFor = onceFor(
    (_db: Database) => new LRUCache<number, Version>({ max: CACHED_VERSIONS_MAX }),
  );
  return async (db, tx, ids) => {
    const cache = cacheFor(db);
    const found = new Map<number, Version>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const version = cache.get(id);
      if (version) found.set(id, version);
      else missing.push(id);
    }
    for (const version of missing.length > 0 ? await read(tx, missing) : []) {
      cache.set(version.id, version);
      found.set(version.id, version);
    }
    return found;
  };
}
