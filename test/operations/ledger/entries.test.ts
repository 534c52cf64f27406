/** What each fact of the books debits and credits. */
import test from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { batchInit, everything } from '../support/batch-init.ts';
import { sharedDatabase } from '../support/books.ts';
import { importCustomer, importInvoice } from '../support/imported.ts';
import { bookedOf, ledgerOf, ledgerRows } from '../support/ledger.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';
import { prorated, recurring } from '../support/plans.ts';
import { gold, goldFile, openGold } from './gold.ts';

const db = await sharedDatabase();

const plain = () => openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });

test('an invoice debits what is owed, and credits revenue by code and tax by rate', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  t.deepEqual(await ledgerOf(books), [
    '2027-01-15 Invoice 1001: receivables 1200 debit 73.44',
    '2027-01-15 Invoice 1001: revenue 4010 credit 44.10',
    '2027-01-15 Invoice 1001: revenue 4020 credit 26.95',
    '2027-01-15 Invoice 1001: tax 2200 credit 2.39 (NY sales tax 8.875 US/NY S of 26.95)',
  ]);
  const [row] = await ledgerRows(books);
  t.like(row, { customerId, extCustomerRef: 'ADA', paymentId: null, currency: 'USD' });
});

test('100.00 in cash are unapplied money, of which 73.44 pay the invoice', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  const id = await books.paid({ customerId, amount: '100' });
  t.deepEqual((await ledgerOf(books)).slice(4), [
    `2027-01-15 Payment ${id}: cash 1000 debit 100.00 (Cash)`,
    `2027-01-15 Payment ${id}: unapplied 2300 credit 100.00`,
    '2027-01-15 Application 1001: unapplied 2300 debit 73.44',
    '2027-01-15 Application 1001: receivables 1200 credit 73.44',
  ]);
  const rows = await ledgerRows(books, { entryType: 'Application' });
  t.deepEqual(
    rows.map(({ paymentId, invoiceId }) => [paymentId === id, invoiceId !== null]),
    [
      [true, true],
      [true, true],
    ],
  );
  await books.unpay(id);
  t.deepEqual((await ledgerOf(books)).slice(8), [
    '2027-01-15 Application 1001: receivables 1200 debit 73.44',
    '2027-01-15 Application 1001: unapplied 2300 credit 73.44',
    `2027-01-15 PaymentReversed ${id}: unapplied 2300 debit 100.00`,
    `2027-01-15 PaymentReversed ${id}: cash 1000 credit 100.00 (Cash)`,
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a surcharge is cash that no invoice owes, and stays when the payment is refunded', async (t) => {
  const books = await plain();
  const customerId = await books.customer();
  const method = card('tok_1');
  await books.paid({ customerId, amount: '100', totalSurcharge: '2.50', method });
  await books.refunded({ customerId, amount: '40' });
  t.deepEqual(await bookedOf(books), [
    'Payment: cash 1000 debit 102.50 (sandbox CreditCard)',
    'Payment: unapplied 2300 credit 100.00',
    'Payment: surcharges 4950 credit 2.50',
    'Refund: unapplied 2300 debit 40.00',
    'Refund: cash 1000 credit 40.00 (sandbox CreditCard)',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a refund of two payments leaves by the ways they came', async (t) => {
  const books = await plain();
  const customerId = await books.customer();
  await books.paid({ customerId, amount: '30' });
  await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.refunded({ customerId, amount: '50' });
  t.deepEqual((await bookedOf(books)).slice(4), [
    'Refund: unapplied 2300 debit 50.00',
    'Refund: cash 1000 credit 20.00 (sandbox CreditCard)',
    'Refund: cash 1000 credit 30.00 (Cash)',
  ]);
});

test('credits and debits are adjustments; money settles a debit by its id', async (t) => {
  const books = await plain();
  const customerId = await books.customer();
  const debit = await books.credit({ customerId, amount: '-7' });
  await books.credit({ customerId, amount: '5' });
  t.deepEqual(await bookedOf(books), [
    'Debit: receivables 1200 debit 7.00',
    'Debit: adjustments 4900 credit 7.00',
    'Credit: adjustments 4900 debit 5.00',
    'Credit: unapplied 2300 credit 5.00',
    'Application: unapplied 2300 debit 5.00',
    'Application: receivables 1200 credit 5.00',
  ]);
  const [row] = await ledgerRows(books, { entryType: 'Application' });
  t.like(row, { documentNumber: String(debit), invoiceId: null });
});

test('a cancelled invoice goes back by the codes of the invoice', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  await books.cancelInvoice(1001);
  t.deepEqual((await ledgerOf(books)).slice(4), [
    '2027-01-15 InvoiceCancelled 1001: revenue 4010 debit 44.10',
    '2027-01-15 InvoiceCancelled 1001: revenue 4020 debit 26.95',
    '2027-01-15 InvoiceCancelled 1001: tax 2200 debit 2.39 (NY sales tax 8.875 US/NY S of -26.95)',
    '2027-01-15 InvoiceCancelled 1001: receivables 1200 credit 73.44',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a credit note gives back revenue and tax, and leaves money', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  await books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'Line was down' }, { refund: false }),
  );
  t.deepEqual((await ledgerOf(books)).slice(4), [
    '2027-01-15 CreditNote 1002: revenue 4010 debit 44.10',
    '2027-01-15 CreditNote 1002: revenue 4020 debit 26.95',
    '2027-01-15 CreditNote 1002: tax 2200 debit 2.39 (NY sales tax 8.875 US/NY S of -26.95)',
    '2027-01-15 CreditNote 1002: unapplied 2300 credit 73.44',
    '2027-01-15 Application 1001: unapplied 2300 debit 73.44',
    '2027-01-15 Application 1001: receivables 1200 credit 73.44',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a tax at 0 percent has a row, which says of what it is', async (t) => {
  const rates = [
    { country: 'DE', percent: '0', taxCode: 'STANDARD', name: 'Reverse', category: 'AE' },
  ];
  const plans = [recurring('P', 10, { ...prorated, taxCodes: ['STANDARD'] })];
  const file = { tax: { type: 'table', rates } };
  const books = await openPaymentBooks(db, {
    auditsLedger: true,
    today: '2027-01-01',
    plans,
    file,
  });
  const customerId = await books.customer({ address: { countryCode: 'DE', state: '' } });
  await books.order({ customerId, contractCode: 'P' }, { generateInvoice: true });
  t.deepEqual(await bookedOf(books), [
    'Invoice: receivables 1200 debit 10.00',
    'Invoice: revenue 4000 credit 10.00',
    'Invoice: tax 2200 credit 0.00 (Reverse 0 DE AE of 10.00)',
  ]);
});

test('unused days of a canceled order give back revenue and tax of their charges', async (t) => {
  const file = { ...goldFile, settings: { creditUnusedOnCancel: true } };
  const { books, customerId } = await openGold(db, file);
  const id = await books.order({ customerId, ...gold }, { generateInvoice: true });
  books.jump('2027-01-30');
  await books.end(id, { when: 'now' });
  // 15 of 31 days: 14.49 of 29.95, -1.45 of -3.00, and 1.16 of 2.39 of tax.
  t.deepEqual((await bookedOf(books)).slice(4, 7), [
    'Credit: revenue 4020 debit 13.04',
    'Credit: tax 2200 debit 1.16 (NY sales tax 8.875 US/NY S of -13.04)',
    'Credit: unapplied 2300 credit 14.20',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('opening balances, and what was open of imported invoices, are of the opening balance', async (t) => {
  const books = await plain();
  const owing = await books.work((its) => importCustomer(its, { openingBalance: '12.34' }));
  await books.work((its) => importCustomer(its, { openingBalance: '-5' }));
  await books.work((its) =>
    importInvoice(its, {
      customerId: owing,
      number: 'X-1',
      amount: '100',
      paid: '-40',
      dueDate: '2027-02-01',
    }),
  );
  t.deepEqual(await bookedOf(books), [
    'OpeningBalance: receivables 1200 debit 12.34',
    'OpeningBalance: openingBalance 3900 credit 12.34',
    'OpeningBalance: openingBalance 3900 debit 5.00',
    'OpeningBalance: unapplied 2300 credit 5.00',
    'ImportedInvoice: receivables 1200 debit 60.00',
    'ImportedInvoice: openingBalance 3900 credit 60.00',
  ]);
  await books.cancelInvoice('X-1');
  t.deepEqual((await bookedOf(books)).slice(6), [
    'InvoiceCancelled: openingBalance 3900 debit 60.00',
    'InvoiceCancelled: receivables 1200 credit 60.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a negative invoice is money of the customer, and its credit books nothing', async (t) => {
  const books = await plain();
  const customerId = await books.customer();
  await books.bill(customerId, '-8');
  t.deepEqual(await bookedOf(books), [
    'Invoice: revenue 4000 debit 8.00',
    'Invoice: unapplied 2300 credit 8.00',
  ]);
  await books.bill(customerId, '20');
  t.deepEqual((await bookedOf(books)).slice(2), [
    'Invoice: receivables 1200 debit 20.00',
    'Invoice: revenue 4000 credit 20.00',
    'Application: unapplied 2300 debit 8.00',
    'Application: receivables 1200 credit 8.00',
  ]);
});

test('what is carried over leaves receivables and money, and zeroing writes it off', async (t) => {
  const books = await plain();
  const [one, two, three] = [
    await books.customer(),
    await books.customer(),
    await books.customer(),
  ];
  await books.bill(one, '30');
  await books.paid({ customerId: two, amount: '12' });
  await books.credit({ customerId: three, amount: '-7' });
  await books.credit({ customerId: two, amount: '4' });
  await batchInit(books, { ...everything, zeroOutCustomerBalance: true });
  t.deepEqual(await bookedOf(books, { customerId: one }), [
    'Invoice: receivables 1200 debit 30.00',
    'Invoice: revenue 4000 credit 30.00',
    'CarriedOver: carriedOver 1290 debit 30.00',
    'CarriedOver: receivables 1200 credit 30.00',
    'ZeroOut: writeOffs 6900 debit 30.00',
    'ZeroOut: carriedOver 1290 credit 30.00',
  ]);
  t.deepEqual((await bookedOf(books, { customerId: two })).slice(4), [
    'CarriedOver: unapplied 2300 debit 4.00',
    'CarriedOver: carriedOver 1290 credit 4.00',
    'ZeroOut: unapplied 2300 debit 12.00',
    'ZeroOut: carriedOver 1290 debit 4.00',
    'ZeroOut: writeOffs 6900 credit 16.00',
  ]);
  t.deepEqual((await bookedOf(books, { customerId: three })).slice(2), [
    'CarriedOver: carriedOver 1290 debit 7.00',
    'CarriedOver: receivables 1200 credit 7.00',
    'ZeroOut: writeOffs 6900 debit 7.00',
    'ZeroOut: carriedOver 1290 credit 7.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('of what is carried over, carriedOver takes what is taken back', async (t) => {
  const books = await plain();
  const customerId = await books.customer();
  await books.bill(customerId, '30');
  const id = await books.paid({ customerId, amount: '42' });
  await batchInit(books, { ...everything, zeroOutCustomerBalance: true });
  await books.unpay(id);
  t.deepEqual((await bookedOf(books)).slice(6), [
    'ZeroOut: unapplied 2300 debit 12.00',
    'ZeroOut: writeOffs 6900 credit 12.00',
    'Application: carriedOver 1290 debit 30.00',
    'Application: unapplied 2300 credit 30.00',
    // The 12.00 were closed, and are no unapplied money any more.
    'PaymentReversed: unapplied 2300 debit 30.00',
    'PaymentReversed: carriedOver 1290 debit 12.00',
    'PaymentReversed: cash 1000 credit 42.00 (Cash)',
  ]);
  t.deepEqual(await books.faults(), []);
});
