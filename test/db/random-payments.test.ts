/**
 * Random lives with money: whatever is billed, paid, credited, given back, declined, lost or taken
 * back, in whatever order and all at once, the audit is clean after every step.
 */

import test from 'ava';
import fc from 'fast-check';
import { addDays } from '../../domain/calendar.ts';
import { sharedDatabase } from './books.ts';
import { openPaymentBooks } from './payment-books.ts';
import { plans, step, take } from './payment-lives.ts';
import type { Step, World } from './payment-lives.ts';

const db = await sharedDatabase();

async function newWorld(): Promise<World> {
  const books = await openPaymentBooks(db, { today: '2027-01-15', plans });
  const customers = [await books.customer(), await books.customer()];
  for (const customerId of customers) await books.file(customerId, 1, { token: 'tok_first' });
  return { books, customers };
}

async function assertClean({ books }: World): Promise<void> {
  const { faults, held } = await books.audit();
  if (faults.length > 0 || held.length > 0) throw new Error(JSON.stringify({ faults, held }));
}

/** With all that the gateway still was at ended, nothing is Pending any more. */
async function assertEnds(world: World): Promise<void> {
  const { books } = world;
  for (let round = 0; round < 12; round += 1) {
    await books.gateway.finish('Approved');
    await books.settle();
  }
  const pending = (await books.payments()).filter((text) => text.includes(' Pending '));
  if (pending.length > 0) throw new Error(pending.join('\n'));
  await assertClean(world);
}

test('whatever is done with money, day by day, the audit is clean after every step', async (t) => {
  const steps = fc.array(step, { minLength: 8, maxLength: 30 });
  const property = fc.asyncProperty(steps, async (all) => {
    const world = await newWorld();
    for (const each of all) {
      await take(world, each);
      await assertClean(world);
    }
    await assertEnds(world);
  });
  await fc.assert(property, { numRuns: 25, endOnFailure: true, includeErrorInReport: true });
  t.pass();
});

test('whatever is done with money at once, nothing fails but in words, and the audit is clean', async (t) => {
  // Nor does anybody resolve a payment that is being charged at that very moment.
  const isAtOnce = (each: Step): boolean =>
    !('days' in each || ('do' in each && (each.do === 'approve' || each.do === 'decline')));
  const notAdvance = step.filter(isAtOnce);
  const rounds = fc.array(fc.array(notAdvance, { minLength: 6, maxLength: 12 }), {
    minLength: 3,
    maxLength: 5,
  });
  const property = fc.asyncProperty(rounds, async (groups) => {
    const world = await newWorld();
    const { books } = world;
    for (const group of groups) {
      await Promise.all([...group.map((each) => take(world, each)), books.run(), books.autopaid()]);
      await books.advance(addDays(books.today(), 9));
      await books.autopaid();
      await assertClean(world);
    }
    await assertEnds(world);
  });
  await fc.assert(property, { numRuns: 10, endOnFailure: true, includeErrorInReport: true });
  t.pass();
});
