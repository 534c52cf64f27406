/** Payments and invoices: made for a payment, negative, cancelled, open again. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { card, cash, openPaymentBooks } from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();
const start = { today: '2027-01-15' };

test('generateInvoice first bills the customer, and the payment pays these invoices first', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-16' });
  await books.order({ customerId, contractCode: 'GOLD' });
  await books.pay({ customerId, amount: '100', generateInvoice: true });
  t.deepEqual(await books.applications(), [
    '#1 to 1002: 78.95 leaving 21.05',
    '#1 to 1001: 10.00 leaving 11.05',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a named invoice comes before those of generateInvoice; without due charges there are none', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  const named = await books.bill(customerId, '10', { dueDate: '2027-05-16' });
  await books.order({ customerId, contractCode: 'GOLD' });
  const sent = { customerId, generateInvoice: true, invoiceIds: [named] };
  await books.pay({ ...sent, amount: '20' });
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 10.00 leaving 10.00',
    '#1 to 1002: 10.00 leaving 0.00',
  ]);
  await books.pay({ customerId, amount: '1', generateInvoice: true });
  t.is((await books.open()).length, 2);
  t.deepEqual(await books.faults(), []);
});

test('autopay skips invoices made for a payment while it is pending, and once it is Paid', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.order({ customerId, contractCode: 'GOLD', isAutoPay: true });
  const cascade = await books.pay({
    customerId,
    amount: '50',
    generateInvoice: true,
    method: card('tok_sent'),
  });
  await books.autopaid();
  t.deepEqual(books.gateway.calls, ['charge tok_sent 50.00: approve']);
  t.true((await books.carry(cascade)).done);
  await books.advance('2027-01-20');
  await books.autopaid();
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.open(), ['1001 Outstanding 28.95 of 78.95']);
  t.deepEqual(await books.faults(), []);
});

test('autopay pays invoices made for a payment that was Declined', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.order({ customerId, contractCode: 'GOLD', isAutoPay: true });
  books.gateway.onCharge('tok_sent', 'decline');
  const method = card('tok_sent');
  const cascade = await books.pay({ customerId, amount: '50', generateInvoice: true, method });
  t.like(await books.carry(cascade), { done: true, status: 'Declined' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 50.00 CreditCard',
    '#2 Payment Pending Waiting 78.95 CreditCard by 1',
  ]);
  await books.settle();
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 78.95']);
  t.deepEqual(await books.faults(), []);
});

test('invoices made for a credit count as paid by it; those of a debit are left to autopay', async (t) => {
  for (const [amount, charges] of [
    ['5', []],
    ['-5', ['charge tok_filed 78.95: approve']],
  ] as const) {
    const books = await openPaymentBooks(db, start);
    const customerId = await books.customer();
    await books.file(customerId, 1, { token: 'tok_filed' });
    await books.order({ customerId, contractCode: 'GOLD', isAutoPay: true });
    await books.credit({ customerId, amount, generateInvoice: true });
    await books.autopaid();
    t.deepEqual(books.gateway.calls, [...charges], amount);
    t.deepEqual(await books.faults(), []);
  }
});

test('a negative invoice is Paid, and becomes a credit that is applied at once', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.bill(customerId, '20', { dueDate: '2027-01-30' });
  await books.bill(customerId, '15', { dueDate: '2027-01-29' });
  await books.bill(customerId, '-30');
  t.deepEqual(await books.payments(), ['#1 Credit Paid 30.00']);
  t.deepEqual(await books.applications(), [
    '#1 to 1002: 15.00 leaving 15.00',
    '#1 to 1001: 15.00 leaving 0.00',
  ]);
  t.deepEqual(await books.open(), [
    '1001 Outstanding 5.00 of 20.00',
    '1002 Paid 0.00 of 15.00',
    '1003 Paid 0.00 of -30.00',
  ]);
  // Only the invoice made a ledger entry.
  t.deepEqual(await books.ledger(), []);
  t.deepEqual(await books.balances(), ['5.00 USD']);
  const [credit] = await books.read((tx) => tx.query('select is_system_payment from payment'));
  t.deepEqual(credit, { isSystemPayment: true });
  await books.bill(customerId, '-7');
  t.is((await books.payments()).at(-1), '#2 Credit Paid 7.00 left 2.00');
  await books.bill(customerId, '0');
  t.is((await books.payments()).length, 2);
  await refused(t, books.cancelInvoice(1003), 'invoice.notCancellable');
  t.deepEqual(await books.faults(), []);
});

test('the money of a cancelled, partly paid invoice is applied to others, the oldest due first', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  await books.pay({ customerId, amount: '60' });
  await books.bill(customerId, '30', { dueDate: '2027-01-31' });
  await books.bill(customerId, '25', { dueDate: '2027-01-30' });
  await books.cancelInvoice(1001);
  t.deepEqual(await books.applications(), [
    '#1 to 1001: 60.00 leaving 0.00',
    '#1 to 1001: -60.00 leaving 60.00',
    '#1 to 1003: 25.00 leaving 35.00',
    '#1 to 1002: 30.00 leaving 5.00',
  ]);
  t.deepEqual(await books.open(), [
    '1001 Cancelled 0.00 of 100.00',
    '1002 Paid 0.00 of 30.00',
    '1003 Paid 0.00 of 25.00',
  ]);
  t.deepEqual(await books.payments(), ['#1 Payment Paid 60.00 Cash left 5.00']);
  t.deepEqual(await books.balances(), ['-5.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('an invoice that several payments paid in part returns each its own part', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.bill(customerId, '100');
  await books.pay({ customerId, amount: '60' });
  await books.credit({ customerId, amount: '20' });
  await books.cancelInvoice(1001);
  t.deepEqual((await books.applications()).slice(2), [
    '#2 to 1001: -20.00 leaving 20.00',
    '#1 to 1001: -60.00 leaving 60.00',
  ]);
  await books.bill(customerId, '70');
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 60.00 Cash',
    '#2 Credit Paid 20.00 left 10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a cancelled payment reopens what it paid, and other payments keep theirs', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  await books.credit({ customerId, amount: '-8' });
  const id = await books.pay({ customerId, amount: '120' });
  await books.advance('2027-02-01');
  await books.unpay(id);
  t.deepEqual(await books.payments(), [
    '#1 Credit Paid -8.00 left -8.00',
    '#2 Payment Canceled 120.00 Cash',
  ]);
  t.deepEqual(await books.applications(), [
    '#2 to #1: 8.00 leaving 112.00',
    '#2 to 1001: 100.00 leaving 12.00',
    '#2 to 1001: -100.00 leaving 112.00',
    '#2 to #1: -8.00 leaving 120.00',
  ]);
  t.deepEqual(await books.invoices(), [
    '1001 on 2027-01-15 due 2027-01-20 Outstanding 100.00: 100.00',
  ]);
  t.deepEqual(await books.ledger(), [
    'debit #1 8.00',
    'payment #2 -120.00',
    'paymentCanceled #2 120.00',
  ]);
  t.deepEqual(await books.balances(), ['108.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('other unapplied money pays a reopened invoice, but autopay never does', async (t) => {
  const file = { settings: { autopayOn: 'dueDate' } };
  const books = await openPaymentBooks(db, { ...start, file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_filed' });
  const bounced = await books.pay({ customerId, amount: '40' });
  await books.bill(customerId, '40', { dueDate: '2027-01-20', isAutoPay: true });
  await books.credit({ customerId, amount: '15' });
  await books.unpay(bounced);
  t.is((await books.applications()).at(-1), '#2 to 1001: 15.00 leaving 0.00');
  t.deepEqual(await books.open(), ['1001 Outstanding 25.00 of 40.00']);
  await books.advance('2027-01-25');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.faults(), []);
});

test('autopay still pays a partly paid invoice on its day, even if the part is cancelled', async (t) => {
  const file = { settings: { autopayOn: 'dueDate' } };
  const books = await openPaymentBooks(db, { ...start, file });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.bill(customerId, '40', { dueDate: '2027-01-20', isAutoPay: true });
  const bounced = await books.pay({ customerId, amount: '15' });
  await books.pay({ customerId, amount: '10' });
  await books.unpay(bounced);
  await books.advance('2027-01-20');
  await books.autopaid();
  t.deepEqual(books.gateway.calls, ['charge tok_filed 30.00: approve']);
  t.deepEqual(await books.faults(), []);
});

test('only a Paid payment can be cancelled; others, credits and refunds do not change', async (t) => {
  const books = await openPaymentBooks(db, start);
  const customerId = await books.customer();
  const credit = await books.credit({ customerId, amount: '10' });
  const paid = await books.pay({ customerId, amount: '10' });
  const canceled = await books.pay({ customerId, amount: '11' });
  await books.unpay(canceled);
  const refund = await books.refund({ customerId, amount: '10', method: cash });
  books.gateway.onCharge('tok', 'decline');
  const declined = await books.paid({ customerId, amount: '12', method: card('tok') });
  const pending = await books.pay({ customerId, amount: '13', method: card('tok') });
  const before = await books.payments();
  for (const id of [credit, refund, 4711]) await refused(t, books.unpay(id), 'payment.unknown');
  for (const id of [paid, canceled, declined, pending]) {
    await refused(t, books.unpay(id), 'payment.notCancellable');
  }
  t.deepEqual(await books.payments(), before);
  t.deepEqual(await books.faults(), []);
});
