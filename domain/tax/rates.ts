/** The tenant's table of tax rates, and which of them hold for an address. */
import { compare, type Decimal } from '../money/money.ts';
import { stateKey } from './states.ts';

/**
 * The categories of EN 16931: standard, zero rated, exempt, reverse charge, intra-community supply,
 * export, outside the scope of tax.
 */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/** Those without tax. */
export const untaxedCategories = ['Z', 'E', 'AE', 'K', 'G', 'O'] as const;

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
export interface ChargedRate extends Omit<TaxRate, 'country' | 'state'> {
  /** `US/NY`, `DE`; or as its provider names it: `US/36`. */
  readonly jurisdiction: string;
}

/**
 * The rate as its tax charges keep it.
 *
 * @example chargedRate(newYork).jurisdiction // 'US/NY'
 */
export function chargedRate({ country, state, ...rate }: TaxRate): ChargedRate {
  const key = stateKey(country, state);
  return { ...rate, jurisdiction: key === null ? country : `${country}/${key}` };
}

/** The fields of an address that select rates. */
export interface TaxAddress {
  readonly state: string | null;
  readonly country: string | null;
  readonly countryCode: string | null;
}

/** A rate as the tenant's file gives it: without what follows from the rest. */
export interface GivenRate {
  readonly country: string;
  readonly state?: string | undefined;
  readonly percent: Decimal;
  readonly taxCode: string;
  readonly name: string;
  readonly category?: TaxCategory | undefined;
  readonly exemptionReason?: string | undefined;
}

/**
 * The category of a rate that names none: standard, or zero rated at 0 percent.
 *
 * @example categoryAt('8.875') // 'S'
 */
export function categoryAt(percent: Decimal): TaxCategory {
  return compare(percent, '0') === 0 ? 'Z' : 'S';
}

/** Why a category takes no tax, unless the tenant's file says it in other words. */
const reasons: Partial<Readonly<Record<TaxCategory, string>>> = {
  AE: 'Reverse charge',
  K: 'Intra-community supply',
  G: 'Export',
  O: 'Not subject to VAT',
};

/**
 * Why a category takes no tax, in the usual words; null for those that say nothing.
 *
 * @example usualReason('AE') // 'Reverse charge'
 */
export function usualReason(category: TaxCategory): string | null {
  return reasons[category] ?? null;
}

/**
 * The rate with its defaults.
 *
 * @example rateOf({ country: 'DE', percent: '19', taxCode: 'STANDARD', name: 'USt' }).category // 'S'
 */
export function rateOf(given: GivenRate): TaxRate {
  const category = given.category ?? categoryAt(given.percent);
  return {
    country: given.country,
    state: given.state ?? null,
    percent: given.percent,
    taxCode: given.taxCode,
    name: given.name,
    category,
    exemptionReason: given.exemptionReason ?? reasons[category] ?? null,
  };
}

/**
 * The rates that hold for an address, in the order of the table; none without an address. The
 * country is the address's code, or else a country of two letters; names of states count as their
 * codes.
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
  const state = stateKey(country, address.state);
  return rates.filter(
    (rate) =>
      rate.country === country && (rate.state === null || stateKey(country, rate.state) === state),
  );
}

/**
 * The code of an address's country: its countryCode, or else a country of two letters.
 *
 * @example countryOf({ countryCode: null, country: 'us' }) // 'US'
 */
export function countryOf({ country, countryCode }: Omit<TaxAddress, 'state'>): string | null {
  const code = folded(countryCode) ?? folded(country);
  return code !== null && /^[A-Z]{2}$/.test(code) ? code : null;
}

function folded(text: string | null): string | null {
  const value = (text ?? '').trim().toUpperCase();
  return value === '' ? null : value;
}
