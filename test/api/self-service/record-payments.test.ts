/** Payments and receipts of an account over HTTP: what they show in each state, link and refuse. */
import test from 'ava';
import { card } from '../payments/bodies.ts';
import { linkOf } from '../signups/page-calls.ts';
import { valueOf } from '../tenant-api.ts';
import { customerOf, openSelfService, sessionsOf, setTimes, visit, withProfiles } from './calls.ts';
import {
  accountOf,
  declining,
  fileOf,
  invoiceOf,
  linksOf,
  paymentOf,
  sessionOf,
  textsOf,
  type Account,
} from './records-calls.ts';

const api = await openSelfService();

test('a paid payment says what it was used for, and has a receipt', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const invoice = await invoiceOf(account, '10.00');
  const id = await paymentOf(account, '12.50', card());
  const list = await visit(own, `${home}/payments`);
  const row = '|Payment of January 1, 2027|Visa - *****1111|$12.50|Paid|';
  t.true(textsOf(list.body).includes(row), textsOf(list.body));
  t.true(linksOf(list.body).includes(`${home}/payments/${id}`));
  const { status, body } = await visit(own, `${home}/payments/${id}`);
  t.is(status, 200);
  const shown = textsOf(body);
  // The session has not made it: last year's payment is no news.
  t.false(shown.includes('We have received your payment.'), shown);
  const uses = 'Invoice 1001 of January 1, 2027|$10.00|Kept as credit|$2.50|Amount received|$12.50';
  t.true(shown.includes(`|${uses}|`), shown);
  t.true(linksOf(body).includes(`${home}/invoices/${invoice}`));
  const link = `href="${home}/payments/${id}.pdf" target="_blank" rel="noopener">Receipt (PDF)<span class="unseen"> (opens in a new tab)</span>`;
  t.true(body.includes(link), body);
  t.false(body.includes('data-poll'));
});

test('the receipt is a PDF in the language of the customer', async (t) => {
  const account = await accountOf(await api.another(withProfiles), {}, '<locale>de_DE</locale>');
  await invoiceOf(account, '10.00');
  const id = await paymentOf(account, '10.00', card());
  const { status, headers, lines } = await fileOf(
    account.own,
    `${account.home}/payments/${id}.pdf`,
  );
  t.is(status, 200);
  t.is(headers['content-type'], 'application/pdf');
  t.is(headers['content-disposition'], `inline; filename="receipt-${id}.pdf"`);
  for (const line of [
    `Quittung ${id}`,
    'BEZAHLT',
    'Rechnung 1001 vom 1. Januar 2027 10,00 $',
    'Erhaltener Betrag 10,00 $',
  ]) {
    t.true(lines.includes(line), lines.join('\n'));
  }
  t.true(
    lines.some((line) => line.endsWith('Zahlungsart Visa - *****1111')),
    lines.join('\n'),
  );
});

test('a payment under way asks again by itself, which is no click, until it is paid', async (t) => {
  const own = await api.another({ ...withProfiles, isEngineDown: true });
  const account = await accountOf(own);
  const id = await paymentOf(account, '10.00', card());
  const path = `${account.home}/payments/${id}`;
  const { body } = await visit(own, path);
  t.true(body.includes('<h1>Your payment is under way</h1>'));
  t.true(body.includes(`data-poll="${path}?reload=1"`));
  t.true(body.includes(`<meta http-equiv="refresh" content="3;url=${path}?reload=1">`));
  t.false(body.includes('Receipt'));
  t.is((await visit(own, `${path}.pdf`)).status, 404);
  await setTimes(own, `expires_at = now() + interval '5 minutes'`);
  t.is((await visit(own, `${path}?reload=1`)).status, 200);
  t.is((await sessionsOf(own))[0]?.['left'], 5);
  await own.advance(id);
  const paid = await visit(own, `${path}?reload=1`);
  t.false(paid.body.includes('data-poll'));
  t.true(paid.body.includes('<span class="badge">Paid</span>'));
});

test('a declined payment says so, and leads to another try if the session may pay', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const id = await paymentOf(account, '10.00', declining);
  const { body } = await visit(own, `${home}/payments/${id}`);
  t.true(body.includes('<h1>Your payment was declined</h1>'));
  t.true(linksOf(body).includes(`${home}/pay?currency=USD`));
  t.true(body.includes('You can pay again with another card.'));
  t.true(body.includes('<span class="badge is-alarm">Declined</span>'));
  t.is((await visit(own, `${home}/payments/${id}.pdf`)).status, 404);
  const without = await sessionOf(account, { allowPayments: 'false' });
  const shown = await visit(own, `${without}/payments/${id}`);
  t.false(shown.body.includes('/pay?'));
  t.false(shown.body.includes('You can pay again'));
});

/** A payment by the first method on file, which declines, then by the second; both ids. */
async function cascadeOf({ own, customerId }: Account): Promise<readonly [string, string]> {
  const put = (method: string, preference: string) =>
    own.put(
      `/customer/${customerId}/autopay`,
      `<autopay>${method.replace('<cvv>', `<autopayPreference>${preference}</autopayPreference><cvv>`)}</autopay>`,
    );
  await put(card({ number: '4000000000000341' }), '1');
  await put(card(), '2');
  await own.post(
    '/payments/autopay',
    `<processPaymentWithAutopay><customer id="${customerId}"/><amount>3</amount>
     </processPaymentWithAutopay>`,
  );
  const rows = await own.asOwner<{ id: string }>(
    `select id from payment where customer_id = ${customerId} order by attempt`,
  );
  return [rows[0]?.id ?? '', rows[1]?.id ?? ''];
}

test('a payment with several attempts is shown as its last one, by the id of any', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const [first, last] = await cascadeOf(account);
  t.regex(last, /^\d+$/);
  const list = linksOf((await visit(own, `${home}/payments`)).body);
  t.false(list.includes(`${home}/payments/${first}`));
  t.true(list.includes(`${home}/payments/${last}`));
  for (const id of [first, last]) {
    const { body } = await visit(own, `${home}/payments/${id}`);
    t.true(textsOf(body).includes(`|Payment number|${last}|`), textsOf(body));
    t.true((await fileOf(own, `${home}/payments/${id}.pdf`)).lines.includes(`Receipt ${last}`));
  }
});

test('a refund is listed and shown, without a receipt', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home, customerId } = account;
  await paymentOf(account, '10.00');
  const { body: made } = await own.post(
    '/refunds',
    `<processRefund><customer id="${customerId}"/><amount>4.00</amount></processRefund>`,
  );
  const id = valueOf(made, 'payment@id') ?? made;
  const list = textsOf((await visit(own, `${home}/payments`)).body);
  t.regex(list, /\|Refund of January 1, 2027\|[^|]*\|?-\$4\.00\|Paid back\|/);
  const { body } = await visit(own, `${home}/payments/${id}`);
  t.true(body.includes('<h1>Refund of January 1, 2027</h1>'), body);
  t.false(body.includes('.pdf'));
  t.is((await visit(own, `${home}/payments/${id}.pdf`)).status, 404);
});

test('without showPayments only what the session itself has paid is shown', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own } = account;
  const [mine, other] = [await paymentOf(account, '10.00'), await paymentOf(account, '5.00')];
  const home = await sessionOf(account, { showPayments: 'false' });
  await own.asOwner(
    `insert into self_service_payment (tenant_id, payment_id, session_id, form_key, network,
       shown_amount, created_at)
     select tenant_id, ${mine}, max(id), 'key', '127.0.0.1/32', 10, now()
     from self_service_session where tenant_id = ${own.tenantId} group by tenant_id`,
  );
  const { status, body } = await visit(own, `${home}/payments/${mine}`);
  t.is(status, 200);
  t.false(linksOf(body).includes(`${home}/payments`));
  t.is((await fileOf(own, `${home}/payments/${mine}.pdf`)).status, 200);
  for (const path of [`/${other}`, `/${other}.pdf`, '', '/1']) {
    t.is((await visit(own, `${home}/payments${path}`)).status, 403);
  }
  // In pdfMode it sees that the payment worked, and the receipt alone says what it was used for.
  await own.asOwner(
    `update self_service_session set pdf_mode = true where tenant_id = ${own.tenantId}`,
  );
  const brief = await visit(own, `${home}/payments/${mine}`);
  t.true(brief.body.includes('We have received your payment.'));
  t.false(brief.body.includes('Used for'));
});

test('in pdfMode the list leads to receipts, whose pages are off; a declined one has its page', async (t) => {
  const account = await accountOf(await api.another(withProfiles), { pdfMode: 'true' });
  const { own, home } = account;
  const paid = await paymentOf(account, '10.00');
  const declined = await paymentOf(account, '5.00', declining);
  const list = linksOf((await visit(own, `${home}/payments`)).body);
  t.true(list.includes(`${home}/payments/${paid}.pdf`));
  t.true(list.includes(`${home}/payments/${declined}`));
  t.is((await visit(own, `${home}/payments/${paid}`)).status, 403);
  t.is((await visit(own, `${home}/payments/${declined}`)).status, 200);
  t.is((await fileOf(own, `${home}/payments/${paid}.pdf`)).status, 200);
});

test('payments of others are 404: of another customer, another tenant; and a credit is none', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home, customerId } = account;
  const foreign = await paymentOf(await accountOf(await api.another(withProfiles)), '10.00');
  const beas = await paymentOf({ own, customerId: await customerOf(own, 'Bea') }, '10.00');
  const credit = await own.post(
    '/credits',
    `<processCredit><customer id="${customerId}"/><amount>1.00</amount></processCredit>`,
  );
  for (const each of [foreign, beas, valueOf(credit.body, 'payment@id') ?? credit.body]) {
    t.regex(each, /^\d+$/);
    for (const end of ['', '.pdf']) {
      t.is((await visit(own, `${home}/payments/${each}${end}`)).status, 404);
    }
  }
});

test('a payment of a sign-up under way is in no list, no balance and no statement', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const id = await paymentOf(account, '7.00');
  await linkOf(own);
  await own.asOwner(
    `update signup set customer_id = ${account.customerId}, is_new_customer = false
     where tenant_id = ${own.tenantId};
     insert into signup_try (tenant_id, signup_id, number, status, network, shown_amount,
       payment_id, created_at)
     select tenant_id, id, 1, 'charging', '127.0.0.1/32', 7, ${id}, now()
     from signup where tenant_id = ${own.tenantId}`,
  );
  const shown = async (path: string) => textsOf((await visit(own, `${home}${path}`)).body);
  t.true((await shown('/payments')).includes('|There are no payments yet.|'));
  t.true((await shown('/statements')).includes('|Closing balance|$0.00|'));
  t.true((await shown('')).includes('|Credit not used yet|$0.00|'));
  t.is((await visit(own, `${home}/payments/${id}`)).status, 404);
  await own.asOwner(
    `update signup set status = 'PROCESSED', ended_at = now() where tenant_id = ${own.tenantId}`,
  );
  t.true((await shown('/payments')).includes('|$7.00|Paid|'));
  t.true((await shown('/statements')).includes('|Payment, Cash|-$7.00|-$7.00|Closing balance|'));
  t.true((await shown('')).includes('|Credit not used yet|$7.00|'));
});
