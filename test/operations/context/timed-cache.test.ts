/** What caches keep, for how long, and with which limits. */
import test from 'ava';
import { createTimedCache, remember, onceFor } from '../../../operations/context/timed-cache.ts';

test('an entry exists until its time is over, by the given clock, from 0 on', (t) => {
  let now = 0;
  const cache = createTimedCache<number, string>({ clock: () => now, entriesMax: 10 });
  cache.set(1, 'a', { forMs: 1_000 });
  now = 999;
  t.is(cache.get(1), 'a');
  now = 1_000;
  t.is(cache.get(1), undefined);
  now = 0;
  t.is(cache.get(1), undefined, 'it was removed');
});

test('beyond the limit of entries the least recently used one is evicted', (t) => {
  const cache = createTimedCache<string, number>({ clock: () => 0, entriesMax: 2 });
  cache.set('a', 1, { forMs: 1 });
  cache.set('b', 2, { forMs: 1 });
  t.is(cache.get('a'), 1);
  cache.set('c', 3, { forMs: 1 });
  t.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
});

test('a cache keeps at most so many bytes, whatever its entries are', (t) => {
  const cache = createTimedCache<string, string>({
    clock: () => 0,
    entriesMax: 1_000,
    bytesMax: 100_000,
  });
  const kept = { forMs: 1 };
  for (let n = 0; n < 10; n += 1) cache.set(`long ${n}`, 'x', { ...kept, bytes: 20_000 });
  const there = Array.from({ length: 10 }, (_, n) => cache.get(`long ${n}`) !== undefined);
  t.deepEqual(there, [...Array.from({ length: 6 }, () => false), true, true, true, true]);
  cache.set('larger than all of it', 'x', { ...kept, bytes: 200_000 });
  t.is(cache.get('larger than all of it'), undefined);
  for (let n = 0; n < 1_000; n += 1) cache.set('n'.repeat(n), 'x', kept);
  t.is(cache.get(''), undefined, 'keys count');
});

test('an answer may be as old as its question: its time counts from there', async (t) => {
  let now = 0;
  const cache = createTimedCache<string, Promise<number>>({ clock: () => now, entriesMax: 10 });
  const ask = (answer: number) =>
    remember(cache, 'key', { forMs: 1_000 }, async () => {
      now += 600;
      return answer;
    });
  t.is(await ask(1), 1);
  now = 999;
  t.is(await ask(2), 1);
  now = 1_000;
  t.is(await ask(3), 3);
});

test('simultaneous callers share one answer, and a failure is not cached', async (t) => {
  const cache = createTimedCache<string, Promise<number>>({ clock: () => 0, entriesMax: 10 });
  let asked = 0;
  const ask = (answer: () => number) =>
    remember(cache, 'key', { forMs: 1 }, () => {
      asked += 1;
      return new Promise<number>((resolve) => resolve(answer()));
    });
  const fails = () => {
    throw new Error('away');
  };
  const both = await Promise.allSettled([ask(fails), ask(fails)]);
  t.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.is(asked, 1);
  t.is(await ask(() => 7), 7);
  t.is(await ask(() => 8), 7);
  t.is(asked, 2);
});

test('a value for an object is made once, even if it is undefined', (t) => {
  const made: object[] = [];
  const of = onceFor((key: object) => void made.push(key));
  const [first, second] = [{}, {}];
  for (const key of [first, second, first]) of(key);
  t.deepEqual(made, [first, second]);
});
