/** Reads the logo that a tenant's pages show. */
import type { Tx } from '../../db/connection/tenancy.ts';

/** As a data: URI; undefined without one. */
export async function readLogo(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.query<{ logo: string | null }>(
    `select file->>'logo' as logo from tenant where id = $1`,
    [tx.tenantId],
    'tenant-logo',
  );
  return row?.logo ?? undefined;
}
