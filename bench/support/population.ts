/** Fills a tenant with customers and orders by plain SQL, before the measurement. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';

export interface Population {
  readonly tenantId: number;
  readonly orders: number;
  readonly startDate: string;
  /** The first day on which a run may bill them. */
  readonly billOn: string;
  /** Of the plan; by default the tenant has only one. */
  readonly contractCode?: string;
}

/**
 * Customers with an order each of the tenant's newest plan, with a line for each of its charges, with the rows that POST would
 * write.
 */
export async function populate(db: Database, population: Population): Promise<void> {
  const { tenantId, orders, startDate, billOn, contractCode = null } = population;
  await inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into customer (tenant_id, name, status, ext_customer_ref, currency, created_at, updated_at)
       select $1, 'Customer ' || n, 'Active', 'C' || n, 'USD', c.now, c.now
       from generate_series(1, $2) n, test_clock c`,
      [tenantId, orders],
    );
    await tx.query(
      `with taken as (
         update counter set next = next + $2 where kind = 'order' returning next - $2 as first)
       insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id,
         currency, start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         next_billable_date, bill_on, created_at, updated_at)
       select $1, taken.first + row_number() over (order by c.id) - 1, 'Active', c.id, p.id, 'USD',
         $3::date, $3::date, true, $3::date, 0, false, $3::date, $4::date, k.now, k.now
       from customer c, plan p, taken, test_clock k
       where p.is_newest and ($5::text is null or p.contract_code = $5)`,
      [tenantId, orders, startDate, billOn, contractCode],
    );
    await tx.query(
      `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
         next_period_index, created_at, updated_at)
       select $1, o.id, row_number() over (partition by o.id order by c.id), c.id, 1, true, 0, o.created_at, o.created_at
       from subscription_order o join plan_charge c on c.plan_id = o.plan_id`,
      [tenantId],
    );
  });
}
