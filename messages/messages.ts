/**
 * The texts of pages, mails and documents in each language, which the files beside this one have.
 * They are read once, when a process starts, and checked: no process runs with a text that a
 * language lacks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf, languages, type MessagesByLanguage } from '../domain/text/language.ts';
import type { Messages } from '../domain/text/messages.ts';
import { mistakesIn, readTexts } from './texts.ts';

export const messages = load();

/** The texts for a locale. */
export const messagesOf = (locale: string): Messages => messages[languageOf(locale)];

function load(): MessagesByLanguage {
  const read = languages.map((language) => {
    const file = join(import.meta.dirname, `${language}.yaml`);
    return { language, texts: readTexts(readFileSync(file, 'utf8')) };
  });
  const english = read.find(({ language }) => language === 'en')?.texts ?? {};
  const mistakes = read.flatMap(({ language, texts }) =>
    mistakesIn(texts, english).map((mistake) => `messages/${language}.yaml: ${mistake}`),
  );
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  const entries = read.map(({ language, texts }) => [language, texts]);
  // The types are those of the English file, and the other files were found to be like it.
  return Object.fromEntries(entries) as MessagesByLanguage;
}
