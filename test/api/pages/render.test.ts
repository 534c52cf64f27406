/** Hosted pages as text: nothing of a view becomes markup, and every language has every page. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { languages } from '../../../domain/text/language.ts';
import { messages } from '../../../messages/messages.ts';
import { renderNotice } from '../../../api/pages/notice.ts';
import type { DetailsView } from '../../../api/resources/signups/page/views.ts';
import type { ProblemKey } from '../../../api/pages/view.ts';
import {
  renderDetails,
  renderReview,
  renderWorking,
} from '../../../api/resources/signups/page/render.ts';
import {
  declined,
  details,
  faultyDetails,
  form,
  free,
  page,
  pagesIn,
  review,
  working,
} from './samples.ts';
import { atStripe } from './samples-gateways.ts';

const root = join(import.meta.dirname, '../../..');
const hostile = `"><i a='1'>&amp;</i><%= 1 %>`;
const escaped = '&quot;&gt;&lt;i a=&#39;1&#39;&gt;&amp;amp;&lt;/i&gt;&lt;%= 1 %&gt;';

/** Texts that a view selects by, or that have a form. */
const fixed = new Set(['locale', 'cssUrl', 'action', 'billingPeriod', 'startDate', 'currency']);
const formed = new Set([
  'amount',
  'once',
  'displayAmount',
  'total',
  'dueToday',
  'quantity',
  'tosLink',
  'detailsAddress',
]);
const ofGateway = ['gateway', 'taken', 'methods', 'scriptUrl'];
const kept = new Set([...fixed, ...formed, ...ofGateway, 'address', 'today', 'field', 'until']);

/** The view with every text replaced. */
function withTexts<View>(view: View, name = ''): View {
  if (typeof view === 'string') return (kept.has(name) ? view : hostile) as View;
  if (Array.isArray(view)) return view.map((each) => withTexts<unknown>(each, name)) as View;
  if (typeof view !== 'object' || view === null) return view;
  const entries = Object.entries(view).map(([key, value]) => [key, withTexts<unknown>(value, key)]);
  return Object.fromEntries(entries) as View;
}

test('no text of a view becomes markup', (t) => {
  const full = { ...faultyDetails, customer: { ...faultyDetails.customer, street: 'x' } };
  const pages = {
    details: renderDetails(withTexts(full)),
    review: renderReview(withTexts(declined)),
    stripe: renderReview(withTexts({ ...declined, tenant: atStripe })),
    working: renderWorking(withTexts(working)),
    notice: renderNotice({ ...withTexts(page), key: 'gone' }),
  };
  for (const [name, html] of Object.entries(pages)) {
    t.false(html.includes('<i '), name);
    t.true(html.includes(`<p class="sender">${escaped}</p>`), name);
  }
  const { details: first, review: second } = pages;
  for (const field of ['firstName', 'street', 'couponCode']) {
    t.regex(first, new RegExp(`name="${field}"[^>]* value="&quot;&gt;&lt;i`), field);
  }
  t.true(first.includes(`value="${escaped}" checked>`));
  t.true(first.includes(`<span class="plan-name">${escaped}</span>`));
  t.true(second.includes(`<dd>${escaped}</dd>`));
  t.true(second.includes(`<th scope="row">${escaped}</th>`));
});

test('what an address holds stays in its attribute, and nothing is linked that would run', (t) => {
  const tosLink = `https://www.example.com/?a="><i a='1'>`;
  const html = renderReview({ ...review, tosLink });
  t.true(html.includes('href="https://www.example.com/?a=&quot;&gt;&lt;i a=&#39;1&#39;&gt;"'));
  for (const link of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'x']) {
    t.throws(() => renderNotice({ ...page, key: 'gone', link }), undefined, link);
    t.throws(() => renderReview({ ...review, tosLink: link }), undefined, link);
  }
});

test('a template writes raw only what other templates rendered', (t) => {
  const files = globSync('api/**/*.eta', { cwd: root });
  t.true(files.length > 10);
  for (const file of files) {
    const raw = [...readFileSync(join(root, file), 'utf8').matchAll(/<%[-_]?\s*~\s*(.*?)\s*%>/g)];
    for (const [, code = ''] of raw)
      t.regex(code, /^(include\('@|(?:it|section)\.(?:body|bar)$)/, file);
  }
});

for (const language of languages) {
  test(`${language}: every page is rendered, in its language and with all its words`, (t) => {
    for (const [name, html] of Object.entries(pagesIn(`${language}-CH`))) {
      t.true(html.startsWith(`<!doctype html>\n<html lang="${language}">`), name);
      const shown = html.replaceAll(/ data-(words|choice|gateway|challenge)="[^"]*"/g, '');
      t.notRegex(shown, /\{\w+\}|undefined|\[object|NaN/, name);
      // The policy of the pages allows neither.
      t.notRegex(
        html,
        /<style|<script(?! type="module" src="\/js\/(?:pages|account)\.js"><)| style=| on\w+=/,
      );
      const [, title] = /<h1>(.*)<\/h1>/.exec(html) ?? [];
      const [, full = ''] = /<title>(.*)<\/title>/.exec(html) ?? [];
      t.true(full.endsWith(`${title} · ${page.sender}`), full);
    }
  });
}

test('without a script, the page that waits asks again after 3 seconds, or by its link', (t) => {
  const html = renderWorking(working);
  t.true(html.includes('<noscript><meta http-equiv="refresh" content="3"></noscript>'));
  t.true(html.includes('<a href="/signup/q3V0bm">Check now</a>'));
  t.false(renderReview(review).includes('http-equiv'));
});

test('a page has one style sheet and one script', (t) => {
  const cssUrl = 'https://styles.example.com/a.css';
  const html = renderDetails({ ...details, cssUrl });
  t.deepEqual(
    [...html.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, to]) => to),
    [cssUrl, '/js/pages.js'],
  );
});

test('each problem stands beside its field and in the list, which has the focus', (t) => {
  const html = renderDetails(faultyDetails);
  t.true(html.includes('role="alert" tabindex="-1" autofocus'));
  t.true(html.includes('<title>Error: Your plan and details · Demo Telecom</title>'));
  t.true(html.includes('<a href="#firstName">First name: Please fill in this field.</a>'));
  t.true(html.includes('<p class="error" id="firstName-error">Please fill in this field.</p>'));
  t.true(html.includes('aria-invalid="true" aria-describedby="login-hint login-error"'));
  // Nothing is filled in where something is chosen.
  t.true(html.includes('<a href="#contractCode">Plan: Please choose one.</a>'));
  t.false(renderDetails(details).includes('role="alert"'));
});

test('every problem has a text, and a refusal without one still says what to do', (t) => {
  const said = (field: string | null, code: string): string => {
    const problems = [{ field, code }];
    const html = renderReview({ ...review, form: { ...form, problems } });
    return /<li>(?:<a[^>]*>)?(.*?)<\//.exec(html)?.[1] ?? '';
  };
  const { problem } = messages.en.page;
  for (const [key, text] of Object.entries(problem)) t.is(said(null, key), text);
  for (const [code, key] of [
    ['field.required', 'required'],
    ['tax.refused', 'tryAgain'],
    ['toString', 'tryAgain'],
  ] as const) {
    t.is(said(null, code), problem[key], code);
  }
  t.is(said('cvv', 'order.notBillable'), 'Security code: Please check this entry.');
  // Of a field that the page does not have.
  t.is(said('couponCode', 'coupon.unknown'), problem['coupon.unknown']);
});

test('the details page asks for what the link leaves open', (t) => {
  const names = (html: string): (string | undefined)[] =>
    [...html.matchAll(/<(?:input|select) id="(\w+)"/g)].map(([, name]) => name);
  const login = ['login', 'passwd'];
  // The plans are radio buttons, before everything else.
  const order = ['quantity', 'couponCode'];
  const before = ['companyName', 'firstName', 'lastName', 'email', 'phone', 'country', 'street'];
  const customer = [...before, 'city', 'state', 'zipcode'];
  t.deepEqual(names(renderDetails(details)), [...order, ...customer, ...login]);
  t.deepEqual(names(renderDetails({ ...details, asksLogin: false })), [...order, ...customer]);
  t.deepEqual(names(renderDetails({ ...details, order: null })), [...customer, ...login]);
  t.deepEqual(names(renderDetails({ ...details, customer: null })), order);
  // As an address is written there.
  const german = names(renderDetails({ ...details, locale: 'de-DE', order: null }));
  t.deepEqual(german, [...before, 'zipcode', 'city', 'state', ...login]);
});

test('each plan has its price, as far as the link allows; a free one says so', (t) => {
  const prices = (view: Partial<DetailsView>): (string | undefined)[] =>
    [...renderDetails({ ...details, ...view }).matchAll(/class="plan-price">([^<]*)</g)].map(
      ([, price]) => price,
    );
  t.deepEqual(prices({}), [
    'Free',
    '$29.95 a month + $49.00 once',
    'by usage',
    '$348.00 a year + usage',
  ]);
  t.deepEqual(prices({ displayAmount: 'oneTimeChargesOnly' }), ['$49.00 once']);
  t.deepEqual(prices({ displayAmount: 'none' }), []);
  const noted = (view: DetailsView) => renderDetails(view).includes('before discounts and taxes');
  t.deepEqual([noted(details), noted({ ...details, displayAmount: 'none' })], [true, false]);
  const german = prices({ locale: 'de-DE', currency: 'EUR' }).map((text) =>
    text?.replaceAll('\u00a0', ' '),
  );
  t.deepEqual(german, [
    'Kostenlos',
    '29,95 € pro Monat + 49,00 € einmalig',
    'nach Verbrauch',
    '348,00 € pro Jahr + Verbrauch',
  ]);
});

test('more than 12 plans are a list that opens, with their prices', (t) => {
  const [free, gold] = details.plans;
  const unpriced = { name: '', price: null, hasQuantity: true, trialEndDate: null };
  const plans = Array.from({ length: 13 }, (_, at) => ({
    ...((at === 0 ? free : gold) ?? unpriced),
    contractCode: `P${at}`,
  }));
  const html = renderDetails({ ...details, plans });
  t.regex(html, /<select id="contractCode"[^>]*>\s*<option value="">Please choose<\/option>/);
  t.true(html.includes('<option value="P0">Free: Free</option>'));
  t.true(html.includes('<option value="P12">Gold: $29.95 a month + $49.00 once</option>'));
});

test('the only plan is chosen, and no password is ever filled in', (t) => {
  const [plan] = details.plans;
  const only = renderDetails({ ...details, plans: plan === undefined ? [] : [plan] });
  t.regex(only, /<input type="radio" id="plan-0" name="contractCode" value="FREE" checked>/);
  const filled = renderDetails({ ...details, customer: { passwd: 'Secret123' } });
  t.false(filled.includes('Secret123'));
});

test('the review says what is paid today, in the formats of the locale', (t) => {
  const html = renderReview({ ...review, locale: 'de-AT' });
  t.true(html.includes('15. Jänner 2027'));
  t.regex(html, /Heute fällig<\/span> <strong>\$\s73,44<\/strong>/);
  t.true(
    html.includes('<button type="submit" class="button">Zahlungspflichtig bestellen</button>'),
  );
  const later = renderReview(free);
  t.true(later.includes('Nothing is due today.'));
  t.true(later.includes('Save a card, and charge later invoices to it'));
  t.false(/name="cardNumber"[^>]* required/.test(later));
  t.true(/name="cardNumber"[^>]* required/.test(renderReview(review)));
});

test('the review shows as much of the price as the link asks for', (t) => {
  const { price } = review;
  if (price === null) return t.fail();
  const once = { ...price, recurring: null, total: null, dueToday: null };
  const some = renderReview({ ...review, price: once });
  t.true(some.includes('$44.10'));
  t.notRegex(some, /\$29\.34|\$73\.44|class="sums"/);
  t.true(some.includes('What is due today is charged to your card'));
  const none = renderReview({ ...review, price: null });
  t.notRegex(none, /class="prices"|\$/);
  // The sum of the only block would be said twice.
  const only = renderReview({
    ...review,
    price: { ...price, initial: { lines: [], total: '0.00' } },
  });
  t.false(only.includes('Subtotal'));
});

test('the review says how many tries are left after a decline', (t) => {
  const left = (triesLeft: number, key: ProblemKey = 'declined'): string | undefined => {
    const problems = [{ field: null, key }];
    const html = renderReview({ ...review, triesLeft, form: { ...form, problems } });
    return /<p class="tries">(.*)<\/p>/.exec(html)?.[1];
  };
  t.is(left(3, 'tryAgain'), undefined);
  t.is(left(2), 'You have 2 tries left.');
  t.is(left(1), 'You have one try left.');
  // Its own text says so.
  t.is(left(1, 'declined.last'), undefined);
});
