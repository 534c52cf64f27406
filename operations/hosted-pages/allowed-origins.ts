/** The origins of a tenant's own sites, which may show its hosted pages in frames. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies } from '../context/context.ts';
import { onceFor } from '../context/once-for.ts';
import { createTimedCache } from '../context/timed-cache.ts';

const CACHE_MS = 1_000;
const TENANTS_CACHED_MAX = 10_000;
const cached = onceFor((_db: Database) =>
  onceFor((clock: () => number) =>
    createTimedCache<number, readonly string[]>({ clock, entriesMax: TENANTS_CACHED_MAX }),
  ),
);

/** In order; at most a second old. */
export async function allowedOrigins(
  { db, realNow }: Pick<Dependencies, 'db' | 'realNow'>,
  tenantId: number,
): Promise<readonly string[]> {
  const cache = cached(db)(realNow);
  const known = cache.get(tenantId);
  if (known !== undefined) return known;
  const origins = await inTenant(db, tenantId, readAllowedOrigins, {
    readOnly: true,
    single: true,
  });
  cache.set(tenantId, origins, { forMs: CACHE_MS });
  return origins;
}

/** In order; those of now. */
export async function readAllowedOrigins(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.query<{ origin: string }>(
    'select origin from allowed_origin where tenant_id = $1 order by origin',
    [tx.tenantId],
    'allowed-origins',
  );
  return rows.map(({ origin }) => origin);
}
