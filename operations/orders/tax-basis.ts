/** What the terms of an order say of its taxes: the same text while the same taxes are due. */
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import type { TenantInfo } from '../context/context.ts';

/** The tenant has a table of rates, and none of them holds for the address. */
export const isUntaxedAt = (
  { taxRates }: Pick<TenantInfo, 'taxRates'>,
  address: WrittenAddress | null,
): boolean => taxRates.length > 0 && ratesFor(taxRates, address).length === 0;

/** What of an address decides about taxes: its rates, or all of it where a provider knows them. */
export const taxBasis = (
  { taxProvider, taxRates }: Pick<TenantInfo, 'taxProvider' | 'taxRates'>,
  address: WrittenAddress | null,
): unknown => (taxProvider === null ? ratesFor(taxRates, address) : address);
