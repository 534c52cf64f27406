/** The figures of reports, with concrete amounts. */
import test from 'ava';
import { createCreditNote } from '../../../operations/refunds/credit-note.ts';
import { sharedDatabase } from '../support/books.ts';
import { card, openPaymentBooks } from '../support/payment-books.ts';
import { importCustomer } from '../support/imported.ts';
import { reported, rowsOf, type Days } from '../support/reports.ts';
import { gold, openDoubledGold, openGold } from './gold.ts';

const db = await sharedDatabase();

const january = { from: '2027-01-01', to: '2027-01-31' };
const february = { from: '2027-02-01', to: '2027-02-28' };

test('January of ADA: 26.95 are invoiced, of which 14.77 are recognized', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  books.jump('2027-01-31');
  t.deepEqual(await rowsOf(books, 'recognizedRevenue', january), [
    '2027-01 4010 USD 0.00 44.10 44.10 0.00',
    '2027-01 4020 USD 0.00 26.95 14.77 12.18',
  ]);
  t.deepEqual(await rowsOf(books, 'revenue', january), [
    '2027-01 4010 USD 44.10 0.00 0.00 44.10',
    '2027-01 4020 USD 26.95 0.00 0.00 26.95',
  ]);
  t.deepEqual(await rowsOf(books, 'tax', january), [
    'US/NY NY sales tax 8.875 S 2200 USD 26.95 2.39',
    '- - - - - USD 44.10 -',
  ]);
  books.later(3_600_000);
  t.is((await reported(books, 'revenue', january)).closedTo, '2027-01-30');
});

test('February of ADA with quantity 2: 74.78 are invoiced, 57.01 recognized, 29.95 deferred', async (t) => {
  const books = await openDoubledGold(db);
  t.deepEqual((await rowsOf(books, 'recognizedRevenue', february)).slice(-1), [
    '2027-02 4020 USD 12.18 74.78 57.01 29.95',
  ]);
  t.deepEqual((await rowsOf(books, 'revenue', february)).slice(-1), [
    '2027-02 4020 USD 74.78 0.00 0.00 74.78',
  ]);
  // Both months at once, and the last day of January again.
  const both = await rowsOf(books, 'recognizedRevenue', { from: '2027-01-31', to: '2027-02-28' });
  t.deepEqual(
    both.filter((row) => row.includes(' 4020 ')),
    [
      // 17 of 31 days of 26.95 by the 31st, 16 by the 30th: 15.46 - 1.55 = 13.91.
      '2027-01 4020 USD 13.04 0.00 0.86 12.18',
      '2027-02 4020 USD 12.18 74.78 57.01 29.95',
    ],
  );
  t.deepEqual(await books.faults(), []);
});

test('a cancelled invoice is recognized no more from its day on, and January stays', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  books.jump('2027-02-05');
  await books.cancelInvoice(1001);
  books.jump('2027-02-28');
  t.deepEqual(await rowsOf(books, 'recognizedRevenue', { from: '2027-01-01', to: '2027-02-28' }), [
    '2027-01 4010 USD 0.00 44.10 44.10 0.00',
    '2027-01 4020 USD 0.00 26.95 14.77 12.18',
    '2027-02 4010 USD 0.00 -44.10 -44.10 0.00',
    '2027-02 4020 USD 12.18 -26.95 -14.77 0.00',
  ]);
  t.deepEqual(await rowsOf(books, 'revenue', february), [
    '2027-02 4010 USD 0.00 -44.10 0.00 -44.10',
    '2027-02 4020 USD 0.00 -26.95 0.00 -26.95',
  ]);
});

test('credit notes are credited, by their day, with their taxes', async (t) => {
  const { books, customerId } = await openGold(db);
  await books.order({ customerId, ...gold }, { generateInvoice: true });
  books.jump('2027-02-05');
  await books.work((its) =>
    createCreditNote(its, { number: '1001' }, { reason: 'Line was down' }, { refund: false }),
  );
  t.deepEqual(await rowsOf(books, 'revenue', { from: '2027-02-01', to: '2027-02-05' }), [
    '2027-02 4010 USD 0.00 0.00 -44.10 -44.10',
    '2027-02 4020 USD 0.00 0.00 -26.95 -26.95',
  ]);
  t.deepEqual(await rowsOf(books, 'tax', { from: '2027-02-01', to: '2027-02-05' }), [
    'US/NY NY sales tax 8.875 S 2200 USD -26.95 -2.39',
    '- - - - - USD -44.10 -',
  ]);
});

test('payments are cash by the way they came, refunds and reversals below zero', async (t) => {
  const books = await openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });
  const customerId = await books.customer();
  const method = card('tok_1');
  await books.paid({ customerId, amount: '100', totalSurcharge: '2.50', method });
  await books.refunded({ customerId, amount: '40' });
  const id = await books.paid({ customerId, amount: '30' });
  await books.paid({ customerId, amount: '5' });
  await books.unpay(id);
  t.deepEqual(await rowsOf(books, 'payments', { from: '2027-01-15', to: '2027-01-15' }), [
    'sandbox CreditCard USD 1 102.50 -40.00 0.00 62.50',
    '- Cash USD 2 35.00 0.00 -30.00 5.00',
  ]);
});

test('debts are aged by their due dates at the end of a day, debits have none', async (t) => {
  const books = await openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });
  const customerId = await books.work((its) =>
    importCustomer(its, { ref: 'ADA', openingBalance: '7' }),
  );
  for (const [amount, dueDate] of [
    ['1', '2027-04-20'],
    ['2', '2027-04-19'],
    ['4', '2027-03-20'],
    ['8', '2027-03-19'],
    ['16', '2027-02-17'],
    ['32', '2027-01-18'],
  ] as const) {
    await books.bill(customerId, amount, { dueDate });
  }
  books.jump('2027-04-19');
  const own = 'ADA USD 3.00 4.00 8.00 16.00 32.00 7.00 70.00 0.00 0.00 70.00';
  t.deepEqual(await rowsOf(books, 'agedReceivables'), [own]);
  const other = await books.customer({ ref: 'BEN' });
  await books.paid({ customerId: other, amount: '12' });
  await books.paid({ customerId, amount: '70' });
  t.deepEqual(await rowsOf(books, 'agedReceivables'), [
    'BEN USD 0.00 0.00 0.00 0.00 0.00 0.00 0.00 12.00 0.00 -12.00',
  ]);
  // The day before stays.
  t.deepEqual(await rowsOf(books, 'agedReceivables', { to: '2027-04-18' }), [
    'ADA USD 3.00 12.00 16.00 32.00 0.00 7.00 70.00 0.00 0.00 70.00',
  ]);
});

test('days that are reversed, after today, or more than a year are refused', async (t) => {
  const books = await openPaymentBooks(db, { auditsLedger: true, today: '2027-01-15' });
  const refused = (days: Days, message: RegExp) =>
    t.throwsAsync(reported(books, 'revenue', days), { message });
  await refused({ from: '2027-01-15', to: '2027-01-14' }, /^to: to is before from/);
  await refused({ from: '2027-01-15', to: '2027-01-16' }, /^to: a report ends today/);
  await refused({ from: '2026-01-14', to: '2027-01-15' }, /^to: from and to span more than 366/);
  await t.notThrowsAsync(reported(books, 'revenue', { from: '2026-01-15', to: '2027-01-15' }));
});
