/** A method that is put on file is tried once for each declined invoice that has no retry to come. */
import test from 'ava';
import { retryInvoice } from '../../../operations/payments/retry-invoice.ts';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks } from '../support/collection-books.ts';
import type { Act } from '../../support/scripted-gateway.ts';

const db = await sharedDatabase();

/** An invoice of 30.00 with isAutoPay that tok_1 declined on 15, 16 and 18 January. */
async function exhausted(...acts: readonly Act[]) {
  const books = await openCollectionBooks(db, {
    today: '2027-01-15',
    file: {
      dunning: { retryDays: [1, 3], thresholds: [{ daysOverdue: 60, status: 'InActive1' }] },
    },
  });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  books.gateway.onCharge('tok_1', 'decline', 'decline', 'decline', ...acts);
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  await books.live('2027-01-25');
  const retry = () => books.work((its) => retryInvoice(its, { number: '1001' }, { userId: null }));
  return { books, customerId, retry };
}

const schedule = ['2027-01-16 1001 #1: done declined', '2027-01-18 1001 #2: done declined'];

test('declined on 15, 16 and 18 January; a card on 25 January: Paid on 26 January', async (t) => {
  const { books, customerId } = await exhausted();
  t.deepEqual(await books.attempts(), schedule);
  await books.file(customerId, 1, { token: 'tok_new' });
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: due']);
  await books.live('2027-01-26');
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: done paid']);
  t.is(books.gateway.calls.at(-1), 'charge tok_new 30.00: approve');
  t.is((await books.paidOn()).at(-1), '2027-01-26 Paid 30.00');
  t.deepEqual(await books.faults(), []);
});

test('its decline begins no schedule; the next card is one more attempt', async (t) => {
  const { books, customerId } = await exhausted();
  books.gateway.onCharge('tok_2', 'decline');
  await books.file(customerId, 1, { token: 'tok_2' });
  await books.live('2027-01-28');
  const once = [...schedule, '2027-01-26 1001 #3: done declined'];
  t.deepEqual(await books.attempts(), once);
  await books.file(customerId, 2, { token: 'tok_3', lastFour: '3333' });
  books.gateway.onCharge('tok_2', 'decline');
  await books.live('2027-01-29');
  t.deepEqual(await books.attempts(), [...once, '2027-01-29 1001 #4: done paid']);
  t.deepEqual(await books.faults(), []);
});

test('two cards of one day are one attempt, and a retry to come keeps its day', async (t) => {
  const { books, customerId } = await exhausted();
  await books.file(customerId, 1, { token: 'tok_2' });
  await books.file(customerId, 1, { token: 'tok_3' });
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: due']);
  await books.bill(customerId, '40', { isAutoPay: true });
  books.gateway.onCharge('tok_3', 'decline', 'approve', 'approve');
  await books.settle();
  await books.file(customerId, 2, { token: 'tok_4', lastFour: '4444' });
  t.deepEqual((await books.attempts()).slice(2), [
    '2027-01-26 1001 #3: due',
    '2027-01-26 1002 #1: due',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('a card that replaces the method of the last attempt while it is processed is tried after it', async (t) => {
  const { books, customerId } = await exhausted();
  await books.file(customerId, 1, { token: 'tok_2', type: 'ACH', brand: null, lastFour: '2222' });
  books.gateway.onCharge('tok_2', 'accept');
  await books.live('2027-01-26');
  const claimed = [...schedule, '2027-01-26 1001 #3: claimed'];
  t.deepEqual(await books.attempts(), claimed);
  await books.file(customerId, 1, { token: 'tok_3', lastFour: '3333' });
  t.deepEqual(await books.attempts(), claimed);
  const [cascadeId = 0] = await books.pending();
  await books.gateway.finish('Declined');
  await books.carry(cascadeId, 1);
  await books.settle();
  t.is(books.gateway.calls.at(-1), 'charge tok_3 30.00: approve');
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: done paid']);
  t.deepEqual(await books.faults(), []);
});

test('neither reopened nor cancelled invoices, nor those of InActive customers or beside a payment plan are tried', async (t) => {
  const reopened = await exhausted();
  await reopened.books.unpay(
    await reopened.books.pay({ customerId: reopened.customerId, amount: '30' }),
  );
  const cancelled = await exhausted();
  await cancelled.books.cancelInvoice(1001);
  const inactive = await exhausted();
  await inactive.books.live('2027-04-30');
  const planned = await exhausted();
  await planned.books.plan(planned.customerId, monthly);
  for (const { books, customerId } of [reopened, cancelled, inactive, planned]) {
    await books.file(customerId, 1, { token: 'tok_new' });
    const retries = (await books.attempts()).filter((text) => !text.includes('installment'));
    t.deepEqual(retries, schedule);
    t.deepEqual(await books.faults(), []);
  }
});

test('an invoice that no method was declined for is not tried', async (t) => {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.bill(customerId, '40');
  await books.settle();
  await books.file(customerId, 1, { token: 'tok_1' });
  t.deepEqual(await books.attempts(), []);
});

test('a retry by a call charges what is open by the methods that may be tried; the schedule stays', async (t) => {
  const { books, customerId, retry } = await exhausted('hardDecline');
  await books.pay({ customerId, amount: '12' });
  await books.file(customerId, 2, { token: 'tok_2', lastFour: '2222' });
  books.gateway.onCharge('tok_2', 'decline');
  await retry();
  await books.settle();
  t.deepEqual(books.gateway.calls.slice(3), [
    'charge tok_1 18.00: hardDecline',
    'charge tok_2 18.00: decline',
  ]);
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: due']);
  await retry();
  await books.settle();
  t.is(books.gateway.calls.at(-1), 'charge tok_2 18.00: approve');
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: ended overtaken']);
  await t.throwsAsync(retry(), { message: /only an Outstanding invoice is retried/ });
  t.deepEqual(await books.faults(), []);
});

test('of two retries at once one charges', async (t) => {
  const { books, retry } = await exhausted();
  await Promise.all([retry(), retry()]);
  await books.settle();
  t.deepEqual(books.gateway.calls.slice(3), ['charge tok_1 30.00: approve']);
  t.deepEqual((await books.paidOn()).slice(3), [
    '2027-01-25 Paid 30.00',
    '2027-01-25 Canceled 30.00',
  ]);
  t.deepEqual(await books.faults(), []);
});

test('without a method that may be tried a retry is refused', async (t) => {
  const { books, customerId, retry } = await exhausted('hardDecline');
  await retry();
  await books.settle();
  await t.throwsAsync(retry(), { message: /no payment method on file may be tried/ });
  t.deepEqual(await books.attempts(), schedule);
  await books.file(customerId, 1, { token: 'tok_1' });
  t.deepEqual(await books.attempts(), [...schedule, '2027-01-26 1001 #3: due']);
});
