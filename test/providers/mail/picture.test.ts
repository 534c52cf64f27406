/**
 * A mail in a real browser, at the widths of a desktop and of a phone, light and dark: nothing is
 * cut, the page does not scroll sideways, and texts can be read.
 */
import { existsSync } from 'node:fs';
import test from 'ava';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser } from 'playwright-core';
import { mailPage } from '../../../domain/mail/page.ts';
import type { MailSubject } from '../../../domain/mail/source.ts';
import { createRenderer } from '../../../providers/mail/render.ts';
import { newInvoice, order, overdue, payment, sourceOf } from '../../domain/mail/samples.ts';
import { messages } from '../../../messages/messages.ts';
import { pngOf, uriOf } from '../invoice-documents/pictures.ts';

/** Debian's. */
const executablePath = '/usr/bin/chromium';
const browserTest = existsSync(executablePath) ? test.serial : test.serial.skip;
const renderer = createRenderer(new Map());
let browser: Browser | undefined;

test.after.always(() => browser?.close());

interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

interface Seen {
  readonly scrolled: number;
  /** Elements with text that is wider than they are, or beyond the page. */
  readonly cut: readonly string[];
  readonly faults: readonly string[];
  readonly background: string;
}

const script = `
  const cut = [...document.querySelectorAll('h1, p, th, td, span, strong, bdi')].flatMap((each) => {
    const { left, right } = each.getBoundingClientRect();
    const isOut = left < 0 || right > innerWidth + 0.5 || each.scrollWidth > each.clientWidth + 1
      && getComputedStyle(each).display !== 'inline';
    return isOut ? [each.textContent.trim()] : [];
  });
  ({
    scrolled: document.documentElement.scrollWidth,
    cut,
    background: getComputedStyle(document.querySelector('.sheet')).backgroundColor,
  });
`;

async function seen(html: string, { width, scheme }: Look): Promise<Seen> {
  browser ??= await chromium.launch({
    executablePath,
    // However slow the machine: AVA ends what never comes.
    timeout: 0,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  try {
    await page.setContent(html);
    const measured = await page.evaluate<Omit<Seen, 'faults'>>(script);
    await page.evaluate(axe.source);
    const rules = `axe.run({ runOnly: ['color-contrast', 'html-has-lang', 'image-alt', 'td-headers-attr'] })`;
    const { violations } = await page.evaluate<AxeResults>(rules);
    const faults = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html}`),
    );
    return { ...measured, faults };
  } finally {
    await page.close();
  }
}

const LONG_NAME = `Donaudampfschifffahrtsgesellschaft${'-Verwaltung'.repeat(6)}`;
const logo = uriOf(pngOf(400, 90));

const subjects: readonly MailSubject[] = [
  newInvoice,
  { kind: 'newOrder', order: { ...order, planName: LONG_NAME } },
  {
    kind: 'paymentReceived',
    payment: {
      ...payment,
      amount: '123456789012.5',
      invoices: [{ invoiceNumber: '1001', amount: '123456789012.5' }],
    },
  },
  { kind: 'paymentFailed', payment },
  overdue,
];

for (const width of [1280, 360]) {
  for (const scheme of ['light', 'dark'] as const) {
    browserTest(`mails at ${width} pixels, ${scheme}`, async (t) => {
      t.timeout(240_000);
      for (const subject of subjects) {
        for (const locale of ['en_US', 'de_DE']) {
          const source = sourceOf(subject, { locale, customer: { name: LONG_NAME } });
          const { html } = renderer.render({ page: mailPage(source, messages), logo });
          const { scrolled, cut, faults, background } = await seen(html, { width, scheme });
          t.true(scrolled <= width, `${subject.kind} ${locale} is ${scrolled} wide`);
          t.deepEqual(cut, [], `${subject.kind} ${locale}`);
          t.deepEqual(faults, [], `${subject.kind} ${locale}`);
          t.is(background, scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(29, 36, 44)');
        }
      }
    });
  }
}
