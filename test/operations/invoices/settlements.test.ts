/** The sums at the end of an invoice's document, read from the books. */

import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { sharedDatabase } from '../support/books.ts';
import { openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';

const db = await sharedDatabase();

/** `Total due 100.00`, as the document shows them without the currency's sign. */
async function sums(books: PaymentBooks, id: number): Promise<string[]> {
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const source = await books.read((tx) => readInvoiceSource(tx, tenant, { id }));
  if (!source) throw new Error(`there is no invoice ${id}`);
  return invoicePage(source, messages).summary.map(
    ({ label, value }) => `${label} ${value.replace('$', '')}`,
  );
}

test('an invoice of 100 lists 30 in cash, a credit of 20, and 70 less 20 that are still due', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.bill(customerId, '100');
  await books.paid({ customerId, amount: '30' });
  books.tomorrow();
  await books.credit({ customerId, amount: '20' });
  t.deepEqual((await sums(books, id)).slice(-3), [
    'Payment of January 15, 2027 · Cash -30.00',
    'Credit of January 16, 2027 -20.00',
    'Still due of this invoice 50.00',
  ]);
});

test('a payment that was taken back is not listed any more', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const id = await books.bill(customerId, '100');
  const payment = await books.paid({ customerId, amount: '100' });
  t.is((await sums(books, id)).at(-1), 'Still due of this invoice 0.00');
  await books.unpay(payment);
  const after = await sums(books, id);
  t.is(after.at(-1), 'Still due of this invoice 100.00');
  t.false(after.some((text) => text.startsWith('Payment of')));
});

test('a credit note of 60 names the invoice of 40 that it credited, and leaves 20', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '40');
  const note = await books.bill(customerId, '-60');
  t.deepEqual((await sums(books, note)).slice(-2), [
    'Credited to invoice 1001, January 15, 2027 40.00',
    'Left as credit 20.00',
  ]);
});
