/** Reads and writes the quantities of hosted forms, as the figures of their page are written. */
import { formatsOf } from '../../domain/invoices/formats.ts';
import { formatDecimal, parseDecimal, type Decimal } from '../../domain/money/money.ts';
import { figuresLocaleOf } from './language.ts';

/**
 * A number above 0, with or without the separators that the page itself writes: 1.000 is a thousand on
 * a German page, and nothing on an English one. Null for anything else; whether a plan takes it is its
 * own rule.
 */
export function readQuantity(text: string, locale: string): Decimal | null {
  const [whole = '', ...parts] = text.trim().split(pointOf(locale));
  const digits = /^\d+$/.test(whole) ? whole : withoutSeparators(whole, locale);
  if (digits === null || parts.length > 1 || !/^0*\d{1,12}$/.test(digits)) return null;
  const [fraction] = parts;
  // Of zeros alone it is a thousand as other languages write it.
  if (fraction !== undefined && !/^(?!0*$)\d{1,6}$/.test(fraction)) return null;
  const quantity = parseDecimal(`${digits}.${fraction ?? '0'}`);
  return quantity === 0n ? null : formatDecimal(quantity);
}

/** As the page writes it elsewhere. */
export const writtenQuantity = (quantity: Decimal, locale: string): string =>
  // A number has no currency.
  formatsOf(figuresLocaleOf(locale), 'USD').number(quantity);

const SEPARATED = '1234567';
const PART = '1.5';

/** What stands before a fraction. */
function pointOf(locale: string): string {
  return /\D/.exec(writtenQuantity(PART, locale))?.[0] ?? '.';
}

/** Null if they are not where the page writes them. */
function withoutSeparators(text: string, locale: string): string | null {
  const separator = /\D/.exec(writtenQuantity(SEPARATED, locale))?.[0];
  if (separator === undefined) return null;
  const alike = kindsOf(separator);
  if (!new RegExp(`^\\d{1,3}(?:${alike}\\d{2,3})*${alike}\\d{3}$`, 'u').test(text)) return null;
  return text.replaceAll(new RegExp(alike, 'gu'), '');
}

/** People type the blank and the apostrophe of their keyboard. */
function kindsOf(separator: string): string {
  if (/\s/.test(separator)) return '\\s';
  return /['’]/.test(separator) ? "['’]" : `[${separator}]`;
}
