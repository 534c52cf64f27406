/** The windows of a line's usage, worked out by hand: METERED of the demo tenant, months from the 1st. */
import test from 'ava';
import {
  addDays,
  periodAt,
  periodIndexOf,
  scheduleOf,
  type IsoDate,
} from '../../../domain/calendar/calendar.ts';
import { windowAt, windowIndexOf, type UsageTerm } from '../../../domain/usage/windows.ts';
import { fc } from '../../support/random.ts';

const monthly = { billingPeriod: 'Monthly', alignmentDay: 1 } as const;
const metered = { ...monthly, billingAlignment: 'DayOfMonth' } as const;

/** A line from a day on; its stub, if it has one, is period -1. */
function termWith(changes: Partial<UsageTerm> = {}): UsageTerm {
  const { start = '2027-01-01' } = changes;
  const schedule = scheduleOf(metered, start);
  return { schedule, start, end: null, isSuperseded: false, graceDays: 0, ...changes };
}

function shown(periodIndex: number, term: UsageTerm): string | null {
  const window = windowAt(periodIndex, term);
  return window === null ? null : `${window.from}..${window.to} due ${window.dueOn}`;
}

/** Where a record goes if the periods before one are billed, and when it is billed. */
function placed(chargeDate: IsoDate, firstUnbilled: number, term: UsageTerm): string | null {
  const periodIndex = windowIndexOf(chargeDate, term, (index) => index < firstUnbilled);
  return periodIndex === null ? null : `${periodIndex} ${shown(periodIndex, term)}`;
}

test('a window is due on the day after its last one, and after the days of grace', (t) => {
  const cases = [
    [0, 0, '2027-01-01..2027-01-31 due 2027-02-01'],
    [0, 2, '2027-01-01..2027-01-31 due 2027-02-03'],
    [1, 2, '2027-02-01..2027-02-28 due 2027-03-03'],
    [0, 31, '2027-01-01..2027-01-31 due 2027-03-04'],
    [-1, 0, null],
  ] as const;
  for (const [index, graceDays, days] of cases) t.is(shown(index, termWith({ graceDays })), days);
});

test('the stub is a window of its own', (t) => {
  const term = termWith({ start: '2027-01-15' });
  t.is(shown(-1, term), '2027-01-15..2027-01-31 due 2027-02-01');
  t.is(shown(0, term), '2027-02-01..2027-02-28 due 2027-03-01');
  t.is(shown(-2, term), null);
  t.is(placed('2027-01-31', -1, term), '-1 2027-01-15..2027-01-31 due 2027-02-01');
});

test('a record of a billed window goes to the first later one that is not billed', (t) => {
  const term = termWith({ graceDays: 2 });
  // Sent on 2 February, and on 5 February, when January is billed.
  t.is(placed('2027-01-30', 0, term), '0 2027-01-01..2027-01-31 due 2027-02-03');
  t.is(placed('2027-01-30', 1, term), '1 2027-02-01..2027-02-28 due 2027-03-03');
  t.is(placed('2027-01-30', 2, term), '2 2027-03-01..2027-03-31 due 2027-04-03');
  // Its own window is unbilled: after a rollback, or ahead.
  t.is(placed('2027-03-30', 1, term), '2 2027-03-01..2027-03-31 due 2027-04-03');
  const rolledBack = (periodIndex: number) => periodIndex === 1;
  t.is(windowIndexOf('2027-01-30', term, rolledBack), 0);
  t.is(windowIndexOf('2027-02-10', term, rolledBack), 2);
});

test('the last window ends with the order, and late records go to further ones of its days', (t) => {
  const term = termWith({ end: '2027-03-12' });
  t.is(placed('2027-03-10', 2, term), '2 2027-03-01..2027-03-12 due 2027-03-13');
  // Sent on the 15th: it was due on the 13th, so the next run bills it.
  t.is(placed('2027-03-10', 3, term), '3 2027-03-01..2027-03-12 due 2027-03-13');
  t.is(placed('2027-01-10', 4, term), '4 2027-03-01..2027-03-12 due 2027-03-13');
  t.is(placed('2027-03-13', 2, term), null);
  const graced = { ...term, graceDays: 2 };
  t.is(shown(2, graced), '2027-03-01..2027-03-12 due 2027-03-15');
});

test('the last window of a superseded order has the records of later days too', (t) => {
  const term = termWith({ end: '2027-02-15', isSuperseded: true });
  t.is(placed('2027-02-15', 1, term), '1 2027-02-01..2027-02-15 due 2027-02-16');
  t.is(placed('2027-02-16', 1, term), '1 2027-02-01..2027-02-15 due 2027-02-16');
  t.is(placed('2027-04-30', 1, term), '1 2027-02-01..2027-02-15 due 2027-02-16');
  t.is(placed('2027-04-30', 2, term), '2 2027-02-01..2027-02-15 due 2027-02-16');
  // The order that replaces it keeps the periods.
  const next = { ...termWith(), start: '2027-02-16' };
  t.is(placed('2027-02-16', 0, next), '1 2027-02-16..2027-02-28 due 2027-03-01');
  t.is(placed('2027-02-15', 0, next), null);
});

test('a line without days has no window, whichever order it is of', (t) => {
  for (const isSuperseded of [false, true]) {
    const term = termWith({ start: '2027-02-01', end: '2027-01-31', isSuperseded });
    t.is(shown(0, term), null);
    t.is(placed('2027-02-01', 0, term), null);
    t.is(placed('2027-01-31', 0, term), null);
  }
});

test('windows tile the days of a line, and each record is in exactly one', (t) => {
  const day = fc.integer({ min: 0, max: 500 }).map((days) => addDays('2027-01-01', days));
  const plans = fc.constantFrom(metered, { ...metered, alignmentDay: 31 }, {
    billingPeriod: 'Weekly',
    billingAlignment: 'StartDate',
    alignmentDay: null,
  } as const);
  const closed = fc.uniqueArray(fc.integer({ min: -1, max: 20 }), { maxLength: 20 });
  const property = fc.property(
    day,
    day,
    day,
    plans,
    closed,
    (start, end, chargeDate, plan, ids) => {
      const schedule = scheduleOf(plan, start);
      const term = termWith({ schedule, start, end });
      const billed = new Set(ids);
      const index = windowIndexOf(chargeDate, term, (each) => billed.has(each));
      const isInTerm = start <= chargeDate && chargeDate <= end;
      t.is(index !== null, isInTerm);
      if (index === null) return;
      t.false(billed.has(index));
      const own = periodIndexOf(schedule, chargeDate);
      for (let each = own; each < index; each += 1) t.true(billed.has(each));
      const last = periodIndexOf(schedule, end);
      const having = [];
      for (let each = -2; each <= last; each += 1) {
        const window = windowAt(each, term);
        if (window === null) continue;
        t.true(periodAt(schedule, each).start <= window.from && window.from <= window.to);
        if (window.from <= chargeDate && chargeDate <= window.to) having.push(each);
      }
      t.deepEqual(having, [own]);
    },
  );
  fc.assert(property, { numRuns: 100 });
});
