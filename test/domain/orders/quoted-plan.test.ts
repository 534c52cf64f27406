/** A whole plan in a quantity: what of it the quantity multiplies, and which quantities pages take. */
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { countedCharges, pagePlan, wholePlan } from '../../../domain/orders/quoted-plan.ts';
import { chargeWith, planWith, tiersOf } from '../fixtures.ts';

const base = chargeWith({
  id: 101,
  priceCode: 'BASE',
  followsQuantity: false,
  tiers: tiersOf([['0', null, '49.00']]),
});
const seat = chargeWith({ id: 102, priceCode: 'SEAT', tiers: tiersOf([['0', null, '8.00']]) });
const setup = chargeWith({ id: 103, priceCode: 'SETUP', chargeType: 'OneTimeCharge' });
const support = chargeWith({ id: 104, priceCode: 'SUPPORT', tiers: tiersOf([['0', null, null]]) });
const extra = chargeWith({ id: 105, priceCode: 'EXTRA', standardQuantity: '0' });
const late = chargeWith({ id: 106, priceCode: 'LATE', isPenalty: true });
const team = planWith({ charges: [base, seat, setup, support, extra, late] });

const quantities = (lines: ReturnType<typeof wholePlan>) =>
  lines.map(({ priceCode, quantity }) => `${priceCode} ${quantity}`);

test('a quantity multiplies the recurring charges that follow it, and no base fee', (t) => {
  t.deepEqual(quantities(wholePlan(team, '8')), [
    'BASE 1',
    'SEAT 8',
    'SETUP 1',
    'SUPPORT 8',
    'EXTRA 0',
  ]);
});

test('of percentages and of a standardQuantity of 0 no units are ordered', (t) => {
  t.deepEqual(countedCharges(team), [seat]);
  t.deepEqual(countedCharges(planWith({ charges: [base, setup, support, extra] })), []);
});

interface Asked {
  readonly of: Parameters<typeof chargeWith>[0];
  readonly quantity: string;
  readonly isTaken: boolean;
  readonly kept?: string;
}

const asked: readonly (Asked & { readonly rule: string })[] = [
  { rule: 'a whole number is taken', of: {}, quantity: '8', isTaken: true },
  { rule: 'a part of a unit is not', of: {}, quantity: '1.5', isTaken: false },
  { rule: 'with decimals it is', of: { decimals: true }, quantity: '1.5', isTaken: true },
  {
    rule: 'less than the standardQuantity is not',
    of: { decimals: true },
    quantity: '0.5',
    isTaken: false,
  },
  {
    rule: 'the minQuantity is the least, in units of the charge',
    of: { decimals: true, standardQuantity: '5', minQuantity: '2' },
    quantity: '0.4',
    isTaken: true,
  },
  {
    rule: 'no less than that',
    of: { decimals: true, standardQuantity: '5', minQuantity: '2' },
    quantity: '0.3',
    isTaken: false,
  },
  { rule: 'what an order has may stay', of: {}, quantity: '1.5', isTaken: true, kept: '1.500000' },
  { rule: 'another part may not', of: {}, quantity: '1.6', isTaken: false, kept: '1.5' },
];

for (const { rule, of, quantity, isTaken, kept = null } of asked) {
  test(`a page: ${rule}`, (t) => {
    const plan = planWith({ charges: [base, { ...seat, ...of }, support, extra] });
    const take = () => pagePlan(plan, { quantity, kept });
    if (isTaken) return void t.is(take()[1]?.priceCode, 'SEAT');
    const error = t.throws(take, { instanceOf: DomainError });
    t.like(error, { code: 'quantity.outOfRange', path: 'quantity', value: quantity });
  });
}

test('all charges that are counted must have decimals', (t) => {
  const parts = { ...seat, decimals: true };
  const both = planWith({ charges: [parts, { ...seat, id: 107, priceCode: 'DESK' }] });
  t.throws(() => pagePlan(both, { quantity: '1.5' }), {
    message: /DESK is ordered in whole units/,
  });
});

test('a plan of which nothing follows takes any quantity, and multiplies nothing', (t) => {
  const plan = planWith({ charges: [base, setup] });
  t.deepEqual(quantities(pagePlan(plan, { quantity: '0.5' })), ['BASE 1', 'SETUP 1']);
});
