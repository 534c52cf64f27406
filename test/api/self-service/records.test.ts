/** Statements and invoices of an account over HTTP: what they show, link and refuse. */
import test from 'ava';
import { linkOf } from '../signups/page-calls.ts';
import { customerOf, openSelfService, sessionsOf, setTimes, visit, withProfiles } from './calls.ts';
import {
  accountOf,
  fileOf,
  invoiceOf,
  linksOf,
  paymentOf,
  sessionOf,
  textsOf,
} from './records-calls.ts';

const api = await openSelfService();
const LOGIN = 'https://www.demo.example/login';

test('the statement has each entry with its balance, and ends with the balance of the first page', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const first = await invoiceOf(account, '100.00');
  const payment = await paymentOf(account, '30.00');
  await invoiceOf(account, '-4.50');
  const { status, body, headers } = await visit(own, `${home}/statements`);
  t.is(status, 200);
  t.regex(String(headers['content-security-policy']), /style-src 'self'/);
  const shown = textsOf(body);
  t.true(shown.includes('|From January 2, 2026 to January 1, 2027|'), shown);
  const entries = [
    '|Opening balance|$0.00',
    'January 1, 2027|Invoice 1001|$100.00|$100.00',
    'January 1, 2027|Payment, Cash|-$30.00|$70.00',
    'January 1, 2027|Credit note 1002|-$4.50|$65.50',
    'Closing balance|$65.50|',
  ];
  t.true(shown.includes(entries.join('|')), shown);
  const links = linksOf(body);
  t.true(links.includes(`${home}/invoices/${first}`));
  t.true(links.includes(`${home}/payments/${payment}`));
  t.true(textsOf((await visit(own, home)).body).includes('|Open|$65.50|'));
});

test('a statement of other days, and in German', async (t) => {
  const account = await accountOf(await api.another(withProfiles), {}, '<locale>de_DE</locale>');
  await invoiceOf(account, '100.00');
  const path = `${account.home}/statements`;
  const { status, body } = await visit(account.own, `${path}?from=2027-01-02&to=2027-02-01`);
  t.is(status, 200);
  const shown = textsOf(body);
  t.true(shown.includes('|Anfangssaldo|100,00 $|'), shown);
  t.true(shown.includes('|In diesem Zeitraum wurde nichts gebucht.|Endsaldo|100,00 $|'), shown);
  t.true(body.includes('name="from" type="date" value="2027-01-02"'), body);
});

for (const [rule, query, field, message] of [
  ['no date', 'from=2027-02-30', 'from', 'Please enter a date such as 2027-01-31.'],
  ['no text of a date', 'to=%3Cscript%3E', 'to', 'Please enter a date such as 2027-01-31.'],
  ['days in the wrong order', 'from=2027-01-02', 'from', 'The first day is after the last day.'],
  ['several', 'from=x&from=2027-01-01', 'from', 'Please enter a date such as 2027-01-31.'],
] as const) {
  test(`${rule}: the form again with the fault beside the field`, async (t) => {
    const { own, home } = await accountOf(await api.another(withProfiles));
    const { status, body } = await visit(own, `${home}/statements?${query}`);
    t.is(status, 400);
    t.true(body.includes(`<p class="error" id="${field}-error">${message}</p>`), body);
    t.false(body.includes('Opening balance'));
    t.false(body.includes('<script>'));
  });
}

test('an invoice is shown as people read it, with its PDF in a new tab, and a way to pay it', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const id = await invoiceOf(account, '10.00');
  const list = textsOf((await visit(own, `${home}/invoices`)).body);
  t.true(list.includes('|1001|January 1, 2027|January 31, 2027|$10.00|$10.00|Open|'), list);
  const { status, body } = await visit(own, `${home}/invoices/${id}`);
  t.is(status, 200);
  t.true(body.includes('<h1>Invoice 1001</h1>'));
  t.true(body.includes('<link rel="stylesheet" href="/css/invoice.css">'));
  t.regex(textsOf(body), /\|Visit\|.*\|Still due of this invoice\|\$10\.00\|/);
  const pdf = `<a class="button is-second" href="${home}/invoices/${id}.pdf" target="_blank" rel="noopener">Download PDF<span class="unseen"> (opens in a new tab)</span></a>`;
  t.true(body.includes(pdf), body);
  t.true(linksOf(body).includes(`${home}/pay?currency=USD&invoice=${id}`));
  await paymentOf(account, '10.00');
  const paid = await visit(own, `${home}/invoices/${id}`);
  t.true(paid.body.includes('<p class="stamp">Paid</p>'));
  t.false(linksOf(paid.body).some((to) => to.includes('/pay?')));
  t.true(textsOf((await visit(own, `${home}/invoices`)).body).includes('|$10.00|$0.00|Paid|'));
});

test('the PDF of an invoice is beside its page', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const id = await invoiceOf(account, '10.00');
  const { status, headers, lines } = await fileOf(
    account.own,
    `${account.home}/invoices/${id}.pdf`,
  );
  t.is(status, 200);
  t.is(headers['content-type'], 'application/pdf');
  t.is(headers['content-disposition'], 'inline; filename="invoice-1001.pdf"');
  t.is(headers['cache-control'], 'no-store');
  t.true(lines.includes('Invoice 1001'), lines.join('\n'));
  t.true(lines.includes('Still due of this invoice $10.00'), lines.join('\n'));
  for (const end of ['x.pdf', '.pdf', `${id}.pdf.pdf`, `${id}pdf`, `${id}.PDF`, `${id}.`, '0']) {
    t.is((await visit(account.own, `${account.home}/invoices/${end}`)).status, 404, end);
  }
});

test('a cancellation leads to its PDF from the statement and from the invoice', async (t) => {
  const file = { ...withProfiles.file, documents: { cancellation: 'document' } };
  const account = await accountOf(await api.another({ ...withProfiles, file }));
  const { own, home } = account;
  const id = await invoiceOf(account, '10.00');
  t.is((await visit(own, `${home}/invoices/${id}/cancellation.pdf`)).status, 404);
  await own.remove('/invoice?invoiceNumber=1001');
  const path = `${home}/invoices/${id}/cancellation.pdf`;
  const statement = await visit(own, `${home}/statements`);
  const entry = '|Cancellation note 1002 of invoice 1001|(opens in a new tab)|-$10.00|$0.00|';
  t.true(textsOf(statement.body).includes(entry), textsOf(statement.body));
  t.true(linksOf(statement.body).includes(path));
  const invoice = await visit(own, `${home}/invoices/${id}`);
  t.true(linksOf(invoice.body).includes(path));
  t.regex(textsOf(invoice.body), /Cancellation note 1002 \(PDF\).*Cancelled by\|1002 of January 1/);
  const { status, headers, lines } = await fileOf(own, path);
  t.is(status, 200);
  t.is(headers['content-disposition'], 'inline; filename="cancellation-1002.pdf"');
  t.true(lines.includes('Cancellation note 1002'), lines.join('\n'));
  t.true(lines.includes('This cancellation -$10.00'), lines.join('\n'));
});

test('an invoice whose due date has passed is marked', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  await invoiceOf(account, '10.00');
  await own.asOwner(
    `update invoice set invoice_date = '2026-12-01', due_date = '2026-12-31'
     where tenant_id = ${own.tenantId}`,
  );
  const { body } = await visit(own, `${home}/invoices`);
  t.true(body.includes('<span class="badge is-alarm">Overdue</span>'), body);
});

test('in pdfMode the first page, the list and the statement lead to the PDF, and the page is off', async (t) => {
  const account = await accountOf(await api.another(withProfiles), { pdfMode: 'true' });
  const { own, home } = account;
  const id = await invoiceOf(account, '10.00');
  for (const path of [home, `${home}/invoices`, `${home}/statements`]) {
    const { body } = await visit(own, path);
    const link = `href="${home}/invoices/${id}.pdf" target="_blank" rel="noopener"`;
    t.true(body.includes(link), path);
    t.false(linksOf(body).includes(`${home}/invoices/${id}`), path);
  }
  t.is((await visit(own, `${home}/invoices/${id}`)).status, 403);
  t.is((await fileOf(own, `${home}/invoices/${id}.pdf`)).status, 200);
});

test('showStatements=false switches off statements and invoices, and no payment links one', async (t) => {
  const account = await accountOf(await api.another(withProfiles), { showStatements: 'false' });
  const { own, home } = account;
  const id = await invoiceOf(account, '10.00');
  const payment = await paymentOf(account, '10.00');
  for (const path of ['statements', 'invoices', `invoices/${id}`, `invoices/${id}.pdf`]) {
    t.is((await visit(own, `${home}/${path}`)).status, 403);
  }
  const { body } = await visit(own, `${home}/payments/${payment}`);
  t.true(textsOf(body).includes('|Invoice 1001 of January 1, 2027|$10.00|'), body);
  t.false(body.includes('/invoices/'));
});

test('invoices of others are 404: of another customer, another tenant, a sign-up under way', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const { own, home } = account;
  const [id, hidden] = [await invoiceOf(account, '10.00'), await invoiceOf(account, '5.00')];
  const other = await accountOf(await api.another(withProfiles));
  const foreign = await invoiceOf(other, '10.00');
  const beas = await invoiceOf({ own, customerId: await customerOf(own, 'Bea') }, '10.00');
  await linkOf(own);
  await own.asOwner(
    `update signup set customer_id = ${account.customerId}, is_new_customer = false,
       invoice_ids = '{${hidden}}' where tenant_id = ${own.tenantId}`,
  );
  for (const each of [foreign, beas, hidden]) {
    t.regex(each, /^\d+$/);
    for (const end of ['', '.pdf']) {
      t.is((await visit(own, `${home}/invoices/${each}${end}`)).status, 404);
    }
  }
  const list = linksOf((await visit(own, `${home}/invoices`)).body);
  t.true(list.includes(`${home}/invoices/${id}`));
  t.false(list.includes(`${home}/invoices/${hidden}`));
  // The statement hides the entry, and its amount from every balance.
  const shown = textsOf((await visit(own, `${home}/statements`)).body);
  t.true(shown.includes('|Invoice 1001|$10.00|$10.00|Closing balance|$10.00|'), shown);
  t.true(textsOf((await visit(own, home)).body).includes('|Open|$10.00|'));
});

test('once the session has ended, its records lead to the login, and a form of dates is a click', async (t) => {
  const { own, home } = await accountOf(await api.another(withProfiles));
  await setTimes(own, `expires_at = now() + interval '5 minutes'`);
  await visit(own, `${home}/statements?from=2027-01-01&reload=1`);
  t.is((await sessionsOf(own))[0]?.['left'], 5);
  await visit(own, `${home}/statements?from=2027-01-01`);
  t.is((await sessionsOf(own))[0]?.['left'], 30);
  await setTimes(own, 'ended_at = now()');
  for (const part of ['statements', 'invoices', 'invoices/1', 'invoices/1.pdf', 'payments']) {
    t.is((await visit(own, `${home}/${part}`)).headers.location, LOGIN, part);
  }
});

test('a second session of the customer shows the same', async (t) => {
  const account = await accountOf(await api.another(withProfiles));
  const id = await invoiceOf(account, '10.00');
  const again = await sessionOf(account);
  t.is((await visit(account.own, `${again}/invoices/${id}`)).status, 200);
});
