/** Instants and days of time zones, in nights when the clocks change. */
import test from 'ava';
import { dateIn, isTimezone, startOfDay } from '../../../domain/calendar/zone.ts';
import { addDays } from '../../../domain/calendar/calendar.ts';
import { fc } from '../../support/random.ts';

test('a time zone is recognized by its name', (t) => {
  for (const name of ['America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Beirut']) {
    t.true(isTimezone(name), name);
  }
  for (const name of ['Mars/Olympus', '', '+02:00', 'Europe/', '2027-01-01T00:00[UTC]']) {
    t.false(isTimezone(name), name);
  }
});

test('a day starts at 00:00 of its zone, or at its first instant if the clocks skip 00:00', (t) => {
  const cases = [
    ['America/New_York', '2027-01-01', '2027-01-01T05:00:00Z'],
    ['America/New_York', '2027-03-14', '2027-03-14T05:00:00Z'], // clocks go on at 02:00
    ['America/New_York', '2027-03-15', '2027-03-15T04:00:00Z'],
    ['America/New_York', '2027-11-07', '2027-11-07T04:00:00Z'],
    ['America/New_York', '2027-11-08', '2027-11-08T05:00:00Z'],
    ['Europe/Berlin', '2027-03-28', '2027-03-27T23:00:00Z'],
    ['Europe/Berlin', '2027-03-29', '2027-03-28T22:00:00Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'], // 00:00 became 01:00
    ['America/Sao_Paulo', '2018-11-05', '2018-11-05T02:00:00Z'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'], // 23:00 came twice the day before
    ['Asia/Beirut', '2022-03-27', '2022-03-26T22:00:00Z'], // 00:00 became 01:00
    ['Asia/Beirut', '2022-03-28', '2022-03-27T21:00:00Z'],
  ] as const;
  for (const [timezone, date, instant] of cases) {
    t.is(startOfDay(timezone, date), Date.parse(instant), `${timezone} ${date}`);
  }
});

test('an instant falls on the day of its zone', (t) => {
  const cases = [
    ['America/New_York', '2027-01-01T04:59:59.999Z', '2026-12-31'],
    ['America/New_York', '2027-01-01T05:00:00Z', '2027-01-01'],
    ['Europe/Berlin', '2027-06-30T22:00:00Z', '2027-07-01'],
    ['America/Sao_Paulo', '2018-11-04T02:59:59Z', '2018-11-03'],
    ['America/Sao_Paulo', '2018-02-18T02:30:00Z', '2018-02-17'],
    ['Asia/Beirut', '2022-03-26T21:59:59Z', '2022-03-26'],
    ['Asia/Beirut', '2022-03-26T22:00:00Z', '2022-03-27'],
  ] as const;
  for (const [timezone, instant, date] of cases) {
    t.is(dateIn(timezone, Date.parse(instant)), date, `${timezone} ${instant}`);
  }
});

test('a day contains its first instant, and the instant before belongs to the previous day', (t) => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Beirut', 'America/Sao_Paulo'];
  const days = fc.integer({ min: 0, max: 12_000 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (timezone, offset) => {
      const date = addDays('2000-01-01', offset);
      const start = startOfDay(timezone, date);
      t.is(dateIn(timezone, start), date);
      t.is(dateIn(timezone, start - 1), addDays(date, -1));
    }),
    { numRuns: 100 },
  );
});
