/** Tenants with metered orders, and their usage records by plain SQL, before a measurement. */
import { inTenant } from '../../db/connection/tenancy.ts';
import type { BenchSystem } from '../harness/system.ts';
import {
  addCustomers,
  addOrders,
  BILLED_FIRST,
  firstOf,
  makeTenant,
  type Tenant,
} from '../harness/tenants.ts';

export const usageSizes = {
  orders: 2_000,
  records: 1_000_000,
  connections: [1, 4, 8],
  customers: 1_000,
  rounds: 5,
  months: 4,
  sliceMs: 2_000,
};
export type UsageSizes = Readonly<typeof usageSizes>;

const minutes = `
      - priceCode: MINUTES
        chargeType: UsageCharge
        pricingType: TieredPricing
        unitOfMeasure: minute
        isMandatory: true
        tiers:
          - { unitsFrom: 0, unitsTo: 100, price: 0.1 }
          - { unitsFrom: 100, unitsTo: 1000, price: 0.08 }
          - { unitsFrom: 1000, price: 0.05 }`;
/** The plan METERED has the charge of MONTHLY beside its usage, and YEARLY only usage. */
const morePlans = `  - contractCode: METERED
    name: Metered voice
    billingPeriod: Monthly
    charges:
      - { priceCode: METERED-FEE, invoiceText: Metered monthly fee, chargeType: RecurringCharge, pricingType: FixedPricing, price: 29.95, isPrepaid: true, isProrated: true, isMandatory: true }${minutes}
  - contractCode: YEARLY
    name: Metered voice by the year
    billingPeriod: Yearly
    charges:${minutes}
`;

export interface MeteredOrders {
  readonly orders: number;
  readonly contractCode: 'MONTHLY' | 'METERED' | 'YEARLY';
}

export async function usageTenant(
  system: BenchSystem,
  label: string,
  { orders, contractCode }: MeteredOrders,
): Promise<Tenant> {
  const tenant = await makeTenant(system, label, { morePlans });
  await addCustomers(system, tenant, orders);
  const billOn = contractCode === 'YEARLY' ? '2028-01-01' : BILLED_FIRST;
  await addOrders(system, tenant, { count: orders, contractCode, billOn });
  return tenant;
}

export interface Recorded {
  /** In which the records lie, counted from January 2027; it is the period of a monthly line. */
  readonly month: number;
  /** Of each usage line. */
  readonly records: number;
}

/** Stores records of the usage lines of a tenant, in a window of each. */
export function record(
  { db }: BenchSystem,
  { id: tenantId }: Tenant,
  { month, records }: Recorded,
): Promise<void> {
  return inTenant(db, tenantId, async (tx) => {
    await tx.query(
      `insert into usage_window (tenant_id, order_line_id, period_index)
       select $1, l.id, $2 from order_line l
       join plan_charge h on h.id = l.charge_id and h.charge_type = 'UsageCharge'
       on conflict do nothing`,
      [tenantId, month],
    );
    // Few records are equal, as where seconds are counted.
    await tx.query(
      `insert into activity (tenant_id, batch_id, customer_id, order_line_id, window_id, ext_ref_id,
         quantity, charge_date, created_at)
       select $1, 1, o.customer_id, w.order_line_id, w.id, w.id || '-' || n,
         (1 + (n * 7919::bigint) % 99991) / 100.0, $3::date + n % 28, now()
       from (select * from usage_window where period_index = $2) w
       join order_line l on l.id = w.order_line_id
       join subscription_order o on o.id = l.order_id, generate_series(1, $4::int) n`,
      [tenantId, month, firstOf(month), records],
    );
  });
}
