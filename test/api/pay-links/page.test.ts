/** The page of a link: what it shows of the invoice, and nothing else of its customer. */
import test from 'ava';
import { amount, card as cardElement, invoices, pay as payBody } from '../payments/bodies.ts';
import { customerOf, openSelfService, visit, withProfiles } from '../self-service/calls.ts';
import { buttonIn, invoiced, onFile, problemIn } from '../self-service/pay-calls.ts';
import { personOf } from '../self-service/people.ts';
import { send as request } from '../support.ts';
import { titleOf } from '../signups/page-calls.ts';
import { books, card, follow, keyOf, linked, linkOf, pay, send, setLinks, show } from './calls.ts';

const api = await openSelfService();

const withDefault = (profile: object) => ({
  file: { ...withProfiles.file, selfServiceProfiles: [{ id: 'DEFAULT', ...profile }] },
});

test('the page shows the document, what is open now, and a form without a box to save', async (t) => {
  const link = await linked(api);
  const page = await show(link);
  t.is(page.status, 200);
  t.regex(titleOf(page), /^Pay invoice \d+$/);
  t.is(buttonIn(page), 'Pay $81.61');
  t.regex(page.body, /<dt>Open now<\/dt><dd>\$81\.61<\/dd>/);
  t.regex(page.body, /<article class="invoice">/);
  t.false(page.body.includes('savePaymentMethod'));
  t.true(page.body.includes(`href="${link.path}.pdf"`));
  t.true(page.body.includes(`href="/widget/login?invoice=${link.invoiceId}"`));
  t.is(page.headers['cache-control'], 'no-store');
  t.is(page.headers['referrer-policy'], 'same-origin');
  t.regex(String(page.headers['content-security-policy']), /default-src 'none'/);
});

test('the document is a PDF, too', async (t) => {
  const { own, path } = await linked(api);
  const file = await visit(own, `${path}.pdf`);
  t.is(file.status, 200);
  t.is(file.headers['content-type'], 'application/pdf');
  t.true(file.body.startsWith('%PDF'));
});

test('what is open now is charged to the card, once, and the page says so', async (t) => {
  const link = await linked(api);
  const answer = await pay(link);
  t.is(answer.status, 303, answer.body);
  t.regex(String(answer.headers.location), new RegExp(`^${link.path}\\?payment=\\d+$`));
  t.is(await books(link), 'Paid 81.61 USD; charges Approved 81.61; open none; made 1; used 1');
  const thanks = await follow(link, answer);
  t.regex(thanks.body, /role="status">We have received your payment\. Thank you\./);
  t.is(buttonIn(thanks), undefined);
  const later = await show(link);
  t.regex(later.body, /This invoice is paid\. Thank you\./);
  t.is(buttonIn(later), undefined);
  t.is((await link.own.get(`/invoice/${link.invoiceId}`)).body.includes('<status>Paid<'), true);
  const [method] = await link.own.asOwner<{ count: number }>(
    `select count(*)::int as count from payment_method
     where tenant_id = ${link.own.tenantId} and autopay_preference is not null`,
  );
  t.is(method?.count, 0);
});

test('the money goes to that invoice, though an older one is open', async (t) => {
  const link = await linked(api);
  const older = await invoiced(link, '10.00', '<dueDate>2027-01-20</dueDate>');
  t.is((await pay(link)).status, 303);
  t.is(await books(link), 'Paid 81.61 USD; charges Approved 81.61; open 10.00 USD; made 1; used 1');
  t.true((await link.own.get(`/invoice/${older}`)).body.includes('<status>Outstanding<'));
});

test('a declined card shows the form again, and another one pays', async (t) => {
  const link = await linked(api);
  const answer = await pay(link, { ...card, cardNumber: '4000000000000341' });
  t.is(answer.status, 303);
  const page = await follow(link, answer);
  t.regex(String(problemIn(page)), /^Your card was declined, and nothing was charged\./);
  t.is(buttonIn(page), 'Pay $81.61');
  t.is((await send(link, { formKey: keyOf(page), ...card })).status, 303);
  t.regex(await books(link), /charges Declined 81\.61, Approved 81\.61; open none; made 2/);
});

test('fields at fault are named, and nothing of the card is shown again', async (t) => {
  const link = await linked(api);
  const answer = await pay(link, { ...card, cardNumber: '4111111111111112', cvv: '1' });
  t.is(answer.status, 400);
  t.regex(answer.body, /id="cardNumber-error"[^]*id="cvv-error"/);
  t.true(answer.body.includes('value="Bob Payer"'));
  t.false(answer.body.includes('4111'));
  t.is(await books(link), 'charges none; open 81.61 USD; made 0; used 0');
});

test('the page shows no other invoice, balance, method, contact or login of the customer', async (t) => {
  const own = await api.another(withProfiles);
  const id = await personOf(own, 'ada.secret');
  const invoiceId = await invoiced({ own, id }, '81.61');
  const other = await invoiced({ own, id }, '7777.00');
  await onFile({ own, id }, 1, { number: '5555555555554444' });
  const paid = payBody(
    `<customer id="${id}"/>${amount('1.61')}${invoices(invoiceId)}${cardElement({ number: '4012888888881881' })}`,
  );
  t.is((await own.post('/payments', paid)).status, 201);
  const path = await linkOf(own, invoiceId);
  const page = await visit(own, path);
  t.is(buttonIn(page), 'Pay $80.00');
  const [numbers] = await own.asOwner<{ number: string }>(
    `select invoice_number as number from invoice where id = ${other}`,
  );
  const hidden = ['7,777', '7777', '4444', '1881', 'MasterCard', 'Visa', 'ada.secret'];
  for (const each of hidden) t.false(page.body.includes(each), each);
  t.false(page.body.includes(`Invoice ${numbers?.number}`));
  t.false(page.body.includes(`${other}`));
  // A customer without a login has the same way there.
  const bea = await customerOf(own, 'Bea');
  const hers = await linkOf(own, await invoiced({ own, id: bea }, '5.00'));
  t.regex((await visit(own, hers)).body, /Log in to your account/);
});

test('an unknown link is 404; an old one, or of a cancelled invoice, is 410', async (t) => {
  const link = await linked(api);
  const { own } = link;
  for (const path of [`/pay/${'x'.repeat(43)}`, '/pay/x', `/pay/${'x'.repeat(43)}.pdf`]) {
    t.is((await visit(own, path)).status, 404, path);
  }
  const foreign = await linked(api);
  t.is((await visit(own, foreign.path)).status, 404);
  const formKey = keyOf(await show(link));
  await setLinks(own, `expires_at = now()`);
  for (const path of [link.path, `${link.path}.pdf`]) {
    const page = await visit(own, path);
    t.is(page.status, 410);
    t.is(titleOf(page), 'This link is over');
  }
  t.is((await send(link, { formKey, ...card })).status, 410);
  const cancelled = await linked(api);
  const key = keyOf(await show(cancelled));
  t.true((await cancelled.own.remove(`/invoice/${cancelled.invoiceId}`)).status < 300);
  t.is((await show(cancelled)).status, 410);
  t.is((await send(cancelled, { formKey: key, ...card })).status, 410);
  t.is(await books(link), 'charges none; open 81.61 USD; made 0; used 0');
});

test('a profile DEFAULT without payments has no form, and takes none', async (t) => {
  const link = await linked(api, withDefault({ allowPayments: false }));
  const page = await show(link);
  t.is(page.status, 200);
  t.is(buttonIn(page), undefined);
  t.regex(page.body, /cannot be paid on this page/);
  t.regex(page.body, /\$81\.61/);
  t.is((await send(link, { formKey: 'x', ...card })).status, 403);
});

test('pdfMode of DEFAULT shows the document as a PDF alone', async (t) => {
  const link = await linked(api, withDefault({ pdfMode: true }));
  const page = await show(link);
  t.false(page.body.includes('<article'));
  t.true(page.body.includes(`href="${link.path}.pdf"`));
  t.is(buttonIn(page), 'Pay $81.61');
});

test('a form needs its own key, and one of another link is none', async (t) => {
  const link = await linked(api);
  const other = await linkOf(link.own, link.invoiceId);
  const formKey = keyOf(await visit(link.own, other));
  t.is((await send(link, { formKey, ...card })).status, 403);
  t.is((await send(link, { formKey: 'x', ...card })).status, 403);
  const foreign = await request(link.own.port, {
    method: 'POST',
    path: link.path,
    host: `${link.own.label}.localhost`,
    from: link.own.from,
    auth: null,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    },
    body: new URLSearchParams({ formKey: keyOf(await show(link)), ...card }).toString(),
  });
  t.is(foreign.status, 403);
  t.is(await books(link), 'charges none; open 81.61 USD; made 0; used 0');
});

test('the page speaks the language of the customer', async (t) => {
  const own = await api.another(withProfiles);
  const id = await customerOf(own, 'Bea', '<locale>de_DE</locale>');
  const path = await linkOf(own, await invoiced({ own, id }, '81.61'));
  const page = await visit(own, path, { headers: { 'accept-language': 'fr' } });
  t.regex(titleOf(page), /^Rechnung \d+ bezahlen$/);
  t.regex(String(buttonIn(page)), /81,61/);
});
