/** When a callback is tried again, and how an endpoint that was away is posted to. */
import test from 'ava';
import {
  giveUpAt,
  hasFailedBefore,
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

test('an endpoint to which there is no connection is left alone for at most 15 minutes', (t) => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 1_000].map((unreachable) => pauseAfter({ unreachable }));
  t.deepEqual(
    pauses.map((pause) => pause / 60_000),
    [0.5, 1, 2, 4, 8, 15, 15, 15],
  );
});

test('an endpoint that answers and refuses is looked at every 30 seconds', (t) => {
  t.is(pauseAfter({ unreachable: 0 }), 30_000);
});

const failures = [
  { inARow: 5, first: 5, customers: 3, isAway: true, title: 'five first failures of three' },
  { inARow: 100, first: 30, customers: 2, isAway: true, title: 'a hundred failures in a row' },
  { inARow: 31, first: 31, customers: 2, isAway: false, title: 'first failures of two customers' },
  { inARow: 4, first: 4, customers: 4, isAway: false, title: 'four failures of four customers' },
  { inARow: 31, first: 4, customers: 4, isAway: false, title: 'four first ones among others' },
  { inARow: 31, first: 0, customers: 0, isAway: false, title: 'failures of what failed before' },
  { inARow: 32, first: 0, customers: 0, isAway: true, title: '32 of them, in a row' },
];

for (const { title, isAway, ...each } of failures) {
  test(`${title}: ${isAway ? 'an outage' : 'no outage'}`, (t) => {
    t.is(isOutage(each), isAway);
  });
}

test('a failure from before an outage is not of that outage, one since its begin is', (t) => {
  t.true(hasFailedBefore({ failedAt: 9, outageSince: 10 }));
  t.false(hasFailedBefore({ failedAt: 10, outageSince: 10 }));
  t.true(hasFailedBefore({ failedAt: 10, outageSince: null }));
  t.false(hasFailedBefore({ failedAt: null, outageSince: null }));
});

test('the posts at once double up to 32', (t) => {
  t.deepEqual([1, 2, 16, 31, 32].map(moreAtOnce), [2, 4, 32, 32, 32]);
});
