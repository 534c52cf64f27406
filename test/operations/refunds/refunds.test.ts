/** Refunds: from which payments, by which way, and which invoices are open again. */

import test from 'ava';
import type { MethodChoice } from '../../../operations/payment-methods/choice.ts';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  check,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  return { books, customerId: await books.customer() };
}

const back = (books: PaymentBooks) =>
  books.gateway.calls.filter((call) => call.startsWith('refund') || call.startsWith('void'));

test('unapplied money is refunded first, the newest first; then applied money, whose invoices reopen', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  await books.pay({ customerId, amount: '100' });
  await books.advance('2027-01-25');
  await books.bill(customerId, '30', { dueDate: '2027-02-20' });
  await books.pay({ customerId, amount: '50', method: check });
  await books.refund({ customerId, amount: '60' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 Cash back 10.00',
    '#2 Payment Refunded 50.00 Check back 50.00',
    '#3 Refund Paid -60.00',
  ]);
  t.deepEqual((await books.applications()).slice(2), [
    '#2 to 1002: -30.00 leaving 50.00',
    '#1 to 1001: -10.00 leaving 10.00',
  ]);
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-01-20 Outstanding 100.00: 100.00',
    '1002 on 2027-01-25 due 2027-02-20 Outstanding 30.00: 30.00',
  ]);
  t.deepEqual(await books.open(), [
    '1001 Outstanding 10.00 of 100.00',
    '1002 Outstanding 30.00 of 30.00',
  ]);
  t.deepEqual((await books.ledger()).at(-1), 'refund #3 60.00');
  t.deepEqual(await books.balances(), ['40.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('an existing credit pays what a refund reopens', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '100' });
  await books.credit({ customerId, amount: '25' });
  await books.refund({ customerId, amount: '40' });
  t.deepEqual((await books.applications()).slice(1), [
    '#1 to 1001: -40.00 leaving 40.00',
    '#2 to 1001: 25.00 leaving 0.00',
  ]);
  t.deepEqual(await books.open(), ['1001 Outstanding 15.00 of 100.00']);
  t.deepEqual(await books.faults(), []);
});

test('a full refund of an unsettled charge is a void; less of it, or a day later, it is a refund', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '10', method: card('tok') });
  await books.paid({ customerId, amount: '20', method: card('tok') });
  await books.paid({ customerId, amount: '40', method: card('tok') });
  await books.refunded({ customerId, amount: '40' });
  await books.refunded({ customerId, amount: '5' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 10.00 CreditCard left 10.00',
    '#2 Payment Paid 20.00 CreditCard left 15.00 back 5.00',
    '#3 Payment Voided 40.00 CreditCard back 40.00',
    '#4 Refund Paid -40.00',
    '#5 Refund Paid -5.00',
  ]);
  await books.advance('2027-01-16');
  await books.refunded({ customerId, amount: '25' });
  t.deepEqual(back(books), [
    'void back 40.00: approve',
    'refund back 5.00: approve',
    'refund back 15.00: approve',
    'refund back 10.00: approve',
  ]);
  t.deepEqual((await books.payments()).slice(0, 2), [
    '#1 Payment Refunded 10.00 CreditCard back 10.00',
    '#2 Payment Refunded 20.00 CreditCard back 20.00',
  ]);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('a surcharge is not refunded, and so its charge is never voided', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '10', totalSurcharge: '0.3', method: card('tok') });
  await refused(
    t,
    books.refund({ customerId, amount: '10.01' }),
    'payment.refundTooHigh',
    'processPayment/amount',
  );
  await books.refunded({ customerId, amount: '10' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Refunded 10.30 CreditCard back 10.00',
    '#2 Refund Paid -10.00',
  ]);
  t.deepEqual(back(books), ['refund back 10.00: approve']);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('a refund that names a token takes only what was paid by that very token', async (t) => {
  const { books, customerId } = await opened();
  const unnamed = { brand: null, lastFour: null, expiry: null };
  const byToken = (token: string, shown = {}): MethodChoice => ({
    by: 'vaulted',
    type: 'Token',
    gateway: 'sandbox',
    method: { token, ...unnamed, ...shown },
    saveAs: null,
  });
  // Both are shown alike, as nothing else is known of either.
  await books.paid({ customerId, amount: '10', method: byToken('tok_1') });
  await books.paid({ customerId, amount: '20', method: byToken('tok_2') });
  const back = (amount: string, method: MethodChoice) => ({ customerId, amount, method });
  await refused(t, books.refund(back('10.01', byToken('tok_1'))), 'payment.refundTooHigh');
  await refused(t, books.refund(back('1', byToken('tok_3'))), 'payment.refundTooHigh');
  await books.refunded(back('10', byToken('tok_1', { brand: 'Visa', lastFour: '1111' })));
  t.deepEqual((await books.payments()).slice(0, 2), [
    '#1 Payment Voided 10.00 Token back 10.00',
    '#2 Payment Paid 20.00 Token left 20.00',
  ]);
  await books.file(customerId, 2, { token: 'tok_2', type: 'Token' });
  await refused(t, books.refund(back('20.01', onFile(2))), 'payment.refundTooHigh');
  await books.refunded(back('20', onFile(2)));
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('a refund that names a method takes only from payments by it', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.paid({ customerId, amount: '10', method: card('tok_1') });
  await books.paid({ customerId, amount: '20', method: onFile(1) });
  await books.pay({ customerId, amount: '40', method: check });
  for (const [method, most] of [
    [card('another token', null, '1111'), '10'],
    [onFile(2), '20'],
  ] as const) {
    const sent = { customerId, method };
    await refused(t, books.refund({ ...sent, amount: `${most}.01` }), 'payment.refundTooHigh');
    await books.refunded({ ...sent, amount: most });
  }
  await refused(
    t,
    books.refund({ customerId, amount: '1', method: card('t', null, '3333') }),
    'payment.refundTooHigh',
  );
  await refused(
    t,
    books.refund({ customerId, amount: '1', method: onFile(1) }),
    'paymentMethod.unknown',
    'processPayment/autopayPreference',
  );
  t.deepEqual((await books.payments()).slice(0, 3), [
    '#1 Payment Voided 10.00 CreditCard back 10.00',
    '#2 Payment Voided 20.00 CreditCard by 2 back 20.00',
    '#3 Payment Paid 40.00 Check left 40.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('cash and check refund payments by any method, and call no gateway', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '10', method: card('tok_1') });
  await books.pay({ customerId, amount: '20', method: check });
  await books.refund({ customerId, amount: '25', method: cash });
  await books.refund({ customerId, amount: '5', method: check });
  t.deepEqual(await books.payments(), [
    '#1 Payment Refunded 10.00 CreditCard back 10.00',
    '#2 Payment Refunded 20.00 Check back 20.00',
    '#3 Refund Paid -25.00 Cash',
    '#4 Refund Paid -5.00 Check',
  ]);
  t.deepEqual(back(books), []);
  t.deepEqual(await books.faults(), []);
});

test('during a refund its payment cannot be cancelled; after a failed refund it can', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '15');
  const id = await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.advance('2027-01-16');
  const cascade = await books.refund({ customerId, amount: '8' });
  const held = books.gateway.hold('back');
  const carried = books.carry(cascade);
  await held.arrived;
  await refused(t, books.unpay(id), 'payment.notCancellable');
  held.release();
  await carried;
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 20.00 CreditCard back 8.00',
    '#2 Refund Paid -8.00',
  ]);
  t.deepEqual(await books.open(), ['1001 Outstanding 3.00 of 15.00']);
  t.deepEqual(await books.faults(), []);
  await books.unpay(id);
  t.deepEqual((await books.ledger()).at(-1), 'paymentCanceled #1 12.00');
  t.deepEqual(await books.balances(), ['15.00 USD']);
  await refused(t, books.refund({ customerId, amount: '1' }), 'payment.refundTooHigh');
  t.deepEqual(await books.faults(), []);
});

test('money reserved for a refund pays no new invoice, unless the refund fails', async (t) => {
  for (const [act, status, applied] of [
    ['approve', 'Outstanding 12.00', ['#1 to 1001: 8.00 leaving 12.00']],
    ['decline', 'Paid 0.00', ['#1 to 1001: 8.00 leaving 12.00', '#1 to 1001: 12.00 leaving 0.00']],
  ] as const) {
    const { books, customerId } = await opened();
    await books.paid({ customerId, amount: '20', method: card('tok_1') });
    const cascade = await books.refund({ customerId, amount: '12' });
    books.gateway.onReturn(act);
    const held = books.gateway.hold('back');
    const carried = books.carry(cascade);
    await held.arrived;
    // 8 of the 20 stay in any case.
    await books.bill(customerId, '20');
    t.deepEqual(await books.open(), ['1001 Outstanding 12.00 of 20.00']);
    t.deepEqual(await books.faults(), [], act);
    held.release();
    await carried;
    t.deepEqual(await books.open(), [`1001 ${status} of 20.00`]);
    t.deepEqual(await books.applications(), [...applied]);
    t.deepEqual(await books.faults(), [], act);
  }
});

test('a refund takes unapplied money that no other refund takes, before applied money', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '10');
  await books.paid({ customerId, amount: '20', method: card('tok_1') });
  await books.pay({ customerId, amount: '10', effectiveDate: '2027-01-10' });
  // The 10 that are left of #1 are being refunded: only those of #2 are still unapplied.
  const cascade = await books.refund({ customerId, amount: '10' });
  const held = books.gateway.hold('back');
  const carried = books.carry(cascade);
  await held.arrived;
  await books.refund({ customerId, amount: '10', method: cash });
  held.release();
  await carried;
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 20.00 CreditCard back 10.00',
    '#2 Payment Refunded 10.00 Cash back 10.00',
    '#3 Refund Paid -10.00',
    '#4 Refund Paid -10.00 Cash',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 10.00']);
  t.deepEqual(await books.faults(), []);
});

test('a refund that waited for its turn does not take from a cancelled payment', async (t) => {
  const { books, customerId } = await opened();
  const id = await books.paid({ customerId, amount: '20', method: card('tok_1') });
  const cascade = await books.refund({ customerId, amount: '8' });
  await books.unpay(id);
  t.like(await books.carry(cascade), { done: true, status: 'Declined' });
  t.deepEqual(back(books), []);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});
