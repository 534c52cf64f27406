/** The days of a statement: what a form may ask for, and what is at fault. */
import test from 'ava';
import {
  statementPeriod,
  type AskedPeriod,
} from '../../../domain/self-service/statement-period.ts';

const TODAY = '2027-01-15';

const periods: readonly (readonly [rule: string, asked: AskedPeriod, from: string, to: string])[] =
  [
    ['a year up to today', {}, '2026-01-16', TODAY],
    ['empty fields ask for nothing', { from: '', to: ' ' }, '2026-01-16', TODAY],
    ['from a day up to today', { from: '2020-02-29' }, '2020-02-29', TODAY],
    ['a year up to a day', { to: '2024-02-29' }, '2023-03-01', '2024-02-29'],
    ['both days', { from: '2026-12-01', to: '2026-12-31' }, '2026-12-01', '2026-12-31'],
    ['one day', { from: TODAY, to: TODAY }, TODAY, TODAY],
    ['the beginning of the calendar', { to: '0001-01-01' }, '0001-01-01', '0001-01-01'],
    ['the end of the calendar', { to: '9999-12-31' }, '9999-01-01', '9999-12-31'],
  ];

for (const [rule, asked, from, to] of periods) {
  test(`a statement is of ${rule}`, (t) => {
    t.deepEqual(statementPeriod(asked, TODAY), { period: { from, to }, faults: [] });
  });
}

const faults: readonly (readonly [asked: AskedPeriod, ...faults: [string, string][]])[] = [
  [{ from: '2027-02-30' }, ['from', 'date.form']],
  [{ from: 'x', to: '15.01.2027' }, ['from', 'date.form'], ['to', 'date.form']],
  [{ to: '0000-01-01' }, ['to', 'date.form']],
  [{ from: '2027-01-16' }, ['from', 'date.order']],
  [{ from: '2026-12-31', to: '2026-12-30' }, ['from', 'date.order']],
];

for (const [asked, ...expected] of faults) {
  test(`${JSON.stringify(asked)} is at fault`, (t) => {
    const { period, faults: found } = statementPeriod(asked, TODAY);
    t.is(period, null);
    t.deepEqual(
      found.map(({ field, key }) => [field, key]),
      expected,
    );
  });
}
