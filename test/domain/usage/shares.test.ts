/** The amounts of billed usage records, worked out by hand. */
import test from 'ava';
import { compare, formatDecimal, sum } from '../../../domain/money/money.ts';
import {
  amountOfRecord,
  correctionAmount,
  lastAmountOf,
  roundedShare,
  type BilledUsage,
  type SharedUsage,
} from '../../../domain/usage/shares.ts';
import { fc } from '../../support/random.ts';

/** As it is billed: SQL sums the rounded shares of all records, and finds the last. */
function billed(amount: string, quantities: readonly string[], currency: string): BilledUsage {
  const shared: SharedUsage = { quantity: sum(quantities), amount, currency };
  const roundedSum = sum(quantities.map((quantity) => roundedShare(quantity, shared)));
  const lastQuantity = quantities.at(-1) ?? '0';
  const lastAmount = lastAmountOf(shared, { lastQuantity, roundedSum });
  return { ...shared, lastId: quantities.length, lastAmount };
}

function amountsOf(amount: string, quantities: readonly string[], currency = 'USD'): string[] {
  const window = billed(amount, quantities, currency);
  return quantities.map((quantity, index) => amountOfRecord({ id: index + 1, quantity }, window));
}

test('a record’s amount is its share by quantity, and the last one takes the rest', (t) => {
  const cases = [
    ['16.40', ['70', '110'], ['6.38', '10.02']], // 6.377.., 10.022..
    ['10.00', ['1', '1', '1'], ['3.33', '3.33', '3.34']],
    ['0.02', ['1', '1', '1'], ['0.01', '0.01', '0.00']],
    // Rounding gives the first four more than the whole.
    ['0.02', ['1', '1', '1', '1'], ['0.01', '0.01', '0.01', '-0.01']],
    ['30.00', ['75'], ['30.00']],
    ['0.00', ['20', '5'], ['0.00', '0.00']],
    // Net of an unbilled record's correction: 50 - 20 minutes cost 3.00.
    ['3.00', ['50', '-20'], ['5.00', '-2.00']],
    ['3.00', ['0', '30'], ['0.00', '3.00']],
  ] as const;
  for (const [amount, quantities, amounts] of cases) {
    t.deepEqual(amountsOf(amount, quantities), [...amounts]);
  }
  t.deepEqual(amountsOf('100', ['1', '2'], 'JPY'), ['33', '67']);
});

test('records that are corrected altogether have no amount', (t) => {
  t.deepEqual(amountsOf('0.00', ['50', '-50']), ['0.00', '0.00']);
  t.deepEqual(amountsOf('0.00', ['0']), ['0.00']);
});

test('a share just below half a cent is none, however close it is', (t) => {
  const shared = { quantity: '999999999999.999999', amount: '0.01', currency: 'USD' };
  t.is(roundedShare('499999999999.999999', shared), '0.00');
  t.is(roundedShare('500000000000', shared), '0.01');
});

test('a correction takes its part of what its record cost', (t) => {
  const cases = [
    ['-20', { quantity: '50', amount: '5.00' }, '-2.00'],
    ['-50', { quantity: '50', amount: '5.00' }, '-5.00'],
    ['-1', { quantity: '3', amount: '10.00' }, '-3.33'],
    ['-0.5', { quantity: '1', amount: '0.01' }, '-0.01'],
  ] as const;
  for (const [quantity, record, amount] of cases) {
    t.is(correctionAmount(quantity, { ...record, currency: 'USD' }), amount);
  }
});

test('the shares of a window’s records sum to its amount exactly', (t) => {
  const millionths = fc.bigInt({ min: 0n, max: 10n ** 10n });
  const record = fc.tuple(millionths, fc.option(fc.integer({ min: 0, max: 100 })));
  const currencies = fc.constantFrom('USD', 'JPY', 'KWD');
  const records = fc.array(record, { minLength: 1, maxLength: 20 });
  const property = fc.property(records, fc.nat(10_000_000), currencies, (list, units, currency) => {
    // Each with a correction of some percent of it, or with none.
    const quantities = list.flatMap(([quantity, corrected]) => [
      formatDecimal(quantity),
      ...(corrected === null ? [] : [formatDecimal((-quantity * BigInt(corrected)) / 100n)]),
    ]);
    const isNone = compare(sum(quantities), '0') === 0;
    const amount = isNone ? '0' : String(units);
    t.is(sum(amountsOf(amount, quantities, currency)), amount);
  });
  fc.assert(property, { numRuns: 100 });
});
