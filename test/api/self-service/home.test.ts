/** The first page of self-service: what it shows of a customer, in which language, and its text. */
import test from 'ava';
import { renderHome } from '../../../api/resources/self-service/home/render.ts';
import { home } from '../pages/account-samples.ts';
import { valueOf, type TenantApi } from '../tenant-api.ts';
import { customerOf, openSelfService, pageOf, visit, withProfiles } from './calls.ts';

const api = await openSelfService();
const texts = (html: string): string =>
  html
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\s*\n\s*/g, '|');

/** An invoice by hand of one charge; returns its number. */
async function invoiceOf(own: TenantApi, customerId: string, more: string): Promise<string> {
  const { body } = await own.post(
    `/invoices?customerId=${customerId}`,
    `<invoice>${more}<invoiceLineItems><invoiceLineItem><invoiceLineItemCharges>
     <invoiceLineItemCharge><position>1</position><priceCode>VISIT</priceCode>
     <invoiceText>Visit</invoiceText><unitPrice>10.00</unitPrice><quantity>1</quantity>
     </invoiceLineItemCharge></invoiceLineItemCharges></invoiceLineItem></invoiceLineItems></invoice>`,
  );
  return valueOf(body, 'invoiceNumber') ?? body;
}

test('a customer without any money sees zeros in its currency', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Ada');
  const { body, status } = await visit(own, await pageOf(own, { customerId: id }));
  t.is(status, 200);
  const shown = texts(body);
  t.regex(body, /<p class="account-name">Ada<\/p>.*Log out.*Statement.*<main/s);
  t.true(shown.includes('|Your account|Your subscriptions|You have no subscription.|'), shown);
  t.true(shown.includes('|Balance|Open|$0.00|Of this overdue|$0.00|'), shown);
  t.false(shown.includes('Next invoice'), shown);
  t.true(shown.includes('|Newest open invoices|No invoice is open.|'), shown);
});

test('it shows what is open, what is overdue, and credit, in the language of the customer', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Ada', '<locale>de_DE</locale>');
  const first = await invoiceOf(own, id, '<dueDate>2027-01-01</dueDate>');
  t.regex(first, /^\d+$/);
  await own.asOwner(
    `update invoice set invoice_date = '2026-12-01', due_date = '2026-12-31'
     where tenant_id = ${own.tenantId}`,
  );
  const second = await invoiceOf(own, id, '<dueDate>2027-01-31</dueDate>');
  t.regex(second, /^\d+$/);
  const { body } = await visit(own, await pageOf(own, { customerId: id }));
  const shown = texts(body).replaceAll('\u00a0', ' ');
  t.true(body.startsWith('<!doctype html>\n<html lang="de">'));
  t.true(shown.includes('|Offen|20,00 $|Davon überfällig|10,00 $|'), shown);
  t.true(shown.indexOf(`Rechnung ${second} vom`) < shown.indexOf(`Rechnung ${first} vom`), shown);
  t.true(shown.includes('|fällig am 31. Dezember 2026|10,00 $|'), shown);
});

test('showStatements=false hides the invoices', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Ada');
  const path = await pageOf(own, { customerId: id, showStatements: 'false' });
  const { body } = await visit(own, path);
  t.false(body.includes('Newest open invoices'));
  t.true(body.includes('>Balance<'));
});

test('each currency has its balance, under its name', (t) => {
  const shown = texts(renderHome(home));
  t.true(shown.includes('|Balance in USD|Open|$1,234.50|Of this overdue|$29.95|'), shown);
  t.true(shown.includes('|Balance in EUR|Open|€0.00|'), shown);
  t.true(shown.includes('|Credit not used yet|€10.00|'), shown);
});

test('no text of a customer becomes markup', (t) => {
  const hostile = `"><i a='1'>&amp;</i><%= 1 %>`;
  const escaped = '&quot;&gt;&lt;i a=&#39;1&#39;&gt;&amp;amp;&lt;/i&gt;&lt;%= 1 %&gt;';
  const [invoice] = home.invoices ?? [];
  if (invoice === undefined) return t.fail();
  const html = renderHome({
    ...home,
    name: hostile,
    sender: hostile,
    invoices: [{ ...invoice, invoiceNumber: hostile }],
  });
  t.false(html.includes('<i '));
  t.true(html.includes(`<p class="account-name">${escaped}</p>`));
  t.true(html.includes(`<p class="sender">${escaped}</p>`));
  t.true(html.includes(`Invoice ${escaped} of`));
});

test('an idle page loads again after 1,805 seconds, by an address that says so', (t) => {
  const html = renderHome({ ...home, address: '/widget/customerHome/x?currency=EUR' });
  const again = '/widget/customerHome/x?currency=EUR&amp;reload=1';
  const meta = `<meta http-equiv="refresh" content="1805;url=${again}">`;
  t.true(html.includes(`<noscript>${meta}</noscript>`), html);
  t.true(html.includes(`data-reload-after="1805" data-reload-to="${again}"`));
});

test('the menu has what the session shows, and the first page leads there without a menu, too', (t) => {
  const linked = (switches: Partial<typeof home.switches>): string[] => {
    const html = renderHome({ ...home, switches: { ...home.switches, ...switches } });
    return [...html.matchAll(/href="\/widget\/customerHome\/q3V0bm\/(\w+)"/g)].map(
      ([, to = '']) => to,
    );
  };
  const all = ['statements', 'invoices', 'payments', 'pay', 'card', 'orders', 'profile'];
  // Subscriptions and the next bill lead to their parts as well.
  t.deepEqual(linked({}), [...all, 'orders', 'card', ...all]);
  t.deepEqual(linked({ showNavigationBar: false }), ['orders', 'card', ...all]);
  const off = { showStatements: false, allowPayments: false, editOrderOptions: [] } as const;
  t.deepEqual(linked({ ...off, showNavigationBar: false }), ['payments', 'profile']);
});
