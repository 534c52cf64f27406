/** Percentages of the other charges that an order has on an invoice. */
import test from 'ava';
import { adjust } from '../../../domain/billing/rate/draft.ts';
import { percentOf } from '../../../domain/billing/rate/percent.ts';
import type { RatedCharge } from '../../../domain/billing/charges.ts';
import { formatDecimal, parseDecimal, sum } from '../../../domain/money/money.ts';
import { amountOf, amountsOf, costing, dueWith, percentOfOthers } from './rated.ts';
import { fc } from '../../support/random.ts';

const adjusted = (...charges: RatedCharge[]) => amountsOf(adjust(charges, 'USD'));
const dueOn = (day: string) => dueWith({ dueOn: day });

test('a percentage applies to the rounded amounts of the other charges, and is rounded once', (t) => {
  // 7.5 percent of 31.00 is 2.325.
  t.deepEqual(adjusted(costing('31.00'), percentOfOthers('7.5')), ['31.00', '2.33']);
  // 7.5 percent of 49.00 + 16.42 is 4.9065, wherever it stands on the line.
  t.deepEqual(
    adjusted(percentOfOthers('7.5'), costing('49.00', { kind: 'oneTime' }), costing('16.42')),
    ['4.91', '49.00', '16.42'],
  );
  t.deepEqual(amountsOf(adjust([costing('3500'), percentOfOthers('7.55')], 'JPY')), [
    '3500',
    '264',
  ]);
});

test('the base of a percentage excludes taxes, discounts, other percentages and subtotals', (t) => {
  t.deepEqual(
    adjusted(
      costing('100.00'),
      costing('20.00', { kind: 'tax' }),
      costing('40.00', { kind: 'usage' }),
      costing('40.00', { kind: 'usageSubTotal' }),
      costing('-10.00', { kind: 'discount' }),
      percentOfOthers('10', { lineId: 50 }),
      percentOfOthers('5', { lineId: 51 }),
    ),
    ['100.00', '20.00', '40.00', '40.00', '-10.00', '14.00', '7.00'],
  );
});

test('a percentage without a base is 0, and a charge with an amount keeps it', (t) => {
  t.deepEqual(adjusted(percentOfOthers('10')), ['0.00']);
  const charges = [costing('31.00'), costing('0.00')];
  t.is(adjust(charges, 'USD'), charges);
});

test('an isTax percentage gets its amount in the tax stage', (t) => {
  t.deepEqual(adjusted(costing('31.00'), percentOfOthers('10', { kind: 'tax' })), ['31.00', null]);
});

test('late periods of one percentage share the line: each charge counts once', (t) => {
  const months = ['2027-01-01', '2027-02-01', '2027-03-01'];
  t.deepEqual(
    adjusted(
      costing('49.00', { kind: 'oneTime' }),
      ...months.map((day) => costing('31.00', { kind: 'period', due: dueOn(day) })),
      ...months.map((day) => percentOfOthers('10', { dueOn: day })),
    ),
    // As on three invoices on time: of 49 + 31, of 31, of 31.
    ['49.00', '31.00', '31.00', '31.00', '8.00', '3.10', '3.10'],
  );
});

test('the periods of a percentage share the line whatever their order on it', (t) => {
  const [first, second] = [dueOn('2027-01-01'), dueOn('2027-02-01')];
  t.deepEqual(
    adjusted(
      costing('31.00', { kind: 'period', due: second }),
      costing('20.00', { kind: 'period', due: first }),
      percentOfOthers('10', { dueOn: '2027-02-01' }),
      percentOfOthers('10', { dueOn: '2027-01-01' }),
    ),
    ['31.00', '20.00', '3.10', '2.00'],
  );
});

test('a charge that was due before the first period of a percentage counts for the first', (t) => {
  t.deepEqual(
    adjusted(
      costing('31.00'),
      costing('31.00', { kind: 'period', due: dueOn('2027-02-01') }),
      percentOfOthers('10', { dueOn: '2027-02-01' }),
      percentOfOthers('10', { dueOn: '2027-03-01' }),
    ),
    ['31.00', '31.00', '6.20', '0.00'],
  );
});

test('of periods that are due on one day, the last one includes all charges due by then', (t) => {
  // As after a pause, when the arrears of two months are due together.
  const [resumed, before] = ['2027-03-10', '2027-01-01'];
  t.deepEqual(
    adjusted(
      costing('31.00', { kind: 'period', due: dueOn(resumed) }),
      costing('49.00', { kind: 'oneTime', due: dueOn(before) }),
      percentOfOthers('10', { dueOn: resumed }),
      percentOfOthers('10', { dueOn: resumed }),
    ),
    ['31.00', '49.00', '4.90', '3.10'],
  );
});

test('a percentage includes each other charge once, however late its periods are billed', (t) => {
  const day = fc.constantFrom('2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01');
  const cents = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cents, day), { minLength: 1, maxLength: 20 }),
      fc.array(day, { minLength: 1, maxLength: 5 }),
      (others, dueDays) => {
        const base = others.map(([amount, due]) =>
          costing(formatDecimal(BigInt(amount) * 10_000n), { kind: 'period', due: dueOn(due) }),
        );
        // 100 percent needs no rounding: the sum equals that of the other charges.
        const percentages = dueDays.map((due) => percentOfOthers('100', { dueOn: due }));
        const result = adjust([...base, ...percentages], 'USD');
        const amounts = result.filter(({ kind }) => kind === 'percent').map(amountOf);
        t.is(
          parseDecimal(sum(amounts.map((amount) => amount ?? ''))),
          parseDecimal(sum(base.map(({ amount }) => amount))),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('a percentage is rounded half away from zero to the minor unit', (t) => {
  t.is(percentOf('7.5', '31.00', 'USD'), '2.33');
  t.is(percentOf('7.5', '-31.00', 'USD'), '-2.33');
  t.is(percentOf('0', '31.00', 'USD'), '0.00');
  t.is(percentOf('33.333333', '100', 'KWD'), '33.333');
});
