/** The tenant's table of tax rates, and which of them hold for an address. */
import type { Decimal } from '../model.ts';

/**
 * The categories of EN 16931: standard, zero rated, exempt, reverse charge, intra-community supply,
 * export, outside the scope of tax.
 */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** A rate of the tenant's table. */
export interface TaxRate {
  /** Two capital letters. */
  readonly country: string;
  /** Null: it holds in the whole country. */
  readonly state: string | null;
  readonly percent: Decimal;
  /** It taxes the charges that have this code. */
  readonly taxCode: string;
  /** As invoices name it. */
  readonly name: string;
  readonly category: TaxCategory;
  readonly exemptionReason: string | null;
}

/** What a tax charge keeps of its rate. */
export type ChargedRate = Omit<TaxRate, 'country' | 'state'>;

/** The fields of an address that select rates. */
export interface TaxAddress {
  readonly state: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
}

/**
 * The rates that hold for an address, in the order of the table; none without an address. The
 * country is the address's code, or else a country of two letters.
 *
 * @example ratesFor([california], { countryCode: 'US', country: null, state: 'ca' }) // [california]
 */
export function ratesFor(
  rates: readonly TaxRate[],
  address: TaxAddress | null,
): readonly TaxRate[] {
  if (rates.length === 0 || address === null) return [];
  const country = countryOf(address);
  if (country === null) return [];
  const state = folded(address.state);
  return rates.filter(
    (rate) => rate.country === country && (rate.state === null || folded(rate.state) === state),
  );
}

function countryOf({ country, countryCode }: TaxAddress): string | null {
  const code = folded(countryCode) ?? folded(country);
  return code !== null && /^[A-Z]{2}$/.test(code) ? code : null;
}

function folded(text: string | null): string | null {
  const value = (text ?? '').trim().toUpperCase();
  return value === '' ? null : value;
}
