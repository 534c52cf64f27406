/** The day on which an order ends by request. */
import test from 'ava';
import type { Schedule } from '../../../domain/calendar/calendar.ts';
import { periodEndOn, requestedEnd } from '../../../domain/orders/end.ts';

const startDate = '2027-01-15';
const monthly: Schedule = { billingPeriod: 'Monthly', anchor: startDate, alignmentDay: null };
const periods = { schedule: monthly, startDate, trialEndDate: null, newestPeriod: null };

const cases = [
  ['the end by request is the last day of the period of today', null, '2027-01-20', '2027-02-14'],
  [
    'the end by request is the last day of the period that ends today',
    null,
    '2027-02-14',
    '2027-02-14',
  ],
  [
    'the end by request is the last day of the period that begins today',
    null,
    '2027-02-15',
    '2027-03-14',
  ],
  [
    'the end by request is the last day of the first period before startDate',
    null,
    '2026-12-24',
    '2027-02-14',
  ],
  [
    'the end by request is the last day of a period that was billed in advance',
    1,
    '2027-01-20',
    '2027-03-14',
  ],
  ['the end by request is the last day of none that is over', 0, '2027-03-20', '2027-04-14'],
] as const;

for (const [title, newestPeriod, today, end] of cases) {
  test(title, (t) => {
    t.is(periodEndOn({ ...periods, newestPeriod }, today), end);
  });
}

test('the first period of an aligned order is its stub', (t) => {
  const schedule = { billingPeriod: 'Monthly', anchor: '2027-02-01', alignmentDay: 1 } as const;
  t.is(periodEndOn({ ...periods, schedule }, '2027-01-10'), '2027-01-31');
});

test('the end of the term stays, an earlier one without renewal too, and without one it is the period’s', (t) => {
  const end = '2027-02-14';
  const of = (endDate: string | null, isAutoRenew: boolean) =>
    (['periodEnd', 'termEnd'] as const).map((when) =>
      requestedEnd({ endDate, isAutoRenew }, when, { periodEnd: end, trialEnd: null }),
    );
  t.deepEqual(of(null, true), [end, end]);
  t.deepEqual(of(null, false), [end, end]);
  t.deepEqual(of('2028-01-14', true), [end, '2028-01-14']);
  t.deepEqual(of('2028-01-14', false), [end, '2028-01-14']);
  t.deepEqual(of('2027-02-10', true), [end, '2027-02-10']);
  t.deepEqual(of('2027-02-10', false), ['2027-02-10', '2027-02-10']);
});
