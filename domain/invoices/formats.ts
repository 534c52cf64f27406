/** Dates, numbers and money in a customer's locale, from decimal text and calendar dates. */
import type { IsoDate } from '../calendar/calendar.ts';
import { minorDigits, type Decimal } from '../money/money.ts';
import { languageOf } from '../text/language.ts';

/** The formats of one document. */
export interface Formats {
  /** In words: `January 31, 2027`. */
  readonly date: (date: IsoDate) => string;
  /** A short range of two inclusive days; one date if both are the same. */
  readonly period: (from: IsoDate, to: IsoDate) => string;
  /** With the currency's own decimals. */
  readonly amount: (amount: Decimal) => string;
  /** At least the currency's decimals, and as many as the price has. */
  readonly price: (price: Decimal) => string;
  readonly number: (number: Decimal) => string;
  /** `19` is nineteen percent. */
  readonly percent: (percent: Decimal) => string;
  /** The name of a country by its code. */
  readonly country: (code: string) => string;
}

const DECIMAL_PLACES_MAX = 6;
/**
 * Of dates, figures and currency signs. The fonts of a PDF draw more scripts, for the names and texts
 * that people write; of the marks that scripts share, they draw these.
 */
const scriptsOfFigures =
  'Latin Greek Cyrillic Hebrew Arabic Thai Devanagari Han Hiragana Katakana Hangul Common'.split(
    ' ',
  );
const sharedMarks =
  '\\u0300\\u0301\\u0303\\u0304\\u0308\\u0309\\u0323\\u0329\\u064b-\\u0655\\u200c\\u200d';
const drawn = new RegExp(
  `^[${scriptsOfFigures.map((script) => `\\p{Script=${script}}`).join('')}${sharedMarks}]*$`,
  'u',
);
const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2027, month)));

const fallback = 'en-US';

/**
 * The locale of a document: the customer's, else the usual one of the tenant's country, else US
 * English. Customers' locales are language_COUNTRY; invalid ones count as absent.
 *
 * @example localeOf('de_AT', 'US') // 'de-AT'; localeOf(null, 'FR') // 'fr-FR'
 */
export function localeOf(locale: string | null, countryCode: string | null): string {
  return resolvedLocale(locale) ?? usualLocale(countryCode) ?? fallback;
}

/** Of a customer whose locale nobody knows. */
export const UNKNOWN_LOCALE = 'und';

/**
 * What documents keep of a customer's locale: null without one, `und` if nobody knows it.
 *
 * @example keptLocale('de_AT') // 'de-AT'
 */
export function keptLocale(locale: string | null): string | null {
  return locale === null ? null : (resolvedLocale(locale) ?? UNKNOWN_LOCALE);
}

function resolvedLocale(locale: string | null): string | undefined {
  return supported(locale?.replaceAll('_', '-'));
}

/** The usual locale of a country, if it is known. @example usualLocale('FR') // 'fr-FR' */
export function usualLocale(countryCode: string | null): string | undefined {
  return supported(countryCode === null ? undefined : `und-${countryCode}`);
}

export interface KeptLocales {
  readonly customer: { readonly locale: string | null; readonly documentLocale?: string | null };
  readonly sender: {
    readonly address: { readonly countryCode?: string | null | undefined } | null;
    readonly documentLocale?: string | null;
  };
}

/**
 * The locale of a document as its parties keep it, so that it stays when locales are known in another
 * way; as it is found now for parties of before.
 *
 * @example documentLocaleOf({ customer: { locale: 'de_AT', documentLocale: 'de-AT' }, sender }) // 'de-AT'
 */
export function documentLocaleOf({ customer, sender }: KeptLocales): string {
  const own = customer.documentLocale ?? keptLocale(customer.locale);
  if (own !== null && own !== UNKNOWN_LOCALE) return own;
  return sender.documentLocale ?? localeOf(null, sender.address?.countryCode ?? null);
}

function supported(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === '') return undefined;
  try {
    // Language, script and country only: extensions could ask for other calendars or digits.
    const { language, script, region } = new Intl.Locale(tag).maximize();
    if (language === 'und' || region === undefined) return undefined;
    const short = new Intl.Locale(`${language}-${region}`);
    // The locale names the script if it is unusual for the country.
    const name = short.maximize().script === script ? short : `${language}-${script}-${region}`;
    return Intl.NumberFormat.supportedLocalesOf(name)[0];
  } catch {
    return undefined;
  }
}

/**
 * The locale whose digits and months documents can draw: another gives way to the language of its
 * words, as used in its country.
 */
function drawnLocale(locale: string): string {
  const { language, region = 'US' } = new Intl.Locale(locale).maximize();
  const own = languageOf(locale);
  if (own === language || isDrawn(locale)) return locale;
  return `${own}-${region}`;
}

function isDrawn(locale: string): boolean {
  const dates = longDates(locale);
  return months.every((month) => drawn.test(dates.format(month).normalize('NFC')));
}

/** Invoices use Gregorian dates even where another calendar is usual. */
const calendar = { calendar: 'gregory', timeZone: 'UTC' } as const;

function longDates(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...calendar, dateStyle: 'long' });
}

/**
 * An instant in the time zone of the tenant.
 *
 * @example instantText(new Date('2027-01-18T05:00:00Z'), { locale: 'en-US', timezone: 'America/New_York' })
 *   // 'January 18, 2027 at 12:00:00 AM EST'
 */
export function instantText(
  instant: Date,
  { locale, timezone: timeZone }: { readonly locale: string; readonly timezone: string },
): string {
  const options = { ...calendar, dateStyle: 'long', timeStyle: 'long', timeZone } as const;
  return new Intl.DateTimeFormat(locale, options).format(instant);
}

/**
 * The formats of a locale (as `localeOf` gives it) and a currency, in characters that every document
 * can draw.
 *
 * @example formatsOf('de-DE', 'EUR').amount('1234.5') // '1.234,50 €'
 * @example formatsOf('bn-BD', 'BDT').amount('1234.5') // 'BDT 1,234.50', as for en-BD
 */
export function formatsOf(customersLocale: string, currency: string): Formats {
  const { locale, options } = amountFormat(customersLocale, currency);
  const amounts = new Intl.NumberFormat(locale, options);
  const prices = new Intl.NumberFormat(locale, {
    ...options,
    maximumFractionDigits: DECIMAL_PLACES_MAX,
  });
  const plain = { maximumFractionDigits: DECIMAL_PLACES_MAX };
  const figures = numbersLocale(locale, currency);
  const numbers = new Intl.NumberFormat(figures, plain);
  const percents = new Intl.NumberFormat(figures, { ...plain, style: 'unit', unit: 'percent' });
  const long = longDates(locale);
  const short = new Intl.DateTimeFormat(locale, { ...calendar, dateStyle: 'medium' });
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const periods = new Map<string, string>();
  return {
    date: (date) => long.format(dayOf(date)),
    period(from, to) {
      // The charges of an invoice share a few periods, and this format is the slowest.
      const key = `${from}/${to}`;
      const known = periods.get(key);
      if (known !== undefined) return known;
      const text =
        from === to ? short.format(dayOf(from)) : short.formatRange(dayOf(from), dayOf(to));
      periods.set(key, text);
      return text;
    },
    amount: (amount) => amounts.format(exact(amount)),
    price: (price) => prices.format(exact(price)),
    number: (number) => numbers.format(exact(number)),
    percent: (percent) => percents.format(exact(percent)),
    country: (code) => countries.of(code) ?? code,
  };
}

/**
 * How amounts are formatted, for a script that formats some by itself.
 *
 * @example amountFormat('de-DE', 'EUR').options.minimumFractionDigits // 2
 */
export function amountFormat(customersLocale: string, currency: string) {
  const digits = minorDigits(currency);
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return { locale: drawnLocale(customersLocale), options };
}

const knownNumbersLocales = new Map<string, string>();

/**
 * The locale of numbers and percentages beside amounts. CLDR gives English the numbers of the
 * country, and some amounts as in English: in en-DE a point would part thousands here, and decimals
 * there. Then the numbers are those of the language.
 *
 * @example numbersLocale('en-DE', 'EUR') // 'en'; numbersLocale('de-DE', 'EUR') // 'de-DE'
 */
function numbersLocale(locale: string, currency: string): string {
  const key = `${locale} ${currency}`;
  const known = knownNumbersLocales.get(key);
  if (known !== undefined) return known;
  const { language } = new Intl.Locale(locale);
  const ofAmounts = separators(locale, { style: 'currency', currency });
  const isOfLanguage = separators(language) === ofAmounts;
  const own = isOfLanguage && separators(locale) !== ofAmounts ? language : locale;
  knownNumbersLocales.set(key, own);
  return own;
}

function separators(locale: string, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale, options)
    .formatToParts(1_234_567.5)
    .flatMap(({ type, value }) => (type === 'group' || type === 'decimal' ? [value] : []))
    .join('');
}

function dayOf(date: IsoDate): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** Intl formats decimal text digit by digit: nothing becomes a binary floating-point number. */
function exact(decimal: Decimal): Intl.StringNumericLiteral {
  return decimal as Intl.StringNumericLiteral;
}
