/** The language of hosted pages: what the browser prefers of the languages that there are. */
import { languageOf } from '../../domain/text/language.ts';

const NO_PREFERENCE = 'en';
/** Browsers send a few; the rest of a longer list is not read. */
const RANGES_MAX = 50;

/**
 * The language, and its country if the browser names one.
 *
 * @param header Accept-Language
 * @example acceptedLocale('nl, de-AT;q=0.8, en;q=0.5') // 'de_AT'
 */
export function acceptedLocale(header: string | undefined): string {
  const ranges = (header ?? '').split(',', RANGES_MAX).flatMap(rangeOf);
  const best = ranges.toSorted((a, b) => b.weight - a.weight).find(({ weight }) => weight > 0);
  return best?.locale ?? NO_PREFERENCE;
}

/** The ranges of languages without texts are left out; those of one weight keep their order. */
function rangeOf(text: string): { readonly locale: string; readonly weight: number }[] {
  const [, tag, weight = '1'] =
    /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(text) ?? [];
  if (tag === undefined) return [];
  const parts = partsOf(tag);
  if (parts === undefined || languageOf(tag) !== parts.language) return [];
  const { language, region } = parts;
  // A part of the world, such as the 419 of Latin America, is no country.
  const isCountry = region !== undefined && /^[A-Z]{2}$/.test(region);
  return [{ locale: isCountry ? `${language}_${region}` : language, weight: Number(weight) }];
}

function partsOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/**
 * The locale that a customer gets: with the country that the browser names, else the one that was
 * entered, else the most usual one of the language.
 *
 * @example keptLocale('de', 'CH') // 'de_CH'; keptLocale('de', null) // 'de_DE'
 */
export function keptLocale(accepted: string, country: string | null): string {
  if (accepted.includes('_')) return accepted;
  const entered = country !== null && /^[A-Z]{2}$/.test(country) ? country : undefined;
  return `${accepted}_${entered ?? new Intl.Locale(accepted).maximize().region}`;
}

/**
 * The locale of the figures on a page: its country's in the language of the page.
 *
 * @example figuresLocaleOf('de-AT') // 'de-AT'; of 'ja-JP' 'en-JP', as its words are English
 */
export function figuresLocaleOf(locale: string): string {
  const { region = 'US' } = new Intl.Locale(locale).maximize();
  return `${languageOf(locale)}-${region}`;
}
