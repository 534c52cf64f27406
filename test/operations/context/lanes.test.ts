/** How items are processed: a limited number at a time, in order, and how a failure ends it. */
import test from 'ava';
import { inLanes } from '../../../operations/context/lanes.ts';

/** Work that stays under way until the test ends it. */
function byHand() {
  const ends = new Map<number, PromiseWithResolvers<void>>();
  return {
    work: (item: number) => {
      const end = Promise.withResolvers<void>();
      ends.set(item, end);
      return end.promise;
    },
    begun: () => [...ends.keys()],
    end: async (item: number, error?: Error) => {
      if (error === undefined) ends.get(item)?.resolve();
      else ends.get(item)?.reject(error);
      await new Promise(setImmediate);
    },
  };
}

test('the limited number of items is under way, and each is processed once, in order', async (t) => {
  const { work, begun, end } = byHand();
  const all = inLanes([1, 2, 3, 4], work, { lanes: 2 });
  t.deepEqual(begun(), [1, 2]);
  await end(2);
  t.deepEqual(begun(), [1, 2, 3]);
  for (const item of [1, 3, 4]) await end(item);
  t.true(await all);
  t.deepEqual(begun(), [1, 2, 3, 4]);
});

test('after a failure nothing starts, and the failure is thrown when all work under way has ended', async (t) => {
  const { work, begun, end } = byHand();
  let isOver = false;
  const all = inLanes([1, 2, 3, 4], work, { lanes: 2 });
  const outcome = all.then(
    () => 'done',
    (error: Error) => {
      isOver = true;
      return error.message;
    },
  );
  await end(1, new Error('first'));
  t.false(isOver);
  await end(2, new Error('second'));
  t.is(await outcome, 'first');
  t.deepEqual(begun(), [1, 2]);
});

test('it stops when it may not continue, and says whether all items were processed', async (t) => {
  const done: number[] = [];
  const work = (item: number) => Promise.resolve(void done.push(item));
  t.false(await inLanes([1, 2, 3], work, { lanes: 1, mayContinue: () => done.length < 2 }));
  t.deepEqual(done, [1, 2]);
  t.true(await inLanes([3], work, { lanes: 1, mayContinue: () => done.length < 3 }));
  t.true(await inLanes([], work, { lanes: 3, mayContinue: () => false }));
});
