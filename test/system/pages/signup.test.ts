/**
 * Sign-ups as visitors see them: a real browser shows the page in a frame of another site, 320 px
 * wide and without foreign cookies; interface, worker, engine and sandbox are real.
 */
import test from 'ava';
import type { Frame } from 'playwright-core';
import { makeTenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startPath, type Parameters } from '../../api/signups/calls.ts';
import { ada, card, gold, hidden, withPages } from '../../api/signups/page-calls.ts';
import { valueOf } from '../../api/tenant-api.ts';
import {
  DECLINED,
  DECLINED_CHARGE,
  REFUSED,
  click,
  enter,
  enterCard,
  follow,
  heading,
  press,
  says,
  tabTo,
} from './acting.ts';
import { closePlace, openPlace, type Place } from './place.ts';
import type { Shop } from './shop.ts';
import { hasBrowser, isQuiet, look, openWindow, type Window } from './window.ts';

const browserTest = hasBrowser ? test.serial : test.serial.skip;

let place: Place;
let label: string;
let shop: Shop;
let shared: Window;

test.before(async () => {
  if (!hasBrowser) return;
  place = await openPlace();
  ({ shop, window: shared } = place);
  const file = { ...withPages.file, hostedPages: { allowedOrigins: [shop.origin] } };
  ({ label } = await makeTenant(place.system.dependencies, { ...withPages, file }));
});
test.after.always(closePlace);

const call = (path: string) => place.call(label, `/rest${path}`);

interface Link {
  readonly url: string;
  readonly tracking: string;
}

async function start(parameters: Parameters = {}): Promise<Link> {
  const addresses = { successURL: `${shop.origin}/ok?p=1#top`, failURL: `${shop.origin}/fail` };
  const { body } = await call(startPath({ format: 'xml', ...addresses, ...parameters }));
  return { url: valueOf(body, 'url') ?? body, tracking: valueOf(body, 'tracking') ?? '' };
}

/** A customer of its own, who only has to pay. */
const payer = (ref: string): Parameters => ({
  ...hidden,
  extCustomerRef: ref,
  email: `${ref.toLowerCase()}@field.example`,
});

const framed = ({ url }: Link, own?: Window): Promise<Frame> => place.framed(url, own);

/** The shop is told within the frame, by whose address it got there without a Referer. */
async function leadsTo(frame: Frame, { tracking }: Link, path: '/ok' | '/fail'): Promise<void> {
  const query = path === '/ok' ? `?p=1&tracking=${tracking}#top` : `?tracking=${tracking}`;
  await frame.waitForURL(`${shop.origin}${path}${query}`, { waitUntil: 'load' });
}

const timesAsked = (path: string): number => shop.asked.filter((each) => each === path).length;

const recordOf = async ({ tracking }: Link) => (await call(`/signup/verify/${tracking}`)).body;

/** `PROCESSED: orders Active, invoices Paid, payments Paid 73.44` */
async function booksOf({ tracking }: Link): Promise<string> {
  const [row] = await place.asOwner<{ text: string }>(
    `select concat(s.status, ': ',
       (select string_agg(concat('order ', o.status, ', '), '') from subscription_order o
        where o.customer_id = s.customer_id),
       (select string_agg(concat('invoice ', i.status, ', '), '') from invoice i
        where i.customer_id = s.customer_id),
       (select string_agg(concat('payment ', p.status, ' ', round(p.amount, 2)), ', ' order by p.id)
        from payment p where p.customer_id = s.customer_id)) as text
     from signup s where s.tracking = '${tracking}'`,
  );
  return row?.text ?? 'none';
}

const PAID = 'PROCESSED: order Active, invoice Paid, payment Paid 73.44';

browserTest(
  'who enters everything sees the price, pays it, and comes back to the shop',
  async (t) => {
    const link = await start();
    const frame = await framed(link);
    await heading(frame, 'Your plan and details');
    await look(t, frame);
    await enter(frame, { ...ada, ...gold, couponCode: 'NOPE' });
    await press(frame, 'Continue');
    await says(frame, 'We do not know this coupon. Please check the code.');
    await look(t, frame);
    t.is(await frame.locator('[name=city]').inputValue(), 'New York');
    await enter(frame, { couponCode: 'WELCOME10' });
    await press(frame, 'Continue');
    await heading(frame, 'Review and pay');
    await look(t, frame);
    const text = (await frame.locator('.summary').innerText()).replaceAll(/\s+/g, ' ');
    t.regex(text, /\$49\.00.*-\$4\.90.*\$44\.10.*\$29\.95.*-\$3\.00.*\$2\.39.*\$29\.34.*\$73\.44/);
    // The way back asks for the page anew, which is where the visitor is; nothing is done twice.
    await shared.page.evaluate('history.back()');
    await frame.waitForURL(link.url, { waitUntil: 'load' });
    await heading(frame, 'Review and pay');
    await follow(frame, 'Change order or details');
    await heading(frame, 'Your plan and details');
    t.is(await frame.locator('[name=lastName]').inputValue(), 'Field');
    t.is(await frame.locator('[name=couponCode]').inputValue(), 'WELCOME10');
    await press(frame, 'Continue');
    await heading(frame, 'Review and pay');
    await enterCard(frame);
    await press(frame, 'Order and pay');
    await leadsTo(frame, link, '/ok');
    await shared.page.waitForFunction(`document.title === '${link.tracking}'`);
    const record = await recordOf(link);
    t.like(
      Object.fromEntries(
        ['status', 'paymentAmount', 'cardType', 'savePaymentMethod'].map((name) => [
          name,
          valueOf(record, name),
        ]),
      ),
      { status: 'PROCESSED', paymentAmount: '73.44', cardType: 'Visa', savePaymentMethod: 'false' },
    );
    for (const name of ['orderNumber', 'invoiceNumber']) {
      t.regex(valueOf(record, name) ?? '', /^\d+$/, name);
    }
    t.truthy(valueOf(record, 'paymentApprovalCode'));
    const ok = `/ok?p=1&tracking=${link.tracking}`;
    t.is(timesAsked(ok), 1);
    await Promise.all([
      shared.page.waitForResponse(`${shop.origin}${ok}`),
      shared.page.evaluate('history.back()'),
    ]);
    await leadsTo(frame, link, '/ok');
    t.is(await booksOf(link), PAID);
    isQuiet(t, shared);
  },
);

browserTest('the keyboard alone goes through details and payment', async (t) => {
  const link = await start({ ...ada, ...gold, firstName: undefined, email: 'keys@field.example' });
  const frame = await framed(link);
  const { keyboard } = shared.page;
  const to = (name: string) => tabTo(t, { page: shared.page, frame }, name);
  await heading(frame, 'Your plan and details');
  await to('firstName');
  await keyboard.type('Ada');
  await keyboard.press('Enter');
  await heading(frame, 'Review and pay');
  for (const [name, value] of Object.entries(card)) {
    await to(name);
    // In a list, what is typed chooses.
    await keyboard.type(value);
  }
  await to('savePaymentMethod');
  await keyboard.press('Space');
  await to('Order and pay');
  await keyboard.press('Enter');
  await leadsTo(frame, link, '/ok');
  t.is(valueOf(await recordOf(link), 'savePaymentMethod'), 'true');
  t.is(await booksOf(link), PAID);
});

browserTest('three declined cards end the sign-up, and nothing is left to pay', async (t) => {
  const link = await start(payer('DECLINED'));
  const frame = await framed(link);
  const messages = ['You have 2 tries left.', 'You have one try left; please use another card.'];
  for (const message of messages) {
    await enterCard(frame, DECLINED_CHARGE);
    await press(frame, 'Order and pay');
    await says(frame, message);
    await look(t, frame);
    t.is(await frame.locator(':focus').getAttribute('id'), 'problems');
    t.regex(await frame.locator('#problems').innerText(), /declined, and nothing was charged/);
    t.is(await frame.locator('[name=cardNumber]').inputValue(), '');
    t.is(await frame.locator('[name=cvv]').inputValue(), '');
    t.notRegex(await frame.content(), /0341|step=details/);
  }
  await enterCard(frame, DECLINED_CHARGE);
  await press(frame, 'Order and pay');
  await leadsTo(frame, link, '/fail');
  t.is(valueOf(await recordOf(link), 'failureCode'), 'declined');
  const declined = 'payment Declined 73.44';
  const books = [declined, declined, declined].join(', ');
  t.is(await booksOf(link), `FAILED: order Canceled, invoice Cancelled, ${books}`);
});

browserTest('a card to save is validated, with nothing due today', async (t) => {
  const link = await start({ ...payer('SAVED'), startDate: '2027-02-01' });
  const frame = await framed(link);
  await heading(frame, 'Review your order');
  await look(t, frame);
  t.false(await frame.locator('[name=cardNumber]').isVisible());
  await click(frame, frame.locator('[name=savePaymentMethod]'));
  await enterCard(frame, DECLINED);
  await press(frame, 'Place order');
  await says(frame, 'You have 2 tries left.');
  t.true(await frame.locator('[name=savePaymentMethod]').isChecked());
  await enterCard(frame);
  await press(frame, 'Place order');
  await leadsTo(frame, link, '/ok');
  t.is(await booksOf(link), 'PROCESSED: order Provisioning, ');
  const record = await recordOf(link);
  t.is(valueOf(record, 'savePaymentMethod'), 'true');
  t.falsy(valueOf(record, 'invoiceNumber'));
  t.falsy(valueOf(record, 'paymentAmount'));
});

browserTest('terms open in a window of their own, and have to be accepted', async (t) => {
  const tosLink = 'https://terms.test/tos';
  const link = await start({ ...payer('TERMS'), tosLink });
  const frame = await framed(link);
  const [asked, opened] = await Promise.all([
    shared.context.waitForEvent('request', (request) => request.url() === tosLink),
    shared.context.waitForEvent('page'),
    follow(frame, /terms and conditions/),
  ]);
  t.is((await asked.allHeaders())['referer'], undefined);
  await opened.close();
  await enterCard(frame);
  await press(frame, 'Order and pay');
  await says(frame, 'Please accept the terms to continue.');
  t.is(await booksOf(link), 'DRAFT: ');
  await click(frame, frame.locator('[name=tosAccepted]'));
  await press(frame, 'Order and pay');
  await leadsTo(frame, link, '/ok');
});

browserTest('an expired page makes nothing, and links to the shop', async (t) => {
  const link = await start(payer('LATE'));
  const frame = await framed(link);
  await enterCard(frame);
  await place.asOwner(
    `update signup set expires_at = now() - interval '1 second'
     where tracking = '${link.tracking}'`,
  );
  const [answer] = await Promise.all([
    shared.page.waitForResponse(link.url),
    press(frame, 'Order and pay'),
  ]);
  t.is(answer.status(), 410);
  await heading(frame, 'This link has expired');
  await look(t, frame);
  await follow(frame, 'Continue');
  await leadsTo(frame, link, '/fail');
  // The worker may have looked for expired ones meanwhile.
  t.regex(await booksOf(link), /^(DRAFT|EXPIRED): $/);
});

for (const hasScript of [true, false]) {
  const how = hasScript ? 'with the script' : 'without it';
  browserTest(`${how}, two clicks make one order, and the page waits for it`, async (t) => {
    const own = hasScript ? shared : await openWindow(place.browser, { hasScript });
    const email = `waits-${hasScript}@field.example`;
    const link = await start({ ...ada, ...gold, firstName: undefined, email });
    const frame = await framed(link, own);
    await enter(frame, { firstName: 'Ada' });
    await press(frame, 'Continue');
    await heading(frame, 'Review and pay');
    await enterCard(frame);
    await place.whileLocked('payment', async () => {
      await click(frame, frame.getByRole('button', { name: 'Order and pay' }), { times: 2 });
      await heading(frame, 'We are processing your order');
      if (hasScript) await look(t, frame);
      await follow(frame, 'Check now');
      await heading(frame, 'We are processing your order');
    });
    // By itself.
    await leadsTo(frame, link, '/ok');
    t.is(await booksOf(link), PAID);
    if (!hasScript) await own.context.close();
  });
}

browserTest('a form of another site does nothing, and another site shows no page', async (t) => {
  const link = await start(payer('FOREIGN'));
  const frame = await framed(link);
  const formKey = await frame.locator('[name=formKey]').inputValue();
  const query = new URLSearchParams({ address: link.url, key: formKey });
  for (const origin of [shop.origin, shop.foreign]) {
    const posted = await shared.open(`${origin}/form?${query.toString()}`);
    const [answer] = await Promise.all([
      shared.page.waitForResponse(link.url),
      shared.page.getByRole('button', { name: 'Win a prize' }).click(),
    ]);
    t.is(answer.status(), 403, origin);
    if (origin !== shop.origin) continue;
    await heading(posted, 'This form came from another page');
    await look(t, posted);
  }
  const complaint = shared.page.waitForEvent('console', (message) =>
    message.text().includes('frame-ancestors'),
  );
  await shared.page.goto(`${shop.foreign}/frame?address=${encodeURIComponent(link.url)}`);
  t.is((await complaint).type(), 'error');
  // The browser puts a page of its own into the frame after the shop has loaded.
  await until('the frame has a page of the browser', () =>
    Promise.resolve(shared.page.frames().some((each) => each.url() === REFUSED)),
  );
  t.is(await booksOf(link), 'DRAFT: ');
});

browserTest(
  'no page sets a cookie, no redirect has a Referer, and the books are right',
  async (t) => {
    t.deepEqual(await shared.context.cookies(), []);
    const ends = shop.asked.filter((each) => /^\/(ok|fail)/.test(each));
    t.true(ends.length > 0);
    t.deepEqual(
      ends.filter((each) => each.includes(' from ')),
      [],
    );
    const report = await place.system.audit(label);
    t.true(report.clean, JSON.stringify(report));
  },
);
