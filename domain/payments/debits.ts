/** Bank debits: their kinds, the numbers of accounts, and the day of one that is announced. */
import { addDays, maxDate, type IsoDate } from '../calendar/calendar.ts';
import type { EnteredMethod } from './gateway-settings.ts';

/** SEPA's direct debits, in euros, and debits of American accounts, in dollars. */
export const debitKinds = ['sepa', 'usBankAccount'] as const satisfies readonly EnteredMethod[];
export type DebitKind = (typeof debitKinds)[number];

const currencies: Readonly<Record<DebitKind, string>> = { sepa: 'EUR', usBankAccount: 'USD' };

/**
 * What can be entered to pay in a currency, of what a tenant takes: a debit is in its own one alone, and
 * where nothing is left, a card is taken.
 *
 * @example enteredIn('USD', ['card', 'sepa']) // ['card']
 */
export function enteredIn(
  currency: string,
  taken: readonly EnteredMethod[],
): readonly EnteredMethod[] {
  const fit = taken.filter((kind) => kind === 'card' || currencies[kind] === currency);
  return fit.length > 0 ? fit : ['card'];
}

/** The lengths of IBANs in the countries of SEPA (EPC409-09), by the IBAN registry of SWIFT. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  `AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28
   IE22 IS26 IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24
   SI19 SK24 SM27 VA22`
    .split(/\s+/)
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/**
 * The characters of an IBAN as people write it, in groups and in any case; null when there is anything
 * else in it.
 *
 * @example ibanCharacters('de89 3704 0044 0532 0130 00') // 'DE89370400440532013000'
 */
export function ibanCharacters(text: string): string | null {
  return /^[a-z\d](?:[ -]?[a-z\d])*$/i.test(text)
    ? text.replaceAll(/[ -]/g, '').toUpperCase()
    : null;
}

/**
 * Whether characters are an IBAN that SEPA's direct debits reach: of one of its countries, as long as
 * IBANs are there, with right check digits (ISO 13616, ISO 7064 MOD 97-10).
 *
 * @example isSepaIban('DE89370400440532013000') // true; 'DE88370400440532013000' is not
 */
export function isSepaIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return false;
  if (ibanLengths.get(ibanCountry(iban)) !== iban.length) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** @example ibanCountry('DE89370400440532013000') // 'DE' */
export function ibanCountry(iban: string): string {
  return iban.slice(0, 2);
}

/** No SEPA debit comes unannounced, also of a tenant that takes no new ones. */
export const DEBIT_NOTICE_DAYS_MIN = 1;

/**
 * The day of a debit that is announced today: that of the invoice's autopay, if enough days are left.
 *
 * @example debitDay({ autopayOn: '2027-03-01', today: '2027-03-01', noticeDays: 2 }) // '2027-03-03'
 */
export function debitDay({ autopayOn, today, noticeDays }: Announcing): IsoDate {
  return maxDate(autopayOn, addDays(today, noticeDays));
}

interface Announcing {
  readonly autopayOn: IsoDate;
  readonly today: IsoDate;
  readonly noticeDays: number;
}
