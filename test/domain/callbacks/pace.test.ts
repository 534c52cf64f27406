/** When a callback is tried again, and how an endpoint that was away is posted to. */
import test from 'ava';
import {
  giveUpAt,
  isOutage,
  moreAtOnce,
  overdueBefore,
  pauseAfter,
  retryAt,
} from '../../../domain/callbacks/pace.ts';

const created = Date.UTC(2027, 0, 1);
const end = giveUpAt(created);

test('an event is given up 3 days after its creation', (t) => {
  t.is(new Date(end).toISOString(), '2027-01-04T00:00:00.000Z');
  t.is(overdueBefore(end), created);
});

test('the first retry comes within a minute, and the pauses double up to an hour', (t) => {
  const pauses = Array.from({ length: 9 }, (_, index) => {
    const next = retryAt({ attempts: index + 1, now: created, giveUpAt: end });
    return ((next ?? 0) - created) / 60_000;
  });
  t.deepEqual(pauses, [0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
});

test('the last attempt is at the instant of giving up, and none comes after it', (t) => {
  t.is(retryAt({ attempts: 80, now: end - 60_000, giveUpAt: end }), end);
  t.is(retryAt({ attempts: 81, now: end, giveUpAt: end }), null);
});

test('an endpoint that does not answer is left alone for at most 15 minutes', (t) => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 1_000].map((outages) => pauseAfter(outages) / 60_000);
  t.deepEqual(pauses, [0.5, 1, 2, 4, 8, 15, 15, 15]);
});

test('failures of one customer are no outage, those of three in a row are', (t) => {
  t.false(isOutage({ inARow: 100, customers: 2 }));
  t.false(isOutage({ inARow: 4, customers: 4 }));
  t.true(isOutage({ inARow: 5, customers: 3 }));
});

test('the posts at once double up to 32', (t) => {
  t.deepEqual([1, 2, 16, 31, 32].map(moreAtOnce), [2, 4, 32, 32, 32]);
});
