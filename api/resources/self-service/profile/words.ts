/** The words of the profile of hosted self-service, in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { ProfileWords } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

export const profileWords: Readonly<Record<PageLanguage, ProfileWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
