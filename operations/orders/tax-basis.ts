/** What the terms of an order say of its taxes: the same text while the same taxes are due. */
import { createHash } from 'node:crypto';
import type { WrittenAddress } from '../../domain/tax/documents.ts';
import { ratesFor } from '../../domain/tax/rates.ts';
import type { TenantInfo } from '../context/context.ts';

/** The tenant has a table of rates, and none of them holds for the address. */
export const isUntaxedAt = (
  { taxRates }: Pick<TenantInfo, 'taxRates'>,
  address: WrittenAddress | null,
): boolean => taxRates.length > 0 && ratesFor(taxRates, address).length === 0;

/** The hash of what of an address decides about taxes: its rates, or all of it for a provider. */
export const taxBasis = (
  { taxProvider, taxRates }: Pick<TenantInfo, 'taxProvider' | 'taxRates'>,
  address: WrittenAddress | null,
): string => {
  const basis = taxProvider === null ? ratesFor(taxRates, address) : address;
  return createHash('sha256').update(JSON.stringify(basis)).digest('hex');
};
