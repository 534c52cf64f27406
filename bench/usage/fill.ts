/** Tenants with metered orders, and their usage records by plain SQL, before a measurement. */
import type { Database } from '../../db/connection/database.ts';
import { inTenant } from '../../db/connection/tenancy.ts';
import { populate } from '../support/population.ts';
import { makeTenant, type BenchSystem } from '../support/system.ts';

export interface UsageTenant {
  readonly label: string;
  readonly orders: number;
  readonly contractCode: 'GOLD' | 'METERED' | 'YEARLY';
}

/** Returns its id. Its orders begin with 2027; the run bills those by the month from the next day on. */
export async function usageTenant(
  system: BenchSystem,
  { label, orders, contractCode }: UsageTenant,
): Promise<number> {
  const tenantId = await makeTenant(system, label, { file: 'usage/tenant.yaml' });
  const billOn = contractCode === 'YEARLY' ? '2028-01-01' : '2027-01-02';
  await populate(system.db, { tenantId, orders, startDate: '2027-01-01', billOn, contractCode });
  return tenantId;
}

export interface Recorded {
  /** The first day of the month in which the records lie, and the place of its period. */
  readonly month: string;
  readonly periodIndex: number;
  /** Of each usage line. */
  readonly records: number;
  /** Of so many lines; by default of all. */
  readonly lines?: number;
}

/** Stores records of the usage lines of a tenant, in a window of each. */
export function record(db: Database, tenantId: number, made: Recorded): Promise<void> {
  const { month, periodIndex, records, lines = null } = made;
  return inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into usage_window (tenant_id, order_line_id, period_index)
       select $1, l.id, $2 from order_line l
       join plan_charge h on h.id = l.charge_id and h.charge_type = 'UsageCharge'
       on conflict do nothing`,
      [tenantId, periodIndex],
    );
    // Few records are equal, as where seconds are counted.
    await tx.query(
      `insert into activity (tenant_id, batch_id, customer_id, order_line_id, window_id, ext_ref_id,
         quantity, charge_date, created_at)
       select $1, 1, o.customer_id, w.order_line_id, w.id, w.id || '-' || n,
         (1 + (n * 7919::bigint) % 99991) / 100.0, $3::date + n % 28, now()
       from (select * from usage_window where period_index = $2 order by id limit $5::int) w
       join order_line l on l.id = w.order_line_id
       join subscription_order o on o.id = l.order_id, generate_series(1, $4::int) n`,
      [tenantId, periodIndex, month, records, lines],
    );
  });
}

/** Gives customers of a tenant a further order that is billed by the year. */
export function addYearly(db: Database, tenantId: number, customers: number): Promise<unknown> {
  return inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `with taken as (
         update counter set next = next + $2 where kind = 'order' returning next - $2 as first)
       insert into subscription_order (tenant_id, order_number, status, customer_id, plan_id,
         currency, start_date, term_start, is_auto_renew, anchor, separate_invoice, is_auto_pay,
         next_billable_date, bill_on, created_at, updated_at)
       select $1, taken.first + row_number() over (order by c.id) - 1, 'Active', c.id, p.id, 'USD',
         '2027-01-01', '2027-01-01', true, '2027-01-01', 0, false, '2028-01-01', '2028-01-01',
         k.now, k.now
       from (select id from customer order by id limit $2) c, plan p, taken, test_clock k
       where p.contract_code = 'YEARLY'`,
      [tenantId, customers],
    );
    await tx.query(
      `insert into order_line (tenant_id, order_id, position, charge_id, quantity, is_active,
         next_period_index, created_at, updated_at)
       select $1, o.id, 1, h.id, 1, true, 0, o.created_at, o.created_at
       from subscription_order o join plan_charge h on h.plan_id = o.plan_id
       where o.bill_on = '2028-01-01'`,
      [tenantId],
    );
  });
}
