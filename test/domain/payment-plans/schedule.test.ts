/** The days of installments, from every anchor and by every unit. */
import test from 'ava';
import { addDays } from '../../../domain/calendar/calendar.ts';
import {
  frequencyUnits,
  installmentDay,
  nextInstallmentDay,
  type FrequencyUnit,
} from '../../../domain/payment-plans/schedule.ts';
import { fc } from '../../support/random.ts';

const tables: readonly [
  frequencyValue: number,
  units: FrequencyUnit,
  startDate: string,
  days: string,
][] = [
  [1, 'Days', '2027-02-27', '2027-02-27 2027-02-28 2027-03-01 2027-03-02'],
  [10, 'Days', '2027-12-25', '2027-12-25 2028-01-04 2028-01-14 2028-01-24'],
  [1, 'Weeks', '2027-01-31', '2027-01-31 2027-02-07 2027-02-14 2027-02-21'],
  [2, 'Weeks', '2028-02-20', '2028-02-20 2028-03-05 2028-03-19 2028-04-02'],
  [1, 'Months', '2027-01-31', '2027-01-31 2027-02-28 2027-03-31 2027-04-30'],
  [1, 'Months', '2027-11-30', '2027-11-30 2027-12-30 2028-01-30 2028-02-29'],
  [3, 'Months', '2027-08-31', '2027-08-31 2027-11-30 2028-02-29 2028-05-31'],
  [1, 'Quarters', '2027-01-31', '2027-01-31 2027-04-30 2027-07-31 2027-10-31'],
  [2, 'Quarters', '2027-08-31', '2027-08-31 2028-02-29 2028-08-31 2029-02-28'],
  [1, 'Years', '2028-02-29', '2028-02-29 2029-02-28 2030-02-28 2031-02-28'],
  [4, 'Years', '2028-02-29', '2028-02-29 2032-02-29 2036-02-29 2040-02-29'],
];

for (const [frequencyValue, units, startDate, days] of tables) {
  test(`installments every ${frequencyValue} ${units} from ${startDate}`, (t) => {
    const schedule = { startDate, frequencyValue, frequencyUnits: units };
    t.is([0, 1, 2, 3].map((index) => installmentDay(schedule, index)).join(' '), days);
  });
}

const monthly = { startDate: '2027-01-31', frequencyValue: 1, frequencyUnits: 'Months' } as const;
const nexts: readonly [rule: string, after: string | null, from: string, next: string][] = [
  ['the first is on the start date', null, '2027-01-15', '2027-01-31'],
  ['the next one follows the one before', '2027-01-31', '2027-01-31', '2027-02-28'],
  ['a clipped day does not move the later ones', '2027-02-28', '2027-01-31', '2027-03-31'],
  ['none is before the day of a change', '2027-01-31', '2027-04-01', '2027-04-30'],
  ['the day of a change may be one', '2027-01-31', '2027-04-30', '2027-04-30'],
];

for (const [rule, after, from, next] of nexts) {
  test(`of the days of a plan, ${rule}`, (t) => {
    t.is(nextInstallmentDay(monthly, { after, from }), next);
  });
}

test('following one installment after the other gives each day of the schedule once', (t) => {
  const schedules = fc.record({
    startDate: fc.integer({ min: 0, max: 3_000 }).map((after) => addDays('2026-01-01', after)),
    frequencyValue: fc.integer({ min: 1, max: 40 }),
    frequencyUnits: fc.constantFrom(...frequencyUnits),
  });
  fc.assert(
    fc.property(schedules, fc.integer({ min: 1, max: 30 }), (schedule, count) => {
      const expected = Array.from({ length: count }, (_, index) => installmentDay(schedule, index));
      const days: string[] = [];
      for (let after: string | null = null; days.length < count; after = days.at(-1) ?? null) {
        days.push(nextInstallmentDay(schedule, { after, from: schedule.startDate }));
      }
      t.deepEqual(days, expected);
      t.deepEqual(days.toSorted(), days);
      t.is(new Set(days).size, count);
    }),
  );
});
