/** Properties of a card or a bank account that follow from its numbers. */
import type { IsoDate } from '../calendar/calendar.ts';

export const CARD_NUMBER_DIGITS_MIN = 13;
export const CARD_NUMBER_DIGITS_MAX = 19;

interface BrandRule {
  readonly name: string;
  /** Prefixes of numbers, or ranges of prefixes of the same length. */
  readonly prefixes: readonly (string | readonly [string, string])[];
  readonly lengths: readonly number[];
  readonly securityCodeDigits: number;
}

const to19 = [16, 17, 18, 19];

/**
 * Issuer ranges of ISO/IEC 7812 as the networks publish them; the first that fits is the brand, so
 * that Discover's part of UnionPay's range is Discover.
 */
const brands: readonly BrandRule[] = [
  { name: 'Visa', prefixes: ['4'], lengths: [13, 16, 19], securityCodeDigits: 3 },
  {
    name: 'MasterCard',
    prefixes: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    lengths: [16],
    securityCodeDigits: 3,
  },
  { name: 'American Express', prefixes: ['34', '37'], lengths: [15], securityCodeDigits: 4 },
  {
    name: 'Discover',
    prefixes: ['6011', ['622126', '622925'], ['644', '649'], '65'],
    lengths: to19,
    securityCodeDigits: 3,
  },
  {
    name: 'Diners Club',
    prefixes: [['300', '305'], '3095', '36', '38', '39'],
    lengths: [14, 15, ...to19],
    securityCodeDigits: 3,
  },
  { name: 'JCB', prefixes: [['3528', '3589']], lengths: to19, securityCodeDigits: 3 },
  { name: 'UnionPay', prefixes: ['62', '81'], lengths: to19, securityCodeDigits: 3 },
  {
    name: 'Maestro',
    prefixes: ['5018', '5020', '5038', '5893', '6304', '6759', ['6761', '6763']],
    lengths: [13, 14, 15, ...to19],
    securityCodeDigits: 3,
  },
];

/**
 * The digits of a card number as people write it; null when there is anything else in it.
 *
 * @example cardDigits('4111 1111-1111 1111') // '4111111111111111'
 */
export function cardDigits(text: string): string | null {
  return /^\d(?:[ -]?\d)*$/.test(text) ? text.replaceAll(/[ -]/g, '') : null;
}

/**
 * Whether digits are a card number: 13 to 19 of them, with a right check digit, and as many as its
 * brand has. A brand that is not known is left to the gateway.
 *
 * @example isCardNumber('4111111111111111') // true; '4111111111111112' is not
 */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits) || !passesLuhn(digits)) return false;
  const rule = ruleOf(digits);
  return rule === undefined || rule.lengths.includes(digits.length);
}

/**
 * The brand that a whole card number belongs to; null for none that is known.
 *
 * @example cardBrand('4111111111111111') // 'Visa'
 */
export function cardBrand(digits: string): string | null {
  const rule = ruleOf(digits);
  return rule?.lengths.includes(digits.length) ? rule.name : null;
}

/**
 * Whether the last digit is the check digit of those before it (ISO/IEC 7812-1, annex B).
 *
 * @example passesLuhn('79927398713') // true
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const weighted = place % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return digits !== '' && sum % 10 === 0;
}

/**
 * Whether a card can no longer be used: it is good until the end of the month of its expiry.
 *
 * @example isExpired('2027-02-01', '2027-02-28') // false; on 2027-03-01 it is
 */
export function isExpired(expiry: IsoDate, today: IsoDate): boolean {
  return expiry.slice(0, 'YYYY-MM'.length) < today.slice(0, 'YYYY-MM'.length);
}

/**
 * Whether a text has the form of the security code of that card: three digits, or four on an
 * American Express.
 *
 * @example isSecurityCode('123', '4111111111111111') // true
 */
export function isSecurityCode(code: string, digits: string): boolean {
  const wanted = ruleOf(digits)?.securityCodeDigits;
  return /^\d{3,4}$/.test(code) && (wanted === undefined || code.length === wanted);
}

/** First two digits of ABA routing numbers that are or were given out. */
const abaRanges: readonly (readonly [number, number])[] = [
  [0, 12],
  [21, 32],
  [61, 72],
  [80, 80],
];
const abaWeights = [3, 7, 1];

/**
 * Whether a text is a routing number of the American Bankers Association: nine digits of a range in
 * use whose sum, weighted 3, 7, 1, is a multiple of ten.
 *
 * @example isAbaRoutingNumber('021000021') // true; '021000022' is not
 */
export function isAbaRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || /^0+$/.test(text)) return false;
  const first = Number(text.slice(0, 2));
  if (!abaRanges.some(([from, to]) => from <= first && first <= to)) return false;
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) {
    sum += Number(text[place]) * (abaWeights[place % abaWeights.length] ?? 0);
  }
  return sum % 10 === 0;
}

/**
 * Whether a text has the form of a bank account number: 4 to 17 digits, as ACH carries them.
 *
 * @example isAccountNumber('000123456789') // true
 */
export function isAccountNumber(text: string): boolean {
  return /^\d{4,17}$/.test(text);
}

/** All of a number that may be shown. @example lastFour('4111111111111111') // '1111' */
export function lastFour(digits: string): string {
  return digits.slice(-4);
}

function ruleOf(digits: string): BrandRule | undefined {
  return brands.find(({ prefixes }) => prefixes.some((prefix) => beginsWith(digits, prefix)));
}

function beginsWith(digits: string, prefix: BrandRule['prefixes'][number]): boolean {
  if (typeof prefix === 'string') return digits.startsWith(prefix);
  const [from, to] = prefix;
  const lead = digits.slice(0, from.length);
  return lead.length === from.length && from <= lead && lead <= to;
}
