/** Where a tenant's hosted pages are. */
import { type Tx, inTenant } from '../../db/connection/tenancy.ts';
import { remembered } from '../context/timed-cache.ts';

export interface PagesHost {
  /** Scheme and port of the pages. */
  readonly publicUrl: string;
  /** Tenants are labels below it. */
  readonly baseDomain: string;
}

/**
 * The origin of the tenant's hosted pages, with scheme and port of PUBLIC_URL.
 *
 * @example tenantOrigin({ publicUrl: 'http://localhost:8080', baseDomain: 'localhost' }, 'demo')
 *   // 'http://demo.localhost:8080'
 */
export function tenantOrigin({ publicUrl, baseDomain }: PagesHost, label: string): string {
  const { protocol, port } = new URL(publicUrl);
  return new URL(`${protocol}//${label}.${baseDomain}${port === '' ? '' : `:${port}`}`).origin;
}

/* The origins of a tenant's own sites, which may show its hosted pages in frames. */

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
