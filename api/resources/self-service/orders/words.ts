/** The words of the pages of orders in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { OrderWords } from './words-english.ts';
import { french } from './words-french.ts';
import { german } from './words-german.ts';
import { spanish } from './words-spanish.ts';

export const orderWords: Readonly<Record<PageLanguage, OrderWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
