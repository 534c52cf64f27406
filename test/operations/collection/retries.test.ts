/** Declined autopay is tried again by the tenant's retry days, until it is paid or they are used up. */

import test from 'ava';
import { sharedDatabase } from '../support/books.ts';
import { openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';

const db = await sharedDatabase();

interface Opened {
  readonly books: CollectionBooks;
  readonly customerId: number;
}

/** An invoice of 30.00 with isAutoPay whose card declines on 15 January. */
async function declined(
  dunning: Readonly<Record<string, unknown>> = {},
  ...acts: readonly ('decline' | 'hardDecline' | 'approve')[]
): Promise<Opened> {
  const books = await openCollectionBooks(db, { today: '2027-01-15', file: { dunning } });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', 'decline', ...acts);
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  return { books, customerId };
}

test('it is tried again 1, 3, 5 and 7 days after the first decline, and then no more', async (t) => {
  const { books } = await declined({}, 'decline', 'decline', 'decline', 'decline', 'approve');
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-18 1001 #2: done declined',
    '2027-01-20 1001 #3: done declined',
    '2027-01-22 1001 #4: done declined',
  ]);
  t.deepEqual(await books.paidOn(), [
    '2027-01-15 Declined 30.00',
    '2027-01-16 Declined 30.00',
    '2027-01-18 Declined 30.00',
    '2027-01-20 Declined 30.00',
    '2027-01-22 Declined 30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('it is tried again until it is paid', async (t) => {
  const { books } = await declined({}, 'decline', 'approve');
  await books.live('2027-02-28');
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-18 1001 #2: done paid',
  ]);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
  t.is(books.gateway.calls.length, 3);
  t.deepEqual(await books.faults(), []);
});

test('by days of the month it is tried again on each of them, for three months', async (t) => {
  const acts = Array.from({ length: 7 }, () => 'decline' as const);
  const { books } = await declined({ retryDaysOfMonth: [1, 15] }, ...acts);
  await books.live('2027-06-30');
  t.deepEqual(
    (await books.paidOn()).map((text) => text.slice(0, 10)),
    [
      '2027-01-15',
      '2027-02-01',
      '2027-02-15',
      '2027-03-01',
      '2027-03-15',
      '2027-04-01',
      '2027-04-15',
    ],
  );
  t.deepEqual(await books.faults(), []);
});

test('a retry goes through the cascade, and leaves out methods that were declined for ever', async (t) => {
  const { books, customerId } = await declined({}, 'hardDecline', 'approve');
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  await books.file(customerId, 3, { token: 'tok_3', lastFour: '3333' });
  books.gateway.onCharge('tok_2', 'hardDecline');
  books.gateway.onCharge('tok_3', 'decline');
  await books.live('2027-01-20');
  t.deepEqual(books.gateway.calls, [
    'charge tok_1 30.00: decline',
    'charge tok_1 30.00: hardDecline',
    'charge tok_2 30.00: hardDecline',
    'charge tok_3 30.00: decline',
    'charge tok_3 30.00: approve',
  ]);
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-18 1001 #2: done paid',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a card that is put on file meanwhile is the one that is charged', async (t) => {
  const { books, customerId } = await declined();
  await books.file(customerId, 1, { token: 'tok_new' });
  await books.live('2027-01-16');
  t.is(books.gateway.calls.at(-1), 'charge tok_new 30.00: approve');
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
});

test('a retry charges what is open at the time', async (t) => {
  const { books, customerId } = await declined();
  await books.pay({ customerId, amount: '12' });
  await books.live('2027-01-16');
  t.is(books.gateway.calls.at(-1), 'charge tok_1 18.00: approve');
  t.deepEqual(await books.faults(), []);
});

test('an invoice that is paid meanwhile ends its retries, also if it is opened again', async (t) => {
  const { books, customerId } = await declined();
  const cash = await books.pay({ customerId, amount: '30' });
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: ended overtaken']);
  await books.unpay(cash);
  t.deepEqual(await books.open(), ['1001 Outstanding 30.00 of 30.00']);
  await books.live('2027-02-28');
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.faults(), []);
});

test('a cancelled invoice ends its retries', async (t) => {
  const { books } = await declined();
  await books.cancelInvoice(1001);
  await books.live('2027-01-20');
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: ended overtaken']);
  t.is(books.gateway.calls.length, 1);
  t.deepEqual(await books.faults(), []);
});

test('an invoice that is paid while its retry waits for its turn is not charged again', async (t) => {
  const { books, customerId } = await declined();
  await books.advance('2027-01-16');
  const claimed = await books.claimAttempts({ kind: 'retry', limit: 10 });
  t.is(claimed.payments.length, 1);
  await books.pay({ customerId, amount: '30' });
  await books.settle();
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: done overtaken']);
  t.deepEqual(await books.paidOn(), [
    '2027-01-15 Declined 30.00',
    '2027-01-16 Canceled 30.00',
    '2027-01-16 Paid 30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a retry whose answer is lost is asked for, and not made again', async (t) => {
  const { books } = await declined();
  books.gateway.onCharge('tok_1', 'loseAnswer');
  await books.advance('2027-01-16');
  await books.claimAttempts({ kind: 'retry', limit: 10 });
  const [cascadeId = 0] = await books.pending();
  t.false((await books.carry(cascadeId)).done);
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: claimed']);
  t.deepEqual((await books.claimAttempts({ kind: 'retry', limit: 10 })).payments, []);
  t.true((await books.carry(cascadeId, 1)).done);
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: done paid']);
  t.is(books.gateway.calls.filter((call) => call.startsWith('charge')).length, 2);
  t.deepEqual(await books.faults(), []);
});

test('two claims at once make one payment', async (t) => {
  const { books, customerId } = await declined();
  await books.advance('2027-01-16');
  const claims = await Promise.all([
    books.claimAttempts({ kind: 'retry', limit: 10 }),
    books.claimAttempts({ kind: 'retry', customerId }),
    books.claimAttempts({ kind: 'retry', customerId, isEarly: true }),
  ]);
  t.is(claims.flatMap(({ payments }) => payments).length, 1);
});

test('a person may have it tried before its day', async (t) => {
  const { books, customerId } = await declined();
  t.deepEqual((await books.claimAttempts({ kind: 'retry', customerId })).payments, []);
  t.is(
    (await books.claimAttempts({ kind: 'retry', customerId, isEarly: true })).payments.length,
    1,
  );
  await books.settle();
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('a declined payment that nobody made automatically is not tried again', async (t) => {
  const { books, customerId } = await declined();
  books.gateway.onCharge('tok_1', 'decline');
  await books.paid({ customerId, amount: '5', method: { by: 'preference', preference: 1 } });
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
});

test('a retry that nothing claims is a fault', async (t) => {
  const { books } = await declined();
  await books.advance('2027-01-16');
  t.deepEqual(
    (await books.faults()).map(({ check, object }) => `${check} ${object.split(' ')[0]}`),
    ['attempt.unclaimed retry'],
  );
});
