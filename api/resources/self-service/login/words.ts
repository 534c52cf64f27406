/** The words of the pages that customers log in by, in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { LoginWords } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

export const loginWords: Readonly<Record<PageLanguage, LoginWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
