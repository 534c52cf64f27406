/** The amounts of a plan's isTax charges. */
import test from 'ava';
import { adjust } from '../../../domain/billing/adjust.ts';
import { tax } from '../../../domain/billing/tax.ts';
import { amountsOf, costing, percentOfOthers } from './rated.ts';

test('an isTax percentage applies to everything but taxes, including percentages and discounts', (t) => {
  const charges = [
    costing('31.00'),
    costing('-1.00', { kind: 'discount' }),
    percentOfOthers('10'),
    costing('2.00', { kind: 'tax' }),
    costing('9.00', { kind: 'usageSubTotal' }),
    percentOfOthers('20', { lineId: 51, kind: 'tax' }),
    percentOfOthers('1', { lineId: 52, kind: 'tax' }),
  ];
  // 10 percent of 31.00 is 3.10; 20 and 1 percent of 33.10.
  t.deepEqual(amountsOf(tax(adjust(charges, 'USD'), 'USD')), [
    '31.00',
    '-1.00',
    '3.10',
    '2.00',
    '9.00',
    '6.62',
    '0.33',
  ]);
});

test('a charge without an amount at that stage is a bug', (t) => {
  t.throws(() => tax([percentOfOthers('10')], 'USD'), { message: /has its amount/ });
});
