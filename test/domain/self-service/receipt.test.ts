/** A receipt: in the language of the customer, and its rows sum to what was received. */
import test from 'ava';
import {
  receiptNameOf,
  receiptPage,
  type ReceiptPayment,
} from '../../../domain/self-service/receipt.ts';
import { messages } from '../../../messages/messages.ts';
import { sourceOf } from '../../providers/invoice-documents/samples.ts';
import { paid } from '../../api/pages/samples-records.ts';

const parties = (locale: string) => {
  const { customer, sender } = sourceOf({ customer: { locale } });
  return { customer, sender };
};
const pageOf = (locale: string, payment: Partial<ReceiptPayment> = {}) =>
  receiptPage({ payment: { ...paid, ...payment }, ...parties(locale) }, messages);
const textOf = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test('102.00 with a surcharge: each use of it, and the sum', (t) => {
  const { title, facts, rows, total, stamp } = pageOf('en_US');
  t.is(title, 'Receipt 4712');
  t.is(stamp.text, 'Paid');
  t.deepEqual(facts, [
    { label: 'Payment number', value: '4712' },
    { label: 'Payment date', value: 'January 15, 2027' },
    { label: 'Payment method', value: 'Visa - *****1111' },
  ]);
  t.deepEqual(
    [...rows, total].map(({ label, value }) => `${label}: ${value}`),
    [
      // 40 + 25 + 5 + 2 + 20 + 10 = 102.
      'Invoice 1002 of December 15, 2026: $40.00',
      'Invoice 1003 of January 15, 2027: $25.00',
      'Other charges: $5.00',
      'Card surcharge: $2.00',
      'Kept as credit: $20.00',
      'Paid back: $10.00',
      'Amount received: $102.00',
    ],
  );
  t.is(receiptNameOf({ number: '4712' }), 'receipt-4712.pdf');
});

test('invoices beyond those that are named are one row after them', (t) => {
  const { rows } = pageOf('en_US', { furtherInvoices: '3.00', unapplied: '17.00' });
  t.deepEqual(
    rows.slice(1, 3).map(({ label, value, invoiceId }) => [label, value, invoiceId]),
    [
      ['Invoice 1003 of January 15, 2027', '$25.00', 4713],
      ['Further invoices', '$3.00', null],
    ],
  );
});

for (const [locale, title, method, total] of [
  ['de_DE', 'Quittung 4712', 'Bar', 'Erhaltener Betrag: 102,00 $'],
  ['fr_FR', 'Reçu 4712', 'Espèces', 'Montant reçu: 102,00 $US'],
  ['es_ES', 'Recibo 4712', 'Efectivo', 'Importe recibido: 102,00 US$'],
  ['ja_JP', 'Receipt 4712', 'Cash', 'Amount received: $102.00'],
] as const) {
  test(`a receipt for ${locale}`, (t) => {
    const page = pageOf(locale, { method: 'Cash', methodType: 'Cash' });
    t.is(page.title, title);
    t.is(page.facts.at(-1)?.value, method);
    t.is(textOf(`${page.total.label}: ${page.total.value}`), total);
  });
}

test('a method without details has a name, and an unknown one is left out', (t) => {
  const methodOf = (methodType: ReceiptPayment['methodType'], method: string | null = null) =>
    pageOf('en_US', { methodType, method }).facts[2]?.value;
  t.is(methodOf('CreditCard'), 'Card');
  t.is(methodOf('ACH'), 'Bank account');
  t.is(methodOf('Token'), 'Card or account on file');
  t.is(methodOf('Check', 'Check'), 'Check');
  t.is(methodOf('Check', 'Check - *****0042'), 'Check - *****0042');
  t.is(methodOf(null), undefined);
});
