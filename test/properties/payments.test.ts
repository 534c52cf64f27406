/**
 * Random sequences of bills, payments, credits, refunds, declines and withdrawals, also
 * simultaneous ones: the audit stays clean.
 */

import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { DomainError, DomainErrors } from '../../domain/errors.ts';
import { eraseCustomer } from '../../operations/customers/erase.ts';
import { assertClean, sharedDatabase } from '../operations/support/books.ts';
import { cash } from '../operations/support/payment-books.ts';
import { newWorld, perform, type World } from '../operations/support/payment-lives.ts';
import { kindOf, kinds, outlooks, step, type Step } from '../operations/support/payment-steps.ts';
import { newTally } from '../operations/support/tally.ts';
import { costly, fc, isAuditedAfter, isLong, runs } from '../support/random.ts';

const db = await sharedDatabase();
/** A fixed seed, so that the numbers of successes can be checked. */
const SEED = 20_270_118;
/**
 * A share of the successes of sequential steps: simultaneous steps take each other's objects away.
 */
const AT_ONCE = 0.2;

/** Once the gateway has finished all calls, no payment is Pending any more. */
async function assertEnds(world: World): Promise<void> {
  const { books } = world;
  for (let round = 0; round < 12; round += 1) {
    await books.gateway.finish('Approved');
    await books.settle();
  }
  const pending = (await books.payments()).filter((text) => text.includes(' Pending '));
  if (pending.length > 0) throw new Error(pending.join('\n'));
  await assertClean(world.books);
}

/**
 * Erases whom the end of this life lets be erased, and has the gateway dispute all that they have paid.
 * Returns how many were erased.
 */
async function eraseAndDispute({ books, customers }: World): Promise<number> {
  let erased = 0;
  for (const customerId of customers) {
    await closeAccount(books, customerId);
    const erasure = books.work((context) => eraseCustomer(context, { id: customerId }));
    if (!(await isTaken(erasure))) continue;
    erased += 1;
    for (const { id, cascadeId, ...charge } of await chargesOf(books, customerId)) {
      const told = { kind: 'dispute', reason: 'fraudulent', isReinstated: false } as const;
      const dispute = {
        ...told,
        ref: `du_${id}`,
        amount: charge.amount,
        currency: charge.currency,
      };
      books.gateway.withdraws(charge.transactionId, [{ ...dispute, isHardDecline: false }]);
      await books.work(({ tx }) =>
        tx.query('update payment set gateway_news_on = $2 where id = $1', [id, books.today()]),
      );
      await books.carry(cascadeId);
    }
  }
  return erased;
}

/** Pays what the customer owes, and takes what it is owed. */
async function closeAccount(books: World['books'], customerId: number): Promise<void> {
  const open = await books.read((tx) =>
    tx.query<{ currencyCode: string; balance: string }>(
      `select currency as "currencyCode", balance::text from customer_balance
       where customer_id = $1 and balance <> 0`,
      [customerId],
    ),
  );
  for (const { currencyCode, balance } of open) {
    const entry = balance.startsWith('-')
      ? ({ type: 'Credit', method: null, amount: balance } as const)
      : { amount: balance, method: cash };
    await isTaken(books.pay({ customerId, currencyCode, ...entry }));
  }
}

async function isTaken(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if (error instanceof DomainError || error instanceof DomainErrors) return false;
    throw error;
  }
}

interface Charge {
  readonly id: number;
  /** Differs from the id where the first method of a cascade was declined. */
  readonly cascadeId: number;
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
}

const chargesOf = (books: World['books'], customerId: number) =>
  books.read((tx) =>
    tx.query<Charge>(
      `select id, cascade_id, transaction_id, (amount - refunded)::text as amount, currency from payment
       where customer_id = $1 and payment_type = 'Payment' and status = 'Paid' and charged_on is not null
         and transaction_id is not null and amount > refunded`,
      [customerId],
    ),
  );

test('after the steps of any sequence of payments the audit is clean, also once customers are erased', async (t) => {
  const tally = newTally(outlooks);
  let erased = 0;
  const steps = fc.array(step, { minLength: 8, maxLength: 30 });
  const property = fc.asyncProperty(steps, async (all) => {
    const world = await newWorld(db);
    for (const [index, each] of all.entries()) {
      await tally.take(kindOf(each), () => perform(world, each));
      if (isAuditedAfter(index)) await assertClean(world.books);
    }
    await assertEnds(world);
    erased += await eraseAndDispute(world);
    await assertClean(world.books);
  });
  await fc.assert(property, { ...costly, numRuns: runs(6, 20), seed: SEED });
  t.true(erased > 0);
  tally.assertShares(t, kinds, { isEachTried: isLong });
  await fc.assert(property, { ...costly, numRuns: runs(1) });
});

test('after any simultaneous payments only known refusals occur, and the audit is clean', async (t) => {
  const tally = newTally(outlooks);
  // Nobody resolves a payment while it is being charged.
  const isAtOnce = (each: Step): boolean =>
    !('days' in each || ('do' in each && (each.do === 'approve' || each.do === 'decline')));
  const notAdvance = step.filter(isAtOnce);
  const rounds = fc.array(fc.array(notAdvance, { minLength: 6, maxLength: 12 }), {
    minLength: 3,
    maxLength: 5,
  });
  const property = fc.asyncProperty(rounds, async (groups) => {
    const world = await newWorld(db);
    const { books } = world;
    for (const group of groups) {
      const lanes = group.map((each) => tally.take(kindOf(each), () => perform(world, each)));
      await Promise.all([...lanes, books.run(), books.autopaid(), books.collect()]);
      await books.live(addDays(books.today(), 9));
      await assertClean(world.books);
    }
    await assertEnds(world);
  });
  await fc.assert(property, { ...costly, numRuns: runs(4, 10), seed: SEED });
  const atOnce = kinds.filter((kind) => !['advance', 'approve', 'decline'].includes(kind));
  tally.assertShares(t, atOnce, { of: AT_ONCE, isEachTried: isLong });
});
