/**
 * Random lives in which BatchInit carries the books over at random steps, alone or beside other
 * calls: the audit is clean afterwards and later, and its counts are its objects.
 */

import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { batchInit, beginInit, everything, stepInit } from '../operations/support/batch-init.ts';
import { type Books, sharedDatabase } from '../operations/support/books.ts';
import * as orders from '../operations/support/order-lives.ts';
import * as payments from '../operations/support/payment-lives.ts';
import * as paying from '../operations/support/payment-steps.ts';
import { newTally } from '../operations/support/tally.ts';
import { costly, fc, isAuditedAfter, runs } from '../support/random.ts';

const db = await sharedDatabase();

/** Of lives in which something is carried over. */
const SEED = 20_270_119;

const flags = fc.oneof(
  fc.constant({ ...everything, zeroOutCustomerBalance: true }),
  fc.record({
    carryForwardInvoices: fc.boolean(),
    carryForwardCreditMemos: fc.boolean(),
    carryForwardDebitMemos: fc.boolean(),
  }),
);

/** Returns how many objects were carried over. */
async function assertClean(books: Pick<Books, 'audit' | 'read'>): Promise<number> {
  const { faults, held } = await books.audit();
  const wrong = await books.read((tx) =>
    tx.query(
      `select b.id, b.kind, b.success_count, b.status from batch b
       where b.kind <> 'init' and b.status <> 'Queued' group by b.tenant_id, b.id
       having b.status <> 'Success' or b.fail_count > 0`,
    ),
  );
  const [counts] = await books.read((tx) =>
    tx.query<{ counted: number; carried: number }>(
      `select (select coalesce(sum(success_count), 0)::int from batch where kind <> 'init') as counted,
         (select count(*)::int from invoice where status = 'CarriedOver')
           + (select count(*)::int from payment where status = 'CarriedOver') as carried`,
    ),
  );
  const isCounted = counts?.counted === counts?.carried;
  if (faults.length > 0 || held.length > 0 || wrong.length > 0 || !isCounted) {
    throw new Error(JSON.stringify({ faults, held, wrong, counts }));
  }
  return counts?.carried ?? 0;
}

test('after a BatchInit at any step of a life of payments the audit stays clean', async (t) => {
  const tally = newTally(paying.outlooks);
  const lives = fc.array(
    fc.oneof({ weight: 9, arbitrary: paying.step }, { weight: 1, arbitrary: flags }),
    {
      minLength: 10,
      maxLength: 30,
    },
  );
  let carriedMost = 0;
  const property = fc.asyncProperty(flags, lives, async (first, steps) => {
    const world = await payments.newWorld(db);
    const { books } = world;
    const halfway = Math.floor(steps.length / 2);
    for (const [index, each] of steps.entries()) {
      if (index === halfway) await batchInit(books, first);
      if ('carryForwardInvoices' in each) await batchInit(books, each);
      else await tally.take(paying.kindOf(each), () => payments.perform(world, each));
      if (isAuditedAfter(index)) carriedMost = Math.max(carriedMost, await assertClean(books));
    }
    for (let round = 0; round < 12; round += 1) {
      await books.gateway.finish(round % 2 === 0 ? 'Approved' : 'Declined');
      await books.settle();
    }
    await assertClean(books);
  });
  await fc.assert(property, { ...costly, numRuns: runs(2, 6), seed: SEED });
  t.true(carriedMost > 0);
});

test('after a BatchInit at any step of a life of orders the audit stays clean', async (t) => {
  const tally = newTally(orders.outlooks);
  const lives = fc.array(
    fc.oneof({ weight: 9, arbitrary: orders.step }, { weight: 1, arbitrary: flags }),
    {
      minLength: 8,
      maxLength: 25,
    },
  );
  let carriedMost = 0;
  const property = fc.asyncProperty(flags, lives, async (first, steps) => {
    const world = await orders.newWorld(db);
    const { books } = world;
    const halfway = Math.floor(steps.length / 2);
    for (const [index, each] of steps.entries()) {
      if (index === halfway) await batchInit(books, first);
      if ('carryForwardInvoices' in each) await batchInit(books, each);
      else await tally.take(orders.kindOf(each), () => orders.perform(world, each));
      if (isAuditedAfter(index)) carriedMost = Math.max(carriedMost, await assertClean(books));
    }
    carriedMost = Math.max(carriedMost, await assertClean(books));
  });
  await fc.assert(property, { ...costly, numRuns: runs(2, 6), seed: SEED });
  t.true(carriedMost > 0);
});

test('beside simultaneous payments, and steps that are called twice, the audit stays clean', async (t) => {
  const tally = newTally(paying.outlooks);
  const isAtOnce = (each: paying.Step): boolean =>
    !('days' in each || ('do' in each && (each.do === 'approve' || each.do === 'decline')));
  const group = fc.array(paying.step.filter(isAtOnce), { minLength: 4, maxLength: 10 });
  const rounds = fc.array(fc.tuple(group, fc.option(flags)), { minLength: 3, maxLength: 5 });
  let carriedMost = 0;
  const property = fc.asyncProperty(rounds, async (groups) => {
    const world = await payments.newWorld(db);
    const { books } = world;
    for (const [steps, carried] of groups) {
      const lanes = steps.map((each) =>
        tally.take(paying.kindOf(each), () => payments.perform(world, each)),
      );
      if (carried !== null) {
        const id = await beginInit(books, carried);
        const twice = async (): Promise<void> => {
          while (!(await stepInit(books, id)).isDone);
        };
        lanes.push(twice(), twice());
      }
      await Promise.all([...lanes, books.run(), books.autopaid(), books.collect()]);
      await books.live(addDays(books.today(), 9));
      carriedMost = Math.max(carriedMost, await assertClean(books));
    }
  });
  await fc.assert(property, { ...costly, numRuns: runs(1, 3), seed: SEED });
  t.true(carriedMost > 0);
});
