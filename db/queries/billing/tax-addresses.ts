/** Reads the addresses of billing contacts, by which customers are taxed. */
import type { TaxAddress } from '../../../domain/tax/rates.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** By customer; one without a billing contact has none. */
export async function readTaxAddresses(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, TaxAddress>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<TaxAddress & { readonly id: number }>(
    `select customer_id as id, state, country, country_code as "countryCode"
     from contact where customer_id = any($1) and kind = 'billing'`,
    [customerIds],
    'tax-addresses',
  );
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}
