/** The words of hosted pages in the language of a locale. */
import { fill } from '../../domain/text/fill.ts';
import { english } from './words-english.ts';
import type { PageWords, ProblemKey } from './words-english.ts';
import { french } from './words-french.ts';
import { german } from './words-german.ts';
import { spanish } from './words-spanish.ts';
import type { PageProblem } from './view.ts';

export const pageLanguages = ['en', 'de', 'fr', 'es'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

export const pageWords: Readonly<Record<PageLanguage, PageWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

/** The language of a locale as `localeOf` gives it: English if it is not supported. */
export function pageLanguageOf(locale: string): PageLanguage {
  const { language } = new Intl.Locale(locale);
  return pageLanguages.find((each) => each === language) ?? 'en';
}

/**
 * The locale of the figures on a page: its country's in the language of the page.
 *
 * @example figuresLocaleOf('de-AT') // 'de-AT'; of 'ja-JP' 'en-JP', as its words are English
 */
export function figuresLocaleOf(locale: string): string {
  const { region = 'US' } = new Intl.Locale(locale).maximize();
  return `${pageLanguageOf(locale)}-${region}`;
}

/** Codes of refusals that a page can have, too; other codes are keys themselves. */
const keyOfCode: Readonly<Record<string, ProblemKey>> = {
  'field.required': 'required',
  'field.tooLong': 'tooLong',
  'field.invalid': 'invalid',
  'address.invalid': 'address',
  'address.notValidated': 'address',
  'paymentMethod.declined': 'card.refused',
  'quote.moved': 'price.moved',
  'card.tooManyDeclines': 'tooMany',
};

/**
 * What a problem says: its key, or the code of a refusal, selects the text. The form is shown
 * even if a refusal has no text of its own.
 */
export function problemText(words: PageWords, { field, key, values = {} }: PageProblem): string {
  const known = keyOfCode[key] ?? key;
  const text = isProblemKey(words, known)
    ? words.problem[known]
    : words.problem[field === null ? 'tryAgain' : 'invalid'];
  return fill(text, values);
}

function isProblemKey(words: PageWords, key: string): key is ProblemKey {
  return Object.hasOwn(words.problem, key);
}
