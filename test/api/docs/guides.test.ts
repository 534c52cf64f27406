/** What the guides say by code, by file and by picture is so. */
import { readFileSync, readdirSync } from 'node:fs';
import test from 'ava';
import { domainErrors } from '../../../domain/error-codes.ts';
import { documentsOf } from '../../../api/docs/documents.ts';
import { errorCatalogue } from '../../../api/docs/errors.ts';
import { guideText, guides, summaryOf, texts } from '../../../api/docs/pages/guides.ts';
import { remedies } from '../../../api/docs/pages/remedies.ts';
import { readTenantFile } from '../../../operations/tenants/read.ts';
import { routes } from '../../support/xsd.ts';

const contents = documentsOf(routes);
const pageOf = (href: string): string => String(contents.get(href)?.text());

test('a guide says what to do about every error of billing', (t) => {
  const missing = Object.keys(domainErrors).filter((code) => !remedies().has(code));
  t.deepEqual(missing, []);
});

test('the table of a guide has status and meaning of the catalogue, and the page of errors what to do', (t) => {
  const meanings = new Map<string, string>(
    errorCatalogue().map(({ code, meaning }) => [code, meaning]),
  );
  t.regex(
    pageOf('/docs/guides/ending'),
    /order\.notEnding<\/code><\/a> <span class="type">400<\/span>.*Read the order: no end was requested/,
  );
  t.true(pageOf('/docs/guides/ending').includes(String(meanings.get('order.notEnding'))));
  t.regex(
    pageOf('/docs/errors'),
    /<tr id="order\.notEnding">.*Read the order: no end was requested/,
  );
  t.regex(pageOf('/docs/calls/post-order-keep'), /Read the order: no end was requested/);
});

test('every guide says what to do when it goes wrong, and is described by one sentence', (t) => {
  for (const name of guides) {
    if (name !== 'clients') t.regex(guideText(name), /^## When it goes wrong$/m, name);
    t.regex(summaryOf(name), /^[A-Z`].{20,240}\.$/, name);
  }
});

test('drawings fit a phone, are legible in the dark, have words for who does not see them, and are used', (t) => {
  const used = texts.map(({ name }) => guideText(name)).join('\n');
  for (const file of readdirSync('docs/drawings')) {
    const svg = readFileSync(`docs/drawings/${file}`, 'utf8');
    const [, width = ''] = /<svg [^>]*width="(\d+)"/.exec(svg) ?? [];
    t.true(Number(width) <= 440, file);
    t.regex(svg, /role="img" aria-label="[^"]{40,}"/, file);
    t.regex(svg, /prefers-color-scheme: dark/, file);
    t.true(used.includes(`drawings/${file})`), `no text shows ${file}`);
  }
});

test('the file of the guide “Your own tenant” has no mistake, and so have the plans of “Plans”', (t) => {
  const [, own = ''] = /```yaml\n(tenant: shop[\s\S]*?)```/.exec(guideText('own-tenant')) ?? [];
  const [, plans = ''] = /```yaml\n(plans:[\s\S]*?)```/.exec(guideText('plans')) ?? [];
  for (const text of [own, own.replace(/^plans:[\s\S]*/m, plans)]) {
    t.true(text.length > 500);
    const reading = readTenantFile(text, {
      secretOf: () => undefined,
      isStrict: true,
      allowPrivateCallbacks: true,
    });
    t.deepEqual(reading.isValid ? [] : reading.mistakes, []);
  }
});

test('a page lists its sections, with words alone', (t) => {
  const html = pageOf('/docs/guides/tax');
  const [, list = ''] =
    /<nav class="contents" aria-label="On this page">(.*?)<\/nav>/s.exec(html) ?? [];
  t.regex(list, /<li><a href="#avatax">AvaTax<\/a><\/li>/);
  t.notRegex(list, /<code>/);
});
