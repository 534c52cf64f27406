/** Renders an invoice's document as one self-contained HTML page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { InvoicePage } from '../../domain/invoices/page.ts';
import { pictureOf } from './logo.ts';

/** The rules of a table with its figures below the texts; `&` is the table. */
const stacked = fileBeside('stacked.css');
/** A phone or a narrow window, not paper, which is about as wide in pixels. */
const isNarrow = '@media screen and (max-width: 720px)';
const style = [
  fileBeside('invoice.css'),
  stackedAs('.stacked'),
  `${isNarrow} {\n${['.charges', '.taxes table'].map(stackedAs).join('\n')}}`,
].join('\n');
const eta = new Eta({ autoEscape: true });
const template = eta.compile(fileBeside('invoice.eta'));

/** Allows only the style sheet, by its hash, and images inside the page. */
export const invoiceHtmlPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function invoiceHtml(page: InvoicePage): string {
  const { logo } = page.sender;
  const picture = logo === null ? undefined : pictureOf(logo);
  const isStacked = figureCharacters(page) > FIGURE_CHARACTERS_MAX;
  return eta.render(template, {
    page,
    style,
    isStacked,
    logo: picture === undefined ? null : logo,
  });
}

/** Wider figures leave no room for texts beside them. */
const FIGURE_CHARACTERS_MAX = 36;

/** The length of the widest texts of the columns that are not broken into lines. */
function figureCharacters({ lines }: InvoicePage): number {
  const charges = lines.flatMap((line) => line.charges);
  const widest = (texts: readonly (string | null)[]): number =>
    texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 0);
  return (
    widest(charges.map(({ quantity }) => quantity)) +
    widest(charges.map(({ unitPrice }) => unitPrice)) +
    widest([...charges.map(({ amount }) => amount), ...lines.map(({ subtotal }) => subtotal)])
  );
}

function stackedAs(table: string): string {
  return stacked.replaceAll('&', table);
}

function fileBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}
