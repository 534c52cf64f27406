/** Turns for a few places: the order of the waiters, and which are refused. */
import test from 'ava';
import {
  createTurns,
  type Leave,
  type Turns,
  type TurnsOptions,
} from '../../../db/connection/turns.ts';

const busy = { name: 'UnavailableError' };
const made = (options: Partial<TurnsOptions> = {}): Turns =>
  createTurns({ placesMax: 1, waitingMax: 100, waitMs: 60_000, ...options });

/**
 * Takes places in this order, each returned at once; returns the order in which they were given.
 */
async function orderOf(turns: Turns, wanted: readonly string[]): Promise<string[]> {
  const came: string[] = [];
  const first = await turns.take('first');
  const all = wanted.map(async (each) => {
    const [lane = '', party] = each.split('/');
    const leave = await turns.take(lane, party);
    came.push(each);
    leave();
  });
  first();
  await Promise.all(all);
  return came;
}

test('lanes take turns, however many wait in one', async (t) => {
  t.deepEqual(await orderOf(made(), ['a', 'a', 'a', 'b', 'c', 'b']), [
    'a',
    'b',
    'c',
    'a',
    'b',
    'a',
  ]);
});

test('within a lane parties take turns', async (t) => {
  t.deepEqual(await orderOf(made(), ['a/x', 'a/x', 'a/x', 'b', 'a/y']), [
    'a/x',
    'b',
    'a/y',
    'a/x',
    'a/x',
  ]);
});

test('as many run at once as there are places, and of one lane as many as it may have', async (t) => {
  const turns = made({ placesMax: 3, lanePlacesMax: 2 });
  const leaves: Leave[] = [await turns.take('a'), await turns.take('a')];
  let third: Leave | undefined;
  const waiting = turns.take('a').then((leave) => (third = leave));
  leaves.push(await turns.take('b'));
  t.is(third, undefined, 'a place is left for others');
  leaves[2]?.();
  await new Promise(setImmediate);
  t.is(third, undefined, 'the place of another lane is not its own');
  leaves[0]?.();
  await waiting;
  t.truthy(third);
});

test('returning a place twice returns only one', async (t) => {
  const turns = made({ waitingMax: 0 });
  const leave = await turns.take('a');
  leave();
  leave();
  await turns.take('a');
  await t.throwsAsync(turns.take('a'), busy);
});

test('beyond the limits of all waiters, of a lane and of a party, nobody waits', async (t) => {
  const turns = made({ waitingMax: 4, laneWaitingMax: 3, partyWaitingMax: 2 });
  const first = await turns.take('a', 'x');
  const waiting = [turns.take('a', 'x'), turns.take('a', 'x')];
  await t.throwsAsync(turns.take('a', 'x'), busy);
  waiting.push(turns.take('a', 'y'));
  await t.throwsAsync(turns.take('a', 'z'), busy);
  waiting.push(turns.take('b'));
  await t.throwsAsync(turns.take('c'), busy);
  first();
  for (const each of waiting) void each.then((leave) => leave());
  await Promise.all(waiting);
  (await turns.take('c'))();
});

test('a waiter beyond its time limit is refused, and takes no place afterwards', async (t) => {
  const turns = made({ waitMs: 1 });
  const first = await turns.take('a');
  await t.throwsAsync(turns.take('b'), busy);
  first();
  (await turns.take('c'))();
});

test('a place is returned to its own lane after the rest, and to others at once', async (t) => {
  const turns = made({ lanePlacesMax: 1 });
  const { promise: rest, resolve: endRest } = Promise.withResolvers<void>();
  const first = await turns.take('a');
  const came: string[] = [];
  const take = async (lane: string): Promise<void> => {
    const leave = await turns.take(lane);
    came.push(lane);
    leave();
  };
  const all = [take('a'), take('b')];
  first(rest);
  first();
  await all[1];
  t.deepEqual(came, ['b']);
  endRest();
  await all[0];
  t.deepEqual(came, ['b', 'a']);
});

test('takeNow takes a free place only, and never overtakes those that wait', async (t) => {
  const turns = made({ placesMax: 2, lanePlacesMax: 1 });
  const first = turns.takeNow('a');
  t.truthy(first);
  t.is(turns.takeNow('a'), undefined);
  const other = turns.takeNow('b');
  t.truthy(other);
  t.is(turns.takeNow('c'), undefined);
  const waiter = turns.take('a');
  first?.();
  const second = await waiter;
  t.is(turns.takeNow('a'), undefined);
  second();
  t.truthy(turns.takeNow('a'));
});
