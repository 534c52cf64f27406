/**
 * Random sequences of calls on orders, invoices and customers, also simultaneous ones: the audit
 * stays clean.
 */

import test from 'ava';
import { addDays } from '../../domain/calendar/calendar.ts';
import { sequencerPass } from '../../operations/events/sequencer.ts';
import { assertClean, sharedDatabase } from '../operations/support/books.ts';
import {
  kindOf,
  kinds,
  newWorld,
  outlooks,
  perform,
  step,
  type Step,
  type World,
} from '../operations/support/order-lives.ts';
import { newTally } from '../operations/support/tally.ts';
import { numberedHooks } from '../../operations/feed/numbered-hooks.ts';
import { until } from '../support/until.ts';
import { costly, fc, isAuditedAfter, isLong, runs } from '../support/random.ts';

const db = await sharedDatabase();

/** The facts of a whole life equal its events, and the numbers of these have no hole. */
async function numbered({ books }: World): Promise<void> {
  const { dependencies, tenantId } = books;
  const rest = { relayDb: db.relay, dispatch: () => undefined, hooks: numberedHooks };
  const failing = (error: unknown): never => {
    throw error;
  };
  // A pass of the other test may have this tenant's turn, with the events of a moment ago.
  await until('every event has its number', async () => {
    await sequencerPass({ dependencies, ...rest, onError: failing });
    const left = 'select from event where tenant_id = $1 and sequence is null limit 1';
    return (await books.read((tx) => tx.query(left, [tenantId]))).length === 0;
  });
  const [counts] = await books.read((tx) =>
    tx.query<{ events: number; last: number }>(
      'select count(*) as events, max(sequence) as last from event where tenant_id = $1',
      [tenantId],
    ),
  );
  const { faults } = await books.audit();
  if (faults.length > 0 || counts?.events !== (counts?.last ?? 0)) {
    throw new Error(JSON.stringify({ faults, counts }));
  }
}

/** A fixed seed, so that the numbers of successes can be checked. */
const SEED = 20_270_123;
/**
 * A share of the successes of sequential steps: simultaneous steps take each other's objects away.
 */
const AT_ONCE = 0.5;

test('after the steps of any day-by-day sequence the audit is clean', async (t) => {
  const tally = newTally(outlooks);
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 8, maxLength: 25 }),
    async (steps) => {
      const world = await newWorld(db);
      for (const [index, each] of steps.entries()) {
        await tally.take(kindOf(each), () => perform(world, each));
        if (isAuditedAfter(index)) await assertClean(world.books);
      }
      await numbered(world);
    },
  );
  await fc.assert(property, { ...costly, numRuns: runs(6, 20), seed: SEED });
  tally.assertShares(t, kinds, { isEachTried: isLong });
  await fc.assert(property, { ...costly, numRuns: runs(1) });
});

test('after any simultaneous operations only known refusals occur, and the audit is clean', async (t) => {
  // A simultaneous change may delete the order of another step.
  const tally = newTally(outlooks, { alsoRefused: ['order.unknown'] });
  const notAdvance = step.filter((each: Step) => !('days' in each));
  const rounds = fc.array(fc.array(notAdvance, { minLength: 6, maxLength: 12 }), {
    minLength: 3,
    maxLength: 5,
  });
  const property = fc.asyncProperty(rounds, async (groups) => {
    const world = await newWorld(db);
    for (const group of groups) {
      const lanes = group.map((each) => tally.take(kindOf(each), () => perform(world, each)));
      await Promise.all([...lanes, world.books.run()]);
      await world.books.advance(addDays(world.books.today(), 9));
      const { faults, held } = await world.books.audit();
      if (faults.length > 0 || held.length > 0) throw new Error(JSON.stringify({ faults, held }));
    }
    await numbered(world);
  });
  await fc.assert(property, { ...costly, numRuns: runs(4, 10), seed: SEED });
  // Whether an end was requested before another step of its round takes it back is chance, and whether
  // an order is still unbilled when its trial is changed.
  const atOnce = kinds.filter((kind) => kind !== 'advance' && kind !== 'keep' && kind !== 'try');
  tally.assertShares(t, atOnce, { of: AT_ONCE, isEachTried: isLong });
});
