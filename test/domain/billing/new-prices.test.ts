/** The day on which an order takes new prices, and what each period costs around it. */
import test from 'ava';
import { dueOf } from '../../../domain/billing/due/due.ts';
import {
  newPricesOn,
  planIdsOf,
  pricesDiffer,
  withNewPrices,
} from '../../../domain/billing/due/new-prices.ts';
import { billableOn, type OrderToRate } from '../../../domain/billing/order-to-rate.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { whyChargesDiffer, whyPlansDiffer } from '../../../domain/plans/price-moves.ts';
import { chargeWith, lineWith, planWith, tiersOf } from '../fixtures.ts';

const feeAt = (id: number, price: string, changes: Partial<Charge> = {}) =>
  chargeWith({ id, tiers: tiersOf([['0', null, price]]), ...changes });
const plans = new Map(
  [planWith(), planWith({ id: 20, version: 2, charges: [feeAt(200, '33.00')] })].map((plan) => [
    plan.id,
    plan,
  ]),
);
const view = { customerStatus: 'Active', today: '2027-01-20', usageGraceDays: 0 } as const;
const move = { planId: 20, by: 'nextPeriod', from: '2027-01-31' } as const;

/** 31.00 a month from 2027-01-15, the first month billed; moves from 2027-01-31 on. */
function order(changes: Partial<OrderToRate> = {}): OrderToRate {
  const { charge: _charge, penaltySince: _mark, ...line } = lineWith({ nextPeriodIndex: 1 });
  return {
    id: 7,
    customerId: 3,
    status: 'Active',
    planId: 10,
    couponId: null,
    couponPeriodsBefore: 0,
    couponUses: noUses,
    currency: 'USD',
    startDate: '2027-01-15',
    trialEndDate: null,
    trialDays: null,
    endDate: null,
    isAutoRenew: true,
    termStart: '2027-01-15',
    termFirstEnd: null,
    anchor: '2027-01-15',
    firstPeriod: 0,
    previousOrderId: null,
    separateInvoice: 0,
    jobCode: null,
    purchaseOrder: null,
    isAutoPay: false,
    dueDateValue: null,
    dueDateUnits: null,
    invoiceText: null,
    invoiceNotes: null,
    nextBillableDate: '2027-02-15',
    billOn: '2027-02-15',
    transitionOn: null,
    lines: [{ ...line, chargeId: 100, penaltySince: null }],
    pauses: [],
    move,
    ...changes,
  };
}

const dayOf = (row: OrderToRate) => newPricesOn(row, billableOn(row, plans, view), plans);
const pointer = (nextPeriodIndex: number) => ({
  lines: order().lines.map((line) => ({ ...line, nextPeriodIndex })),
});

test('the day is that of the first unbilled period that begins late enough', (t) => {
  t.is(dayOf(order()), '2027-02-15');
  t.is(dayOf(order({ move: { ...move, from: '2027-02-15' } })), '2027-02-15');
  t.is(dayOf(order({ move: { ...move, from: '2027-02-16' } })), '2027-03-15');
  // Billed in advance, and nothing billed yet.
  t.is(dayOf(order(pointer(2))), '2027-03-15');
  t.is(dayOf(order({ ...pointer(0), move: { ...move, from: '2027-01-01' } })), '2027-01-15');
  t.is(dayOf(order({ move: null })), null);
  t.is(dayOf(order({ status: 'Suspended' })), '2027-02-15');
  t.is(dayOf(order({ status: 'Draft' })), null);
});

test('a trial ends before the first period, which may begin with the new prices', (t) => {
  const inTrial = { trialEndDate: '2027-01-31', anchor: '2027-02-01', ...pointer(0) };
  t.is(dayOf(order(inTrial)), '2027-02-01');
  t.is(dayOf(order({ ...inTrial, move: { ...move, from: '2027-02-02' } })), '2027-03-01');
});

test('an order that ends, or is replaced, before its day has none', (t) => {
  t.is(dayOf(order({ endDate: '2027-02-14', isAutoRenew: false })), null);
  t.is(dayOf(order({ endDate: '2027-02-15', isAutoRenew: false })), '2027-02-15');
  t.is(dayOf(order({ changeOn: '2027-02-15' })), null);
  t.is(dayOf(order({ changeOn: '2027-02-16' })), '2027-02-15');
  t.is(dayOf(order({ status: 'Canceled', endedOn: '2027-01-20' })), null);
});

test('by terms it is that of the first unbilled term that begins late enough', (t) => {
  const byTerm = { move: { ...move, by: 'nextTerm' } } as const;
  const term = { endDate: '2027-04-14', termFirstEnd: '2027-04-14' };
  t.is(dayOf(order({ ...byTerm, ...term })), '2027-04-15');
  t.is(dayOf(order({ ...byTerm, ...term, isAutoRenew: false })), null);
  t.is(dayOf(order(byTerm)), '2027-02-15');
  // The period from 04-15 was billed in advance.
  t.is(dayOf(order({ ...byTerm, ...term, ...pointer(4) })), '2027-07-15');
});

test('what begins before the day costs the old price, whenever it is billed', (t) => {
  const moved = withNewPrices(order(pointer(0)), plans, '2027-02-15');
  t.is(moved.planId, 20);
  t.deepEqual(planIdsOf(moved), [20, 10]);
  const { charges } = dueOf(billableOn(moved, plans, view), '2027-03-15');
  t.deepEqual(
    charges.map(({ from, line }) => `${from} ${line.charge.tiers[0]?.price}`),
    ['2027-01-15 31.00', '2027-02-15 33.00', '2027-03-15 33.00'],
  );
});

test('prices differ if a line that bills costs something else then', (t) => {
  t.true(pricesDiffer(order(), plans));
  const alike = planWith({ id: 20, version: 2, charges: [feeAt(200, '31.00')] });
  t.false(pricesDiffer(order(), new Map([...plans, [20, alike]])));
  t.false(pricesDiffer(order({ move: null }), plans));
});

test('a line goes on with a charge of its kind only', (t) => {
  const own = chargeWith();
  const why = (next: Partial<Charge>) => whyChargesDiffer(own, chargeWith(next), 'USD');
  t.is(why({}), null);
  t.is(whyChargesDiffer(own, undefined, 'USD'), 'no FEE');
  t.is(whyChargesDiffer(own, own, 'EUR'), 'no price of FEE in EUR');
  t.is(why({ chargeType: 'OneTimeCharge' }), 'another chargeType of FEE');
  t.is(why({ isPrepaid: false }), 'another isPrepaid of FEE');
  t.is(why({ isTax: true }), 'another isTax of FEE');
  t.is(why({ isPenalty: true }), 'another isPenalty of FEE');
  t.is(why({ unitOfMeasure: 'seat' }), 'another unitOfMeasure of FEE');
  t.is(why({ pricingType: 'UserEnteredPricing' }), 'another pricingType of FEE');
  t.is(why({ isProrated: false, standardQuantity: '2' }), null);
  t.is(whyPlansDiffer(planWith(), planWith({ version: 2 })), null);
  t.is(whyPlansDiffer(planWith(), planWith({ billingPeriod: 'Yearly' })), 'another billingPeriod');
});
