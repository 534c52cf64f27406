/** Sources are taken from in the order of their days. */
import test from 'ava';
import { mergeByDay } from '../../../domain/billing/due/due.ts';
import { fc } from '../../support/random.ts';

/** `source day` of what is taken, at most so many; `stopped` if there was more. */
function merged(sources: readonly (readonly string[])[], most = Infinity): string[] {
  const left = sources.map((days, source) => ({ source, days: [...days] }));
  const taken: string[] = [];
  const isStopped = mergeByDay(
    left,
    ({ days }) => days[0] ?? null,
    ({ source, days }) => {
      if (taken.length === most) return 'stop';
      taken.push(`${source} ${days.shift()}`);
      return 'continue';
    },
  );
  return isStopped ? [...taken, 'stopped'] : taken;
}

test('the earliest day comes first, and on one day the sources in their order', (t) => {
  const sources = [['03', '05'], ['01', '05'], [], ['02'], ['01', '01']];
  const all = ['1 01', '4 01', '4 01', '3 02', '0 03', '0 05', '1 05'];
  t.deepEqual(merged(sources), all);
  t.deepEqual(merged(sources, 2), [...all.slice(0, 2), 'stopped']);
  t.deepEqual(merged([]), []);
});

test('any sources come in the order of a sorted list', (t) => {
  const days = fc.array(fc.integer({ min: 10, max: 16 }).map(String), { maxLength: 6 });
  const lists = fc.array(
    days.map((list) => list.toSorted()),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(lists, fc.nat(40), (sources, most) => {
      const all = sources
        .flatMap((list, source) => list.map((day) => ({ day, source })))
        .toSorted((a, b) => a.day.localeCompare(b.day) || a.source - b.source)
        .map(({ day, source }) => `${source} ${day}`);
      t.deepEqual(merged(sources), all);
      const some = all.length > most ? [...all.slice(0, most), 'stopped'] : all;
      t.deepEqual(merged(sources, most), some);
    }),
    { numRuns: 50 },
  );
});
