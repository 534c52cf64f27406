/**
 * Random sequences of bills, payments, credits, refunds, declines and withdrawals, also
 * simultaneous ones: the audit stays clean.
 */

import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { assertClean, sharedDatabase } from '../operations/support/books.ts';
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

test('after the steps of any sequence of payments the audit is clean', async (t) => {
  const tally = newTally(outlooks);
  const steps = fc.array(step, { minLength: 8, maxLength: 30 });
  const property = fc.asyncProperty(steps, async (all) => {
    const world = await newWorld(db);
    for (const [index, each] of all.entries()) {
      await tally.take(kindOf(each), () => perform(world, each));
      if (isAuditedAfter(index)) await assertClean(world.books);
    }
    await assertEnds(world);
  });
  await fc.assert(property, { ...costly, numRuns: runs(6, 20), seed: SEED });
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
