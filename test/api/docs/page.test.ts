/**
 * The documentation in a real browser, at the width of a desktop and of a phone, in light and dark, and
 * on paper: it requests nothing from other servers, no page scrolls sideways or cuts anything, axe finds
 * no control without a label, no heading out of order and no pale text, and the form of a call sends it.
 */
import { existsSync } from 'node:fs';
import test from 'ava';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { documentsOf } from '../../../api/docs/documents.ts';
import { allRoutes } from '../../../api/resources/routes.ts';
import { routes } from '../../support/xsd.ts';
import { USER, makeTenant, openTestDatabase, quiet, startApi, stopAtTheEnd } from '../support.ts';
import { isLong } from '../../support/random.ts';
import { examplesShown, textOf } from './pasting.ts';

/** Debian's. */
const executablePath = '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
const browserTest = hasBrowser ? test.serial : test.serial.skip;

const db = await openTestDatabase();
await makeTenant(db, 'demo');
const api = await startApi(db, (dependencies) => allRoutes(quiet(dependencies)));
stopAtTheEnd(api);
const own = `http://127.0.0.1:${api.port}`;
const ofTenant = `http://demo.localhost:${api.port}`;
const addresses = [...documentsOf(routes)].flatMap(([path, { type }]) =>
  type.startsWith('text/html') ? [path] : [],
);

let browser: Browser;
test.before(async () => {
  if (!hasBrowser) return;
  browser = await chromium.launch({
    executablePath,
    // However slow the machine: AVA ends what never comes.
    timeout: 0,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
});
test.after.always(() => (browser as Browser | undefined)?.close());

interface Visit {
  readonly page: Page;
  /** Errors of scripts, and requests to other servers. */
  readonly complaints: string[];
}

async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  const complaints: string[] = [];
  await page.route(
    (url) => ![own, ofTenant].includes(url.origin) && url.protocol !== 'data:',
    (route) => {
      complaints.push(`asked for ${route.request().url()}`);
      return route.abort();
    },
  );
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

/** Rules about looks, which take most of the time; looks depend on the style sheet alone. */
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

const partsSeen = new Set<string>();

/** Whether the page has an element, in a parent, such as no page before it had. */
async function hasNewParts(page: Page): Promise<boolean> {
  const parts = await page.evaluate<string[]>(`(() => {
    const kind = (each) => [each?.localName, each?.className, ...each?.getAttributeNames() ?? []];
    return [...document.querySelectorAll('*')].map((each) =>
      JSON.stringify([kind(each.parentElement), kind(each)]));
  })()`);
  const before = partsSeen.size;
  for (const part of parts) partsSeen.add(part);
  return partsSeen.size > before;
}

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

/** Tables of one or two columns fit a phone; wider ones may scroll. */
const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.wide')]
    .filter((area) => area.scrollWidth > area.clientWidth)
    .filter((area) => area.querySelector('tr').children.length <= 2)
    .map((area) => area.getAttribute('aria-label'))`);

/** Elements whose content is wider than they are, and neither wraps nor scrolls. */
const cutParts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
    .filter((each) => !['auto', 'scroll'].includes(getComputedStyle(each).overflowX))
    .filter((each) => !each.matches('input, select, textarea, .unseen, code, summary, span, a'))
    .map((each) => each.outerHTML.slice(0, 120))`);

/** Text that is not to be seen at the right of the window. */
const isBeyond = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`[...document.querySelectorAll('main *')]
    .filter((each) => each.closest('pre, .wide, .unseen, .contents') === null)
    .some((each) => each.getBoundingClientRect().right > innerWidth + 1)`);

const unfold = (page: Page): Promise<void> =>
  page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');

const desk = { viewport: { width: 1440, height: 900 } } as const;
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

/** One window for all pages, as a new one is a new process. */
let shared: Visit | undefined;

/** Pages of a kind are made alike: the run of all tests looks at one in so many of them. */
const LOOKED_AT = { '/docs/calls/': 24, '/docs/guides/': 4 } as const;
const isLookedAt = (address: string, index: number): boolean =>
  Object.entries(LOOKED_AT).every(
    ([kind, every]) => !address.startsWith(kind) || index % every === 0,
  );
const visited = addresses.filter(
  (address, index) => address !== '/docs/reference' && (isLong || isLookedAt(address, index)),
);

for (const address of visited) {
  browserTest(`${address}: axe finds nothing, and it does not scroll sideways`, async (t) => {
    shared ??= await visit(desk);
    const { page, complaints } = shared;
    complaints.length = 0;
    await page.setViewportSize(desk.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    const answer = await page.goto(own + address, { waitUntil: 'load' });
    t.is(answer?.status(), 200);
    t.false(await isWide(page), 'it scrolls sideways on a desk');
    await page.setViewportSize(phone.viewport);
    t.false(await isWide(page), 'it scrolls sideways on a phone');
    t.deepEqual(await cutTables(page), []);
    await unfold(page);
    t.false(await isWide(page), 'it scrolls sideways on a phone when all of it is unfolded');
    t.deepEqual(await cutParts(page), [], 'it is cut on a phone');
    t.false(await isBeyond(page), 'something is beyond the right edge of a phone');
    const withLooks = await hasNewParts(page);
    if (withLooks) {
      await page.emulateMedia({ colorScheme: phone.colorScheme });
      t.deepEqual(await barriers(page), [], 'on a phone, in dark');
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await page.setViewportSize(desk.viewport);
    // Pages of calls are made alike: one that has no new part is built as others that axe has seen.
    const isNew = withLooks || !address.startsWith('/docs/calls/');
    if (isNew) t.deepEqual(await barriers(page, { withLooks }), []);
    t.deepEqual(complaints, []);
  });
}

const served = new Map<string, Promise<string>>();

/** Each page is asked for once. */
const htmlOf = (address: string): Promise<string> =>
  served.getOrInsertComputed(address, async (path) => (await fetch(own + path)).text());

test('pages have titles of their own, each the same as its heading', async (t) => {
  const titles: string[] = [];
  for (const address of addresses) {
    const html = await htmlOf(address);
    const [, title = ''] = /<title>(.*?)<\/title>/s.exec(html) ?? [];
    titles.push(textOf(title));
    if (address === '/docs' || address === '/docs/reference') continue;
    const [, heading = '', ...further] = html.split(/<h1[^>]*>|<\/h1>/);
    t.is(further.length, 1, `${address} has one heading`);
    t.is(titles.at(-1), `${textOf(heading)} · Sundial`);
  }
  t.is(new Set(titles).size, titles.length);
  for (const title of titles) t.regex(title, /^\S.* · Sundial$/);
});

test('no page has two regions of the same name', async (t) => {
  const twice: string[] = [];
  for (const address of addresses) {
    const html = await htmlOf(address);
    const regions = [...html.matchAll(/<(section|[a-z]+ [^>]*role="region")[^>]*>/g)];
    const names = regions.flatMap(([tag]) => /aria-label="([^"]*)"/.exec(tag)?.[1] ?? []);
    const again = names.filter((name, index) => names.indexOf(name) !== index);
    twice.push(...again.map((name) => `${address}: ${name}`));
  }
  t.deepEqual(twice, []);
});

browserTest('the search finds guides, calls, fields and codes by the keyboard alone', async (t) => {
  const { page, complaints } = await visit(desk);
  const finds = [
    ['lost updates', '/docs/guides/idempotency#lost-updates-etag-and-if-match'],
    ['suspend order', '/docs/calls/post-order'],
    ['jobCode', 'subscriptionOrder.jobCode'],
    ['tooManyPeriods', '/docs/errors#order.tooManyPeriods'],
    ['too many periods', '/docs/errors#order.tooManyPeriods'],
    ['advanceTo', 'query.advanceTo'],
  ] as const;
  for (const [words, wanted] of finds) {
    await page.goto(`${own}/docs/errors`, { waitUntil: 'load' });
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    const options = page.locator('#hits [role=option]');
    await options.first().waitFor();
    const found = await options.evaluateAll((all) =>
      all.map((each) => `${each.getAttribute('data-href')} ${each.textContent}`),
    );
    const at = found.findIndex((each) => each.includes(wanted));
    t.true(at >= 0, `${words}: ${found.join('\n')}`);
    t.deepEqual(await barriers(page), []);
    for (let step = 0; step < at; step += 1) await page.keyboard.press('ArrowDown');
    const href = found[at]?.split(' ')[0] ?? '';
    await page.keyboard.press('Enter');
    await page.waitForURL(own + href);
    const [, anchor] = href.split('#');
    if (anchor !== undefined) {
      t.true(await page.locator(`[id="${anchor}"]`).isVisible(), `${words} leads to ${href}`);
    }
  }
  t.deepEqual(complaints, []);
});

browserTest('a button copies an example with its preparation', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, complaints } = await visit({ ...desk, permissions });
  const address = `${own}/docs/calls/post-payments`;
  await page.goto(address, { waitUntil: 'load' });
  const [example] = examplesShown(await (await fetch(address)).text());
  await page.locator('button.copy').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), example?.script);
  t.deepEqual(complaints, []);
});

browserTest('without JavaScript a page shows everything but search and copy', async (t) => {
  const { page } = await visit({ ...phone, javaScriptEnabled: false });
  await page.goto(`${own}/docs/calls/post-orders`, { waitUntil: 'load' });
  t.true(await page.getByRole('heading', { name: 'Request document' }).isVisible());
  t.true(await page.getByText('generateInvoice=true').first().isVisible());
  t.false(await page.locator('#query').isVisible());
  t.is(await page.locator('button.copy:visible').count(), 0);
  t.false(await page.getByRole('link', { name: 'All calls' }).first().isHidden());
  await page.getByRole('button', { name: 'Menu' }).click();
  t.true(await page.getByRole('link', { name: 'XML Schemas' }).isVisible());
  await page.getByRole('button', { name: 'Close' }).click();
  t.false(await page.getByRole('link', { name: 'XML Schemas' }).isVisible());
});

browserTest(
  'the form of a call sends it to the tenant, and shows answers and refusals',
  async (t) => {
    const { page, complaints } = await visit(phone);
    await page.goto(`${own}/docs/calls/get-plan`, { waitUntil: 'load' });
    const form = page.locator('form.try');
    await form.getByRole('heading', { name: 'Try it' }).waitFor();
    t.is(
      await form.getByRole('button', { name: 'Send' }).count(),
      0,
      'nothing is sent from elsewhere',
    );
    await form.getByRole('link', { name: ofTenant }).click();
    await page.waitForURL(`${ofTenant}/docs/calls/get-plan#try-it`);
    const [user = '', password = ''] = USER.split(':');
    await form.getByLabel('User').fill(user);
    await form.getByLabel('Password').fill('wrong');
    await form.getByLabel('Form').selectOption('/rest/plan?contractCode={contractCode}');
    await form.getByRole('button', { name: 'Send' }).click();
    t.is(await form.locator('.sent').innerText(), '', 'an address with braces is not sent');
    await form.getByLabel('Address').fill('/rest/plan?contractCode=NONE');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^401 /).waitFor();
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^404 /).waitFor();
    t.regex(await form.locator('.sent pre').innerText(), /<error code="plan\.unknown"/);
    t.deepEqual(await barriers(page), []);
    t.false(await isWide(page));
    await page.goto(`${ofTenant}/docs/calls/post-customers`, { waitUntil: 'load' });
    await form.getByLabel('User').fill(user);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText(/^201 /).waitFor();
    t.regex(await form.locator('.sent pre').innerText(), /<customer id="\d+">/);
    // The browser notes what was refused.
    t.deepEqual(
      complaints.filter((each) => !/status of 40[14]/.test(each)),
      [],
    );
  },
);

browserTest('on paper there is the text alone, unfolded and black on white', async (t) => {
  const { page } = await visit({ ...desk, colorScheme: 'dark' });
  await page.goto(`${own}/docs/calls/get-plan`, { waitUntil: 'load' });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  for (const gone of ['.bar', '#navigation', 'button.copy', 'form.try']) {
    t.is(await page.locator(`${gone}:visible`).count(), 0, gone);
  }
  t.is(await page.locator('main details:not([open])').count(), 0);
  const [ink, paper] = await page.evaluate<string[]>(
    '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
  );
  t.deepEqual([ink, paper], ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  t.deepEqual(
    await page.evaluate<string[]>(`[...document.querySelectorAll('main :is(pre, .wide)')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.ariaLabel)`),
    [],
    'nothing on paper can be scrolled',
  );
});

// All calls on one page: axe looks at thousands of elements, each time.
for (const colorScheme of isLong ? (['light', 'dark'] as const) : (['light'] as const)) {
  browserTest(`Swagger UI shows the calls, in ${colorScheme}`, async (t) => {
    const { page, complaints } = await visit({ ...desk, colorScheme });
    await page.goto(`${own}/docs/reference#/Orders/postOrders`, { waitUntil: 'load' });
    const operation = page.locator('#operations-Orders-postOrders');
    // Of the example's body.
    await operation.getByText('GOLD-FEE').first().waitFor();
    const found = await barriers(page);
    t.deepEqual(found, []);
    t.deepEqual(complaints, []);
  });
}

browserTest('Swagger UI sends calls to a tenant, and elsewhere leads to one', async (t) => {
  const { page, complaints } = await visit(phone);
  await page.goto(`${own}/docs/reference#/Plans/getPlans`, { waitUntil: 'load' });
  const plans = page.locator('#operations-Plans-getPlans');
  await plans.getByText('How many objects to skip.').waitFor();
  t.is(await plans.getByRole('button', { name: 'Try it out' }).count(), 0);
  t.false(await isWide(page));
  t.deepEqual(await barriers(page, { withLooks: isLong }), []);
  await page.getByRole('link', { name: `${ofTenant}/docs/reference` }).click();
  await page.waitForURL(`${ofTenant}/docs/reference#/Plans/getPlans`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  const [user = '', password = ''] = USER.split(':');
  await page.locator('#auth-basic-username').fill(user);
  await page.locator('#auth-basic-password').fill(password);
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await plans.getByRole('button', { name: 'Try it out' }).click();
  await plans.getByRole('button', { name: 'Execute' }).click();
  const status = plans.locator('.live-responses-table tbody .response-col_status').first();
  t.is(await status.innerText(), '200');
  t.false(await page.locator('#elsewhere').isVisible());
  t.deepEqual(complaints, []);
});

browserTest(
  'an unknown address answers with a page, and / redirects to the documentation',
  async (t) => {
    const { page } = await visit(phone);
    const lost = await page.goto(`${own}/docs/unknown`, { waitUntil: 'load' });
    t.is(lost?.status(), 404);
    t.is(await page.title(), 'Page not found · Sundial');
    t.deepEqual(await barriers(page), []);
    await page.goto(`${own}/`, { waitUntil: 'load' });
    t.is(page.url(), `${own}/docs`);
  },
);
