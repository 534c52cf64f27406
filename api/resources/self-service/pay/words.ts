/** The words of the pages that pay invoices and keep cards in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { PayWords } from './words-english.ts';
import { french, german, spanish } from './words-translated.ts';

export const payWords: Readonly<Record<PageLanguage, PayWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
