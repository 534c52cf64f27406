/** The words of statements, invoices and payments in the language of a page. */
import type { PageLanguage } from '../../../pages/words.ts';
import { english } from './words-english.ts';
import type { RecordWords } from './words-english.ts';
import { french } from './words-french.ts';
import { german } from './words-german.ts';
import { spanish } from './words-spanish.ts';

export const recordWords: Readonly<Record<PageLanguage, RecordWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};
