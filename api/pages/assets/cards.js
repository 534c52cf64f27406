/** What the script of hosted pages knows of cards: as the server checks them, but at once. */

export const DIGITS_MAX = 19;

const from = (first) => Array.from({ length: DIGITS_MAX + 1 - first }, (_, index) => first + index);

/** As in domain/payments/cards.ts: prefixes or ranges of them, lengths, digits of the code. */
const brands = [
  ['Visa', ['4'], [13, 16, 19], 3],
  ['MasterCard', ['51-55', '2221-2720'], [16], 3],
  ['American Express', ['34', '37'], [15], 4],
  ['Discover', ['6011', '622126-622925', '644-649', '65'], from(16), 3],
  ['Diners Club', ['300-305', '3095', '36', '38', '39'], from(14), 3],
  ['JCB', ['3528-3589'], from(16), 3],
  ['UnionPay', ['62', '81'], from(16), 3],
  ['Maestro', '5018 5020 5038 5893 6304 6759 6761-6763'.split(' '), from(13), 3],
].map(([name, prefixes, lengths, codeDigits]) => ({ name, prefixes, lengths, codeDigits }));

/** The brand that digits begin with, as soon as it is certain. */
export function brandOf(digits) {
  return brands.find(({ prefixes }) =>
    prefixes.some((prefix) => {
      const [first, last = first] = prefix.split('-');
      const lead = digits.slice(0, first.length);
      return lead.length === first.length && first <= lead && lead <= last;
    }),
  );
}

/** What is wrong with a card number: `number`, `length`, or null. */
export function faultOfNumber(text) {
  if (!/^\d(?:[ -]?\d)*$/.test(text)) return 'number';
  const digits = digitsOf(text);
  const lengths = brandOf(digits)?.lengths ?? from(13);
  if (!lengths.includes(digits.length)) return 'length';
  return passesLuhn(digits) ? null : 'number';
}

export function isExpired({ month, year, today }) {
  return `${year}-${month}` < today.slice(0, 'YYYY-MM'.length);
}

export function isSecurityCode(code, number) {
  const wanted = brandOf(digitsOf(number))?.codeDigits;
  return /^\d{3,4}$/.test(code) && (wanted === undefined || code.length === wanted);
}

/** In groups as they stand on the card: 4-6-5 on American Express and Diners Club, else fours. */
export function grouped(digits) {
  const isShort = ['American Express', 'Diners Club'].includes(brandOf(digits)?.name);
  const groups = isShort && digits.length <= 15 ? /^(\d{1,4})(\d{1,6})?(\d+)?/ : null;
  if (groups === null) return digits.replaceAll(/\d{4}(?=\d)/g, '$& ');
  const [, ...parts] = groups.exec(digits) ?? [];
  return parts.filter((part) => part !== undefined).join(' ');
}

export const digitsOf = (text) => text.replaceAll(/\D/g, '');

function passesLuhn(digits) {
  const weighted = Array.from(digits)
    .reverse()
    .map((digit, place) => Number(digit) * (1 + (place % 2)));
  return weighted.reduce((sum, each) => sum + (each > 9 ? each - 9 : each), 0) % 10 === 0;
}

/** Whether a form needs a new method: by the one that is chosen, else to pay, or to be saved. */
export function needsNewMethod({ method, cardNumber, accountHolder, savePaymentMethod }) {
  if (method !== undefined) return chosenOf(method) === 'new';
  const isRequired = [cardNumber, accountHolder].some((each) => each?.required);
  return isRequired || savePaymentMethod?.checked === true;
}

/** Of radio buttons, or of the hidden field of a form without a choice; a group has the same name. */
export function chosenOf(method) {
  const hidden = [...(method.length === undefined ? [] : method)].find(
    ({ type }) => type === 'hidden',
  );
  return hidden?.value ?? method.value;
}

/** Whether it is this kind of method. */
export const isOfKind = ({ methodType }, kinds) =>
  kinds.includes(methodType === undefined ? 'card' : methodType.value);

/** What is wrong with an IBAN, but for its country and length, which the server knows: `iban`, or null. */
export function faultOfIban(text) {
  const iban = text.replaceAll(/[ -]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{8,30}$/.test(iban)) return 'iban';
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? null : 'iban';
}
