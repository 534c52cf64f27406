/** What the rating of orders rests on beside their rows: plans, coupons, the rates of their customers. */
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type { Plan } from '../../domain/model.ts';
import { ratesFor, type TaxAddress, type TaxRate } from '../../domain/tax/rates.ts';
import { readTaxAddresses } from '../../db/queries/billing/tax-addresses.ts';
import type { RatedOrder } from '../../db/queries/billing/load.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import type { Dependencies, TenantInfo } from '../context/context.ts';
import { couponVersions } from '../discounts/coupons.ts';
import { planVersions } from '../plans/versions.ts';

export interface RatingBasis {
  readonly plans: ReadonlyMap<number, Plan>;
  readonly coupons: ReadonlyMap<number, Coupon>;
  /** The rates that hold for the address of a customer's billing contact. */
  readonly ratesOf: (customerId: number) => readonly TaxRate[];
}

/** The addresses by which customers are taxed; none without a table of rates. */
export type TaxAddresses = ReadonlyMap<number, TaxAddress>;

/** Reads nothing for a tenant without rates. */
export async function taxAddressesOf(
  tx: Tx,
  { taxRates }: TenantInfo,
  customerIds: readonly number[],
): Promise<TaxAddresses> {
  return taxRates.length === 0 ? new Map() : readTaxAddresses(tx, customerIds);
}

/** Plans and coupons are read once by a process, so this rarely asks the database. */
export async function ratingBasis(
  { db }: Pick<Dependencies, 'db'>,
  tx: Tx,
  tenant: TenantInfo,
  { rows, addresses }: { readonly rows: readonly RatedOrder[]; readonly addresses: TaxAddresses },
): Promise<RatingBasis> {
  const [plans, coupons] = await Promise.all([
    planVersions(
      db,
      tx,
      rows.map((row) => row.plan_id),
    ),
    couponVersions(
      db,
      tx,
      rows.map((row) => row.coupon_id),
    ),
  ]);
  return {
    plans,
    coupons,
    ratesOf: (customerId) => ratesFor(tenant.taxRates, addresses.get(customerId) ?? null),
  };
}
