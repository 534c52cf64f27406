/** Until when a password reset holds, is mailed, is kept and counts. */
import test from 'ava';
import {
  resetAskedAfter,
  resetEnd,
  RESETS_PER_HOUR_MAX,
  resetsCountedSince,
  resetsGoneBefore,
} from '../../../domain/self-service/reset.ts';

const now = new Date('2027-01-03T10:00:00Z');

for (const [rule, instant, expected] of [
  ['a mailed link holds for 30 minutes', resetEnd(now), '2027-01-03T10:30:00Z'],
  ['a mail that waited for a day is not sent', resetAskedAfter(now), '2027-01-02T10:00:00Z'],
  ['a row is kept for two days', resetsGoneBefore(now), '2027-01-01T10:00:00Z'],
  ['the limit counts an hour', resetsCountedSince(now), '2027-01-03T09:00:00Z'],
] as const) {
  test(rule, (t) => {
    t.deepEqual(instant, new Date(expected));
  });
}

test('a link holds to its end before its row goes, however late the mail was', (t) => {
  const latest = resetEnd(
    new Date(now.getTime() + (now.getTime() - resetAskedAfter(now).getTime())),
  );
  const kept = new Date(now.getTime() + (now.getTime() - resetsGoneBefore(now).getTime()));
  t.true(latest < kept);
  t.is(RESETS_PER_HOUR_MAX, 3);
});
