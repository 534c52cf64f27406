/** Discounts of a coupon on the charges that one invoice has of an order. */
import test from 'ava';
import { adjust } from '../../../domain/billing/rate/draft.ts';
import type { RatedCharge } from '../../../domain/billing/charges.ts';
import { usesAfter, withDiscounts } from '../../../domain/billing/rate/discount.ts';
import type { Coupon } from '../../../domain/discounts/coupon.ts';
import { noUses, type CouponUses, type OrderCoupon } from '../../../domain/discounts/uses.ts';
import { add, compare, negate, sum } from '../../../domain/money/money.ts';
import { chargeWith, couponWith, lineWith } from '../fixtures.ts';
import { fc } from '../../support/random.ts';
import { amountsOf, costing, dueWith, percentOfOthers } from './rated.ts';

const ofOrder = (coupon: Partial<Coupon>, changes: Partial<OrderCoupon> = {}): OrderCoupon => ({
  coupon: couponWith(coupon),
  firstPeriod: 0,
  countsFrom: 0,
  sharedBy: 7,
  periodsSharedBy: 7,
  uses: noUses,
  ...changes,
});
const fixed = (amount: string, more: Partial<Coupon> = {}) => ({
  amount,
  currency: 'USD',
  ...more,
});

/** A charge of a line of its own, of a period. */
const fee = (amount: string, periodIndex = 0, id = 1) =>
  costing(amount, { kind: 'period', due: dueWith({ periodIndex, line: lineWith({ id }) }) });
const once = (amount: string) => {
  const line = lineWith({ id: 90, charge: chargeWith({ chargeType: 'OneTimeCharge' }) });
  return costing(amount, { kind: 'oneTime', due: dueWith({ line }) });
};
const discounted = (charges: readonly RatedCharge[], order: OrderCoupon, currency = 'USD') =>
  amountsOf(withDiscounts(charges, order, currency).charges);
const used = (byPeriod: readonly (readonly [number, string])[]): CouponUses => ({
  ...noUses,
  isUsed: true,
  byPeriod: new Map(byPeriod),
});

test('a percentage is taken off each charge, and rounded for each', (t) => {
  // 10 percent of 29.95 is 2.995.
  t.deepEqual(discounted([once('49.00'), fee('29.95')], ofOrder({ percent: '10' })), [
    '49.00',
    '-4.90',
    '29.95',
    '-3.00',
  ]);
});

test('the tiers of one period share a discount, which follows the last of them', (t) => {
  const due = dueWith();
  const tiers = [
    costing('10.05', { kind: 'period', due }),
    costing('10.05', { kind: 'period', due }),
  ];
  // 10 percent of 20.10, not twice 1.01.
  t.deepEqual(discounted([...tiers, fee('1.00')], ofOrder({ percent: '10' })), [
    '10.05',
    '10.05',
    '-2.01',
    '1.00',
    '-0.10',
  ]);
});

test('percentages of the plan see no discounts, and are discounted themselves', (t) => {
  const charges = adjust([fee('100.00'), percentOfOthers('10')], 'USD');
  t.deepEqual(discounted(charges, ofOrder({ percent: '10' })), [
    '100.00',
    '-10.00',
    '10.00',
    '-1.00',
  ]);
});

test('penalties, taxes, credits, subtotals and charges of zero or less are not discounted', (t) => {
  const charges = [
    costing('10.00', { kind: 'penalty' }),
    costing('2.00', { kind: 'tax' }),
    costing('-7.00', { kind: 'credit' }),
    costing('40.00', { kind: 'usageSubTotal' }),
    fee('0.00', 0, 2),
    fee('-5.00', 0, 3),
  ];
  for (const coupon of [{ percent: '50' }, fixed('5.00')]) {
    t.deepEqual(discounted(charges, ofOrder(coupon)), amountsOf(charges));
  }
});

test('a fixed amount is shared out by what the charges of its period cost', (t) => {
  // 5.00 x 49.00 / 78.95 is 3.1033; the last takes the rest.
  t.deepEqual(discounted([once('49.00'), fee('29.95')], ofOrder(fixed('5.00'))), [
    '49.00',
    '-3.10',
    '29.95',
    '-1.90',
  ]);
  t.deepEqual(discounted([fee('1000')], ofOrder({ amount: '99', currency: 'JPY' }), 'JPY'), [
    '1000',
    '-99',
  ]);
});

test('a fixed amount is taken off each elapsed period, and never more than it costs', (t) => {
  const charges = [fee('29.95', 0), fee('29.95', 1), fee('3.00', 2)];
  t.deepEqual(discounted(charges, ofOrder(fixed('5.00'))), [
    '29.95',
    '-5.00',
    '29.95',
    '-5.00',
    '3.00',
    '-3.00',
  ]);
});

test('what earlier invoices took of a period is not taken again', (t) => {
  const uses = used([
    [0, '3.10'],
    [1, '5.00'],
  ]);
  const charges = [fee('29.95', 0), fee('29.95', 1), fee('29.95', 2)];
  t.deepEqual(discounted(charges, ofOrder(fixed('5.00'), { uses })), [
    '29.95',
    '-1.90',
    '29.95',
    '29.95',
    '-5.00',
  ]);
});

test('what rounding leaves goes to the last charges, as far as they cost it', (t) => {
  const cents = (count: number) =>
    Array.from({ length: count }, (_, index) => fee('0.01', 0, index + 1));
  // Each share rounds to nothing: the last two, and the last three, take a cent each.
  t.deepEqual(discounted(cents(5), ofOrder(fixed('0.02'))).slice(2), [
    '0.01',
    '0.01',
    '-0.01',
    '0.01',
    '-0.01',
  ]);
  t.is(discounted(cents(7), ofOrder(fixed('0.03'))).filter((each) => each === '-0.01').length, 3);
  // 0.05 of 0.12: the last takes 0.02, which is all that it costs, and three before it a cent.
  t.deepEqual(discounted([...cents(10), fee('0.02', 0, 11)], ofOrder(fixed('0.05'))).slice(-8), [
    '0.01',
    '-0.01',
    '0.01',
    '-0.01',
    '0.01',
    '-0.01',
    '0.02',
    '-0.02',
  ]);
});

test('of usage the window’s sum is discounted, of tiers only those above zero', (t) => {
  const window = costing('10.00', { kind: 'usage' });
  const back = costing('-4.00', { kind: 'usage' });
  if (window.kind !== 'usage' || back.kind !== 'usage') return t.fail();
  const together = [window, { ...back, window: window.window }];
  t.deepEqual(discounted(together, ofOrder({ percent: '50' })), ['10.00', '-4.00', '-3.00']);
  // What corrects earlier usage carries the discount of then.
  const corrects = [{ chargeId: 11, amount: '4.00', supplied: '0' }];
  const corrected = [window, { ...back, window: window.window, corrects }];
  t.deepEqual(discounted(corrected, ofOrder({ percent: '50' })), ['10.00', '-5.00', '-4.00']);
  const due = dueWith();
  const tiers = [
    costing('10.00', { kind: 'period', due }),
    costing('-4.00', { kind: 'period', due }),
  ];
  t.deepEqual(discounted(tiers, ofOrder({ percent: '50' })), ['10.00', '-4.00', '-5.00']);
  for (const amount of ['-4.00', '0.00']) {
    const nothing = costing(amount, { kind: 'usage' });
    t.deepEqual(discounted([nothing], ofOrder({ percent: '50' })), [amount]);
    t.deepEqual(discounted([nothing], ofOrder(fixed('5.00'))), [amount]);
  }
});

test('late usage of an ended order is of the last period that it repeats', (t) => {
  const late = costing('10.00', { kind: 'usage' });
  if (late.kind !== 'usage') return t.fail();
  const window = { ...late.window, periodIndex: 3, ofPeriod: 2 };
  const { charges } = withDiscounts([{ ...late, window }], ofOrder({ percent: '10' }), 'USD');
  t.like(charges[1], { kind: 'discount', periodIndex: 2 });
  t.deepEqual(discounted([{ ...late, window }], ofOrder({ percent: '10', periods: 3 })), [
    '10.00',
    '-1.00',
  ]);
});

test('rounding takes no more of a charge than it costs', (t) => {
  const cents = Array.from({ length: 4 }, (_, index) => fee('0.01', 0, index + 1));
  // 0.03 over four cents: each share rounds to one.
  t.deepEqual(discounted(cents, ofOrder(fixed('0.03'))), [
    '0.01',
    '-0.01',
    '0.01',
    '-0.01',
    '0.01',
    '-0.01',
    '0.01',
  ]);
});

test('periods count from the order’s first one, of which one-time charges are', (t) => {
  const charges = [once('49.00'), fee('10.00', -1), fee('29.95', 0), fee('29.95', 1)];
  const order = ofOrder({ percent: '10', periods: 2 }, { firstPeriod: -1, countsFrom: -1 });
  t.deepEqual(discounted(charges, order), [
    '49.00',
    '-4.90',
    '10.00',
    '-1.00',
    '29.95',
    '-3.00',
    '29.95',
  ]);
  const second = ofOrder(fixed('5.00', { periods: 1 }), { firstPeriod: -1, countsFrom: -1 });
  t.deepEqual(discounted([once('4.00'), fee('4.00', -1), fee('9.00', 0)], second), [
    '4.00',
    '-2.50',
    '4.00',
    '-2.50',
    '9.00',
  ]);
});

test('a coupon for one invoice is used up by it', (t) => {
  const order = ofOrder(fixed('100.00', { isOnce: true }));
  const { charges, uses } = withDiscounts([fee('29.95')], order, 'USD');
  t.deepEqual(amountsOf(charges), ['29.95', '-29.95']);
  t.deepEqual(discounted([fee('29.95', 1)], { ...order, uses }), ['29.95']);
  // An invoice with nothing to discount does not use it.
  const unused = withDiscounts([costing('10.00', { kind: 'penalty' })], order, 'USD');
  t.is(unused.uses, order.uses);
});

test('a coupon for one invoice has its amount once, not for each period', (t) => {
  const charges = [fee('20.00', 0), fee('20.00', 1)];
  t.deepEqual(discounted(charges, ofOrder(fixed('30.00', { isOnce: true }))), [
    '20.00',
    '-15.00',
    '20.00',
    '-15.00',
  ]);
});

test('what a change gives back of a used coupon is taken again, and no more', (t) => {
  const charges = [fee('20.00'), fee('30.00', 0, 2)];
  const given = (givenBack: string) =>
    withDiscounts(
      charges,
      ofOrder({ percent: '10', isOnce: true }, { uses: { ...used([]), givenBack } }),
      'USD',
    );
  // 2.00 and 3.00, of which 2 and 3 fifths of 3.00 are left.
  t.deepEqual(amountsOf(given('3.00').charges), ['20.00', '-1.20', '30.00', '-1.80']);
  t.is(given('3.00').uses.givenBack, '0');
  t.deepEqual(amountsOf(given('5.50').charges), ['20.00', '-2.00', '30.00', '-3.00']);
  t.is(given('5.50').uses.givenBack, '0.5');
  t.deepEqual(amountsOf(given('0.50').charges), ['20.00', '-0.20', '30.00', '-0.30']);
  // More is taken than was given back of a coupon that has more.
  t.is(usesAfter({ ...noUses, givenBack: '1.00' }, []).givenBack, '1.00');
});

test('the uses after an invoice are what it took, by period', (t) => {
  const { charges } = withDiscounts([once('49.00'), fee('29.95')], ofOrder(fixed('5.00')), 'USD');
  const discounts = charges.filter((charge) => charge.kind === 'discount');
  t.deepEqual(usesAfter(used([[0, '1.00']]), discounts), used([[0, '6']]));
  t.is(usesAfter(noUses, []), noUses);
});

test('discounts never exceed the amount of the period, nor what they are taken off', (t) => {
  const cents = fc.integer({ min: 1, max: 20_000 }).map((value) => (value / 100).toFixed(2));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 9 }),
      cents,
      cents,
      (fees, amount, before) => {
        const charges = fees.map(([price, period], index) => fee(price, period, index + 1));
        const order = ofOrder(fixed(amount), { uses: used([[0, before]]) });
        const result = withDiscounts(charges, order, 'USD').charges;
        for (const period of [0, 1, 2]) {
          const own = charges.filter((_, index) => fees[index]?.[1] === period);
          const discounts = result.filter(
            (charge) => charge.kind === 'discount' && charge.periodIndex === period,
          );
          const taken = negate(sum(amountsOf(discounts).map((each) => each ?? '0')));
          const left = period === 0 ? add(amount, negate(before)) : amount;
          const most = compare(left, '0') > 0 ? left : '0';
          const cost = sum(own.map((charge) => charge.amount));
          t.is(compare(taken, compare(most, cost) < 0 ? most : cost), 0);
        }
        for (const [index, charge] of result.entries()) {
          const before = result[index - 1];
          if (charge.kind !== 'discount' || !before || !('amount' in before)) continue;
          t.true(compare(negate(charge.amount), before.amount) <= 0);
        }
      },
    ),
  );
});
