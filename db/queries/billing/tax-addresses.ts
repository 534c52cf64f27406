/** Reads the addresses of billing contacts, by which customers are taxed. */
import type { TaxedAddress } from '../../../domain/tax/documents.ts';
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

/** The same with all that a tax provider is told; `country` counts where it is a code. */
export async function readShipToAddresses(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, TaxedAddress>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<TaxedAddress & { readonly id: number }>(
    `select customer_id as id, nullif(trim(street1), '') as street1,
       nullif(trim(street2), '') as street2, nullif(trim(city), '') as city,
       nullif(trim(state), '') as state, nullif(trim(zip), '') as zip,
       upper(substring(coalesce(nullif(trim(country_code), ''), trim(country))
         from '^[A-Za-z]{2}$')) as "countryCode"
     from contact where customer_id = any($1) and kind = 'billing'`,
    [customerIds],
    'ship-to-addresses',
  );
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}
