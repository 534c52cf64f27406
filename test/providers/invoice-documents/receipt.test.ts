/** The PDF of a receipt, read back: its contents, its pages, the same bytes every time. */
import test from 'ava';
import { receiptPage } from '../../../domain/self-service/receipt.ts';
import { messages } from '../../../messages/messages.ts';
import { drawReceipt } from '../../../providers/invoice-documents/pdf/drawing.ts';
import { receiptPdf } from '../../../providers/invoice-documents/pdf/receipt-pdf.ts';
import { paid } from '../../api/pages/samples-records.ts';
import { readPdf } from './pdf-text.ts';
import { sourceOf } from './samples.ts';

const { customer, sender } = sourceOf();
const page = receiptPage({ payment: paid, customer, sender }, messages);

test('a receipt is one page with sender, recipient, facts, uses and the sum', async (t) => {
  const { title, pages } = await readPdf(await receiptPdf(page));
  t.is(title, 'Receipt 4712 · Demo Telecom');
  t.is(pages.length, 1);
  const text = pages.flat();
  for (const expected of [
    'Demo Telecom',
    'New York, NY 10118',
    'PAID',
    'Receipt 4712',
    'Ada Lovelace Payment method Visa - *****1111',
    'Used for Amount',
    'Invoice 1002 of December 15, 2026 $40.00',
    'Card surcharge $2.00',
    'Amount received $102.00',
    'Demo Telecom Page 1 of 1',
  ]) {
    t.true(text.includes(expected), `${expected} is missing in\n${text.join('\n')}`);
  }
});

test('a payment of 200 invoices goes on over pages, below the same headings', async (t) => {
  const rows = Array.from({ length: 200 }, (_, at) => ({
    label: `Invoice ${at}`,
    value: '$1.00',
    invoiceId: at,
  }));
  const { pages } = await readPdf(await receiptPdf({ ...page, rows }));
  t.true(pages.length > 2);
  for (const each of pages) t.true(each.includes('Used for Amount'));
  const shown = pages.flat().filter((line) => /^Invoice \d+ \$1\.00$/.test(line));
  t.is(shown.length, 200);
});

test('the thread draws the same bytes', async (t) => {
  t.true((await drawReceipt(page, 'a tenant')).equals(await receiptPdf(page)));
});
