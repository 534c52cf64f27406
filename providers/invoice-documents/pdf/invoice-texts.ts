/** The texts that a document prints, and the country whose forms its Han characters have. */
import type { InvoicePage } from '../../../domain/invoices/page.ts';
import type { HanForms } from './font-slices.ts';
import { printable } from './typesetter.ts';

/** All printed texts, to select fonts; extra texts do no harm. */
export function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield printable(value);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* textsOf(part);
  }
}

const byLanguage: ReadonlyMap<string, HanForms> = new Map([
  ['ja', 'jp'],
  ['ko', 'kr'],
]);

/** The customer's locale decides; if it uses another script, kana or hangul in the names do. */
export function hanFormsOf(page: Pick<InvoicePage, 'locale' | 'recipient' | 'sender'>): HanForms {
  const { language, script } = new Intl.Locale(page.locale).maximize();
  if (language === 'zh') return script === 'Hant' ? 'tc' : 'sc';
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const names = [...textsOf([page.recipient, page.sender.name, page.sender.lines])].join(' ');
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(names)) return 'jp';
  return /\p{Script=Hangul}/u.test(names) ? 'kr' : 'sc';
}
