/** On which days a declined automatic payment is tried again. */
import test from 'ava';
import { addDays, addMonths } from '../../../domain/calendar/calendar.ts';
import {
  defaultRetryDays,
  nextRetryDay,
  type RetryDays,
} from '../../../domain/payments/attempts.ts';
import { fc } from '../../support/random.ts';

/** All days of the schedule, if each attempt is made on its day and declined. */
function allDays(retryDays: RetryDays, declinedOn: string): string[] {
  const days: string[] = [];
  for (let today: string | null = declinedOn; today !== null;) {
    today = nextRetryDay(retryDays, { declinedOn, today });
    if (today !== null) days.push(today);
  }
  return days;
}

const schedules: readonly [rule: string, RetryDays, declinedOn: string, days: string][] = [
  [
    'by default on the first, third, fifth and seventh day after the first decline',
    defaultRetryDays,
    '2027-02-26',
    '2027-02-27 2027-03-01 2027-03-03 2027-03-05',
  ],
  ['never without days', { days: [] }, '2027-01-15', ''],
  [
    'in the order of time, whatever the order of the schedule',
    { days: [7, 1, 3] },
    '2027-01-15',
    '2027-01-16 2027-01-18 2027-01-22',
  ],
  [
    'on every 1st and 15th for three months',
    { daysOfMonth: [1, 15] },
    '2027-01-15',
    '2027-02-01 2027-02-15 2027-03-01 2027-03-15 2027-04-01 2027-04-15',
  ],
  [
    'on the last day of a month that has no 31st',
    { daysOfMonth: [31] },
    '2027-01-31',
    '2027-02-28 2027-03-31 2027-04-30',
  ],
  [
    'once on a day that two days of the month clip to',
    { daysOfMonth: [30, 31] },
    '2027-02-10',
    '2027-02-28 2027-03-30 2027-03-31 2027-04-30',
  ],
  [
    'twice on a day that February clipped to the day of the decline',
    { daysOfMonth: [29] },
    '2027-02-28',
    '2027-03-29 2027-04-29',
  ],
  [
    'up to the day three months after the first decline, and no later',
    { daysOfMonth: [10, 11] },
    '2026-11-10',
    '2026-11-11 2026-12-10 2026-12-11 2027-01-10 2027-01-11 2027-02-10',
  ],
];

for (const [rule, retryDays, declinedOn, days] of schedules) {
  test(`a declined payment is tried again ${rule}`, (t) => {
    t.is(allDays(retryDays, declinedOn).join(' '), days);
  });
}

test('a day that passed while nothing ran is not made up for', (t) => {
  const basis = { declinedOn: '2027-01-10', today: '2027-01-14' };
  t.is(nextRetryDay(defaultRetryDays, basis), '2027-01-15');
});

test('each retry is later than the day before it, and within the schedule', (t) => {
  const ofMonth = fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 6 });
  const offset = fc.integer({ min: 0, max: 1_500 });
  fc.assert(
    fc.property(ofMonth, offset, (daysOfMonth, after) => {
      const declinedOn = addDays('2027-01-01', after);
      const days = allDays({ daysOfMonth }, declinedOn);
      t.deepEqual(days, [...new Set(days)].toSorted());
      t.true(days.every((day) => day > declinedOn && day <= addMonths(declinedOn, 3)));
      // Each of three months has each day, of which two may clip to one; declined on 28 February,
      // the 29th has only March and April until 28 May.
      t.true(days.length >= 2 && days.length <= 3 * daysOfMonth.length + 1);
    }),
  );
});
