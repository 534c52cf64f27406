/** The origins of a tenant's own sites, which may show its hosted pages in frames. */
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { remembered } from '../context/remembered.ts';

/** In order; those of its newest file. */
export const allowedOrigins = remembered(({ db }, tenantId) =>
  inTenant(db, tenantId, readAllowedOrigins, { readOnly: true, single: true }),
);

/** In order; those of now. */
export async function readAllowedOrigins(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.query<{ origin: string }>(
    'select origin from allowed_origin where tenant_id = $1 order by origin',
    [tx.tenantId],
    'allowed-origins',
  );
  return rows.map(({ origin }) => origin);
}
