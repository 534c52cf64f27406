/**
 * Hosted pages in a real browser, as they are served: axe finds nothing at the widths of phones and
 * of a desk, in light and dark; the keyboard, the checks of the script, and what works without it.
 * `npm test -- test/api/pages/page.test.ts -- --record` takes the pictures of the guide.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { languages } from '../../../domain/text/language.ts';
import { isLong } from '../../support/random.ts';
import { pagesIn } from './samples.ts';

/** Debian's. */
const executablePath = '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
const browserTest = hasBrowser ? test.serial : test.serial.skip;

const assets = join(import.meta.dirname, '../../../api/pages/assets');
const policy =
  "default-src 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
  "font-src 'self'; img-src 'self'; form-action 'self'";

const samples: ReadonlyMap<string, string> = new Map(
  languages.flatMap((language) =>
    Object.entries(pagesIn(language)).map(([name, html]) => [`/${language}/${name}`, html]),
  ),
);
const files: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['/css/signup.css', ['text/css', readFileSync(join(assets, 'signup.css'), 'utf8')]],
  ...globSync('*.js', { cwd: assets }).map((name): [string, readonly [string, string]] => [
    `/js/${name}`,
    ['text/javascript', readFileSync(join(assets, name), 'utf8')],
  ]),
  ['/favicon.ico', ['image/x-icon', '']],
]);

/** What was posted, and whether the sign-up that waits is still under way. */
const posted: string[] = [];
let isWorking = true;

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'POST') posted.push(path);
  const isDone = path === '/signup/q3V0bm' && !isWorking;
  const html = isDone ? '<title>done</title>' : (samples.get(path) ?? samples.get('/en/working'));
  const [type, text] = files.get(path) ?? ['text/html', html];
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Security-Policy', policy);
  response.end(text);
});

let own = '';
let browser: Browser;
test.before(async () => {
  if (!hasBrowser) return;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath,
    // However slow the machine: AVA ends what never comes.
    timeout: 0,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
});
test.after.always(async () => {
  await (browser as Browser | undefined)?.close();
  server.close();
});

interface Visit {
  readonly page: Page;
  /** Errors of the script, and what the policy forbids. */
  readonly complaints: string[];
  readonly open: (path: string) => Promise<unknown>;
}

async function windowOf(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const open = (path: string) => page.goto(own + path, { waitUntil: 'load' });
  return { page, complaints, open };
}

/** One window for all tests with the script, as a new one is a new process. */
let shared: Visit | undefined;

async function visit({ javaScriptEnabled = true } = {}): Promise<Visit> {
  if (!javaScriptEnabled) return windowOf({ javaScriptEnabled });
  shared ??= await windowOf();
  shared.complaints.length = 0;
  return shared;
}

/** Rules about looks, which take most of the time. */
const LOOKS = ['color-contrast', 'link-in-text-block', 'target-size'];

/** What axe finds, as `rule: element`. */
async function barriers(page: Page, { withLooks = true } = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const rules = Object.fromEntries(LOOKS.map((rule) => [rule, { enabled: withLooks }]));
  const options = JSON.stringify({ resultTypes: ['violations'], selectors: false, rules });
  const { violations } = await page.evaluate<AxeResults>(
    `(async () => axe.run(document, ${options}))()`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

const phone = { width: 320, height: 640 } as const;
/** The narrowest last: the next page opens as it is. */
const sizes = [{ width: 390, height: 844 }, { width: 1280, height: 900 }, phone] as const;

/** Between them the pages have every part that a page can have. */
const full = [
  '/en/details-faulty',
  '/en/review-declined',
  '/en/working',
  '/en/gone',
  '/en/home-expired',
  '/en/linked-faulty',
  '/en/order-new-faulty',
];

/** Of the pages in other languages the run of all tests opens one in so many. */
const OPENED = 4;
const isEnglish = (path: string): boolean => path.startsWith('/en/');

browserTest('axe finds nothing on a page, and no page scrolls sideways', async (t) => {
  const { page, complaints, open } = await visit();
  const opened = [...samples.keys()].filter(
    (path, index) => isLong || isEnglish(path) || index % OPENED === 0,
  );
  for (const path of opened) {
    await open(path);
    // Longer words only matter where there is least room.
    for (const { width, height } of isEnglish(path) ? sizes : [phone]) {
      await page.setViewportSize({ width, height });
      t.false(await isWide(page), `${path} at ${width} px`);
      const withLooks = isLong || full.includes(path);
      const hasNews = full.includes(path) || (width === phone.width && isEnglish(path));
      if (hasNews) t.deepEqual(await barriers(page, { withLooks }), [], `${path} at ${width} px`);
    }
  }
  // Here nobody serves Stripe's script, which the policy of its own pages allows.
  t.deepEqual(
    complaints.filter((text) => !text.includes('https://js.stripe.com/')),
    [],
  );
});

browserTest('axe finds nothing on a page in the dark', async (t) => {
  const { page, open } = await visit();
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of full) {
    await open(path);
    t.deepEqual(await barriers(page), [], path);
  }
  await page.emulateMedia({ colorScheme: 'light' });
});

const GROUND = 'getComputedStyle(document.body).backgroundColor';

browserTest('a style sheet that imports ours chooses light or dark by color-scheme', async (t) => {
  const { page, open } = await visit();
  const ground = () => page.evaluate<string>(GROUND);
  await open('/en/gone');
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  t.not(dark, light);
  await page.evaluate("document.documentElement.style.colorScheme = 'light'");
  t.is(await ground(), light);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate("document.documentElement.style.colorScheme = 'dark'");
  t.is(await ground(), dark);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with the script' : 'without it';
  browserTest(`${how}, the menu opens on a phone, and is open on a desk`, async (t) => {
    const { page, open } = await visit({ javaScriptEnabled });
    await page.setViewportSize(phone);
    await open('/en/invoices');
    const statement = page.locator('.menu').getByRole('link', { name: 'Statement' });
    t.is(await page.locator('main .menu').count(), 0);
    t.false(await statement.isVisible());
    t.is(await page.locator('.menu summary').textContent(), 'Menu: Invoices');
    await page.locator('.menu summary').focus();
    await page.keyboard.press('Enter');
    t.true(await statement.isVisible());
    t.false(await isWide(page));
    await open('/en/invoices');
    await page.setViewportSize({ width: 1280, height: 900 });
    t.true(await statement.isVisible());
    // The first key leads past all that.
    await page.keyboard.press('Tab');
    t.is(await focused(page), 'Skip to the content');
    await page.keyboard.press('Enter');
    t.is(await page.locator(':focus').getAttribute('id'), 'content');
  });
}

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.name || document.activeElement.textContent.trim()');

browserTest('the keyboard goes through the review from top to bottom', async (t) => {
  const { page, open } = await visit();
  await open('/en/review');
  const order: string[] = [];
  for (let step = 0; step < 11; step += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused(page));
  }
  t.deepEqual(order, [
    'Skip to the content',
    'Change order or details',
    'cardNumber',
    'expiryMonth',
    'expiryYear',
    'cvv',
    'cardholderName',
    'savePaymentMethod',
    'tosAccepted',
    'terms and conditions (opens in a new tab)',
    'Order and pay',
  ]);
});

browserTest(
  'the keyboard goes from the card of a pay link to its button, and then to the account',
  async (t) => {
    const { page, open } = await visit();
    await open('/en/linked');
    const order: string[] = [];
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused(page));
    }
    t.deepEqual(order, [
      'Skip to the content',
      'Download PDF (opens in a new tab)',
      'cardNumber',
      'expiryMonth',
      'expiryYear',
      'cvv',
      'cardholderName',
      'Pay $81.61',
      'Log in to your account',
    ]);
  },
);

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with the script' : 'without it';
  browserTest(`${how}, the list of problems has the focus and leads to fields`, async (t) => {
    const { page, open } = await visit({ javaScriptEnabled });
    await open('/en/details-faulty');
    t.is(await page.locator(':focus').getAttribute('id'), 'problems');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Jane');
    t.is(await page.locator('#firstName').inputValue(), 'Jane');
  });
}

browserTest('the script checks a card before it is sent, and sends a form once', async (t) => {
  const { page, complaints, open } = await visit();
  await open('/de/review');
  posted.length = 0;
  const error = (name: string) => page.locator(`#${name}-error`);
  await page.locator('#cardNumber').pressSequentially('378282246310006');
  t.is(await page.locator('#cardNumber').inputValue(), '3782 822463 10006');
  t.is(await page.locator('.card-brand').textContent(), 'American Express');
  await page.locator('#cvv').fill('123');
  t.is(
    await error('cardNumber').textContent(),
    'Das ist keine Kartennummer. Bitte prüfen Sie die Ziffern.',
  );
  await page.locator('#expiryMonth').selectOption('01');
  await page.locator('#expiryYear').selectOption('2027');
  await page.keyboard.press('Enter');
  t.is(await page.locator(':focus').getAttribute('id'), 'problems');
  const problems = await page.locator('.problems li a').allTextContents();
  t.deepEqual(problems, [
    'Kartennummer: Das ist keine Kartennummer. Bitte prüfen Sie die Ziffern.',
    'Prüfnummer: Bitte geben Sie die Prüfnummer ein: 3 Ziffern, bei American Express 4 Ziffern.',
    'Name auf der Karte: Bitte füllen Sie dieses Feld aus.',
    'Bitte stimmen Sie den Bedingungen zu, um fortzufahren.',
  ]);
  t.deepEqual(await barriers(page), []);
  await page.locator('#cardNumber').fill('4111111111111111');
  await page.locator('#cardholderName').fill('Jane Miller');
  t.is(await error('cardNumber').count(), 0);
  // The code is of the new brand's length.
  t.is(await error('cvv').count(), 0);
  await page.locator('#tosAccepted').check();
  await page.locator('[aria-invalid]').first().waitFor({ state: 'detached' });
  // A click while the browser sends does nothing.
  await page.evaluate("for (const _ of '12') document.querySelector('.button').click()");
  await page.waitForURL('**/signup/q3V0bm');
  t.deepEqual(posted, ['/signup/q3V0bm']);
  await page.goBack({ waitUntil: 'load' });
  t.is(await page.locator('.button').textContent(), 'Zahlungspflichtig bestellen');
  t.is(await page.locator('.button').getAttribute('aria-disabled'), null);
  t.deepEqual(complaints, []);
});

browserTest('a click reaches its button although a problem appears above it', async (t) => {
  const { page, open } = await visit();
  await open('/en/review');
  await page.locator('#cvv').fill('1');
  await page.locator('.button').click();
  // Both by the click: the problem of the field, and the list.
  t.is(await page.locator(':focus').getAttribute('id'), 'problems');
  t.is(await page.locator('#cvv-error').count(), 1);
});

browserTest('a card that is only to be saved is asked for with its box', async (t) => {
  const { page, open } = await visit();
  await open('/en/review-free');
  t.false(await page.locator('#cardNumber').isVisible());
  await page.locator('#savePaymentMethod').check();
  await page.locator('#tosAccepted').check();
  await page.locator('.button').click();
  t.true(await page.locator('#cardNumber').isVisible());
  t.is(await page.locator('.problems li').count(), 5);
  await page.locator('#savePaymentMethod').uncheck();
  await page.locator('.button').click();
  await page.waitForURL('**/signup/q3V0bm');
});

browserTest('the page that waits asks until the sign-up is done, then goes on', async (t) => {
  const { page, complaints, open } = await visit();
  isWorking = true;
  await page.clock.install();
  await open('/signup/q3V0bm');
  const asks = async (): Promise<void> => {
    const asked = page.waitForResponse(`${own}/signup/q3V0bm`);
    await page.clock.runFor(3_000);
    await (await asked).finished();
  };
  await asks();
  t.true(await page.getByRole('heading', { name: 'We are processing your order' }).isVisible());
  isWorking = false;
  await asks();
  await page.waitForURL((url) => url.pathname === '/signup/q3V0bm', { waitUntil: 'load' });
  await page.waitForFunction('document.title === "done"');
  t.deepEqual(complaints, []);
});

/** A page, its file, and the width of its window. */
const pictures = [
  ['details', 'signup-details', 320],
  ['details', 'signup-details', 1280],
  ['review', 'signup-review', 390],
  ['review', 'signup-review', 1280],
  ['review-declined', 'signup-review-declined', 390],
  ['working', 'signup-working', 390],
  ['gone', 'signup-gone', 390],
  ['home', 'account-home', 1280],
  ['home', 'account-home', 390],
  ['statement', 'account-statement', 1280],
  ['pay', 'account-pay', 1280],
  ['pay', 'account-pay', 390],
  ['order-review', 'account-upgrade', 1280],
] as const;

const record = process.argv.includes('--record') ? browserTest : test.skip;
record('the guides have pictures of the pages', async (t) => {
  const { page, open } = await visit();
  for (const [name, file, width] of pictures) {
    await page.setViewportSize({ width, height: 400 });
    await open(`/en/${name}`);
    const path = join(import.meta.dirname, `../../../docs/${file}-${width}.png`);
    const animations = 'disabled';
    t.true((await page.screenshot({ path, fullPage: true, animations })).length > 0);
  }
});
