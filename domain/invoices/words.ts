/** The words of an invoice's document in the language of a locale. */
import { english, type Words } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

const languages: ReadonlyMap<string, Words> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
]);

export interface Language {
  /** For the `lang` of a document. */
  readonly code: string;
  readonly words: Words;
}

/**
 * The words for a locale: English if its language is not supported.
 *
 * @example languageOf('de-AT').words.dueDate // 'Fällig am'
 */
export function languageOf(locale: string): Language {
  const { language } = new Intl.Locale(locale);
  const words = languages.get(language);
  return words === undefined ? { code: 'en', words: english } : { code: language, words };
}

/**
 * Puts values into the placeholders of a text.
 *
 * @example fill('Page {page} of {pages}', { page: '2', pages: '5' }) // 'Page 2 of 5'
 */
export function fill(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
