/** The files of hosted pages, which are the same for all tenants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '../docs/documents.ts';

const folder = join(import.meta.dirname, 'assets');

const file = (type: string, name: string): Content => ({
  type,
  text: () => readFileSync(join(folder, name)),
});

export const pageFiles: ReadonlyMap<string, Content> = new Map([
  ['/css/signup.css', file('text/css; charset=utf-8', 'signup.css')],
  ['/js/account.js', file('text/javascript; charset=utf-8', 'account.js')],
  ['/js/pages.js', file('text/javascript; charset=utf-8', 'pages.js')],
]);
