/**
 * One payment of a customer is at the gateway at a time; the next one reads the present amounts.
 */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import {
  card,
  cash,
  onFile,
  openPaymentBooks,
  type PaymentBooks,
} from '../support/payment-books.ts';

const db = await sharedDatabase();

async function opened(): Promise<{ books: PaymentBooks; customerId: number }> {
  const books = await openPaymentBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '100', { dueDate: '2027-01-20' });
  return { books, customerId };
}

test('the second payment waits while the first is at the gateway, and is nudged for its turn', async (t) => {
  const { books, customerId } = await opened();
  const first = await books.pay({ customerId, amount: '100', method: card('tok_a') });
  const second = await books.pay({ customerId, amount: '100', method: card('tok_b') });
  const held = books.gateway.hold('tok_a');
  const carried = books.carry(first);
  await held.arrived;
  t.like(await books.carry(second), {
    done: false,
    phase: 'Waiting',
    did: 'waits for another payment of the customer',
    asks: false,
  });
  t.deepEqual(await books.payments(), [
    '#1 Payment Pending Charging 100.00 CreditCard',
    '#2 Payment Pending Waiting 100.00 CreditCard',
  ]);
  const nudged = () =>
    books.read((tx) =>
      tx.query<{ version: number }>('select version from outbox where object_id = $1', [second]),
    );
  const before = (await nudged())[0]?.version ?? 0;
  held.release();
  t.like(await carried, { done: true, status: 'Paid' });
  t.true(((await nudged())[0]?.version ?? 0) > before);
  t.like(await books.carry(second), { done: true, status: 'Paid' });
  // The second payment does not pay again what the first has paid: it stays unapplied.
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 CreditCard',
    '#2 Payment Paid 100.00 CreditCard left 100.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('many simultaneous payments never overpay an invoice, and reach the gateway one at a time', async (t) => {
  const { books, customerId } = await opened();
  const cascades: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    cascades.push(await books.pay({ customerId, amount: '30', method: card(`tok_${n}`) }));
  }
  const another = await books.customer();
  cascades.push(await books.pay({ customerId: another, amount: '7', method: card('other') }));
  // A payment without its turn tries again, as its workflow does.
  const carry = async (cascade: number): Promise<void> => {
    while (!(await books.carry(cascade)).done);
  };
  await Promise.all(cascades.map(carry));
  t.is(books.gateway.mostAtOnce('tok_'), 1);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 100.00']);
  t.deepEqual(await books.balances(), ['-80.00 USD', '-7.00 USD']);
  t.deepEqual(await books.faults(), []);
});

test('one payment that several processes advance at once is charged once', async (t) => {
  const { books, customerId } = await opened();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2' });
  books.gateway.onCharge('tok_1', 'decline');
  const cascade = await books.pay({ customerId, amount: '100', method: onFile(1) });
  const carried = await Promise.all([1, 2, 3, 4].map(() => books.carry(cascade)));
  for (const each of carried) t.like(each, { done: true, status: 'Paid' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Declined 100.00 CreditCard by 1',
    '#2 Payment Paid 100.00 CreditCard by 2',
  ]);
  t.is((await books.ledger()).length, 1);
  t.deepEqual(await books.faults(), []);
});

test('money by hand does not wait, and what it paid is not charged any more', async (t) => {
  const { books, customerId } = await opened();
  const first = await books.pay({ customerId, amount: '100', method: card('tok_a') });
  const held = books.gateway.hold('tok_a');
  const carried = books.carry(first);
  await held.arrived;
  await books.pay({ customerId, amount: '60', method: cash });
  held.release();
  await carried;
  t.deepEqual(await books.applications(), [
    '#2 to 1001: 60.00 leaving 0.00',
    '#1 to 1001: 40.00 leaving 60.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('of simultaneous refunds of the same money the second finds nothing left', async (t) => {
  const { books, customerId } = await opened();
  await books.paid({ customerId, amount: '100', method: card('tok_a') });
  await books.advance('2027-01-16');
  const first = await books.refund({ customerId, amount: '80' });
  const second = await books.refund({ customerId, amount: '30' });
  const held = books.gateway.hold('back');
  const carried = books.carry(first);
  await held.arrived;
  t.like(await books.carry(second), { done: false, phase: 'Waiting' });
  held.release();
  await carried;
  t.like(await books.carry(second), { done: true, status: 'Declined' });
  t.deepEqual(await books.payments(), [
    '#1 Payment Paid 100.00 CreditCard back 80.00',
    '#2 Refund Paid -80.00',
    '#3 Refund Declined -30.00',
  ]);
  t.deepEqual(await books.ledger(), ['payment #1 -100.00', 'refund #2 80.00']);
  const reasons = await books.read((tx) =>
    tx.query(
      `select is_success as good, error_code as code, round(amount, 2) as amount,
              transaction_id as of
       from processor_result where payment_id = $1`,
      [second],
    ),
  );
  t.deepEqual(reasons, [{ good: false, code: 'refund_too_high', amount: '30.00', of: null }]);
  t.deepEqual(await books.faults(), []);
});
