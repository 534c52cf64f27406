/** A dunning is open while a retry remains, and people may have the retries made at once. */

import test from 'ava';
import type { DunningNote } from '../../../db/queries/dunning/notes.ts';
import { changeDunning } from '../../../operations/dunning/change.ts';
import { retryNow } from '../../../operations/dunning/retry-now.ts';
import { sharedDatabase } from '../support/books.ts';
import { refused } from '../support/refused.ts';
import { monthly, openCollectionBooks } from '../support/collection-books.ts';
import { readStanding, thresholds } from '../support/dunning-books.ts';

const db = await sharedDatabase();
type Act = 'decline' | 'hardDecline' | 'approve' | 'ask';

/** 30.00 with isAutoPay, due on 14 February; its card declines on 15 January. */
async function declined(...acts: readonly Act[]) {
  const books = await openCollectionBooks(db, {
    today: '2027-01-15',
    file: { dunning: { thresholds }, gateway: { type: 'sandbox', actionDays: 3 } },
  });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', 'decline', ...acts);
  await books.bill(customerId, '30', { isAutoPay: true, dueDate: '2027-02-14' });
  await books.settle();
  const hooks = { dispatch: () => undefined, gateways: books.gateway.gateways };
  const { dependencies, tenantId } = books;
  let requests = 0;
  const note = <Action extends DunningNote['action']>(action: Action, requestId?: string) => ({
    customerId,
    action,
    reason: 'a telephone call',
    requestId: requestId ?? `request ${(requests += 1)}`,
  });
  return {
    books,
    customerId,
    standing: () => books.read((tx) => readStanding(tx, customerId)),
    retryNow: (requestId?: string) =>
      retryNow(dependencies, tenantId, note('retryNow', requestId), hooks),
    ask: (action: 'hold' | 'resume') => changeDunning(dependencies, tenantId, note(action)),
    notes: () =>
      books.read((tx) => tx.query('select action, reason from dunning_note order by id')),
  };
}

test('a declined payment opens a dunning; it closes with the last retry, as nothing is overdue', async (t) => {
  const { books, standing } = await declined('decline', 'decline', 'decline', 'decline');
  t.is(await standing(), 'Active, open, next 2027-03-01');
  await books.live('2027-01-21');
  t.is(await standing(), 'Active, open, next 2027-03-01');
  await books.live('2027-01-22');
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await books.faults(), []);
  // It is overdue from 15 February on, and the first threshold is 15 days after the dueDate.
  await books.live('2027-02-14');
  t.is(await standing(), 'Active, closed');
  await books.live('2027-02-15');
  t.is(await standing(), 'Active, open, next 2027-03-01');
  await books.live('2027-03-01');
  t.is(await standing(), 'Overdue1, open, next 2027-03-16');
  t.deepEqual(await books.faults(), []);
});

test('a retry that is paid closes it', async (t) => {
  const { books, standing } = await declined('decline', 'approve');
  await books.live('2027-01-17');
  t.is(await standing(), 'Active, open, next 2027-03-01');
  await books.live('2027-01-18');
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('it stays open while a retry is under way', async (t) => {
  const { books, customerId, standing } = await declined('approve');
  await books.advance('2027-01-16');
  await books.claimAttempts({ kind: 'retry', customerId });
  t.is(await standing(), 'Active, open, next 2027-03-01');
  t.deepEqual(await books.faults(), []);
  await books.settle();
  t.is(await standing(), 'Active, closed');
});

test('a method that was declined for ever leaves it open until the last retry day', async (t) => {
  const { books, standing } = await declined('hardDecline');
  await books.live('2027-01-21');
  t.is(await standing(), 'Active, open, next 2027-03-01');
  t.deepEqual(await books.faults(), []);
  await books.live('2027-01-22');
  t.is(await standing(), 'Active, closed');
  t.is(books.gateway.calls.length, 2);
  t.deepEqual(await books.faults(), []);
});

test('retryNow is refused while no method may be tried, and charges a new one at once', async (t) => {
  const { books, customerId, retryNow: ask, notes } = await declined('hardDecline');
  await books.live('2027-01-16');
  const message = 'no payment method on file may be tried, add or replace one first';
  await t.throwsAsync(ask(), { message });
  const untouched = ['2027-01-16 1001 #1: done declined', '2027-01-18 1001 #2: due'];
  t.deepEqual(await books.attempts(), untouched);
  t.deepEqual(await notes(), []);
  await books.file(customerId, 1, { token: 'tok_new' });
  t.regex((await ask()).did, /^retries now: payment \d+$/);
  t.is(books.gateway.calls.at(-1), 'charge tok_new 30.00: approve');
  t.deepEqual((await books.attempts()).at(-1), '2027-01-18 1001 #2: done paid');
  t.deepEqual(await books.faults(), []);
});

test('retryNow is refused while a retry waits for its payer', async (t) => {
  const { books, retryNow: ask, notes } = await declined('ask', 'approve');
  await books.live('2027-01-16');
  t.deepEqual(await books.waiting(), ['30.00 until 2027-01-19']);
  await t.throwsAsync(ask(), {
    code: 'update.refused',
    message: /^payment \d+ waits for the payer$/,
  });
  t.deepEqual(await notes(), []);
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: claimed']);
  // Ended, it can be retried at once.
  await books.live('2027-01-19');
  t.regex((await ask()).did, /^retries now: payment \d+$/);
  t.deepEqual(await books.open(), ['1001 Paid 0.00 of 30.00']);
  t.deepEqual(await books.faults(), []);
});

test('paying the invoice by other means closes it, and ends the retry', async (t) => {
  const { books, customerId, standing } = await declined();
  await books.pay({ customerId, amount: '30' });
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: ended overtaken']);
  t.deepEqual(await books.faults(), []);
});

test('a payment plan ends the retries, and the dunning', async (t) => {
  const { books, customerId, standing } = await declined();
  await books.plan(customerId, monthly);
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await books.faults(), []);
});

test('a hold stops retries; the day after the resume makes what was passed', async (t) => {
  const { books, ask } = await declined('approve');
  t.deepEqual(await ask('hold'), { did: 'is held' });
  await books.live('2027-01-19');
  t.deepEqual(await books.attempts(), ['2027-01-16 1001 #1: due']);
  t.deepEqual(await books.faults(), []);
  t.deepEqual(await ask('resume'), { did: 'continues' });
  t.deepEqual(await books.attempts(), ['2027-01-20 1001 #1: due']);
  await books.live('2027-01-20');
  t.deepEqual(await books.attempts(), ['2027-01-20 1001 #1: done paid']);
  t.deepEqual(await books.faults(), []);
});

test('retryNow charges what would be retried later, once for each request', async (t) => {
  const { books, standing, retryNow: ask, notes } = await declined('decline', 'approve');
  const first = await ask('A');
  t.regex(first.did, /^retries now: payment \d+$/);
  t.deepEqual(await ask('A'), first);
  t.deepEqual(await books.attempts(), [
    '2027-01-16 1001 #1: done declined',
    '2027-01-16 1001 #2: due',
  ]);
  t.is(await standing(), 'Active, open, next 2027-03-01');
  t.deepEqual(await books.faults(), []);
  t.regex((await ask('B')).did, /^retries now: payment \d+$/);
  t.is(await standing(), 'Active, closed');
  t.deepEqual(await notes(), [
    { action: 'retryNow', reason: 'a telephone call' },
    { action: 'retryNow', reason: 'a telephone call' },
  ]);
  t.deepEqual(await books.paidOn(), [
    '2027-01-15 Declined 30.00',
    '2027-01-15 Declined 30.00',
    '2027-01-15 Paid 30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('retryNow is refused with nothing to retry, on hold, and while a retry is under way', async (t) => {
  const { books, customerId, ask, retryNow, notes } = await declined('approve');
  const refusal = async (why: string): Promise<void> => {
    await refused(t, retryNow(), 'update.refused');
    await t.throwsAsync(retryNow(), { message: why });
  };
  await ask('hold');
  await refusal('it is held, send resume first: a telephone call');
  await ask('resume');
  await books.claimAttempts({ kind: 'retry', customerId, isEarly: true });
  await refusal('a retry is under way');
  await books.settle();
  await refusal('nothing is overdue any more');
  await books.bill(customerId, '5', { dueDate: '2027-01-15' });
  await books.live('2027-01-16');
  await refusal('no retry is to come');
  t.deepEqual(await notes(), [
    { action: 'hold', reason: 'a telephone call' },
    { action: 'resume', reason: 'a telephone call' },
  ]);
  t.is(books.gateway.calls.length, 2);
  t.deepEqual(await books.faults(), []);
});

test('the audit finds a retry without an open dunning, and an open dunning without a retry', async (t) => {
  const { books } = await declined();
  const found = async () =>
    (await books.faults()).map(({ check, detail }) => `${check}: ${detail}`);
  await books.work(async ({ tx }) =>
    tx.query(`update dunning set closed_on = '2027-01-15', next_step_on = null`),
  );
  t.deepEqual(await found(), ['dunning.open: has a retry, but no open dunning']);
  await books.work(async ({ tx }) => {
    await tx.query('update dunning set closed_on = null');
    await tx.query(`update collection_attempt set state = 'ended', outcome = 'overtaken',
      concluded_on = '2027-01-15'`);
  });
  t.deepEqual(await found(), [
    'dunning.open: has an open dunning since 2027-01-15, but nothing is overdue, and no retry remains',
  ]);
});
