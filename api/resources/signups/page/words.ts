/** The words of a hosted sign-up's own pages in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { SignupWords } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

export const signupWords: Readonly<Record<PageLanguage, SignupWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
