/** How long trials are, and which one an order has. */
import test from 'ava';
import { refusePassedDays, trialEndDateOf, trialLengthOf } from '../../../domain/orders/trial.ts';
import { lengthOf, trialEnd, type TrialUnit } from '../../../domain/plans/trial.ts';
import { billsFrom, isInTrial } from '../../../domain/standing/trial.ts';
import { processedOn } from '../../../domain/usage/free.ts';
import { planWith } from '../fixtures.ts';

const lengths: readonly (readonly [number, TrialUnit, string, string, string])[] = [
  [14, 'Days', '2027-01-18', '2027-01-31', '14 Days'],
  [2, 'Weeks', '2027-01-18', '2027-01-31', '14 Days'],
  [1, 'Months', '2027-01-31', '2027-02-27', '1 Months'],
  [1, 'Months', '2027-01-15', '2027-02-14', '1 Months'],
  [12, 'Months', '2028-02-29', '2029-02-27', '12 Months'],
  [365, 'Days', '2027-01-01', '2027-12-31', '365 Days'],
];

test('a trial of days, weeks or months ends on the day before they have passed', (t) => {
  for (const [value, units, from, to, length] of lengths) {
    t.is(trialEnd({ value, units }, from), to, `${value} ${units}`);
    t.is(lengthOf({ value, units }), length);
  }
});

test('billing begins on the day after the trial', (t) => {
  const free = { startDate: '2027-01-18', trialEndDate: '2027-01-31' };
  t.is(billsFrom(free), '2027-02-01');
  t.is(billsFrom({ ...free, trialEndDate: null }), '2027-01-18');
  t.deepEqual(
    ['2027-01-17', '2027-01-31', '2027-02-01'].map((day) => isInTrial(free, day)),
    [true, true, false],
  );
});

test('agreed days come before the trial of the plan, which comes before none', (t) => {
  const plan = planWith({ trial: { value: 14, units: 'Days', card: 'optional' } });
  const basis = { plan, startDate: '2027-01-18', trialDays: null, isUsed: false, replaces: null };
  const before = { trialEndDate: '2027-01-31' };
  const cases = [
    [{}, '2027-01-31', '14 Days'],
    [{ trialDays: 3 }, '2027-01-20', '3 Days'],
    [{ trialDays: 0 }, null, null],
    [{ isUsed: true }, null, null],
    [{ isUsed: true, trialDays: 3 }, '2027-01-20', '3 Days'],
    [{ plan: planWith() }, null, null],
    [{ replaces: before }, '2027-01-31', 'to 2027-01-31'],
    [{ replaces: before, startDate: '2027-02-01' }, null, null],
    [{ replaces: before, plan: planWith() }, null, null],
    [{ replaces: { trialEndDate: null } }, null, null],
    [{ replaces: { trialEndDate: null }, trialDays: 3 }, '2027-01-20', '3 Days'],
  ] as const;
  for (const [more, end, length] of cases) {
    const of = { ...basis, ...more };
    t.is(trialEndDateOf(of), end, JSON.stringify(more));
    t.is(trialLengthOf(of, end), length, JSON.stringify(more));
  }
});

test('what was free stays free, and just that ends the trial', (t) => {
  const refuses = (trialEndDate: string | null, today: string): boolean => {
    try {
      refusePassedDays(trialEndDate, { startDate: '2027-01-18' }, { today, trialDays: 1 });
      return false;
    } catch {
      return true;
    }
  };
  t.deepEqual(
    [null, '2027-01-26', '2027-01-27', '2027-01-31'].map((end) => refuses(end, '2027-01-28')),
    [true, true, false, false],
  );
  t.false(refuses(null, '2027-01-18'));
});

test('usage of a free day is Processed after the trial and the grace, its end, or its upload', (t) => {
  const record = {
    day: '2027-01-20',
    uploadedOn: '2027-01-20',
    trialEndDate: '2027-01-31',
    status: 'Active',
    endDate: null,
    isAutoRenew: true,
    endedOn: null,
  } as const;
  t.is(processedOn(record, 0), '2027-02-01');
  t.is(processedOn(record, 2), '2027-02-03');
  t.is(processedOn({ ...record, uploadedOn: '2027-02-10' }, 2), '2027-02-11');
  t.is(processedOn({ ...record, status: 'Canceled', endedOn: '2027-01-25' }, 2), '2027-01-26');
  t.is(processedOn({ ...record, endDate: '2027-01-28', isAutoRenew: false }, 2), '2027-01-29');
  t.is(processedOn({ ...record, day: '2027-02-01' }, 0), null);
});
