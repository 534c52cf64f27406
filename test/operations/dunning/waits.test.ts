/** A step whose day has come waits for payments under way, an hour at most, and is not put off. */

import test from 'ava';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import { wakeDunning } from '../../../operations/dunning/wake.ts';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks } from '../support/collection-books.ts';
import {
  openDunningBooks,
  readStanding,
  readTransitions,
  thresholds,
} from '../support/dunning-books.ts';
import { card } from '../support/payment-books.ts';

const db = await sharedDatabase();
const HOUR_MS = 3_600_000;

/** 200.00 due on 5 January, so that 20 January is the day of Overdue1, and a payment of 50.00. */
async function payingOn(day: IsoDate) {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '200', { dueDate: '2027-01-05' });
  await books.advance(day);
  const cascade = await books.create({ customerId, amount: '50', method: card('tok_slow') });
  return { books, customerId, cascade, standing: () => books.standing(customerId) };
}

test('a slow payment of 50.00 of 19 January that ends on 20 January: Overdue1 is of 20 January', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  await books.advance('2027-01-20');
  t.is(await standing(), 'Active, open, next 2027-01-20');
  t.deepEqual(await books.faults(), []);
  await books.nudged();
  books.later(20 * 60_000);
  await books.settle();
  t.is(await standing(), 'Active, open, next 2027-01-20');
  t.deepEqual(await books.nudged(), [customerId]);
  await books.wake(customerId);
  t.is(await standing(), 'Overdue1, open, next 2027-02-04');
  t.deepEqual(await books.transitions(customerId), ['2027-01-20 Active to Overdue1']);
  t.deepEqual(await books.faults(), []);
});

test('the same payment made on 20 January itself, before the run: Overdue1 is of 20 January', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  await books.settle();
  books.tomorrow();
  await books.create({ customerId, amount: '50', method: card('tok_slow') });
  await books.run();
  await books.settle();
  await books.wake(customerId);
  t.is(await standing(), 'Overdue1, open, next 2027-02-04');
  t.deepEqual(await books.transitions(customerId), ['2027-01-20 Active to Overdue1']);
});

test('a declined payment ends the wait as well, within the minute after 00:00', async (t) => {
  const { books, customerId } = await payingOn('2027-01-19');
  await books.advance('2027-01-20');
  books.gateway.onCharge('tok_slow', 'decline');
  books.later(1_000);
  await books.nudged();
  await books.settle();
  t.deepEqual(await books.nudged(), [customerId]);
  await books.wake(customerId);
  t.deepEqual(await books.transitions(customerId), ['2027-01-20 Active to Overdue1']);
});

test('a payment of everything that is overdue ends the wait without a step', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  await books.advance('2027-01-20');
  await books.credit({ customerId, amount: '150' });
  t.is(await standing(), 'Active, open, next 2027-01-20');
  await books.settle();
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await books.transitions(customerId), []);
  t.deepEqual(await books.faults(), []);
});

test('the hour counts from the run: one that comes at 05:00 waits until 06:00', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  books.tomorrow();
  books.later(5 * HOUR_MS);
  await books.run();
  t.is(await standing(), 'Active, open, next 2027-01-20');
  books.later(HOUR_MS - 1);
  const { waitsFor, waitMs } = await books.wake(customerId);
  t.deepEqual({ waitsFor, waitMs }, { waitsFor: 'a payment under way', waitMs: 1 });
  t.is(await standing(), 'Active, open, next 2027-01-20');
  books.later(1);
  await books.wake(customerId);
  t.is(await standing(), 'Overdue1, open, next 2027-02-04');
  t.deepEqual(await books.faults(), []);
});

test('a wait that began at 23:30 of 20 January ends at 00:30: Overdue1 is of 21 January', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  books.tomorrow();
  books.later(23.5 * HOUR_MS);
  await books.run();
  books.tomorrow();
  await books.run();
  t.is(await standing(), 'Active, open, next 2027-01-20');
  t.deepEqual((await books.audit(60_000)).faults, []);
  books.later(HOUR_MS / 2);
  await books.wake(customerId);
  t.deepEqual(await books.transitions(customerId), ['2027-01-21 Active to Overdue1']);
  t.deepEqual(await books.faults(), []);
});

test('further payments do not make the hour longer, and each day has its own', async (t) => {
  const { books, customerId, standing } = await payingOn('2027-01-19');
  await books.advance('2027-01-20');
  books.later(HOUR_MS / 2);
  await books.create({ customerId, amount: '1', method: card('tok_slow') });
  books.later(HOUR_MS / 2);
  await books.wake(customerId);
  t.is(await standing(), 'Overdue1, open, next 2027-02-04');
  // The payments are still under way on 4 February.
  await books.advance('2027-02-04');
  t.is(await standing(), 'Overdue1, open, next 2027-02-04');
  books.later(HOUR_MS);
  await books.age();
  t.is(await standing(), 'Overdue2, open, next 2027-03-06');
});

test('money that goes into processing ends the wait, and holds the step back until it is declined', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-19');
  books.gateway.onCharge('tok_days', 'accept');
  const cascade = await books.create({ customerId, amount: '10', method: card('tok_days') });
  await books.advance('2027-01-20');
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-20');
  await books.carry(cascade);
  await books.wake(customerId);
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-21');
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-01-22');
  await books.gateway.finish('Declined');
  await books.carry(cascade, 1);
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-23');
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-01-23');
  t.deepEqual(await books.transitions(customerId), ['2027-01-23 Active to Overdue1']);
  t.deepEqual(await books.faults(), []);
});

test('an invoice that is reopened after the run of its day is no fault, and steps at the next 00:00', async (t) => {
  const books = await openDunningBooks(db, { today: '2027-01-01' });
  const customerId = await books.customer();
  await books.bill(customerId, '10', { dueDate: '2027-01-05' });
  await books.advance('2027-01-10');
  const payment = await books.paid({ customerId, amount: '10' });
  await books.advance('2027-01-25');
  books.later(60_000);
  await books.unpay(payment);
  t.is(await books.standing(customerId), 'Active, open, next 2027-01-26');
  t.deepEqual(await books.faults(), []);
  await books.advance('2027-01-26');
  t.deepEqual(await books.transitions(customerId), ['2027-01-26 Active to Overdue1']);
});

test('retries on each of 40 days that all decline hold back no step', async (t) => {
  const retryDays = Array.from({ length: 40 }, (_, index) => index + 1);
  const books = await openCollectionBooks(db, {
    today: '2027-01-15',
    file: { dunning: { thresholds, retryDays } },
  });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', ...Array.from({ length: 41 }, () => 'decline' as const));
  await books.bill(customerId, '30', { isAutoPay: true, dueDate: '2027-01-20' });
  await books.settle();
  const hooks = { dispatch: () => undefined, gateways: books.gateway.gateways };
  while (books.today() < '2027-03-22') {
    books.tomorrow();
    // As the run does: it claims, it ages, and the payments' workflows process what it claimed.
    await books.claimAttempts({ kind: 'retry', limit: 100 });
    await books.run();
    await books.settle();
    await wakeDunning(books.dependencies, books.tenantId, { customerId, yields: 0 }, hooks);
  }
  t.is((await books.attempts()).length, 40);
  // 20 January and 15, 30 and 60 days.
  t.deepEqual(await books.read((tx) => readTransitions(tx, customerId)), [
    '2027-02-04 Active to Overdue1',
    '2027-02-19 Overdue1 to Overdue2',
    '2027-03-21 Overdue2 to Suspended1',
  ]);
  t.is(await books.read((tx) => readStanding(tx, customerId)), 'Suspended1, open');
  t.deepEqual(await books.faults(), []);
});
