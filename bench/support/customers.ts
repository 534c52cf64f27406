/** Customers of a tenant whose orders are posted. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';

const CUSTOMERS = 200;

/** Returns their ids. */
export async function fillCustomers(db: Database, tenantId: number): Promise<number[]> {
  const rows = await inTenant(db, tenantId, (tx) =>
    tx.query<{ id: number }>(
      `insert into customer (tenant_id, name, status, currency, created_at, updated_at)
       select $1, 'Customer ' || n, 'Active', 'USD', now(), now() from generate_series(1, $2::int) n
       returning id`,
      [tenantId, CUSTOMERS],
    ),
  );
  return rows.map(({ id }) => id);
}
