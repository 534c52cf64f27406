/** Which numbers a series gives, and whether it may meet another or a number that is there. */
import test from 'ava';
import { fc } from '../../support/random.ts';
import {
  counterOf,
  filledPrefix,
  mayMeet,
  mayStillGive,
  numberingOf,
  patternOf,
  seriesOf,
  seriesOfInvoice,
  type SeriesState,
  type WrittenSeries,
} from '../../../domain/invoices/number-series.ts';

const today = '2027-06-15';

const state = (written: WrittenSeries, next: readonly [number, number][] = []): SeriesState => ({
  series: seriesOf(written),
  next: new Map(next),
});

test('a whole number is the start of the series without a prefix; a yearly one begins at 1', (t) => {
  t.deepEqual(seriesOf(5001), { prefix: '', start: 5001, digits: 1, yearly: false });
  t.is(seriesOf().start, 1001);
  t.is(seriesOf({ prefix: 'INV-' }).start, 1001);
  t.is(seriesOf({ prefix: 'INV-{YY}-', yearly: true }).start, 1);
  t.is(seriesOf({ prefix: 'INV-{YY}-', yearly: true, start: 100 }).start, 100);
});

test('a yearly series counts in each year, another goes on', (t) => {
  const yearly = seriesOf({ prefix: 'INV-{YYYY}-', yearly: true });
  t.deepEqual(counterOf(yearly, '2027-12-31'), { prefix: 'INV-{YYYY}-', year: 2027 });
  t.deepEqual(counterOf(yearly, '2028-01-01'), { prefix: 'INV-{YYYY}-', year: 2028 });
  const other = seriesOf({ prefix: '{YYYY}/' });
  t.deepEqual(counterOf(other, '2028-01-01'), { prefix: '{YYYY}/', year: 0 });
  t.is(filledPrefix('{YYYY}/', 2028), '2028/');
  t.is(filledPrefix('R{YY}.{YYYY}', 2028), 'R28.2028');
});

test('credit notes have their own series, or are among the invoices', (t) => {
  const both = numberingOf({ invoice: 1001, creditNote: { prefix: 'CN-' } });
  t.is(seriesOfInvoice(both, '-0.01').prefix, 'CN-');
  t.is(seriesOfInvoice(both, '0').prefix, '');
  t.is(seriesOfInvoice(numberingOf({}), '-1').prefix, '');
});

for (const [written, next, number, gives] of [
  [1001, [[0, 1003]], '1003', true],
  [1001, [[0, 1003]], '1002', false],
  [1001, [[0, 1003]], '0001003', false],
  [1001, [[0, 1003]], 'A-1003', false],
  [1001, [], '1000', false],
  [{ digits: 6 }, [], '001001', true],
  [{ digits: 6 }, [], '1001', false],
  [{ digits: 6 }, [], '1234567', true],
  [{ prefix: 'INV-{YYYY}-', digits: 4, yearly: true }, [[2027, 413]], 'INV-2027-0412', false],
  [{ prefix: 'INV-{YYYY}-', digits: 4, yearly: true }, [[2027, 413]], 'INV-2027-0413', true],
  [{ prefix: 'INV-{YYYY}-', digits: 4, yearly: true }, [[2027, 413]], 'INV-2028-0001', true],
  // Every document is of today or later.
  [{ prefix: 'INV-{YYYY}-', digits: 4, yearly: true }, [[2027, 413]], 'INV-2026-0500', false],
  // In a hundred years.
  [{ prefix: 'R{YY}-', start: 1, yearly: true }, [], 'R26-7', true],
  [{ prefix: '{YYYY}/' }, [[0, 1042]], '2028/1042', true],
  [{ prefix: '{YYYY}/' }, [[0, 1042]], '2028/1041', false],
] as const satisfies readonly (readonly [
  WrittenSeries,
  readonly (readonly [number, number])[],
  string,
  boolean,
])[]) {
  test(`${JSON.stringify(written)} after ${JSON.stringify(next)} ${gives ? 'may give' : 'never gives'} ${number}`, (t) => {
    const given = { series: seriesOf(written), next: new Map<number, number>(next) };
    t.is(mayStillGive(given, number, today), gives);
    if (gives) t.regex(number, new RegExp(patternOf(given.series)));
  });
}

for (const [one, other, meet] of [
  [1001, 500_001, true],
  [1001, { prefix: 'CN-' }, false],
  [{ prefix: 'INV-' }, { prefix: 'INV-1' }, true],
  [{ prefix: 'INV-' }, { prefix: 'INV-C' }, false],
  // INV-0 is before a number that begins with a zero: four digits have room for one such number.
  [{ prefix: 'INV-' }, { prefix: 'INV-0' }, false],
  [{ prefix: 'INV-', digits: 5 }, { prefix: 'INV-0' }, true],
  [{ prefix: 'INV-', digits: 4 }, { prefix: 'INV-0' }, false],
  [{ prefix: 'INV-{YYYY}-', yearly: true }, { prefix: 'INV-2027-' }, true],
  [{ prefix: 'INV-{YYYY}-', yearly: true }, { prefix: 'INV-2026-' }, false],
  [{ prefix: '', start: 1 }, { prefix: '{YYYY}' }, true],
  [{ prefix: 'A{YY}' }, { prefix: 'A{YYYY}' }, true],
] as const satisfies readonly (readonly [WrittenSeries, WrittenSeries, boolean])[]) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} ${meet ? 'may meet' : 'never meet'}`, (t) => {
    t.is(mayMeet(state(one), state(other), today), meet);
    t.is(mayMeet(state(other), state(one), today), meet);
  });
}

const prefix = fc
  .array(fc.constantFrom('A', '0', '1', '2', '-', '{YY}', '{YYYY}'), { maxLength: 3 })
  .map((parts) => parts.join(''))
  .filter((written) => filledPrefix(written, 2027).length <= 10);

const written = fc
  .record({
    prefix,
    start: fc.integer({ min: 1, max: 2_100 }),
    digits: fc.integer({ min: 1, max: 6 }),
  })
  .chain((series) =>
    fc.boolean().map((yearly) => ({ ...series, yearly: yearly && series.prefix.includes('{') })),
  );

test('a number that two series give makes them meet, and each may give what it gives', (t) => {
  const given = (series: ReturnType<typeof seriesOf>): Set<string> => {
    const numbers = new Set<string>();
    for (const year of [2027, 2028, 2029]) {
      for (let ahead = 0; ahead < 40; ahead += 1) {
        const digits = String(series.start + ahead * 7).padStart(series.digits, '0');
        numbers.add(filledPrefix(series.prefix, year) + digits);
      }
    }
    return numbers;
  };
  fc.assert(
    fc.property(written, written, (left, right) => {
      const [one, other] = [state(left), state(right)];
      const numbers = given(one.series);
      for (const number of numbers) {
        t.true(mayStillGive(one, number, today), `${JSON.stringify(left)} gives ${number}`);
      }
      const isShared = [...given(other.series)].some((number) => numbers.has(number));
      if (isShared) t.true(mayMeet(one, other, today), JSON.stringify([left, right]));
    }),
    { numRuns: 60 },
  );
});
