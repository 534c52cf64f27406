/** Reads and writes the quantities of hosted forms, as the figures of their page are written. */
import { formatsOf } from '../../domain/invoices/formats.ts';
import { formatDecimal, parseDecimal, type Decimal } from '../../domain/money/money.ts';
import { figuresLocaleOf } from './language.ts';

/** The form of a page in which a quantity stands. */
export interface QuantityForm {
  /** Of the page. */
  readonly locale: string;
  /** What the form came with, which may stay though it is no whole number. */
  readonly kept?: Decimal | null | undefined;
}

/**
 * A whole number from 1 on, with or without the separators that the page itself writes: 1.000 is a
 * thousand on a German page, and nothing on an English one. Null for anything else.
 */
export function readQuantity(text: string, { locale, kept = null }: QuantityForm): Decimal | null {
  const typed = text.trim();
  if (kept !== null && typed === writtenQuantity(kept, locale)) return withoutZeros(kept);
  const digits = /^\d+$/.test(typed) ? typed : withoutSeparators(typed, locale);
  return digits !== null && /^0*[1-9]\d{0,11}$/.test(digits) ? withoutZeros(digits) : null;
}

/** As the page writes it elsewhere. */
export const writtenQuantity = (quantity: Decimal, locale: string): string =>
  // A number has no currency.
  formatsOf(figuresLocaleOf(locale), 'USD').number(quantity);

const SEPARATED = '1234567';

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

const withoutZeros = (decimal: Decimal): Decimal => formatDecimal(parseDecimal(decimal));
