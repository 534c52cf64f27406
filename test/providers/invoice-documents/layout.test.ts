/**
 * The page of an invoice in a real browser, at the widths of a desktop and of a phone. However wide
 * the amounts are, no text is squeezed into a column of letters, no figure is cut or broken, and the
 * page does not scroll sideways.
 */
import { existsSync } from 'node:fs';
import test from 'ava';
import { chromium, type Browser } from 'playwright-core';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { invoiceHtml } from '../../../providers/invoice-documents/html.ts';
import {
  LONG_TEXT,
  charge,
  line,
  pricedOptions,
  sourceOf,
  wideOptions,
  type SourceOptions,
} from './samples.ts';

/** Debian's. */
const executablePath = '/usr/bin/chromium';
const browserTest = existsSync(executablePath) ? test.serial : test.serial.skip;
let browser: Browser | undefined;

test.after.always(() => browser?.close());

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly width: number;
  readonly height: number;
}

interface Measured {
  readonly scrolled: number;
  readonly texts: readonly Box[];
  readonly labels: readonly Box[];
  readonly figures: readonly Box[];
}

/** Runs in the browser. */
const script = `
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => {
    const { left, right, width, height } = each.getBoundingClientRect();
    return { text: each.textContent.trim(), left, right, width, height };
  });
  const texts = '.charges tbody th[scope=row] .text, .charges tbody th[scope=rowgroup]';
  ({
    scrolled: document.documentElement.scrollWidth,
    texts: boxes(texts),
    labels: boxes('.taxes tbody th .text, .foot p, .summary th, .sender :is(strong, span), dd'),
    figures: boxes('.charges td.number bdi, .taxes td bdi, .summary td bdi'),
  });
`;

/** Measures the page; it is set as content, because the served page allows no script. */
async function shown(options: SourceOptions, width: number) {
  browser ??= await chromium.launch({
    executablePath,
    // However slow the machine: AVA ends what never comes.
    timeout: 0,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.setDefaultTimeout(0);
  await page.setContent(invoiceHtml(invoicePage(sourceOf(options), messages)));
  const measured = await page.evaluate<Measured>(script);
  await page.close();
  return measured;
}

const long = charge({
  invoiceText: LONG_TEXT,
  billingStartDate: '2026-12-15',
  billingEndDate: '2027-01-14',
  unitPrice: '1129.95',
  amount: '1129.95',
});
/** The names, the percentages and the sums of taxes are wide. */
function wideTaxes(): SourceOptions {
  const options = pricedOptions();
  const taxes = (options.taxes ?? []).map((tax) => ({
    ...tax,
    name: LONG_TEXT,
    percent: '12.345678',
  }));
  const lines = (options.invoice?.lines ?? []).map((each) => ({
    ...each,
    charges: each.charges.map((one) => ({ ...one, amount: '1524157875019.05' })),
  }));
  return { ...options, taxes, invoice: { ...options.invoice, lines } };
}

const german = { customer: { locale: 'de_DE' }, sender: { taxId: 'DE123456789' } };
const invoices: readonly (readonly [name: string, options: SourceOptions])[] = [
  ['an ordinary invoice', {}],
  ['a long text', { invoice: { lines: [line({ charges: [long, charge()] })] } }],
  ['discounts and taxes', pricedOptions()],
  ['wide amounts', wideOptions()],
  ['wide taxes', wideTaxes()],
  ['wide amounts in German', { ...wideOptions(), ...german }],
];

/** A desktop, a smaller window, a tablet, a phone. */
const widths = [1280, 861, 760, 375] as const;
const LINE_PX_MAX = 24;

for (const [name, options] of invoices) {
  for (const width of widths) {
    browserTest(`${name} at ${width} pixels`, async (t) => {
      const { scrolled, texts, labels, figures } = await shown(options, width);
      t.true(scrolled <= width, `${scrolled} pixels wide`);
      for (const { text, left, right, height } of [...texts, ...labels, ...figures]) {
        t.true(left >= 0 && right <= width, `${text} is cut at ${left} or ${right}`);
        // Fewer than eight letters a line are a column of letters, whatever the words.
        const lines = Math.ceil(height / LINE_PX_MAX);
        t.true(lines <= Math.max(1, Math.ceil(text.length / 8)), `${text} in ${lines} lines`);
      }
      for (const { text, height } of figures) {
        t.true(height <= LINE_PX_MAX, `${text} is broken into lines`);
      }
      const full = texts.find(({ text }) => text === LONG_TEXT);
      if (full !== undefined) t.true(full.height <= 8 * LINE_PX_MAX, `${full.height} pixels high`);
    });
  }
}

browserTest('an ordinary invoice is a table on a desk, and rows of cells on a phone', async (t) => {
  const desk = await shown({}, 1280);
  const phone = await shown({}, 375);
  const [first] = desk.texts.filter(({ text }) => text === 'Installation');
  const [amount] = desk.figures.filter(({ text }) => text === '$49.00');
  t.true((first?.right ?? 0) < (amount?.left ?? 0));
  const [title] = phone.texts.filter(({ text }) => text.startsWith('Gold internet'));
  t.true((title?.width ?? 0) > 300);
});
