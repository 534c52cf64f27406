/** A hard decline marks the method: no retry uses it again, and the schedule of retry days goes on. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks } from '../support/collection-books.ts';
import type { Act } from '../../support/scripted-gateway.ts';

const db = await sharedDatabase();

/** A customer whose only card, tok_1, answers so, call after call. */
async function opened(...acts: readonly Act[]) {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', ...acts);
  return { books, customerId };
}

/** Its invoice of 30.00, 1001, was declined on 15 January. */
async function declined(...acts: readonly Act[]) {
  const { books, customerId } = await opened(...acts);
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  return { books, customerId };
}

test('each retry day without a method that may be tried charges nothing, says so, and the next one comes', async (t) => {
  const { books } = await declined('hardDecline');
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  await books.live('2027-01-16');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done noMethod',
    '2027-01-18 1001 #2: due',
  ]);
  t.deepEqual(await books.faults(), []);
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done noMethod',
    '2027-01-18 1001 #2: done noMethod',
    '2027-01-20 1001 #3: done noMethod',
    '2027-01-22 1001 #4: done noMethod',
  ]);
  t.deepEqual(books.gateway.calls, ['charge tok_1 30.00: hardDecline']);
  t.deepEqual(await books.faults(), []);
});

test('a card that replaces the marked one is tried on the next retry day', async (t) => {
  const { books, customerId } = await declined('decline', 'hardDecline');
  await books.live('2027-01-19');
  await books.file(customerId, 1, { token: 'tok_new' });
  t.is(books.gateway.calls.length, 2);
  await books.live('2027-01-20');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-18 1001 #2: done noMethod',
    '2027-01-20 1001 #3: done paid',
  ]);
  t.is(books.gateway.calls.at(-1), 'charge tok_new 30.00: approve');
  t.deepEqual(await books.faults(), []);
});

test('a card that is added beside the marked one is the only one that a retry tries', async (t) => {
  const { books, customerId } = await declined('hardDecline');
  await books.live('2027-01-16');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  books.gateway.onCharge('tok_2', 'decline', 'approve');
  await books.live('2027-01-20');
  t.deepEqual(books.gateway.calls.slice(1), [
    'charge tok_2 30.00: decline',
    'charge tok_2 30.00: approve',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('the same card put on file again replaces the marked one: it is tried once more', async (t) => {
  const { books, customerId } = await declined('hardDecline', 'hardDecline');
  await books.file(customerId, 1, { token: 'tok_1' });
  await books.live('2027-01-22');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-18 1001 #2: done noMethod',
    '2027-01-20 1001 #3: done noMethod',
    '2027-01-22 1001 #4: done noMethod',
  ]);
  t.is(books.gateway.calls.length, 2);
  t.deepEqual(await books.faults(), []);
});

test('a new invoice tries the marked card first, as every first attempt does', async (t) => {
  const { books, customerId } = await declined('hardDecline', 'hardDecline');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.bill(customerId, '40', { isAutoPay: true });
  await books.settle();
  t.deepEqual(books.gateway.calls.slice(1), [
    'charge tok_1 40.00: hardDecline',
    'charge tok_2 40.00: approve',
  ]);
});

test('of two retries of one day the second is not made with the card that the first one marked', async (t) => {
  const { books, customerId } = await opened('decline', 'decline', 'hardDecline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.bill(customerId, '40', { isAutoPay: true });
  await books.settle();
  await books.live('2027-01-16');
  t.deepEqual((await books.attempts()).toSorted(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-16 1002 #1: done noMethod',
    '2027-01-18 1001 #2: due',
    '2027-01-18 1002 #2: due',
  ]);
  t.deepEqual(books.gateway.calls.slice(2), ['charge tok_1 30.00: hardDecline']);
  t.is((await books.paidOn()).at(-1), '2027-01-16 Canceled 40.00');
  t.deepEqual(await books.faults(), []);
});

test('a claimed retry takes the card that is on file when its turn comes', async (t) => {
  const { books, customerId } = await declined('decline');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.advance('2027-01-16');
  t.is((await books.claimAttempts({ kind: 'retry', limit: 10 })).payments.length, 1);
  await books.file(customerId, 1, { token: 'tok_new', lastFour: '9999' });
  await books.settle();
  t.deepEqual(books.gateway.calls.slice(1), ['charge tok_new 30.00: approve']);
  const [shown] = await books.read((tx) =>
    tx.query(`select payment_method_context as shown from payment where status = 'Paid'`),
  );
  t.deepEqual(shown, { shown: 'Visa - *****9999' });
  t.deepEqual(await books.faults(), []);
});

test('a declined installment follows the retry days without a method, and its plan stays enabled', async (t) => {
  const { books, customerId } = await opened('hardDecline');
  await books.bill(customerId, '200');
  await books.plan(customerId, { ...monthly, totalNumberOfInstallments: 1 });
  await books.live('2027-02-06');
  t.is(await books.planNow(customerId), 'enabled, 0 of 1 to come, next 2027-02-07');
  await books.live('2027-02-07');
  t.deepEqual(await books.attempts(), [
    '2027-01-31 installment 1 #1: done declined',
    '2027-02-01 installment 1 #2: done noMethod',
    '2027-02-03 installment 1 #3: done noMethod',
    '2027-02-05 installment 1 #4: done noMethod',
    '2027-02-07 installment 1 #5: done noMethod',
  ]);
  t.is(await books.planNow(customerId), 'ended, 0 of 1 to come');
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.faults(), []);
});

test('a card added after a hard decline pays the installment on its next retry day', async (t) => {
  const { books, customerId } = await opened('hardDecline');
  await books.bill(customerId, '200');
  await books.plan(customerId);
  await books.live('2027-02-02');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.live('2027-02-03');
  t.deepEqual(await books.paidOn(), ['2027-01-31 Declined 50.00', '2027-02-03 Paid 50.00']);
  t.deepEqual(await books.faults(), []);
});

test('the first attempt of the next installment tries every method, the marked ones too', async (t) => {
  const { books, customerId } = await opened('hardDecline', 'decline');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  books.gateway.onCharge('tok_2', 'hardDecline', 'approve');
  await books.bill(customerId, '200');
  await books.plan(customerId);
  await books.live('2027-02-28');
  t.deepEqual(books.gateway.calls, [
    'charge tok_1 50.00: hardDecline',
    'charge tok_2 50.00: hardDecline',
    'charge tok_1 50.00: decline',
    'charge tok_2 50.00: approve',
  ]);
  t.deepEqual(await books.faults(), []);
});
