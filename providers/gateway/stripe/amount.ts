/** Amounts as Stripe represents them: integers of the smallest unit that it charges. */
import {
  formatAmount,
  isCurrency,
  minorDigits,
  parseDecimal,
  type Decimal,
} from '../../../domain/money/money.ts';
import { type AskedFor, GatewayDifference } from '../gateway.ts';

/**
 * Currencies for which Stripe's unit is not that of ISO 4217 (docs.stripe.com/currencies, "Special
 * cases").
 */
const digitsOfStripe: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['MGA', 0],
  ['UGX', 2],
]);
const MILLIONTHS_DIGITS = 6;

/** The decimals of the smallest unit. @example stripeDigits('ISK') // 2 */
export const stripeDigits = (currency: string): number =>
  digitsOfStripe.get(currency) ?? minorDigits(currency);

/**
 * The amount in the smallest unit; null if it has a fraction of that, or is not in range.
 *
 * @example stripeAmount('USD', '12.50') // 1250; of 'JPY' it is null
 */
export function stripeAmount(currency: string, amount: Decimal): number | null {
  if (!isCurrency(currency)) return null;
  const digits = stripeDigits(currency);
  const unit = 10n ** BigInt(MILLIONTHS_DIGITS - digits);
  const millionths = parseDecimal(amount);
  // Stripe takes two of three decimals: the last digit must be 0.
  const step = digits === 3 ? unit * 10n : unit;
  if (millionths % step !== 0n) return null;
  const units = Number(millionths / unit);
  return Number.isSafeInteger(units) ? units : null;
}

/**
 * The amount of a number of smallest units; null for an unknown currency.
 *
 * @example amountOfStripe('USD', 1250) // '12.50'
 */
export function amountOfStripe(currency: string, units: number): Decimal | null {
  if (!isCurrency(currency)) return null;
  const digits = stripeDigits(currency);
  const text = String(units).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return formatAmount(currency, digits === 0 ? whole : `${whole}.${text.slice(-digits)}`);
}

interface Made {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

/** Throws if the record under our key does not match the request. */
export function refuseAnother(what: string, { id, amount, currency }: Made, asked: AskedFor): void {
  const wanted = stripeAmount(asked.currency, asked.amount);
  const isLess = asked.mayBeLess === true && wanted !== null && amount < wanted;
  const isSame = amount === wanted || isLess;
  if (isSame && currency === asked.currency.toLowerCase()) return;
  const unit = /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : 'another currency';
  const text = `${what} over ${amount} of the smallest unit of ${unit}`;
  throw new GatewayDifference({ text, transactionId: id }, asked);
}
