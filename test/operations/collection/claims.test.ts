/** A claim that waited for the customer looks again at what it found before. */

import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import type { OperationContext } from '../../../operations/context/context.ts';
import { lockCustomer } from '../../../operations/context/locks.ts';
import { changePaymentPlan } from '../../../operations/payment-plans/change.ts';
import { postponeRetries } from '../../../db/queries/collection/attempts.ts';
import { until } from '../../support/until.ts';
import { sharedDatabase } from '../support/books.ts';
import { monthly, openCollectionBooks, type CollectionBooks } from '../support/collection-books.ts';

const db = await sharedDatabase();

async function opened() {
  const books = await openCollectionBooks(db, { today: '2027-01-15' });
  const customerId = await books.customer();
  await books.file(customerId, 1, { token: 'tok_1' });
  return { books, customerId };
}

/** Commits the change while the claim, which has found its candidates, waits for the customer. */
async function whileWaiting<Claimed>(
  { books, customerId }: { readonly books: CollectionBooks; readonly customerId: number },
  change: (work: OperationContext) => Promise<void>,
  claim: () => Promise<Claimed>,
): Promise<Claimed> {
  let claiming: Promise<Claimed> | undefined;
  await books.work(async (work) => {
    await lockCustomer(work.tx, { id: customerId });
    const [own] = await work.tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    claiming = claim();
    await until('the claim waits for the customer', () => isBlocking(books, own?.pid));
    await change(work);
  });
  if (!claiming) throw new Error('nothing was claimed');
  return claiming;
}

// A transaction sees one snapshot of the sessions, so each look has its own.
const isBlocking = (books: CollectionBooks, pid: number | undefined): Promise<boolean> =>
  books.read(async (tx) => {
    const waiting = await tx.query(
      'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
      [pid],
    );
    return waiting.length > 0;
  });

test('an installment that is moved from today to 10 February while its claim waits is not charged', async (t) => {
  const { books, customerId } = await opened();
  await books.bill(customerId, '100');
  await books.plan(customerId);
  await books.advance('2027-01-31');
  const claimed = await whileWaiting(
    { books, customerId },
    (work) => changePaymentPlanNow(work, customerId),
    () => books.claimAttempts({ kind: 'installment', limit: 10 }),
  );
  t.deepEqual(claimed.payments, []);
  await books.settle();
  t.deepEqual(books.gateway.calls, []);
  t.is(await books.planNow(customerId), 'enabled, 3 of 3 to come, next 2027-02-10');
  t.deepEqual(await books.faults(), []);
  await books.live('2027-02-10');
  t.deepEqual(await books.paidOn(), ['2027-02-10 Paid 50.00']);
  t.deepEqual(await books.faults(), []);
});

function changePaymentPlanNow(work: OperationContext, id: number): Promise<void> {
  const { chargeAmount: _unchanged, ...schedule } = monthly;
  return changePaymentPlan(work, { id }, { ...schedule, startDate: '2027-02-10' });
}

test('a retry that is moved to tomorrow while its claim waits is not made today', async (t) => {
  const { books, customerId } = await opened();
  books.gateway.onCharge('tok_1', 'decline');
  await books.bill(customerId, '30', { isAutoPay: true });
  await books.settle();
  await books.advance('2027-01-16');
  const claimed = await whileWaiting(
    { books, customerId },
    async ({ tx, time }) =>
      postponeRetries(tx, { customerId, to: addDays(time.today, 1) }, time.now),
    () => books.claimAttempts({ kind: 'retry', limit: 10 }),
  );
  t.deepEqual(claimed.payments, []);
  t.deepEqual(await books.attempts(), ['2027-01-17 1001 #1: due']);
  await books.live('2027-01-17');
  t.deepEqual(await books.attempts(), ['2027-01-17 1001 #1: done paid']);
  t.deepEqual(await books.faults(), []);
});
