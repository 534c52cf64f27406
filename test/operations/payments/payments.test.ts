/** Payments without a gateway: what they are applied to, and their ledger entries. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  check,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

/** 1001 over 100 due on the 20th, 1002 over 200 due on the 18th, 1003 over 50 due on the 25th. */
async function threeOpen(): Promise<{ books: PaymentBooks; customerId: number; ids: number[] }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  const ids = [
    await books.bill(customerId, '100', { dueDate: '2027-01-20' }),
    await books.bill(customerId, '200', { dueDate: '2027-01-18' }),
    await books.bill(customerId, '50', { dueDate: '2027-01-25' }),
  ];
  return { books, customerId, ids };
}

test('cash is Paid at once and pays the oldest due first; the rest stays unapplied', async (t) => {
  const { books, customerId } = await threeOpen();
  await books.pay({ customerId, amount: '310' });
  t.deepEqual(await books.payments(), ['#1 Payment Paid 310.00 Cash']);
  t.deepEqual(await books.applications(), [
    '#1 to 1002: 200.00 leaving 110.00',
    '#1 to 1001: 100.00 leaving 10.00',
    '#1 to 1003: 10.00 leaving 0.00',
  ]);
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 100.00',
    '1002 Paid 0.00 of 200.00',
    '1003 Outstanding 40.00 of 50.00',
  ]);
  t.deepEqual(await books.ledger(), ['payment #1 -310.00']);
  t.deepEqual(await books.balances(), ['40.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('named invoices come first, in the order named; the rest is applied to others at once', async (t) => {
  const { books, customerId, ids } = await threeOpen();
  const [first = 0, , third = 0] = ids;
  await books.pay({ customerId, amount: '170', invoiceIds: [third, first], method: check });
  t.deepEqual(await books.applications(), [
    '#1 to 1003: 50.00 leaving 120.00',
    '#1 to 1001: 100.00 leaving 20.00',
    '#1 to 1002: 20.00 leaving 0.00',
  ]);
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 100.00',
    '1002 Outstanding 180.00 of 200.00',
    '1003 Paid 0.00 of 50.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('300 over 100 and 200 gives balanceRemaining 200, then 0', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  await books.bill(customerId, '200', { dueDate: '2027-01-21' });
  await books.pay({ customerId, amount: '300' });
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 100.00 leaving 200.00',
    '#1 to 1002: 200.00 leaving 0.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('excess money stays unapplied, and is allocated to the next invoices, the oldest first', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.pay({ customerId, amount: '30', effectiveDate: '2027-01-12' });
  await books.pay({ customerId, amount: '25', effectiveDate: '2027-01-10' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 30.00 Cash left 30.00',
    '#2 Payment Paid 25.00 Cash left 25.00',
  ]);
  t.deepEqual(await books.balances(), ['-55.00 USD']);
  await books.bill(customerId, '40');
  t.deepEqual(await books.applications(), [
    '#2 to 1001: 25.00 leaving 0.00',
    '#1 to 1001: 15.00 leaving 15.00',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 40.00']);
  t.deepEqual(await books.balances(), ['-15.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test("unapplied money is allocated to the billing run's invoices of its own customer", async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const [rich, poor] = [await books.customer(), await books.customer()];
  await books.pay({ customerId: rich, amount: '100' });
  await books.order({ customerId: rich, contractCode: 'GOLD' });
  await books.order({ customerId: poor, contractCode: 'GOLD' });
  await books.advance('2027-02-16');
  // 49 + 29.95 on 16 January, 29.95 on 15 February: 108.90, of which 100 was there.
  t.deepEqual(await books.open(), [
    '1001 Paid 0.00 of 78.95',
    '1002 Outstanding 78.95 of 78.95',
    '1003 Outstanding 8.90 of 29.95',
    '1004 Outstanding 29.95 of 29.95',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a credit reduces the balance and is applied; a debit increases it and is paid before invoices', async (t) => {
  const { books, customerId, ids } = await threeOpen();
  await books.credit({ customerId, amount: '-15' });
  t.deepEqual(await books.payments(), ['#1 Credit Paid -15.00 left -15.00']);
  t.deepEqual(await books.balances(), ['365.00 USD']);
  await books.credit({ customerId, amount: '40', effectiveDate: '2027-01-02' });
  t.deepEqual(await books.payments(), ['#1 Credit Paid -15.00', '#2 Credit Paid 40.00']);
  t.deepEqual(await books.applications(), [
    '#2 to #1: 15.00 leaving 25.00',
    '#2 to 1002: 25.00 leaving 0.00',
  ]);
  t.deepEqual(await books.ledger(), ['debit #1 15.00', 'credit #2 -40.00']);
  t.deepEqual(await books.balances(), ['325.00 USD']);
  await books.credit({ customerId, amount: '10', invoiceIds: ids.slice(2) });
  t.is((await books.applications()).at(-1), '#3 to 1003: 10.00 leaving 0.00');
  t.deepEqual(await books.faults(), []);
});

test('unapplied money is allocated to a new debit', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.pay({ customerId, amount: '20' });
  await books.credit({ customerId, amount: '-12.5' });
  t.deepEqual(await books.applications(), ['#1 to #2: 12.50 leaving 7.50']);
  t.deepEqual(await books.balances(), ['-7.50 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a credit that names a card or a method on file charges nobody', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.credit({ customerId, amount: '5', method: card('tok_sent', 1) });
  await books.credit({ customerId, amount: '6', method: { by: 'preference', preference: 1 } });
  await books.settle();
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(
    (await books.payments()).map((text) => text.replace(/ CreditCard.*left/, ' left')),
    ['#1 Credit Paid 5.00 left 5.00', '#2 Credit Paid 6.00 left 6.00'],
  );
  t.deepEqual(await books.ledger(), ['credit #1 -5.00', 'credit #2 -6.00']);
  t.is(await books.filed(customerId), '1 tok_filed');
  t.deepEqual(await books.faults(), []);
});

test('currencies are separate: money in one pays nothing in another', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100');
  await books.bill(customerId, '80', { currency: 'EUR' });
  await books.pay({ customerId, amount: '120' });
  await books.pay({ customerId, amount: '30', currencyCode: 'EUR' });
  await books.credit({ customerId, amount: '-500', currencyCode: 'JPY' });
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Outstanding 50.00 of 80.00']);
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 120.00 Cash left 20.00',
    '#2 Payment Paid 30.00 Cash',
    '#3 Credit Paid -500.00 left -500.00',
  ]);
  t.deepEqual(await books.balances(), ['50.00 EUR', '500.00 JPY', '-20.00 USD']);
  await books.bill(customerId, '5', { currency: 'EUR' });
  t.is(await books.totals(1003), '80.00 -30.00 5.00 = 55.00');
  await refused(
    t,
    books.refund({ customerId, amount: '31', currencyCode: 'EUR' }),
    'payment.refundTooHigh',
  );
  t.deepEqual(await books.faults(), []);
});

test('a surcharge is a separate pair of ledger entries, and is applied to nothing', async (t) => {
  const { books, customerId } = await threeOpen();
  const id = await books.pay({ customerId, amount: '100', totalSurcharge: '3.5' });
  t.deepEqual(await books.payments(), ['#1 Payment Paid 103.50 Cash']);
  t.deepEqual(await books.applications(), ['#1 to 1002: 100.00 leaving 0.00']);
  t.deepEqual(await books.ledger(), [
    'payment #1 -100.00',
    'surcharge #1 3.50',
    'surchargePaid #1 -3.50',
  ]);
  t.deepEqual(await books.balances(), ['250.00 USD']);
  await books.unpay(id);
  t.is((await books.ledger()).at(-1), 'paymentCanceled #1 100.00');
  t.deepEqual(await books.balances(), ['350.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('the next invoice continues from payments, credits, debits and refunds', async (t) => {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '60' });
  await books.credit({ customerId, amount: '10' });
  await books.credit({ customerId, amount: '-4' });
  await books.refund({ customerId, amount: '25', method: cash });
  await books.bill(customerId, '50');
  // -60 - 10 + 4 + 25 = -41.
  t.is(await books.totals(1002), '100.00 -41.00 50.00 = 109.00');
  t.deepEqual(await books.open(), [
    '1001 Outstanding 55.00 of 100.00',
    '1002 Outstanding 50.00 of 50.00',
  ]);
  t.deepEqual(await books.balances(), ['109.00 USD']);
  const id = await books.pay({ customerId, amount: '109' });
  await books.unpay(id);
  await books.bill(customerId, '1');
  t.is(await books.totals(1003), '109.00 0.00 1.00 = 110.00');
  t.deepEqual(await books.faults(), []);
});
