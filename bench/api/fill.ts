/** Fills the tenant with customers, contacts and orders without anything due, by plain SQL. */
import pg from 'pg';
import { inTenant } from '../../db/connection/tenancy.ts';
import { makeTenant, type BenchSystem } from '../support/system.ts';

export interface Filled {
  readonly tenantId: number;
  readonly customers: readonly number[];
}

export async function fill(system: BenchSystem, customers: number): Promise<Filled> {
  const tenantId = await makeTenant(system, 'bench', { file: 'api/tenant.yaml' });
  const ids = await inTenant(system.db, tenantId, async (tx) => {
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
  await copyUnfenced(system.ownerUrl);
  return { tenantId, customers: ids.map(({ id }) => id) };
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
