/** What may happen to a collection attempt in which state, and what becomes of it. */

import test from 'ava';
import {
  attemptChange,
  type AttemptHappened,
  type AttemptState,
} from '../../../domain/payments/attempts.ts';
import { readTable } from '../state-tables.ts';

const today = '2027-01-15';
const dueOn = '2027-01-18';

const happenings: Readonly<Record<AttemptHappened['happened'], AttemptHappened>> = {
  claimed: { happened: 'claimed' },
  concluded: { happened: 'concluded', outcome: 'declined' },
  skipped: { happened: 'skipped' },
  ended: { happened: 'ended', outcome: 'planEnded' },
  moved: { happened: 'moved', dueOn },
  reopened: { happened: 'reopened', dueOn },
};

/** The state afterwards; `.` if it cannot happen in that state. */
const { head, rows } = readTable(`
            claimed concluded skipped ended moved reopened
  due       claimed .         done    ended due   .
  claimed   .       done      .       .     .     .
  done      .       .         .       .     .     .
  ended     .       .         .       .     .     due`);

for (const { name: state, expected } of rows) {
  test(`what may happen to an attempt that is ${state}`, (t) => {
    const found = head.map((name) => {
      const what = happenings[name as AttemptHappened['happened']];
      const change = attemptChange(what, today);
      return change.from === (state as AttemptState) ? change.state : '.';
    });
    t.deepEqual(found, expected);
  });
}

test('the table has every state, and every thing that may happen', (t) => {
  t.deepEqual(head.toSorted(), Object.keys(happenings).toSorted());
  t.deepEqual(
    rows.map(({ name }) => name),
    ['due', 'claimed', 'done', 'ended'],
  );
});

test('only an attempt that is over has an outcome and the day of it', (t) => {
  const none = { outcome: null, concludedOn: null };
  const cases = [
    [happenings.claimed, none],
    [happenings.moved, none],
    [happenings.reopened, none],
    [happenings.concluded, { outcome: 'declined', concludedOn: today }],
    [happenings.skipped, { outcome: 'skipped', concludedOn: today }],
    [happenings.ended, { outcome: 'planEnded', concludedOn: today }],
  ] as const;
  for (const [what, expected] of cases) t.like(attemptChange(what, today), expected);
});

test('what follows from an attempt that is claimed, or over', (t) => {
  const flags = ['raises', 'triesAgain', 'marksPlan', 'reviewsRetries'] as const;
  const follows = (what: AttemptHappened): string => {
    const change = attemptChange(what, today);
    // Each is said, so that none is merely absent.
    t.true(flags.every((flag) => typeof change[flag] === 'boolean'));
    return flags.filter((flag) => change[flag]).join(' ');
  };
  const concluded = { happened: 'concluded', outcome: 'paid' } as const;
  for (const [what, expected] of [
    [happenings.claimed, 'marksPlan reviewsRetries'],
    [concluded, 'raises marksPlan reviewsRetries'],
    [happenings.concluded, 'raises triesAgain marksPlan reviewsRetries'],
    [{ ...concluded, outcome: 'noMethod' }, 'raises triesAgain marksPlan reviewsRetries'],
    // The claim marks the plans, and reviews the retries, of all that it claimed.
    [{ ...concluded, outcome: 'noMethod', isInClaim: true }, 'raises triesAgain'],
    [{ ...concluded, outcome: 'nothingOwed', isInClaim: true }, 'raises'],
    [happenings.skipped, 'raises'],
    [happenings.ended, ''],
    [happenings.moved, ''],
    [happenings.reopened, ''],
  ] as const) {
    t.is(follows(what), expected, JSON.stringify(what));
  }
});

test('only a moved or reopened attempt gets another day', (t) => {
  const moved = Object.values(happenings).filter(
    (what) => attemptChange(what, today).dueOn !== null,
  );
  t.deepEqual(
    moved.map(({ happened }) => happened),
    ['moved', 'reopened'],
  );
});
