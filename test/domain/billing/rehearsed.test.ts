/** What makes an outlier of a rehearsed bill, by the difference and by how many times as much it is. */
import test from 'ava';
import { differenceOf, isOutlier, type Compared } from '../../../domain/billing/rehearsed.ts';

const limits = { ratio: '3', amount: '100', amounts: { JPY: '15000' } };

function bill(currency: string, amount: string, lastAmount: string | null): Compared {
  return { customerId: 1, currency, total: amount, amount, lastAmount };
}

const bills: readonly (readonly [string, string, string | null, boolean])[] = [
  // Three times as much, and 100.00 more.
  ['USD', '150.00', '50.00', true],
  ['USD', '149.99', '50.00', false],
  // Three times as much, but a small difference.
  ['USD', '149.99', '49.99', true],
  ['USD', '149.97', '49.99', false],
  ['USD', '90.00', '10.00', false],
  // A large difference, but not three times as much.
  ['USD', '2999.99', '1000.00', false],
  ['USD', '3000.00', '1000.00', true],
  // A third, and less.
  ['USD', '50.00', '150.00', true],
  ['USD', '50.01', '150.01', false],
  ['USD', '0.00', '100.00', true],
  ['USD', '0.00', '99.99', false],
  // What goes back.
  ['USD', '-20.00', '90.00', true],
  ['USD', '-5.00', '90.00', false],
  // Nothing, or less, in the last period.
  ['USD', '100.00', '0.00', true],
  ['USD', '99.99', '0.00', false],
  ['USD', '70.00', '-30.00', true],
  // The first bill.
  ['USD', '1000.00', null, true],
  ['USD', '999.99', null, false],
  // A limit of its own.
  ['JPY', '20000', '5000', true],
  ['JPY', '19999', '5000', false],
  ['JPY', '149999', null, false],
];

for (const [currency, amount, last, expected] of bills) {
  const after = last === null ? 'as the first bill' : `after ${last}`;
  test(`${amount} ${currency} ${after} is ${expected ? 'an' : 'no'} outlier`, (t) => {
    t.is(isOutlier(bill(currency, amount, last), limits), expected);
  });
}

test('a difference is never below zero', (t) => {
  t.is(differenceOf(bill('USD', '10.00', '29.95')), '19.95');
  t.is(differenceOf(bill('USD', '29.95', '10.00')), '19.95');
  t.is(differenceOf(bill('USD', '29.95', null)), '29.95');
});
