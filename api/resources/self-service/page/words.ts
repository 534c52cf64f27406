/** The words of the self-service pages in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { SelfServiceWords } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

export const selfServiceWords: Readonly<Record<PageLanguage, SelfServiceWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
