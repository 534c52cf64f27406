/** Imported invoices, and customers with opening balances, live on like those made here. */

import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { tenantInfo } from '../../../operations/context/context.ts';
import { readInvoiceSource } from '../../../operations/invoices/page-source.ts';
import { readInvoice } from '../../../operations/invoices/read.ts';
import { sharedDatabase } from '../support/books.ts';
import { importCustomer, importInvoice, type ImportedInvoice } from '../support/imported.ts';
import { openPaymentBooks } from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

async function open() {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const tenant = await tenantInfo(books.dependencies, books.tenantId);
  const due = { amount: '100', dueDate: '2027-02-14' };
  return {
    ...books,
    importInvoice: (
      given: Pick<ImportedInvoice, 'customerId' | 'number'> & Partial<ImportedInvoice>,
    ) => books.work((its) => importInvoice(its, { ...due, ...given })),
    importCustomer: (openingBalance?: string) =>
      books.work((its) =>
        importCustomer(its, openingBalance === undefined ? {} : { openingBalance }),
      ),
    shown: (number: string) => books.read((tx) => readInvoice(tx, tenant, { number })),
    page: async (number: string) => {
      const source = await books.read((tx) => readInvoiceSource(tx, tenant, { number }));
      if (source === undefined) throw new Error(`there is no invoice ${number}`);
      return invoicePage(source);
    },
  };
}

test('an invoice is found by its number, of the own sequence or imported', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const made = await books.bill(customerId, '10');
  const imported = new Map<string, number>();
  for (const number of ['OLD-1', '17', '01001', '1001 ']) {
    imported.set(number, await books.importInvoice({ customerId, number }));
  }
  t.is((await books.shown('1001'))?.id, made);
  for (const [number, id] of imported) {
    const shown = await books.shown(number);
    t.is(shown?.id, id);
    t.is(shown?.invoiceNumber, number);
  }
  for (const unknown of ['1002', 'old-1', '', '9'.repeat(15), '9'.repeat(30), 'a longer number']) {
    t.is(await books.shown(unknown), undefined);
    await refused(t, books.cancelInvoice(unknown), 'invoice.unknown');
  }
});

test('the line of an imported invoice shows the order number and plan that it was imported with', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  const line = { orderNumber: 'A-7', contractCode: 'GOLD' };
  await books.importInvoice({ customerId, number: 'OLD-1', ...line });
  const shown = await books.shown('OLD-1');
  t.like(shown?.lines[0], { ...line, subscriptionOrderId: null, lineAmountTotal: '100.00' });
});

test('the document of an imported invoice has its number, and what was paid before', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  await books.paid({ customerId, amount: '25' });
  const page = await books.page('OLD-1');
  t.is(page.title, 'Invoice OLD-1');
  t.deepEqual(
    page.summary.map(({ label, value }) => `${label} ${value}`),
    [
      'Previous balance $0.00',
      'Payments and adjustments -$40.00',
      'This invoice $100.00',
      'Total due $60.00',
      'Payment of January 15, 2027 · Cash -$25.00',
      'Still due of this invoice $35.00',
    ],
  );
});
