/**
 * Sessions of self-service as customers see them: a real browser shows every page of them in a frame
 * of another site, without foreign cookies; interface, worker, engine and sandbox are real.
 */
import test from 'ava';
import type { Frame } from 'playwright-core';
import type { Parameters } from '../../api/self-service/calls.ts';
import { isLong } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { openAccounts, type Accounts } from './accounts.ts';
import {
  REFUSED,
  allByKeyboard,
  enter,
  follow,
  heading,
  part,
  press,
  says,
  tabTo,
  textOf,
} from './acting.ts';
import { crawl, crawlQuietly } from './crawl.ts';
import { closePlace, openPlace, type Place } from './place.ts';
import type { Shop } from './shop.ts';
import {
  fits,
  hasBrowser,
  isQuiet,
  look,
  openBrowser,
  openWindow,
  setWidth,
  widths,
  type Window,
} from './window.ts';

const browserTest = hasBrowser ? test.serial : test.serial.skip;

let place: Place;
let accounts: Accounts;
let shop: Shop;
let shared: Window;

test.before(async () => {
  if (!hasBrowser) return;
  place = await openPlace();
  ({ shop, window: shared } = place);
  accounts = await openAccounts(place);
});
test.after.always(closePlace);

const CARD = '4111111111111111';

/** A customer whose session has something on every page. */
async function customerWithAll(ref: string): Promise<void> {
  await accounts.customer(ref, { cardNumber: CARD });
  await accounts.invoice(ref, '12.00');
  await accounts.payment(ref, '12.00');
  await accounts.order(ref, 'GOLD');
  await accounts.cancelled(ref, '7.00');
}

/** Below the first page; what ends in `.pdf` opens a tab of its own. */
const everyPage = [
  '',
  '/card',
  '/invoices',
  '/invoices/:id',
  '/invoices/:id.pdf',
  '/invoices/:id/cancellation.pdf',
  '/orders',
  '/orders/:id/cancel',
  '/orders/:id/downgrade',
  '/orders/:id/upgrade',
  '/orders/new',
  '/pay',
  '/payments',
  '/payments/:id',
  '/payments/:id.pdf',
  '/profile',
  '/statements',
];

/**
 * An idle page loads itself again, which is no click. Chromium learns now and then only after it has
 * read a frame that it has no script, and shows what is in `noscript` as text then.
 */
const REFRESH = /(?:<|&lt;)meta http-equiv="refresh" content="1805;url=[^"]*reload=1"/;

/** The shop's own page, in the frame. */
const LOGIN = 'Log in to the shop';

for (const hasScript of isLong ? [true, false] : [true]) {
  const how = hasScript ? 'with the script' : 'without it';

  browserTest(`${how}, links lead to every page, which fits into every frame`, async (t) => {
    const own = hasScript ? shared : await openWindow(place.browser, { hasScript });
    const ref = `Walk${hasScript}`;
    await customerWithAll(ref);
    const home = await accounts.session(ref);
    const frame = await place.framed(home, own);
    const { pages, files } = await crawl(frame, home, async (pattern) => {
      t.regex(await textOf(frame, '.top'), new RegExp(` ${ref} Field Log out`), pattern);
      await (hasScript ? look(t, frame) : fits(t, frame));
      // It leaves with its session then, too.
      if (!hasScript) return void t.regex(await frame.content(), REFRESH, pattern);
      await allByKeyboard(t, { page: own.page, frame });
      for (const width of widths) {
        await setWidth(own, frame, width);
        await fits(t, frame);
      }
    });
    const patterns = files.map(({ pattern }) => pattern);
    t.deepEqual([...pages, ...patterns].toSorted(), everyPage);
    for (const { pattern, address, target, rel } of files) {
      t.deepEqual([target, rel], ['_blank', 'noopener'], pattern);
      if (!hasScript) continue;
      const { status, headers, body } = await place.call(accounts.label, new URL(address).pathname);
      t.deepEqual([status, headers['content-type']], [200, 'application/pdf'], pattern);
      t.true(body.startsWith('%PDF-'));
    }
    isQuiet(t, own);
    t.deepEqual(await own.context.cookies(), []);
    if (!hasScript) await own.context.close();
  });

  browserTest(`${how}, the way back shows nothing after the way out`, async (t) => {
    const own = hasScript ? shared : await openWindow(place.browser, { hasScript });
    const ref = `Out${hasScript}`;
    await accounts.customer(ref);
    const home = await accounts.session(ref);
    const frame = await place.framed(home, own);
    await part(frame, 'Profile');
    await heading(frame, 'Your profile');
    await press(frame, 'Log out');
    await heading(frame, LOGIN);
    // Each page is asked for anew, and that of an ended session leads to the login.
    for (const page of [`${home}/profile`, home]) {
      const [answer] = await Promise.all([
        own.page.waitForResponse(page),
        own.page.waitForResponse(`${shop.origin}/login`),
        own.page.evaluate('history.back()'),
      ]);
      t.is(answer.status(), 303);
      await heading(frame, LOGIN);
      t.notRegex(await frame.content(), /Field/);
    }
    if (!hasScript) await own.context.close();
  });
}

const switches: readonly (readonly [Parameters, (page: string) => boolean])[] = [
  [{ showNavigationBar: 'false' }, () => true],
  [{ showStatements: 'false' }, (page) => !/^.(statements|invoices)/.test(page)],
  [{ showPayments: 'false' }, (page) => !page.startsWith('/payments')],
  [{ allowPayments: 'false' }, (page) => !/^.(pay|card)$/.test(page)],
  [{ allowProfileEdit: 'false' }, (page) => page !== '/profile'],
  [{ editOrderOptions: 'none' }, (page) => !page.startsWith('/orders')],
  [{ editOrderOptions: 'Cancel' }, (page) => !/(up|down)grade$|new$/.test(page)],
  [{ editOrderOptions: 'Upgrade' }, (page) => !/cancel$|downgrade$|new$/.test(page)],
  [{ editOrderOptions: 'Downgrade' }, (page) => !/cancel$|upgrade$|new$/.test(page)],
  [{ editOrderOptions: 'New' }, (page) => !/cancel$|grade$/.test(page)],
  [{ pdfMode: 'true' }, (page) => !page.endsWith('/:id')],
];

browserTest('a session links what it shows, and nothing else on any page', async (t) => {
  await customerWithAll('Switch');
  for (const [off, isLinked] of switches) {
    const name = JSON.stringify(off);
    const home = await accounts.session('Switch', off);
    const frame = await place.framed(home);
    await heading(frame, 'Your account');
    const hasMenu = await frame.getByRole('navigation', { name: 'Your account' }).isVisible();
    t.is(hasMenu, off.showNavigationBar !== 'false', name);
    const pages = await crawlQuietly(place, accounts.label, home);
    t.deepEqual(pages, everyPage.filter(isLinked), name);
  }
  isQuiet(t, shared);
});

browserTest('an idle page warns, then asks again, and leaves with its session', async (t) => {
  const own = await openWindow(place.browser);
  const { page } = own;
  await page.clock.install();
  await accounts.customer('Idle');
  const home = await accounts.session('Idle');
  const frame = await place.framed(home, own);
  const warning = frame.getByText('You have not done anything for a while.');
  await says(frame, 'Idle Field');
  await page.clock.fastForward('27:00');
  t.false(await warning.isVisible());
  await page.clock.fastForward('02:00');
  await warning.waitFor();
  await look(t, frame);
  const stay = frame.getByRole('link', { name: 'Stay here' });
  await Promise.all([page.waitForResponse(home), stay.click()]);
  await warning.waitFor({ state: 'hidden' });
  await says(frame, 'Idle Field');
  const end = () => place.asOwner('select max(expires_at)::text from self_service_session');
  const before = await end();
  // By itself, which is no click.
  await Promise.all([page.waitForResponse(`${home}?reload=1`), page.clock.fastForward('31:00')]);
  await says(frame, 'Idle Field');
  t.deepEqual(await end(), before);
  // It may have begun less than a second ago.
  await accounts.setSession(
    'Idle',
    `started_at = started_at - interval '1 hour', expires_at = now() - interval '1 second'`,
  );
  await page.clock.fastForward('31:00');
  await heading(frame, LOGIN);
  isQuiet(t, own);
  await own.context.close();
});

browserTest('a page that the browser keeps to go back to is empty', async (t) => {
  const keeping = await openBrowser({ keepsPages: true });
  const { page } = await openWindow(keeping);
  await page.addInitScript(`addEventListener('pageshow', ({ persisted }) => {
    if (persisted) console.log('kept: ' + document.body.textContent);
  })`);
  const kept: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('kept: ')) kept.push(message.text());
  });
  await accounts.customer('Top');
  await page.goto(await accounts.session('Top'));
  const whole = page.mainFrame();
  await press(whole, 'Log out');
  await heading(whole, LOGIN);
  await Promise.all([
    page.waitForResponse(`${shop.origin}/login`),
    page.evaluate('setTimeout(() => history.back())'),
  ]);
  await heading(whole, LOGIN);
  // A browser may also keep none.
  t.is(kept.join(), kept.length === 0 ? '' : 'kept: ');
  await keeping.close();
});

browserTest('the browser stores nothing of a page', async (t) => {
  await accounts.customer('Kept');
  const frame = await place.framed(await accounts.session('Kept'));
  await follow(frame, 'Profile');
  await heading(frame, 'Your profile');
  await shared.context.setOffline(true);
  await shared.page.evaluate('history.back()');
  await until('the browser shows a page of its own', () => Promise.resolve(isOffline(frame)));
  t.notRegex(await frame.content(), /Field/);
  await shared.context.setOffline(false);
});

const isOffline = (frame: Frame): boolean => frame.url() === REFUSED;

browserTest('a form of another site does nothing, and another site shows no page', async (t) => {
  await accounts.customer('Foreign');
  const home = await accounts.session('Foreign');
  const frame = await place.framed(home);
  const formKey = await frame.locator('[name=formKey]').first().inputValue();
  const address = `${home}/logout`;
  const query = new URLSearchParams({ address, key: formKey });
  for (const origin of [shop.origin, shop.foreign]) {
    await shared.open(`${origin}/form?${query.toString()}`);
    const [answer] = await Promise.all([
      shared.page.waitForResponse(address),
      shared.page.getByRole('button', { name: 'Win a prize' }).click(),
    ]);
    t.is(answer.status(), 403, origin);
  }
  const complaint = shared.page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await shared.page.goto(`${shop.foreign}/frame?address=${encodeURIComponent(home)}`);
  t.is((await complaint).type(), 'error');
  // The browser puts a page of its own into the frame after the shop has loaded.
  await until('the frame has a page of the browser', () =>
    Promise.resolve(shared.page.frames().some((each) => each.url() === REFUSED)),
  );
  shared.complaints.length = 0;
  await says(await place.framed(home), 'Foreign Field');
});

browserTest('the login takes a user name and a password, and a mail resets them', async (t) => {
  const { page } = shared;
  const login = `${accounts.origin}/widget/login`;
  await accounts.customer('Login', { username: 'login.field', passwd: 'Old-Secret1' });
  await page.goto(login);
  const whole = page.mainFrame();
  await heading(whole, 'Log in');
  await look(t, whole);
  await allByKeyboard(t, { page, frame: whole });
  await enter(whole, { username: 'login.field', password: 'Wrong-Secret1' });
  await press(whole, 'Log in');
  await says(whole, 'This user name or password is not right.');
  await look(t, whole);
  t.is(await whole.locator('[name=password]').inputValue(), '');
  await enter(whole, { password: 'Old-Secret1' });
  await press(whole, 'Log in');
  await heading(whole, 'Your account');
  await says(whole, 'Login Field');
  await press(whole, 'Log out');
  await heading(whole, 'Log in');
  await follow(whole, 'Forgot your password?');
  await heading(whole, 'Forgot your password?');
  await look(t, whole);
  await enter(whole, { name: 'login@field.example' });
  await press(whole, 'Send the link');
  await heading(whole, 'Please check your mail');
  await look(t, whole);
  await until('the mail is sent', () => Promise.resolve(place.mails.length > 0));
  const [link = ''] = /\/widget\/reset\/[\w-]{43}/.exec(place.mails[0]?.text ?? '') ?? [];
  await page.goto(accounts.origin + link);
  await heading(whole, 'Choose a new password');
  await look(t, whole);
  await enter(whole, { newPassword: 'New-Secret1' });
  await press(whole, 'Save the password');
  await says(whole, 'Your password was changed. Please log in with the new one.');
  await look(t, whole);
  // In the frame of the shop, by the keyboard alone.
  const frame = await place.framed(login);
  for (const [name, value] of [
    ['username', 'login.field'],
    ['password', 'New-Secret1'],
  ] as const) {
    await tabTo(t, { page, frame }, name);
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  await heading(frame, 'Your account');
  await says(frame, 'Login Field');
  isQuiet(t, shared);
});
