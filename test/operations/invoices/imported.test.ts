/** Imported invoices, and customers with opening balances, live on like those made here. */

import test from 'ava';
import { invoicePage } from '../../../domain/invoices/page.ts';
import { messages } from '../../../messages/messages.ts';
import { readCustomer } from '../../../operations/customers/read.ts';
import { readMailObject } from '../../../operations/mail/subject.ts';
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
    financials: async (id: number) => {
      const whole = await books.read((tx) => readCustomer(books.dependencies, tx, tenant, { id }));
      return whole?.financials;
    },
    /** The types of the events of an object, in order. */
    events: async (objectId: number): Promise<string[]> => {
      const sql = 'select type from event where object_id = $1 order by id';
      const rows = await books.read((tx) => tx.query<{ type: string }>(sql, [objectId]));
      return rows.map(({ type }) => type);
    },
    page: async (number: string) => {
      const source = await books.read((tx) => readInvoiceSource(tx, tenant, { number }));
      if (source === undefined) throw new Error(`there is no invoice ${number}`);
      return invoicePage(source, messages);
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
  t.deepEqual(await books.faults(), []);
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

test('of 100 with 40 paid before, cancelling takes back the 60 that the import entered', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  const id = await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  t.like(await books.shown('OLD-1'), {
    status: 'Outstanding',
    previousBalance: '0.00',
    paymentsAndAdjustments: '-40.00',
    currentAmountDue: '100.00',
    totalDue: '60.00',
    outstandingBalance: '60.00',
  });
  t.deepEqual(await books.balances(), ['60.00 USD']);
  await books.paid({ customerId, amount: '25' });
  await books.cancelInvoice('OLD-1');
  t.like(await books.shown('OLD-1'), { status: 'Cancelled', outstandingBalance: '0.00' });
  // The 25.00 are unapplied again.
  t.deepEqual(await books.balances(), ['-25.00 USD']);
  t.deepEqual(await books.events(id), ['invoice.cancelled']);
  t.deepEqual(await books.faults(), []);
});

test('60 pay an imported invoice with 60 open, which raises invoice.paid and cannot be cancelled then', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  const id = await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  const payment = await books.paid({ customerId, amount: '60' });
  t.like(await books.shown('OLD-1'), { status: 'Paid', outstandingBalance: '0.00' });
  t.deepEqual(await books.events(id), ['invoice.paid']);
  await refused(t, books.cancelInvoice('OLD-1'), 'invoice.notCancellable');
  t.deepEqual(await books.faults(), []);
  await books.unpay(payment);
  t.like(await books.shown('OLD-1'), { status: 'Outstanding', outstandingBalance: '60.00' });
  t.deepEqual(await books.faults(), []);
});

test('an invoice that was paid before the import owes nothing, and raises nothing', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  const id = await books.importInvoice({ customerId, number: 'OLD-1', paid: '-100' });
  t.like(await books.shown('OLD-1'), { status: 'Paid', totalDue: '0.00' });
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.events(id), []);
  t.deepEqual(await books.faults(), []);
});

test('the next invoice of 50 counts the 60 imported as adjustments, and has the next number', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  await books.bill(customerId, '50');
  t.is(await books.totals(1001), '0.00 0.00 30.00 = 30.00');
  t.is(await books.totals(1002), '30.00 60.00 50.00 = 140.00');
  t.deepEqual(await books.faults(), []);
});

test('an imported invoice is paid by no autopay, but a payment by hand names it or meets it in turn', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  const invoice = { customerId, invoiceDate: '2027-01-01' };
  const first = await books.importInvoice({ ...invoice, number: 'A', dueDate: '2027-01-02' });
  const second = await books.importInvoice({ ...invoice, number: 'B', dueDate: '2027-01-03' });
  await books.advance('2027-02-01');
  await books.autopaid();
  t.deepEqual(await books.payments(), []);
  await books.paid({ customerId, amount: '100', invoiceIds: [second] });
  t.is((await books.shown('B'))?.status, 'Paid');
  await books.paid({ customerId, amount: '30' });
  t.is((await books.shown('A'))?.outstandingBalance, '70.00');
  t.deepEqual(await books.events(first), []);
  t.deepEqual(await books.faults(), []);
});

test('a refund of what paid an imported invoice opens it again', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  await books.paid({ customerId, amount: '60' });
  await books.refunded({ customerId, amount: '10' });
  t.like(await books.shown('OLD-1'), { status: 'Outstanding', outstandingBalance: '10.00' });
  t.deepEqual(await books.balances(), ['10.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('an opening balance of 12.34 is settled before an older invoice, and 12.34 leave 0.00 of it', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer('12.34');
  await books.importInvoice({ customerId, number: 'OLD-1', dueDate: '2026-12-01' });
  t.deepEqual(await books.balances(), ['112.34 USD']);
  await books.paid({ customerId, amount: '12.34' });
  t.deepEqual(await books.applications(), ['#2 to #1: 12.34 leaving 0.00']);
  t.deepEqual(await books.balances(), ['100.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('an opening credit of 5 meets the first invoice, and pays 5 of it', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer('-5');
  t.deepEqual(await books.balances(), ['-5.00 USD']);
  await books.importInvoice({ customerId, number: 'OLD-1', amount: '20' });
  t.like(await books.shown('OLD-1'), { totalDue: '20.00', outstandingBalance: '15.00' });
  t.deepEqual(await books.events(customerId), []);
  t.deepEqual(await books.faults(), []);
});

test('the last invoice of a customer is the newest by date, of whatever origin', async (t) => {
  const books = await open();
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  const old = { customerId, invoiceDate: '2026-12-01' };
  await books.importInvoice({ ...old, number: 'OLD-1' });
  t.like(await books.financials(customerId), {
    lastInvoiceAmount: '30.00',
    lastInvoicedDate: '2027-01-15',
    currentBalance: '130.00',
    lifetimeValue: '130.00',
  });
  await books.importInvoice({ ...old, invoiceDate: '2027-01-15', number: 'OLD-2', amount: '7' });
  t.is((await books.financials(customerId))?.lastInvoiceAmount, '7.00');
});

test('a mail about a payment names the imported invoice that it paid', async (t) => {
  const books = await open();
  const customerId = await books.importCustomer();
  await books.importInvoice({ customerId, number: 'OLD-1', paid: '-40' });
  const objectId = await books.paid({ customerId, amount: '60' });
  const origin = 'https://demo.example';
  const mail = await books.work(({ tx, tenant, time, realNow }) =>
    readMailObject(
      { tx, tenant, time, realNow, origin },
      { kind: 'paymentReceived', objectId, customerId },
    ),
  );
  t.like(typeof mail === 'string' ? mail : mail?.subject, {
    payment: { invoices: [{ invoiceNumber: 'OLD-1', amount: '60.0000' }] },
  });
});
