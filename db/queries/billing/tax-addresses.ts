/** Reads the addresses of billing contacts, by which customers are taxed. */
import type { WrittenAddress } from '../../../domain/tax/documents.ts';
import type { Tx } from '../../connection/tenancy.ts';

/** By customer; one without a billing contact has none. */
export async function readTaxAddresses(
  tx: Tx,
  customerIds: readonly number[],
): Promise<ReadonlyMap<number, WrittenAddress>> {
  if (customerIds.length === 0) return new Map();
  const rows = await tx.query<WrittenAddress & { readonly id: number }>(
    `select customer_id as id, street1, street2, city, state, zip, country,
       country_code
     from contact where customer_id = any($1) and kind = 'billing'`,
    [customerIds],
    'tax-addresses',
  );
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}
