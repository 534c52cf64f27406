/** The dates of date-based commissions, worked out by hand. */
import test from 'ava';
import {
  dueDateAfter,
  dueDates,
  servingOn,
  type ServingOrder,
} from '../../../domain/commissions/dates.ts';
import type { DateTerms } from '../../../domain/commissions/terms.ts';

const months = (value: number): DateTerms => ({
  chargeType: 'DateBasedCharge',
  value,
  units: 'Months',
});
const once = (value: number | null, units: DateTerms['units'] = null): DateTerms => ({
  chargeType: 'DateBasedChargeOneTime',
  value,
  units,
});
const never: DateTerms = { chargeType: 'RecurringCharge', value: null, units: null };
const unbounded = { after: null, upTo: '2028-12-31', max: 4 };

const tables: readonly [title: string, terms: DateTerms, joined: string, dates: string[]][] = [
  [
    'dates count from the joiningDate each time, and clip to the end of the month',
    months(1),
    '2027-01-31',
    [
      '2027-02-28 since 2027-01-31',
      '2027-03-31 since 2027-02-28',
      '2027-04-30 since 2027-03-31',
      '2027-05-31 since 2027-04-30',
    ],
  ],
  [
    'every 3 months',
    months(3),
    '2027-01-31',
    [
      '2027-04-30 since 2027-01-31',
      '2027-07-31 since 2027-04-30',
      '2027-10-31 since 2027-07-31',
      '2028-01-31 since 2027-10-31',
    ],
  ],
  [
    'a year after the leap day is the last of February',
    { chargeType: 'DateBasedCharge', value: 1, units: 'Years' },
    '2024-02-29',
    [
      '2025-02-28 since 2024-02-29',
      '2026-02-28 since 2025-02-28',
      '2027-02-28 since 2026-02-28',
      '2028-02-29 since 2027-02-28',
    ],
  ],
  ['once, after a month', once(1, 'Months'), '2027-01-15', ['2027-02-15 since 2027-01-15']],
  ['once, without a value: at once', once(null), '2027-01-15', ['2027-01-15 since 2027-01-15']],
  ['a recurring charge has no date', never, '2027-01-15', []],
  ['an interval that a file of before lacks', { ...months(0), value: null }, '2027-01-15', []],
];

for (const [title, terms, joined, dates] of tables) {
  test(title, (t) => {
    const found = dueDates(terms, joined, unbounded);
    t.deepEqual(
      found.map(({ on, since }) => `${on} since ${since}`),
      dates,
    );
  });
}

test('the next date is the first after a day, however long ago the agent joined', (t) => {
  t.deepEqual(dueDateAfter(months(1), '1997-01-31', '2027-02-27'), {
    on: '2027-02-28',
    since: '2027-01-31',
  });
  t.is(dueDateAfter(months(1), '1997-01-31', '2027-02-28')?.on, '2027-03-31');
  t.is(dueDateAfter(months(7), '2026-12-15', '2027-07-14')?.on, '2027-07-15');
  t.is(dueDateAfter(once(1, 'Years'), '2027-01-15', '2028-01-15'), null);
});

test('the calendar ends, and with it the dates', (t) => {
  t.is(dueDateAfter(months(1), '9999-11-30', '9999-12-30'), null);
});

const order: ServingOrder = {
  status: 'Active',
  startDate: '2027-01-15',
  endDate: null,
  isAutoRenew: false,
  endedOn: null,
};

const serving: readonly [
  title: string,
  order: Partial<ServingOrder>,
  day: string,
  is: ReturnType<typeof servingOn>,
][] = [
  ['an Active order', {}, '2027-01-15', 'serves'],
  ['an order of the future', {}, '2027-01-14', 'not yet'],
  ['a Suspended order', { status: 'Suspended' }, '2027-02-01', 'serves'],
  ['a Draft', { status: 'Draft' }, '2027-02-01', 'not yet'],
  ['a Provisioning order', { status: 'Provisioning' }, '2027-02-01', 'not yet'],
  ['the last day', { endDate: '2027-02-14' }, '2027-02-14', 'serves'],
  ['the day after the last', { endDate: '2027-02-14' }, '2027-02-15', 'over'],
  ['a renewal', { endDate: '2027-02-14', isAutoRenew: true }, '2027-02-15', 'serves'],
  ['Complete', { status: 'Complete', endDate: '2027-02-14' }, '2027-02-14', 'serves'],
  ['Complete, after', { status: 'Complete', endDate: '2027-02-14' }, '2027-02-15', 'over'],
  ['Canceled', { status: 'Canceled', endedOn: '2027-02-01' }, '2027-02-01', 'serves'],
  ['Canceled, after', { status: 'Canceled', endedOn: '2027-02-01' }, '2027-02-02', 'over'],
  ['Canceled before it began', { status: 'Canceled' }, '2027-02-02', 'over'],
  ['Superseded on its first day', { status: 'Superseded' }, '2027-01-15', 'over'],
];

for (const [title, changes, day, is] of serving) {
  test(`whether an order serves: ${title} on ${day}`, (t) => {
    t.is(servingOn({ ...order, ...changes }, day), is);
  });
}
