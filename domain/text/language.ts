/** The languages of pages, mails and documents. */
import type { Messages } from './messages.ts';

/** @example languages[0] // 'en' */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** All texts: an argument of what writes a document or a mail, since `domain/` reads no files. */
export type MessagesByLanguage = Readonly<Record<Language, Messages>>;

/**
 * The language of a locale: English if it is not supported.
 *
 * @example languageOf('de-AT') // 'de'; of 'ja-JP' 'en'
 */
export function languageOf(locale: string): Language {
  const { language } = new Intl.Locale(locale);
  return languages.find((each) => each === language) ?? 'en';
}
