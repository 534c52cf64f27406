/** What a plan costs in a list of plans, and what a coupon takes off an order that runs. */
import test from 'ava';
import type { Coupon } from '../../../domain/discounts/coupon.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import {
  listPrice,
  runningCoupon,
  type CouponOrder,
} from '../../../domain/self-service/running-price.ts';
import { chargeWith, couponWith, planWith, tiersOf } from '../fixtures.ts';

const view = { currency: 'USD', today: '2027-02-01' } as const;
const fee = chargeWith();
const once: Partial<Charge> = {
  chargeType: 'OneTimeCharge',
  tiers: tiersOf([['0', null, '49.00']]),
};
const usage: Partial<Charge> = { chargeType: 'UsageCharge', tiers: tiersOf([['0', null, '0.10']]) };

const plans: readonly (readonly [Partial<Charge>[], string, string, boolean])[] = [
  [[], '0', '0', false],
  [[{}], '31.00', '0', false],
  [[{}, once], '31.00', '49.00', false],
  [[usage], '0', '0', true],
  [[{}, once, usage], '31.00', '49.00', true],
  // Nobody pays a penalty from the start.
  [[{ ...once, isPenalty: true }], '0', '0', false],
  // 10 percent of the fee.
  [[{}, { tiers: tiersOf([['0', null, null]]) }], '34.10', '0', false],
];

for (const [index, [charges, amount, first, hasUsage]] of plans.entries()) {
  test(`a list of plans has ${amount}, ${first} once, usage ${hasUsage} (${index + 1})`, (t) => {
    const plan = planWith({
      charges: charges.map((each, at) => chargeWith({ ...each, id: at + 1 })),
    });
    const price = listPrice(plan, view);
    t.is(Number(price.amount), Number(amount));
    t.is(Number(price.once), Number(first));
    t.is(price.hasUsage, hasUsage);
  });
}

/** Monthly from 15 January; the day is in its first period. */
const order: CouponOrder = {
  schedule: { billingPeriod: 'Monthly', anchor: '2027-01-15', alignmentDay: null },
  firstPeriod: 0,
  couponPeriodsBefore: 0,
  couponUses: noUses,
};
const lines = [{ charge: fee, quantity: '1', unitPrice: null, isActive: true }];
const taken = (
  coupon: Partial<Coupon>,
  more: Partial<CouponOrder> = {},
  today: string = view.today,
) => runningCoupon(couponWith(coupon), { ...order, ...more }, { ...view, today, lines });

test('a percentage holds for its periods: 31.00 less 10 percent, for three of them', (t) => {
  const coupon = { percent: '10', periods: 3 };
  const expected = { code: 'WELCOME', amount: '27.9', isOnce: false, until: '2027-04-14' };
  t.deepEqual(taken(coupon), expected);
  t.deepEqual(taken(coupon, {}, '2027-04-14'), expected);
  t.is(taken(coupon, {}, '2027-04-15'), null);
  // An order that begins later has its own first period.
  t.deepEqual(taken(coupon, {}, '2027-01-01'), expected);
  // The order before it has used one.
  t.is(taken(coupon, { couponPeriodsBefore: 1 })?.until, '2027-03-14');
});

test('an amount takes no more than the period costs, and without periods it holds on', (t) => {
  t.deepEqual(taken({ amount: '5.00' }), {
    code: 'WELCOME',
    amount: '26',
    isOnce: false,
    until: null,
  });
  t.is(Number(taken({ amount: '50.00' })?.amount), 0);
});

test('a coupon for one invoice is over once it is used', (t) => {
  t.is(taken({ percent: '50', isOnce: true })?.isOnce, true);
  const couponUses = { ...noUses, isUsed: true };
  t.is(taken({ percent: '50', isOnce: true }, { couponUses }), null);
});

test('a coupon that takes nothing off is none', (t) => {
  t.is(runningCoupon(couponWith({ percent: '10' }), order, { ...view, lines: [] }), null);
});
