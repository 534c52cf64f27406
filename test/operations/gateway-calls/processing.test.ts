/** Payments and refunds that take days: which others continue meanwhile, and what is set aside. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { card, fileThree, openPaymentBooks, type PaymentBooks } from '../support/payment-books.ts';
import { refused } from '../support/refused.ts';

const db = await sharedDatabase();

interface Opened {
  readonly books: PaymentBooks;
  readonly customerId: number;
}

async function opened(options: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  const books = await openPaymentBooks(db, { today: '2027-01-15', ...options });
  books.gateway.onCharge('tok_days', 'accept');
  return { books, customerId: await books.customer() };
}

const days = card('tok_days');

test('an accepted payment is Processing, and others of the customer have their turn', async (t) => {
  const { books, customerId } = await opened();
  const first = await books.pay({ customerId, amount: '100', method: days });
  t.like(await books.carry(first), {
    done: false,
    status: 'Pending',
    phase: 'Processing',
    asks: true,
    waitMs: 60_000,
    failureCode: null,
  });
  await books.paid({ customerId, amount: '20', method: card('tok_b') });
  t.deepEqual(await books.payments(), [
    '#1 Payment Pending Processing 100.00 CreditCard',
    '#2 Payment Paid 20.00 CreditCard left 20.00',
  ]);
  t.deepEqual(await books.balances(), ['-20.00 USD']);
  // A later step does not charge it again; the pauses grow to six hours.
  t.like(await books.carry(first, 3), { phase: 'Processing', waitMs: 480_000 });
  t.like(await books.carry(first, 30), { phase: 'Processing', waitMs: 21_600_000 });
  t.deepEqual(await books.faults(), []);
  await refused(t, books.unpay(first), 'payment.notCancellable');

  await books.gateway.finish('Approved');
  t.like(await books.carry(first, 4), { done: true, status: 'Paid' });
  t.is(books.gateway.calls.filter((call) => call.startsWith('charge tok_days')).length, 1);
  t.deepEqual(await books.balances(), ['-120.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a payment declined after days pays nothing, and its cascade continues with the next method', async (t) => {
  const { books, customerId } = await opened();
  await fileThree(books, customerId);
  books.gateway.onCharge('tok_1', 'accept');
  await books.bill(customerId, '50', { isAutoPay: true, dueDate: '2027-01-20' });
  await books.autopaid();
  t.deepEqual(await books.payments(), ['#1 Payment Pending Processing 50.00 CreditCard by 1']);
  const [cascade = 0] = await books.pending();
  await books.gateway.finish('Declined');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 50.00 CreditCard by 1',
    '#2 Payment Paid 50.00 CreditCard by 2',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 50.00']);
  t.deepEqual(await books.faults(), []);
});

test('a payment that names only invoices set aside in full is Canceled, others are charged', async (t) => {
  const { books, customerId } = await opened();
  const first = await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  const second = await books.bill(customerId, '50', { dueDate: '2027-01-25' });
  // 120 are set aside: all of the first, 20 of the second.
  const cascade = await books.pay({ customerId, amount: '120', method: days });
  await books.carry(cascade);
  const whole = await books.pay({
    customerId,
    amount: '100',
    invoiceIds: [first],
    method: card('tok_b'),
  });
  t.like(await books.carry(whole), {
    done: true,
    status: 'Canceled',
    did: 'was canceled: the invoices that it names have nothing left beside a payment in processing',
  });
  const both = { customerId, amount: '50', invoiceIds: [first, second], method: card('tok_c') };
  await books.paid(both);
  // Set-aside amounts are only computed: money that arrives is applied to open invoices.
  t.deepEqual(await books.open(), [
    '1001 Outstanding 50.00 of 100.00',
    '1002 Outstanding 50.00 of 50.00',
  ]);
  await books.gateway.finish('Approved');
  await books.carry(cascade);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Paid 0.00 of 50.00']);
  t.deepEqual(await books.balances(), ['-20.00 USD']);
  t.deepEqual(
    books.gateway.calls.filter((call) => call.startsWith('charge')),
    ['charge tok_days 120.00: accept', 'charge tok_c 50.00: approve'],
  );
  t.deepEqual(await books.faults(), []);
});

const onDueDate = { file: { settings: { autopayOn: 'dueDate' } } };

test('autopay skips an invoice that is set aside in full, and charges the rest of another', async (t) => {
  const { books, customerId } = await opened(onDueDate);
  await books.file(customerId, 1, { token: 'tok_filed' });
  const auto = { isAutoPay: true, dueDate: '2027-01-16' };
  await books.bill(customerId, '100', auto);
  await books.bill(customerId, '50', auto);
  const cascade = await books.pay({ customerId, amount: '120', method: days });
  await books.carry(cascade);
  await books.advance('2027-01-16');
  await books.autopaid();
  t.deepEqual(await books.payments(), [
    '#1 Payment Pending Processing 120.00 CreditCard',
    '#2 Payment Paid 30.00 CreditCard by 1',
  ]);
  // Nothing is due of the first invoice, so nobody had to claim it.
  t.deepEqual(await books.claim(), { payments: [], more: false });
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-01-18');
  await books.gateway.finish('Approved');
  await books.carry(cascade);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00', '1002 Paid 0.00 of 50.00']);
  t.deepEqual(await books.balances(), []);
  t.deepEqual(await books.faults(), []);
});

test('autopay pays a skipped invoice if the payment in processing fails', async (t) => {
  const { books, customerId } = await opened(onDueDate);
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.bill(customerId, '100', { isAutoPay: true, dueDate: '2027-01-16' });
  const cascade = await books.pay({ customerId, amount: '100', method: days });
  await books.carry(cascade);
  await books.advance('2027-01-16');
  await books.autopaid();
  t.is((await books.payments()).length, 1);
  await books.gateway.finish('Declined');
  t.like(await books.carry(cascade), { done: true, status: 'Declined' });
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard',
    '#2 Payment Paid 100.00 CreditCard by 1',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('an autopay payment whose turn comes beside one in processing is Canceled, and made again', async (t) => {
  const { books, customerId } = await opened(onDueDate);
  await books.file(customerId, 1, { token: 'tok_filed' });
  await books.bill(customerId, '100', { isAutoPay: true, dueDate: '2027-01-16' });
  await books.advance('2027-01-16');
  const cascade = await books.pay({ customerId, amount: '100', method: days });
  const [claimed] = (await books.claim()).payments;
  await books.carry(cascade);
  t.like(await books.carry(claimed?.cascadeId ?? 0), { done: true, status: 'Canceled' });
  t.deepEqual(await books.faults(), []);
  await books.gateway.finish('Declined');
  await books.carry(cascade);
  await books.settle();
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard',
    '#2 Payment Canceled 100.00 CreditCard by 1',
    '#3 Payment Paid 100.00 CreditCard by 1',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a pending refund is Processing, reserves its amounts, and is concluded once', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.advance('2027-01-16');
  books.gateway.onReturn('accept');
  const cascade = await books.refund({ customerId, amount: '60' });
  t.like(await books.carry(cascade), { done: false, phase: 'Processing', asks: true });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 CreditCard left 100.00 back 60.00',
    '#2 Refund Pending Processing -60.00',
  ]);
  t.deepEqual(await books.faults(), []);
  await refused(t, books.refund({ customerId, amount: '50' }), 'payment.refundTooHigh');
  // Only what is not refunded pays an invoice.
  await books.bill(customerId, '70', { dueDate: '2027-01-20' });
  t.deepEqual(await books.open(), ['1001 Outstanding 30.00 of 70.00']);
  await books.paid({ customerId, amount: '5', method: card('tok_b') });
  await books.gateway.finish('Approved');
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.open(), ['1001 Outstanding 25.00 of 70.00']);
  t.deepEqual(await books.balances(), ['25.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('a refund that fails after days releases what it had reserved', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.paid({ customerId, amount: '10', method: card('tok_b') });
  await books.advance('2027-01-16');
  books.gateway.onReturn('approve', 'accept');
  const cascade = await books.refund({ customerId, amount: '50' });
  t.like(await books.carry(cascade), { done: false, phase: 'Processing' });
  t.deepEqual(await books.faults(), []);
  await books.gateway.finish('Declined');
  // The first share was refunded, so the refund is Paid with it.
  t.like(await books.carry(cascade), { done: true, status: 'Paid' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 CreditCard left 100.00',
    '#2 Payment Refunded 10.00 CreditCard back 10.00',
    '#3 Refund Paid -10.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a hard decline is stored with its result and its method', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 1, { token: 'tok_closed' });
  await books.file(customerId, 2, { token: 'tok_poor', lastFour: '2222' });
  books.gateway.onCharge('tok_closed', 'hardDecline');
  books.gateway.onCharge('tok_poor', 'decline');
  await books.bill(customerId, '50', { isAutoPay: true });
  await books.autopaid();
  const results = await books.read((tx) =>
    tx.query(
      `select error_code as code, is_hard_decline as hard from processor_result order by id`,
    ),
  );
  t.deepEqual(results, [
    { code: 'account_closed', hard: true },
    { code: 'card_declined', hard: false },
  ]);
  const methods = await books.read((tx) =>
    tx.query(`select token, hard_declined_at is not null as hard from payment_method order by id`),
  );
  t.deepEqual(methods, [
    { token: 'tok_closed', hard: true },
    { token: 'tok_poor', hard: false },
  ]);
});
