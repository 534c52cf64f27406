/** Numbers of bank accounts and banks, as people write them. */

/** Country, check digits, and the account of up to 30 letters and digits. */
const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** The bank, its country, its place, and perhaps a branch. */
const bicPattern = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/**
 * An IBAN without blanks, in capitals; undefined if its check digits (ISO 7064, MOD 97-10) do not fit.
 *
 * @example ibanFrom('DE89 3704 0044 0532 0130 00') // 'DE89370400440532013000'
 */
export function ibanFrom(text: string): string | undefined {
  const iban = compact(text);
  if (!ibanPattern.test(iban)) return undefined;
  // Country and check digits go to the end; a letter counts as a number, from A as 10.
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n ? iban : undefined;
}

/**
 * A BIC without blanks, in capitals; undefined if it does not have the form of one.
 *
 * @example bicFrom('cobadeffxxx') // 'COBADEFFXXX'
 */
export function bicFrom(text: string): string | undefined {
  const bic = compact(text);
  return bicPattern.test(bic) ? bic : undefined;
}

/**
 * An IBAN as it is printed, in groups of four.
 *
 * @example shownIban('DE89370400440532013000') // 'DE89 3704 0044 0532 0130 00'
 */
export function shownIban(iban: string): string {
  return iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

function compact(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}
