/** Renders an invoice's document as one self-contained HTML page, or as a part of another page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { InvoicePage } from '../../domain/invoices/page.ts';
import { pictureOf } from './logo.ts';

/** The rules of a table with its figures below the texts; `&` is the table. */
const stacked = fileBeside('stacked.css');
const [paper, sheet, print, narrow] = ['paper', 'sheet', 'print', 'narrow'].map((name) =>
  fileBeside(`${name}.css`),
);
/** Narrower than this, tables have their figures below the texts. */
const STACKED_BELOW = '(max-width: 720px)';
const stackedTables = ['.charges', '.taxes table'].map(stackedAs).join('\n');
const style = [
  [paper, sheet, print, narrow].join(''),
  stackedAs('.stacked'),
  // A phone or a narrow window, not paper, which is about as wide in pixels.
  `@media screen and ${STACKED_BELOW} {\n${stackedTables}}`,
].join('\n');

/**
 * The rules of the invoice inside another page: they count below `.invoice .sheet` only, and by the
 * width of `.invoice` instead of the window's.
 */
export const invoicePartStyle = `.invoice {
  container-type: inline-size;
}
.invoice .sheet {
${fileBeside('part.css')}${sheet}${stackedAs('.stacked')}
${narrow?.replaceAll('@media screen and', '@container')}@container ${STACKED_BELOW} {
${stackedTables}}
}
`;

const eta = new Eta({ autoEscape: true });
for (const name of ['invoice', 'sheet']) eta.loadTemplate(`@${name}`, fileBeside(`${name}.eta`));

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
  const shownLogo = picture === undefined ? null : logo;
  return eta.render('@invoice', { page, style, isStacked: isStacked(page), logo: shownLogo });
}

/**
 * What stands on the sheet, for `.invoice > .sheet > div`, whose class is the kind of the stamp. It
 * has no logo: the policy of hosted pages allows no picture that is inside its own address.
 */
export function invoicePart(page: InvoicePage): string {
  return eta.render('@sheet', { page, isStacked: isStacked(page), logo: null });
}

const isStacked = (page: InvoicePage): boolean => figureCharacters(page) > FIGURE_CHARACTERS_MAX;

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
