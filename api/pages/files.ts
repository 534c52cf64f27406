/** The files of hosted pages, which are the same for all tenants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invoicePartStyle } from '../../providers/invoice-documents/html.ts';
import type { Content } from '../docs/documents.ts';

const CSS_TYPE = 'text/css; charset=utf-8';
const folder = join(import.meta.dirname, 'assets');

const file = (type: string, name: string): Content => ({
  type,
  text: () => readFileSync(join(folder, name)),
});

export const pageFiles: ReadonlyMap<string, Content> = new Map([
  ['/css/invoice.css', { type: CSS_TYPE, text: () => invoicePartStyle }],
  ['/css/signup.css', file(CSS_TYPE, 'signup.css')],
  ['/js/account.js', file('text/javascript; charset=utf-8', 'account.js')],
  ['/js/cards.js', file('text/javascript; charset=utf-8', 'cards.js')],
  ['/js/choice.js', file('text/javascript; charset=utf-8', 'choice.js')],
  ['/js/states.js', file('text/javascript; charset=utf-8', 'states.js')],
  ['/js/pages.js', file('text/javascript; charset=utf-8', 'pages.js')],
]);
