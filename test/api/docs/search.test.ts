/** The index of the search: it has every word of every text, and guides come before fields. */
import test from 'ava';
import MiniSearch from 'minisearch';
import { documentsOf } from '../../../api/docs/documents.ts';
import { guideText, texts } from '../../../api/docs/pages/guides.ts';
import { typedWords } from '../../../api/docs/pages/typed-words.ts';
import { options, ranked } from '../../../api/docs/assets/ranking.js';
import { routes } from '../../support/xsd.ts';

interface Hit {
  readonly kind: string;
  readonly title: string;
  readonly href: string;
}

const content = documentsOf(routes).get('/docs/search.json')?.text() ?? '';
const index = MiniSearch.loadJSON<Hit>(String(content), options);
const found = (words: string): Hit[] => ranked(index.search(words), words) as unknown as Hit[];

for (const { name, href } of texts) {
  test(`every word of ${href} is found`, (t) => {
    const words = guideText(name)
      .replaceAll(/^(\{\{.*\}\}|```\w+)$/gm, '')
      // The page has another head in its place.
      .replaceAll('| Code | What to do |', '')
      // Words in place of pictures and addresses of links are not shown.
      .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .match(/[\p{Letter}\p{Number}]{3,}/gu);
    const missing = new Set(words).values().filter((word) => {
      const hits = index.search(word, { fuzzy: false }) as unknown as Hit[];
      return !hits.some((hit) => hit.href.split('#')[0] === href);
    });
    t.deepEqual([...missing], []);
  });
}

/** What people type, and where it must lead: the first result if marked so, else one of the first three. */
const typed = `
refund /docs/guides/give-money-back first
refunds /docs/guides/give-money-back first
credit note /docs/guides/give-money-back first
credit memo /docs/guides/give-money-back
chargeback /docs/guides/payments#returned-debits-and-disputes first
dispute /docs/guides/payments#returned-debits-and-disputes first
proration /docs/guides/changes first
prorate /docs/guides/changes
upgrade /docs/guides/changes first
downgrade /docs/guides/changes first
switch plan /docs/guides/changes
amendment /docs/guides/changes first
cancel /docs/guides/ending first
cancel subscription /docs/guides/ending first
cancellation /docs/guides/ending
pause /docs/guides/ending#pause-it first
resume /docs/guides/ending
reactivate /docs/guides/ending first
MRR /docs/guides/reports first
ARR /docs/guides/reports first
churn /docs/guides/reports
analytics /docs/guides/reports first
aging /docs/guides/reports
webhook /docs/guides/callbacks first
webhooks /docs/guides/callbacks first
webhook signature /docs/guides/callbacks
hmac /docs/guides/callbacks
callback /docs/guides/callbacks first
VAT /docs/guides/tax first
sales tax /docs/guides/tax first
GST /docs/guides/tax first
avalara /docs/guides/tax first
tax /docs/guides/tax first
reverse charge /docs/guides/tax first
invoice pdf /docs/invoices first
pdf /docs/invoices first
e-invoice /docs/invoices first
peppol /docs/invoices first
invoice /docs/guides/invoicing
due date /docs/guides/invoicing first
net 30 /docs/guides/invoicing first
void /docs/guides/invoicing first
seat /docs/guides/seats first
seats /docs/guides/seats first
per user /docs/guides/seats first
license /docs/guides/seats first
coupon /docs/guides/coupons first
discount /docs/guides/coupons first
promo code /docs/guides/coupons first
voucher /docs/guides/coupons first
3DS /docs/guides/cards first
3-D Secure /docs/guides/cards first
SCA /docs/guides/cards first
card /docs/guides/cards
SEPA /docs/guides/direct-debit first
ACH /docs/guides/direct-debit first
mandate /docs/guides/direct-debit first
IBAN /docs/guides/direct-debit
direct debit /docs/guides/direct-debit first
stripe /docs/guides/stripe
PCI /docs/guides/stripe first
go live /docs/guides/stripe first
dunning /docs/guides/dunning first
overdue /docs/guides/dunning first
failed payment /docs/guides/dunning
late fee /docs/guides/dunning first
retry /docs/guides/dunning
installment /docs/guides/payment-plans first
payment link /docs/guides/pay-links first
autopay /docs/guides/payments#payment-methods-on-file-and-autopay first
payment method /docs/guides/payments#payment-methods-on-file-and-autopay
prepayment /docs/guides/payments
wallet /docs/guides/payments
trial /docs/guides/trials first
free trial /docs/guides/trials first
free period /docs/guides/trials first
quote /docs/guides/quotes first
estimate /docs/guides/quotes first
upcoming invoice /docs/guides/quotes
preview /docs/guides/quotes
price increase /docs/guides/price-changes first
grandfathering /docs/guides/price-changes first
plan /docs/guides/plans first
product catalog /docs/guides/plans first
add-on /docs/guides/plans first
tiered pricing /docs/guides/plans
pricing /docs/guides/prices
rounding /docs/guides/prices
checkout /docs/guides/signups first
signup /docs/guides/signups
iframe /docs/guides/signups first
customer portal /docs/guides/self-service first
self-service /docs/guides/self-service first
customer /docs/guides/customers first
billing address /docs/guides/customers
subscription /docs/guides/orders
renewal /docs/guides/orders
lifecycle /docs/guides/orders first
billing cycle /docs/guides/orders
usage /docs/guides/usage first
metered /docs/guides/usage first
overage /docs/guides/usage first
meter /docs/guides/usage
email /docs/guides/notifications first
smtp /docs/guides/notifications
GDPR /docs/guides/personal-data first
delete customer /docs/guides/customers
ledger /docs/guides/ledger first
double entry /docs/guides/ledger first
revenue recognition /docs/guides/close-month#4-recognize-revenue first
deferred revenue /docs/guides/close-month#4-recognize-revenue
month end /docs/guides/close-month first
quickbooks /docs/guides/accounting first
datev /docs/guides/accounting first
commission /docs/guides/commissions first
reseller /docs/guides/commissions first
event feed /docs/guides/events first
polling /docs/guides/events
import /docs/guides/imports first
migration /docs/guides/imports
csv export /docs/guides/paging-and-windows#everything-in-a-file
pagination /docs/guides/paging-and-windows first
custom fields /docs/guides/paging-and-windows#metadata first
metadata /docs/guides/paging-and-windows#metadata first
idempotency /docs/guides/idempotency first
etag /docs/guides/idempotency
api key /docs/guides/users-and-rights first
rate limit /docs/guides/users-and-rights#last-day-networks-requests first
audit log /docs/guides/users-and-rights#who-did-what first
permissions /docs/guides/users-and-rights first
test clock /docs/guides/test-clocks first
time travel /docs/guides/test-clocks first
test card /docs/guides/sandbox first
sandbox /docs/guides/sandbox first
quickstart /docs/guides/first-order first
hello world /docs/guides/first-order first
tenant /docs/guides/own-tenant first
chargebee /docs/guides/coming-from first
killbill /docs/guides/coming-from first
alternatives /docs/guides/compared first
sdk /docs/guides/clients first
error codes /docs/errors first
xml /docs/guides/documents first
docker /docs/containers first
kubernetes /docs/containers first
changelog /docs/changelog first
deprecated /docs/support first
end of life /docs/support first
breaking change /docs/support
signature /docs/guides/callbacks#verifying-the-signature
thresholds /docs/guides/dunning#thresholds first
retention /docs/tenant-file#retention
`
  .trim()
  .split('\n')
  .map((line) => /^(.+?) (\/\S+)( first)?$/.exec(line)?.slice(1) ?? []);

for (const [words = '', href = '', first] of typed) {
  test(`“${words}” leads to ${href}`, (t) => {
    const hits = found(words);
    const places = hits.slice(0, first === undefined ? 3 : 1).map((hit) => hit.href);
    t.true(
      places.some((place) => place === href || place.startsWith(`${href}#`)),
      `it leads to ${hits
        .slice(0, 5)
        .map((hit) => hit.href)
        .join(', ')}`,
    );
  });
}

test('guides come before calls, calls before errors, and fields last', (t) => {
  t.true(typed.length >= 100);
  const order = ['Guide', 'Call', 'Error', 'Field'];
  const rank = ({ kind }: Hit) => order.indexOf(kind === 'Parameter' ? 'Field' : kind);
  const seen = new Set<string>();
  for (const [words = ''] of typed) {
    const hits = found(words);
    const ranks = hits.map(rank);
    t.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
      words,
    );
    for (const { kind } of hits) seen.add(kind);
  }
  t.deepEqual([...seen].toSorted(), ['Call', 'Error', 'Field', 'Guide', 'Parameter']);
});

test('the words that lead to a page name a page that is there', (t) => {
  const contents = documentsOf(routes);
  for (const place of Object.keys(typedWords)) {
    const [path = '', anchor] = place.split('#');
    const html = String(contents.get(path)?.text());
    t.true(anchor === undefined ? contents.has(path) : html.includes(` id="${anchor}"`), place);
  }
});

test('a field and a code that texts mention, too, are found among the first twelve', (t) => {
  t.true(found('jobCode').some(({ title }) => title === 'subscriptionOrder.jobCode'));
  t.true(found('contractCode').some(({ title }) => title.endsWith('.contractCode')));
  t.is(found('order.tooManyPeriods')[0]?.href, '/docs/errors#order.tooManyPeriods');
});

test('values of fields, notes of calls and reasons of a hold are found', (t) => {
  t.true(found('Superseded').some(({ title }) => title.endsWith('.orderStatus')));
  t.true(
    found('billing.crashed').some(({ href }) => href.endsWith('#customers-held-from-billing')),
  );
  t.true(found('makes it safe to send again').some(({ kind }) => kind === 'Call'));
});
