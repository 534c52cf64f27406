/** After which attempts another one follows, and on which day. */

import test from 'ava';
import {
  nextAttempt,
  outcomeOfUncharged,
  type AttemptOutcome,
} from '../../../domain/payments/attempts.ts';

const declinedOn = '2027-01-15';
const schedule = { retryDays: { days: [1, 3] }, today: '2027-01-16' };
const third = { dueOn: '2027-01-18', declinedOn };

const follows: Readonly<Record<AttemptOutcome, typeof third | null>> = {
  declined: third,
  noMethod: third,
  paid: null,
  nothingOwed: null,
  skipped: null,
  overtaken: null,
  planEnabled: null,
  planEnded: null,
};

for (const [outcome, expected] of Object.entries(follows)) {
  const rule = `after an attempt of 16 January that ended as ${outcome}`;
  test(`${rule} ${expected ? 'that of the 18th follows' : 'none follows'}`, (t) => {
    t.deepEqual(
      nextAttempt({ outcome: outcome as AttemptOutcome, declinedOn }, schedule),
      expected,
    );
  });
}

test('the first decline begins the schedule', (t) => {
  t.deepEqual(nextAttempt({ outcome: 'declined', declinedOn: null }, schedule), {
    dueOn: '2027-01-17',
    declinedOn: '2027-01-16',
  });
});

test('an installment without any method on file was never declined, and is not retried', (t) => {
  t.is(nextAttempt({ outcome: 'noMethod', declinedOn: null }, schedule), null);
});

test('none follows once the schedule is used up', (t) => {
  const last = { ...schedule, today: '2027-01-18' };
  t.is(nextAttempt({ outcome: 'noMethod', declinedOn }, last), null);
});

test('an attempt that charged nobody in its turn says whether money, a plan or the method was why', (t) => {
  const outcomes = [
    { kind: 'paid' },
    { kind: 'setAside', cascadeId: 7 },
    { kind: 'nothingOwed' },
    { kind: 'planEnabled' },
    { kind: 'noMethod' },
  ] as const;
  t.deepEqual(outcomes.map(outcomeOfUncharged), [
    'overtaken',
    'overtaken',
    'overtaken',
    'planEnabled',
    'noMethod',
  ]);
});
