/** The documentation in a real browser: it works, and loads nothing from other servers. */
import { existsSync } from 'node:fs';
import test from 'ava';
import { chromium } from 'playwright-core';
import { allRoutes } from '../../../api/resources/routes.ts';
import { openTestDatabase, quiet, startApi, stopAtTheEnd } from '../support.ts';

/** Debian's path. */
const executablePath = '/usr/bin/chromium';

const browserTest = existsSync(executablePath) ? test : test.skip;

browserTest('every page loads from its own server alone, without an error', async (t) => {
  const api = await startApi(await openTestDatabase(), (dependencies) =>
    allRoutes(quiet(dependencies)),
  );
  stopAtTheEnd(api);
  const browser = await chromium.launch({
    executablePath,
    // However slow the machine is: AVA ends what never comes.
    timeout: 0,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const own = `http://127.0.0.1:${api.port}`;
  const outside: string[] = [];
  const errors: string[] = [];
  await page.route(
    (url) => url.origin !== own && url.protocol !== 'data:',
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });

  await page.goto(`${own}/docs`, { waitUntil: 'load' });
  const links = await page.locator('nav ul a').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  t.true(addresses.length >= 10);
  for (const address of addresses) {
    const answer = await page.goto(own + String(address), { waitUntil: 'load' });
    t.is(answer?.status(), 200, String(address));
  }

  await page.goto(`${own}/docs/reference#/Orders/postOrders`, { waitUntil: 'load' });
  const operation = page.locator('#operations-Orders-postOrders');
  // Of the example's body.
  await operation.getByText('GOLD-FEE').first().waitFor();

  t.deepEqual(outside, []);
  t.deepEqual(errors, []);
});
