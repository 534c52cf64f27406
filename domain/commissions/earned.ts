/** What a commission comes to, and what of it stands after a credit or a reopening. */
import { add, compare, formatAmount, negate, shareOf, sum, type Decimal } from '../money/money.ts';
import type { CommissionRate } from './terms.ts';

/** What an order's charges on a paid invoice come to: without tax, net of discounts and credits. */
export interface CommissionBase {
  readonly amount: Decimal;
  /** Of the charges in it, if all have the same. */
  readonly priceCode: string | null;
}

/** The part of a base that the charges of one order make up. */
export interface OrderBase {
  readonly amount: Decimal;
  /** Those of its charges, without discounts. */
  readonly priceCodes: readonly string[];
}

/** The currencies of a commission: of the invoice, for a percentage, and of the tenant. */
export interface CommissionCurrencies {
  readonly invoice: string;
  readonly tenant: string;
}

export interface Earned {
  readonly baseAmount: Decimal;
  readonly amount: Decimal;
  readonly currency: string;
  readonly priceCode: string | null;
}

/** An amount of money and its base. */
export type Standing = Pick<Earned, 'baseAmount' | 'amount'>;

/**
 * The base of a commission from those of its orders.
 *
 * @example baseOf([{ amount: '26.95', priceCodes: ['FEE'] }]) // { amount: '26.95', priceCode: 'FEE' }
 */
export function baseOf(parts: readonly OrderBase[]): CommissionBase {
  const codes = new Set(parts.flatMap(({ priceCodes }) => priceCodes));
  const [only = null] = codes;
  return {
    amount: sum(parts.map(({ amount }) => amount)),
    priceCode: codes.size === 1 ? only : null,
  };
}

/**
 * What a paid invoice earns; null if its base earns nothing. A percentage is rounded once, half away
 * from zero; an amount needs a base above 0.
 *
 * @example earnedOf({ type: 'Percent', rate: '10' }, { amount: '26.95', priceCode: 'FEE' },
 *   { invoice: 'USD', tenant: 'USD' }) // { baseAmount: '26.95', amount: '2.70', ... }
 */
export function earnedOf(
  { type, rate }: CommissionRate,
  { amount, priceCode }: CommissionBase,
  currencies: CommissionCurrencies,
): Earned | null {
  const sign = compare(amount, '0');
  if (sign === 0 || (type === 'Amount' && sign < 0)) return null;
  const base = { baseAmount: formatAmount(currencies.invoice, amount), priceCode };
  if (type === 'Amount') return { ...base, ...amountEarned(rate, currencies.tenant) };
  const currency = currencies.invoice;
  return { ...base, amount: percentOf(rate, amount, currency), currency };
}

/**
 * What falls due on a date whatever was paid.
 *
 * @example amountEarned('25', 'USD') // { amount: '25.00', currency: 'USD' }
 */
export function amountEarned(rate: Decimal, currency: string): Pick<Earned, 'amount' | 'currency'> {
  return { amount: formatAmount(currency, rate), currency };
}

/**
 * The reversal of all that stands; null if nothing does.
 *
 * @example takenBack({ baseAmount: '26.95', amount: '2.70' })
 *   // { baseAmount: '-26.95', amount: '-2.7' }
 */
export function takenBack({ baseAmount, amount }: Standing): Standing | null {
  if (compare(baseAmount, '0') === 0 && compare(amount, '0') === 0) return null;
  return { baseAmount: negate(baseAmount), amount: negate(amount) };
}

/**
 * The reversal after which what stands is what the rest of the base earns; null if the base is the
 * same.
 *
 * @example // 16.42 of 29.95 are left: they earn 1.64 of 3.00
 *   credited('10', { baseAmount: '29.95', amount: '3.00' }, { base: '16.42', currency: 'USD' })
 *   // { baseAmount: '-13.53', amount: '-1.36' }
 */
export function credited(
  rate: Decimal,
  { baseAmount, amount }: Standing,
  { base, currency }: { readonly base: Decimal; readonly currency: string },
): Standing | null {
  const less = add(base, negate(baseAmount));
  if (compare(less, '0') === 0) return null;
  return { baseAmount: less, amount: add(percentOf(rate, base, currency), negate(amount)) };
}

function percentOf(percent: Decimal, amount: Decimal, currency: string): Decimal {
  return shareOf(amount, { part: percent, whole: '100', currency });
}
