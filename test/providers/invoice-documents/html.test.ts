/** The HTML of an invoice: escaped, self-contained, and structured for screen readers. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { invoiceHtml, invoiceHtmlPolicy } from '../../../providers/invoice-documents/html.ts';
import { pngOf } from './pictures.ts';
import { charge, line, sourceOf } from './samples.ts';

const htmlOf = (...options: Parameters<typeof sourceOf>) =>
  invoiceHtml(invoicePage(sourceOf(...options), messages));

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>{{7*7}}<%= 7*7 %>&amp;`;
const harmless =
  '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(2)&gt;' +
  '{{7*7}}&lt;%= 7*7 %&gt;&amp;amp;';

test('markup in names and texts is shown as text', (t) => {
  const address = { street1: hostile, city: hostile, country: hostile };
  const contact = { firstName: hostile, lastName: null, companyName: hostile, address };
  const html = htmlOf({
    invoice: {
      notes: hostile,
      lines: [
        line({
          invoiceText: hostile,
          contractCode: hostile,
          orderNumber: hostile,
          charges: [charge({ invoiceText: hostile, unitOfMeasure: hostile })],
        }),
      ],
    },
    customer: { name: hostile, extCustomerRef: hostile, billingContact: contact },
    sender: { name: hostile, address, logo: `data:image/png;base64,"><script>1</script>` },
  });
  t.false(html.includes('<script'));
  t.false(/<[^>]*onerror/.test(html));
  t.false(html.includes('<img'), 'a logo that is no picture is left out');
  const places = html.split(harmless).length - 1;
  // Title, sender (name, 2 + 1 lines), recipient (name, 1 company, 2 + 1 lines), reference,
  // line (title, order and plan), charge (text, unit), notes.
  t.true(places >= 15, `${places} places`);
  t.false(html.includes('49'), 'no text is run as a template');
});

test('the page needs nothing from outside, and its policy allows only its own content', (t) => {
  const logo = `data:image/png;base64,${pngOf(2, 2).toString('base64')}`;
  const html = htmlOf({ sender: { logo } });
  t.deepEqual(html.match(/\b(?:src|href|action|url)\b\s*[=(][^>\s]*/g), [`src="${logo}"`]);
  t.false(/@import|<link|<script|\sstyle=/.test(html));
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => String(style));
  t.is(styles.length, 1);
  const hash = createHash('sha256').update(styles.join('')).digest('base64');
  t.true(invoiceHtmlPolicy.includes(`style-src 'sha256-${hash}'`));
  t.true(invoiceHtmlPolicy.startsWith("default-src 'none'"));
});

test('a screen reader finds the language, headings and table headings', (t) => {
  const html = htmlOf({ customer: { locale: 'de_DE' }, invoice: { notes: 'Danke' } });
  t.true(html.includes('<html lang="de">'));
  t.deepEqual(
    [...html.matchAll(/<(h\d)[^>]*>([^<]*)</g)].map(([, level, text]) => `${level} ${text}`),
    ['h1 Rechnung 1001', 'h2 Rechnung an', 'h2 Posten', 'h2 Zusammenfassung', 'h2 Anmerkungen'],
  );
  t.deepEqual(
    [...html.matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, text]) => text),
    ['Beschreibung', 'Zeitraum', 'Menge', 'Einzelpreis', 'Betrag'],
  );
  t.is(html.match(/<th(?![^>]*scope=)[\s>]/g), null, 'every heading of the table has its scope');
  t.true(html.includes('<th scope="rowgroup"'));
});

test('a paid or cancelled invoice is marked, an open one is not', (t) => {
  t.true(htmlOf({ invoice: { status: 'Paid' } }).includes('<p class="stamp">Paid</p>'));
  t.true(htmlOf({ invoice: { status: 'Cancelled' } }).includes('<p class="stamp">Cancelled</p>'));
  t.false(htmlOf().includes('<p class="stamp">'));
});

test('names in any script are in the page unchanged', (t) => {
  for (const name of [
    'Żółć sp. z o.o.',
    'Ωμέγα ΑΕ',
    'ТОВ «Київ»',
    '株式会社東京',
    'شركة',
    'חברה',
  ]) {
    t.true(htmlOf({ customer: { name } }).includes(`<strong dir="auto">${name}</strong>`));
  }
});
