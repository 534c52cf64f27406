/** Days and periods tile the calendar, from every start day and with months of any length. */
import test from 'ava';
import {
  addDays,
  addMonths,
  compareDates,
  daysFromTo,
  firstIndex,
  isDate,
  maxDate,
  minDate,
  periodAt,
  periodIndexOf,
  scheduleOf,
  billingPeriods,
  type BillingPeriod,
  type Schedule,
} from '../../../domain/calendar/calendar.ts';
import { fc } from '../../support/random.ts';

const alignable = ['Monthly', 'Quarterly', 'SemiAnnual', 'Yearly'] as const;
const periodsIn20Years = {
  Daily: 7305,
  Weekly: 1044,
  Monthly: 240,
  Quarterly: 80,
  SemiAnnual: 40,
  Yearly: 20,
} as const;

const aligned = (billingPeriod: BillingPeriod, alignmentDay: number, startDate: string) =>
  scheduleOf({ billingPeriod, billingAlignment: 'DayOfMonth', alignmentDay }, startDate);
const unaligned = (billingPeriod: BillingPeriod, startDate: string) =>
  scheduleOf({ billingPeriod, billingAlignment: 'StartDate', alignmentDay: null }, startDate);

test('text is a date only if the date exists in the calendar', (t) => {
  for (const date of [
    '2027-02-28',
    '2028-02-29',
    '2000-02-29',
    '2027-12-31',
    '0001-01-01',
    '9999-12-31',
  ]) {
    t.true(isDate(date), date);
  }
  const others = [
    '2027-02-29',
    '2027-02-30',
    '2100-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
  ];
  for (const text of [
    ...others,
    '2027-01-00',
    '0000-01-01',
    '2027-1-1',
    '20270101',
    '',
    '2027-01-01T00:00',
  ]) {
    t.false(isDate(text), text);
  }
});

test('days and months are added by the calendar, months clipped to their end', (t) => {
  t.is(addDays('2027-02-28', 1), '2027-03-01');
  t.is(addDays('2028-02-28', 1), '2028-02-29');
  t.is(addDays('2027-01-01', -1), '2026-12-31');
  t.is(addDays('2027-01-01', 365), '2028-01-01');
  t.is(addMonths('2027-01-31', 1), '2027-02-28');
  t.is(addMonths('2027-12-31', 2), '2028-02-29');
  t.is(addMonths('2027-03-31', -1), '2027-02-28');
  t.is(addMonths('2027-01-15', -13), '2025-12-15');
  t.is(daysFromTo('2027-01-01', '2027-01-31'), 31);
  t.is(daysFromTo('2027-01-01', '2027-01-01'), 1);
  t.is(daysFromTo('2027-01-02', '2027-01-01'), 0);
  t.is(maxDate('2027-01-31', '2027-02-01'), '2027-02-01');
  t.is(minDate('2027-01-31', '2027-02-01'), '2027-01-31');
  t.deepEqual(['2027-02-01', '2027-01-31'].toSorted(compareDates), ['2027-01-31', '2027-02-01']);
  t.is(compareDates('2027-02-01', '2027-02-01'), 0);
});

test('the calendar ends with the year 9999: later dates become its last day', (t) => {
  t.is(addDays('9999-12-31', 1), '9999-12-31');
  t.is(addMonths('9999-12-01', 1), '9999-12-31');
  t.is(addDays('0001-01-01', -1), '0001-01-01');
});

test('days are counted as the platform counts them, over 800 years', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -146_097, max: 146_097 }), (days) => {
      const date = Temporal.PlainDate.from('2000-02-29').add({ days });
      t.is(addDays('2000-02-29', days), date.toString());
      t.is(daysFromTo('2000-02-29', date.toString()), days + 1);
      t.true(isDate(date.toString()));
    }),
    { numRuns: 500 },
  );
});

test('months end where they end: 31 January, 28 February, 31 March', (t) => {
  const schedule = unaligned('Monthly', '2027-01-31');
  t.deepEqual(
    [0, 1, 2, 3].map((periodIndex) => periodAt(schedule, periodIndex)),
    [
      { start: '2027-01-31', end: '2027-02-27' },
      { start: '2027-02-28', end: '2027-03-30' },
      { start: '2027-03-31', end: '2027-04-29' },
      { start: '2027-04-30', end: '2027-05-30' },
    ],
  );
  t.deepEqual(periodAt(schedule, -1), { start: '2026-12-31', end: '2027-01-30' });
});

test('the first aligned period is the stub before the first alignment day', (t) => {
  const cases = [
    // start, alignment day, anchor, periodIndex of the start, whole period of the start
    ['2027-01-10', 1, '2027-02-01', -1, '2027-01-01', '2027-01-31'],
    ['2027-02-01', 1, '2027-02-01', 0, '2027-02-01', '2027-02-28'],
    ['2027-02-10', 31, '2027-02-28', -1, '2027-01-31', '2027-02-27'],
    ['2027-02-28', 31, '2027-02-28', 0, '2027-02-28', '2027-03-30'],
    ['2027-01-31', 30, '2027-02-28', -1, '2027-01-30', '2027-02-27'],
    ['2027-12-20', 15, '2028-01-15', -1, '2027-12-15', '2028-01-14'],
  ] as const;
  for (const [startDate, day, anchor, periodIndex, start, end] of cases) {
    const schedule = aligned('Monthly', day, startDate);
    t.is(schedule.anchor, anchor, startDate);
    t.is(firstIndex(schedule, startDate), periodIndex, startDate);
    t.deepEqual(periodAt(schedule, periodIndex), { start, end }, startDate);
  }
});

test('aligned periods start on the alignment day itself wherever the month has it', (t) => {
  const schedule = aligned('Quarterly', 31, '2027-02-10');
  t.deepEqual(
    [-1, 0, 1, 2, 3].map((periodIndex) => periodAt(schedule, periodIndex).start),
    ['2026-11-30', '2027-02-28', '2027-05-31', '2027-08-31', '2027-11-30'],
  );
  t.deepEqual(periodAt(aligned('Yearly', 29, '2028-02-10'), 1).start, '2029-02-28');
});

test('periods of days and weeks are not aligned', (t) => {
  t.throws(() => aligned('Weekly', 1, '2027-01-10'), { message: /aligned/ });
  t.deepEqual(periodAt(unaligned('Weekly', '2027-02-25'), 1), {
    start: '2027-03-04',
    end: '2027-03-10',
  });
});

/** The first error in n periods of a schedule, or null; an assertion for each would be slow. */
function faultOf(schedule: Schedule, count: number): string | null {
  let previous = periodAt(schedule, -2);
  for (let periodIndex = -1; periodIndex < count; periodIndex += 1) {
    const period = periodAt(schedule, periodIndex);
    const isTiled = period.start === addDays(previous.end, 1) && period.start <= period.end;
    const isFound =
      periodIndexOf(schedule, period.start) === periodIndex &&
      periodIndexOf(schedule, period.end) === periodIndex;
    if (!isTiled || !isFound) return `${JSON.stringify(schedule)} at ${periodIndex}`;
    previous = period;
  }
  return null;
}

/** Every day of two years, one of them a leap year. */
const startDates = Array.from({ length: 731 }, (_, index) => addDays('2027-01-01', index));

test('periods tile 20 years from every start day', (t) => {
  const faults = alignable.flatMap((billingPeriod) =>
    startDates.map((startDate) =>
      faultOf(unaligned(billingPeriod, startDate), periodsIn20Years[billingPeriod]),
    ),
  );
  t.deepEqual(
    faults.filter((fault) => fault !== null),
    [],
  );
  t.is(faults.length, alignable.length * 731);
  for (const billingPeriod of ['Daily', 'Weekly'] as const) {
    // These periods do not depend on months, so a few starts are enough.
    for (const startDate of ['2027-01-01', '2028-02-29']) {
      t.is(faultOf(unaligned(billingPeriod, startDate), periodsIn20Years[billingPeriod]), null);
    }
  }
});

test('periods tile 20 years from every start day and alignment day', (t) => {
  const anchors = new Set<string>();
  for (const billingPeriod of alignable) {
    for (let day = 1; day <= 31; day += 1) {
      for (const startDate of startDates) {
        const schedule = aligned(billingPeriod, day, startDate);
        const first = periodAt(schedule, firstIndex(schedule, startDate));
        if (first.start > startDate || first.end < startDate) return t.fail(startDate);
        const key = JSON.stringify(schedule);
        if (anchors.has(key)) continue;
        anchors.add(key);
        const fault = faultOf(schedule, periodsIn20Years[billingPeriod]);
        if (fault !== null) return t.fail(fault);
      }
    }
  }
  // 31 days in each of the 24 months, and one more anchor for each day but the first.
  return t.is(anchors.size, alignable.length * (31 * 24 + 30));
});

test('the period that contains a day is found, also before the anchor', (t) => {
  const schedules = fc.record({
    billingPeriod: fc.constantFrom(...billingPeriods),
    anchor: fc.constantFrom(...startDates),
    alignmentDay: fc.constant(null),
  });
  fc.assert(
    fc.property(schedules, fc.integer({ min: -8000, max: 8000 }), (schedule, days) => {
      const date = addDays(schedule.anchor, days);
      const { start, end } = periodAt(schedule, periodIndexOf(schedule, date));
      t.true(start <= date && date <= end, date);
    }),
    { numRuns: 300 },
  );
});

test('a period beyond the calendar throws instead of looping forever', (t) => {
  const yearly = unaligned('Yearly', '9990-01-01');
  t.is(periodAt(yearly, 8).end, '9998-12-31');
  t.throws(() => periodAt(yearly, 10), { message: /beyond the calendar/ });
});
