/** Which known name a misspelled one resembles. */
import test from 'ava';
import { didYouMean, nearest } from '../../../operations/context/nearest.ts';

for (const [given, known, expected] of [
  ['stauts', ['max', 'status'], 'status'],
  ['ACTIVE', ['Draft', 'Active'], 'Active'],
  ['gold', ['GOLD', 'SILVER'], 'GOLD'],
  ['GLOD', ['GOLD', 'SILVER'], 'GOLD'],
  // At most half of a short name may differ, and three letters of a long one.
  ['NONE', ['GOLD'], undefined],
  ['C', ['A', 'B'], undefined],
  ['subscription', ['contractCode'], undefined],
  ['', ['A'], undefined],
  ['x'.repeat(101), ['x'.repeat(100)], undefined],
] as const) {
  test(`${given.slice(0, 20)} is meant to be ${expected} of ${known.join(', ').slice(0, 40)}`, (t) => {
    t.is(nearest(given, known), expected);
  });
}

test('a message ends with the name, or with nothing', (t) => {
  t.is(didYouMean('stauts', ['status']), '; did you mean status?');
  t.is(didYouMean('colour', ['status']), '');
});
