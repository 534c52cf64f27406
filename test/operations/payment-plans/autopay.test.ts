/** Automatic payments that wait for their turn when a payment plan is enabled. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks } from '../support/collection-books.ts';

const db = await sharedDatabase();
const once = { ...monthly, totalNumberOfInstallments: 1 };

/** 80.00 with isAutoPay of 15 January: its payment has not had its turn. */
async function waiting() {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.bill(customerId, '80', { isAutoPay: true });
  const [cascadeId = 0] = await books.pending();
  return { books, customerId, cascadeId };
}

test('a payment that waits when the plan is enabled charges nothing; its invoice pays itself after the plan', async (t) => {
  const { books, customerId, cascadeId } = await waiting();
  await books.plan(customerId, once);
  t.like(await books.carry(cascadeId), {
    done: true,
    status: 'Canceled',
    did: 'was canceled: the customer has a payment plan, whose installments pay',
  });
  t.deepEqual(books.gateway.calls, []);
  t.deepEqual(await books.faults(), []);
  await books.live('2027-01-31');
  t.is(await books.planNow(customerId), 'ended, 0 of 1 to come');
  await books.live('2027-02-01');
  t.deepEqual(await books.paidOn(), [
    '2027-01-15 Canceled 80.00',
    '2027-01-31 Paid 50.00',
    '2027-02-01 Paid 30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('nor is the next method charged where the first declines after the plan was enabled', async (t) => {
  const { books, customerId, cascadeId } = await waiting();
  books.gateway.onCharge('tok_1', 'decline');
  const held = books.gateway.hold('tok_1');
  const carried = books.carry(cascadeId);
  await held.arrived;
  await books.plan(customerId, once);
  held.release();
  t.like(await carried, { done: true, status: 'Canceled' });
  t.deepEqual(books.gateway.calls, ['charge tok_1 80.00: decline']);
  t.deepEqual(await books.attempts(), ['2027-01-31 installment 1 #1: due']);
  t.deepEqual(await books.faults(), []);
  await books.disablePlan(customerId);
  await books.live('2027-01-16');
  t.deepEqual(await books.paidOn(), [
    '2027-01-15 Declined 80.00',
    '2027-01-15 Canceled 80.00',
    '2027-01-16 Paid 80.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a payment that a person makes is charged beside the plan', async (t) => {
  const { books, customerId, cascadeId } = await waiting();
  await books.carry(cascadeId);
  await books.plan(customerId, once);
  await books.paid({ customerId, amount: '5', method: { by: 'preference', preference: 2 } });
  t.is(books.gateway.calls.at(-1), 'charge tok_2 5.00: approve');
});
