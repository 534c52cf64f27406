/** The records of an account as text: how much a page holds, whose text becomes no markup. */
import test from 'ava';
import {
  renderInvoice,
  renderInvoices,
} from '../../../api/resources/self-service/records/render-invoices.ts';
import {
  renderPayment,
  renderPayments,
} from '../../../api/resources/self-service/records/render-payments.ts';
import { renderStatement } from '../../../api/resources/self-service/records/render-statement.ts';
import { account } from './account-samples.ts';
import {
  everyEntry,
  invoiceOf,
  invoicesOf,
  paid,
  paymentOf,
  paymentsOf,
  statementOf,
} from './samples-records.ts';

const hostile = `"><i a='1'>&amp;</i><%= 1 %>`;
const escaped = '&quot;&gt;&lt;i a=&#39;1&#39;&gt;&amp;amp;&lt;/i&gt;&lt;%= 1 %&gt;';

test('a statement of 1,000 entries has a row for each', (t) => {
  const view = statementOf(account);
  const [own] = view.shown?.currencies ?? [];
  const [invoice, payment] = own?.entries ?? [];
  if (view.shown === null || own === undefined || invoice === undefined || payment === undefined) {
    return t.fail();
  }
  const entries = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? invoice : payment));
  const currencies = [{ ...own, entries }];
  const html = renderStatement({ ...view, shown: { ...view.shown, currencies } });
  t.is(html.match(/<tr><td class="date">/g)?.length, 1_000);
  // With its links less than 500 bytes for each.
  t.true(html.length < 500_000, `${html.length}`);
  return undefined;
});

test('more entries are a link away, and a page that goes on says so', (t) => {
  const html = renderStatement(everyEntry(account));
  t.true(html.includes('Only the newest 1,000 entries are shown.'));
  const more = '/statements?from=2026-01-16&amp;to=2027-01-15&amp;before=1"';
  t.true(html.includes(more), html);
  t.true(html.includes('Balance brought forward'));
  t.true(html.includes('Balance carried forward'));
  const whole = renderStatement(statementOf(account));
  t.true(whole.includes('Opening balance'));
  t.true(whole.includes('Closing balance'));
  t.false(whole.includes('before='));
});

test('every kind of entry has words of people', (t) => {
  const html = renderStatement(everyEntry(account));
  const said = [...html.matchAll(/<th scope="row">(?:<a [^>]*>)?([^<]*)</g)].map(([, it]) => it);
  t.deepEqual(said.slice(0, 15), [
    'Invoice 1002',
    // A reversal that is owed: of a credit note.
    'Credit note 1002 cancelled',
    'Payment',
    'Payment cancelled',
    'Card surcharge',
    'Card surcharge paid',
    'Credit',
    'Charge',
    'Refund',
    'Payment returned by the bank',
    'Payment disputed',
    'Balance taken over',
    'Invoice 1002, taken over',
    'Balance closed',
    'Cancellation note 1003 of invoice 1002',
  ]);
});

test('a statement says in its language how a payment was made', (t) => {
  const view = statementOf({ ...account, locale: 'de-DE' });
  const [own] = view.shown?.currencies ?? [];
  const [, payment] = own?.entries ?? [];
  if (view.shown === null || own === undefined || payment === undefined) return t.fail();
  for (const [method, text] of [
    ['Cash', 'Zahlung, Bar'],
    ['ACH - *****6789', 'Zahlung, Bankkonto - *****6789'],
    ['Visa - *****1111', 'Zahlung, Visa - *****1111'],
  ] as const) {
    const currencies = [{ ...own, entries: [{ ...payment, method }] }];
    const html = renderStatement({ ...view, shown: { ...view.shown, currencies } });
    t.true(html.includes(`>${text}</a>`), text);
  }
  return undefined;
});

test('no text of a record becomes markup', (t) => {
  const own = { ...account, name: hostile, sender: hostile };
  const [entry] = everyEntry(own).shown?.currencies[0]?.entries ?? [];
  const [row] = invoicesOf(own).rows;
  const statement = statementOf(own);
  if (entry === undefined || row === undefined || statement.shown === null) return t.fail();
  const entries = [
    { ...entry, invoiceNumber: hostile },
    { ...entry, kind: 'payment' as const, invoiceId: null, paymentId: 1, method: hostile },
  ];
  const currencies = [{ currency: 'USD', opening: '0', closing: '1', entries }];
  const [first] = paid.invoices;
  const invoices = first === undefined ? [] : [{ ...first, invoiceNumber: hostile }];
  const { document } = invoiceOf(own);
  const pages = {
    statement: renderStatement({ ...statement, shown: { ...statement.shown, currencies } }),
    faulty: renderStatement({ ...statement, asked: { from: hostile, to: hostile }, shown: null }),
    invoices: renderInvoices({ ...invoicesOf(own), rows: [{ ...row, invoiceNumber: hostile }] }),
    invoice: renderInvoice({ ...invoiceOf(own), document: { ...document, title: hostile } }),
    payments: renderPayments({ ...paymentsOf(own), rows: [{ ...paid, method: hostile }] }),
    payment: renderPayment(paymentOf(own, { method: hostile, invoices })),
  };
  for (const [name, html] of Object.entries(pages)) {
    t.false(html.includes('<i '), name);
    const times = html.split(escaped).length - 1;
    // The sender in the title and above, the customer, and the record.
    t.true(times >= 4, `${name}: ${times}`);
  }
  return undefined;
});

test('in pdfMode a link opens a new tab, and says so to readers of the screen', (t) => {
  const own = { ...account, switches: { ...account.switches, pdfMode: true } };
  const link = `4711.pdf" target="_blank" rel="noopener">1002<span class="unseen"> (opens in a new tab)</span></a>`;
  t.true(renderInvoices(invoicesOf(own)).includes(link));
  t.false(renderInvoices(invoicesOf(account)).includes('.pdf'));
});
