/** Exact decimal arithmetic on text: no amount is ever a binary floating-point number. */
import assert from 'node:assert';

const DECIMAL_PLACES_MAX = 6;
/** The digits of a stored decimal before its 6 decimals. */
const INTEGER_DIGITS_MAX = 12;
const BOOKS_DIGITS_MAX = 16;
const BOOKS_LIMIT_MILLIONTHS = 10n ** BigInt(BOOKS_DIGITS_MAX + DECIMAL_PLACES_MAX);
const decimalPattern = /^[+-]?\d+(?:\.\d{1,6})?$/;

/**
 * Whether a text is a valid decimal: digits with an optional point and sign.
 *
 * @example isDecimal('29.95') // true; '1e3', '0x1A', '1,5', '.5', '' are not
 */
export function isDecimal(text: string): boolean {
  if (!decimalPattern.test(text)) return false;
  const point = text.indexOf('.');
  const integer = (point < 0 ? text : text.slice(0, point)).replace(/^[+-]?0*/, '');
  return integer.length <= INTEGER_DIGITS_MAX;
}

/**
 * A decimal as a whole number of millionths.
 *
 * @example parseDecimal('29.95') // 29950000n
 */
export function parseDecimal(decimal: Decimal): bigint {
  assert(decimalPattern.test(decimal), `not a decimal: ${decimal}`);
  const point = decimal.indexOf('.');
  if (point < 0) return BigInt(decimal) * 1_000_000n;
  return BigInt(decimal.slice(0, point) + decimal.slice(point + 1).padEnd(DECIMAL_PLACES_MAX, '0'));
}

/**
 * The shortest text for a number of millionths.
 *
 * @example formatDecimal(29950000n) // '29.95'
 */
export function formatDecimal(millionths: bigint): Decimal {
  const text = withPoint(millionths, DECIMAL_PLACES_MAX);
  return text.replace(/\.?0+$/, '');
}

/**
 * Whether the books can store an amount: 16 digits before the point, which a sum or a product of
 * stored amounts may exceed.
 *
 * @example fitsBooks('9999999999999999.99') // true; '10000000000000000' is not
 */
export function fitsBooks(amount: Decimal): boolean {
  // Fast path: most amounts are short.
  if (amount.length <= BOOKS_DIGITS_MAX) return true;
  const millionths = parseDecimal(amount);
  return (millionths < 0n ? -millionths : millionths) < BOOKS_LIMIT_MILLIONTHS;
}

/** @example add('29.95', '-0.95') // '29' */
export function add(left: Decimal, right: Decimal): Decimal {
  return formatDecimal(parseDecimal(left) + parseDecimal(right));
}

/** @example sum(['0.1', '0.2']) // '0.3' */
export function sum(decimals: Iterable<Decimal>): Decimal {
  let total = 0n;
  for (const decimal of decimals) total += parseDecimal(decimal);
  return formatDecimal(total);
}

/** @example negate('29.95') // '-29.95' */
export function negate(decimal: Decimal): Decimal {
  return formatDecimal(-parseDecimal(decimal));
}

/**
 * Negative, zero or positive as left is less than, equal to or greater than right, whatever their
 * trailing zeros.
 *
 * @example compare('9.5', '10.00') // -1
 */
export function compare(left: Decimal, right: Decimal): -1 | 0 | 1 {
  const difference = parseDecimal(left) - parseDecimal(right);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Negative, zero or positive. @example signOf('-0.00') // 0 */
export function signOf(decimal: Decimal): -1 | 0 | 1 {
  if (!/[1-9]/.test(decimal)) return 0;
  return decimal.startsWith('-') ? -1 : 1;
}

/** Whether a code names a currency of ISO 4217. @example isCurrency('EUR') // true */
export function isCurrency(code: string): boolean {
  return currencyDigits.has(code);
}

/** How many decimals an amount of the currency has. @example minorDigits('JPY') // 0 */
export function minorDigits(currency: string): number {
  const digits = currencyDigits.get(currency);
  assert(digits !== undefined, `not a currency: ${currency}`);
  return digits;
}

/** A price times a quantity, times a fraction of a period: `numerator` of `denominator` days. */
export interface Rating {
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly numerator: number;
  readonly denominator: number;
  readonly currency: string;
}

/**
 * price x quantity x numerator / denominator, rounded once, half away from zero, to the currency's
 * minor unit.
 *
 * @example roundedAmount({ price: '29.95', quantity: '1', numerator: 17, denominator: 31,
 *   currency: 'USD' }) // '16.42'
 */
export function roundedAmount(rating: Rating): Decimal {
  const digits = minorDigits(rating.currency);
  return withPoint(
    divideHalfAway(
      parseDecimal(rating.price) * parseDecimal(rating.quantity) * BigInt(rating.numerator),
      BigInt(rating.denominator) * 10n ** BigInt(2 * DECIMAL_PLACES_MAX - digits),
    ),
    digits,
  );
}

/** The exact product; null if it has more than 6 decimals. @example multiply('2', '2.5') // '5' */
export function multiply(left: Decimal, right: Decimal): Decimal | null {
  const product = parseDecimal(left) * parseDecimal(right);
  const millionth = 10n ** BigInt(DECIMAL_PLACES_MAX);
  return product % millionth === 0n ? formatDecimal(product / millionth) : null;
}

/** A part of a whole, as which an amount is shared out. */
export interface Sharing {
  readonly part: Decimal;
  /** Above zero. */
  readonly whole: Decimal;
  readonly currency: string;
}

/**
 * amount x part / whole, rounded once, half away from zero, to the currency's minor unit.
 *
 * @example shareOf('5.00', { part: '49.00', whole: '78.95', currency: 'USD' }) // '3.10'
 */
export function shareOf(amount: Decimal, { part, whole, currency }: Sharing): Decimal {
  const digits = minorDigits(currency);
  const divisor = parseDecimal(whole) * 10n ** BigInt(DECIMAL_PLACES_MAX - digits);
  return withPoint(divideHalfAway(parseDecimal(amount) * parseDecimal(part), divisor), digits);
}

/**
 * An amount with exactly the decimals of its currency, rounded half away from zero if it has more.
 *
 * @example formatAmount('USD', '29.9') // '29.90'; formatAmount('JPY', '30.00') // '30'
 */
export function formatAmount(currency: string, decimal: Decimal): Decimal {
  const digits = minorDigits(currency);
  const minor = divideHalfAway(parseDecimal(decimal), 10n ** BigInt(DECIMAL_PLACES_MAX - digits));
  return withPoint(minor, digits);
}

/** A price with at least the decimals of its currency. @example priceText('USD', '0.125') // '0.125' */
export function priceText(currency: string, price: Decimal): Decimal {
  const point = price.indexOf('.');
  const digits = point === -1 ? 0 : price.length - point - 1;
  return digits >= minorDigits(currency) ? price : formatAmount(currency, price);
}

/**
 * An amount with exactly the decimals of its currency; null if it has more of them.
 *
 * @example exactAmount('USD', '29.9') // '29.90'; exactAmount('USD', '29.905') // null
 */
export function exactAmount(currency: string, decimal: Decimal): Decimal | null {
  const amount = formatAmount(currency, decimal);
  return compare(amount, decimal) === 0 ? amount : null;
}

function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  assert(divisor > 0n, 'a divisor is positive');
  const quotient = ((dividend < 0n ? -dividend : dividend) * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -quotient : quotient;
}

function withPoint(value: bigint, digits: number): string {
  if (digits === 0) return value.toString();
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const point = text.length - digits;
  return `${value < 0n ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`;
}

/* Exact numbers. */

/** A decimal as text, at most 6 decimals: `29.95`, `-0.5`. Never a binary floating-point number. */
export type Decimal = string;

/* The currencies of ISO 4217 for payments, and the decimals of each. */

const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const withTwoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD ' +
  'CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS ' +
  'GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD ' +
  'LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB ' +
  'PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP ' +
  'SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const withThreeDigits = 'BHD IQD JOD KWD LYD OMR TND';
const withFourDigits = 'CLF UYW';

/** Each currency code with the number of decimals of its minor unit. */
export const currencyDigits: ReadonlyMap<string, number> = new Map(
  (
    [
      [withoutMinorUnit, 0],
      [withTwoDigits, 2],
      [withThreeDigits, 3],
      [withFourDigits, 4],
    ] as const
  ).flatMap(([codes, digits]) => codes.split(' ').map((code) => [code, digits] as const)),
);
