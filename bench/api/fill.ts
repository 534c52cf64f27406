/** Fills the tenant with customers, contacts and orders without anything due, by plain SQL. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { childEnvironment } from '../../config.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import type { Database } from '../../db/connection/database.ts';
import { tenantIdOf } from '../../operations/context/context.ts';

export interface Filled {
  readonly tenantId: number;
  readonly customers: readonly number[];
}

export async function fill(db: Database, ownerUrl: string, customers: number): Promise<Filled> {
  await applyTenant(ownerUrl);
  const tenantId = await tenantIdOf(db, 'bench');
  if (tenantId === null) throw new Error('the tenant was not made');
  const ids = await inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at,
         updated_at, search_text)
       select $1, 'Customer ' || n, 'Active', 'C' || n, 'USD', now(), now(),
         'customer ' || n || E'\\nc' || n || E'\\nmail' || n || '@example.com'
       from generate_series(1, $2) n`,
      [tenantId, customers],
    );
    await tx.query(
      `insert into contact (tenant_id, customer_id, kind, first_name, last_name, email_primary,
         street1, city, state, zip, country, country_code)
       select tenant_id, id, 'billing', 'Customer', substr(name, 10), 'mail@example.com',
         '1 Main St', 'Albany', 'NY', '12207', 'United States', 'US' from customer`,
    );
    await tx.query(
      `with taken as (
         update counter set next = next + $2 where kind = 'order' returning next - $2 as first)
       insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id,
         currency, start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         next_billable_date, bill_on, created_at, updated_at)
       select $1, taken.first + row_number() over (order by c.id) - 1, 'Active', c.id, p.id, 'USD',
         current_date, current_date, true, current_date, 0, false, current_date + 400,
         current_date + 400, now(), now()
       from customer c, plan p, taken where p.is_newest`,
      [tenantId, customers],
    );
    await tx.query(
      `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
         next_period_index, created_at, updated_at)
       select o.tenant_id, o.id, 1, c.id, 1, true, 14, now(), now()
       from subscription_order o join plan_charge c on c.plan_id = o.plan_id`,
    );
    return tx.query<{ id: number }>('select id from customer order by id');
  });
  await copyUnfenced(ownerUrl);
  return { tenantId, customers: ids.map(({ id }) => id) };
}

async function applyTenant(ownerUrl: string): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const args = [join(root, 'cli/tenant.ts'), 'apply', join(import.meta.dirname, 'tenant.yaml')];
  const env = childEnvironment({ DATABASE_URL: ownerUrl, SECRET_KEY: 'b'.repeat(64) });
  await promisify(execFile)(process.execPath, args, { env, cwd: root });
}

async function copyUnfenced(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('create table bare_customer (like customer including all)');
    await owner.query('insert into bare_customer select * from customer');
    await owner.query('grant select, insert on bare_customer to sundial_app');
    await owner.query('vacuum analyze');
  } finally {
    await owner.end();
  }
}
