/** Renders an invoice's document as one self-contained HTML page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { InvoicePage } from '../../domain/invoices/page.ts';
import { pictureOf } from './logo.ts';

const style = readFileSync(join(import.meta.dirname, 'invoice.css'), 'utf8');
const eta = new Eta({ autoEscape: true });
const template = eta.compile(readFileSync(join(import.meta.dirname, 'invoice.eta'), 'utf8'));

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
  return eta.render(template, { page, style, logo: picture === undefined ? null : logo });
}
