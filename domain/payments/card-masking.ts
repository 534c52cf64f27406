/** Masks card numbers, and a known account number, in free text. */
import {
  cardBrand,
  CARD_NUMBER_DIGITS_MAX,
  CARD_NUMBER_DIGITS_MIN,
  lastFour,
  passesLuhn,
} from './cards.ts';

/** Separators between two digits of one number: none, blanks of any width, dashes and dots. */
const gap = '[\\t.\\p{Zs}\\p{Cf}\\p{Pd}]{0,3}';
const written = new RegExp(`\\d(?:${gap}\\d)*`, 'gu');

/** Adjacent digits, and their place in the text. */
interface Group {
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The text with every card number replaced by its last digits. A card number has 13 to 19 digits,
 * with blanks, dashes and dots between them, a known brand's prefix and length, and a valid check
 * digit.
 *
 * @example maskCardNumbers('took 4111 1111 1111 1111, order 1001') // 'took *****1111, order 1001'
 */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(written, maskWritten);
}

/**
 * Whether the text contains a card number, by the rules of `maskCardNumbers`.
 *
 * @example holdsCardNumber('order 1001') // false
 */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbers(text) !== text;
}

/**
 * The text with the given number replaced by its last digits: for a bank account, whose digits have
 * no recognizable form. A number no longer than the digits shown stays.
 *
 * @example maskNumber('by phone, 0001 2345 6789', '000123456789') // 'by phone, *****6789'
 */
export function maskNumber(text: string, number: string): string {
  const digits = number.replaceAll(/\D/g, '');
  if (digits === lastFour(digits)) return text;
  const pattern = new RegExp(`(?<!\\d)${digits.split('').join(gap)}(?!\\d)`, 'gu');
  return text.replaceAll(pattern, `*****${lastFour(digits)}`);
}

// Any adjacent groups may be the number: in `1001 4111 1111 1111 1111` it follows an order's.
function maskWritten(text: string): string {
  if (text.length < CARD_NUMBER_DIGITS_MIN) return text;
  const groups = groupsOf(text);
  let masked = '';
  let end = 0;
  for (let first = 0; first < groups.length;) {
    const last = lastOfCard(groups, first);
    const from = groups[first]?.from ?? end;
    const to = groups[last]?.to;
    if (to === undefined) {
      first += 1;
      continue;
    }
    masked += `${text.slice(end, from)}*****${lastFour(digitsOf(groups, first, last))}`;
    end = to;
    first = last + 1;
  }
  return masked + text.slice(end);
}

/** The last group of the cards that overlap from `first` on; -1 when none begins there. */
function lastOfCard(groups: readonly Group[], first: number): number {
  let last = -1;
  for (let start = first; start === first || start <= last; start += 1) {
    last = Math.max(last, longestCard(groups, start));
  }
  return last;
}

/** The last group of the longest card number that begins at this group; -1 for none. */
function longestCard(groups: readonly Group[], first: number): number {
  let last = -1;
  let digits = '';
  for (const [offset, group] of groups.slice(first, first + CARD_NUMBER_DIGITS_MAX).entries()) {
    digits += group.digits;
    if (digits.length > CARD_NUMBER_DIGITS_MAX) break;
    if (digits.length < CARD_NUMBER_DIGITS_MIN) continue;
    if (cardBrand(digits) !== null && passesLuhn(digits)) last = first + offset;
  }
  return last;
}

function groupsOf(text: string): Group[] {
  return [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    digits,
    from: index,
    to: index + digits.length,
  }));
}

function digitsOf(groups: readonly Group[], first: number, last: number): string {
  return groups
    .slice(first, last + 1)
    .map(({ digits }) => digits)
    .join('');
}
