/** The new order that a caller's input makes, and the order of its refusals. */
import test from 'ava';
import { DomainError, type DomainErrorCode } from '../../../domain/errors.ts';
import type { OrderInput } from '../../../domain/orders/input.ts';
import { idsWanted, proposeOrder, type ProposalBasis } from '../../../domain/orders/propose.ts';
import type { Plan } from '../../../domain/plans/plan.ts';
import { chargeWith, planWith } from '../fixtures.ts';

const setup = chargeWith({ id: 101, priceCode: 'SETUP', chargeType: 'OneTimeCharge' });
const fee = chargeWith({ id: 102, priceCode: 'FEE' });
const gold = planWith({ charges: [setup, fee] });

function basisWith(changes: Partial<ProposalBasis> = {}, plan: Plan = gold): ProposalBasis {
  return {
    customer: { id: 3, status: 'Active', currency: 'USD' },
    offer: {
      plan,
      isNewest: true,
      startDate: null,
      endDate: null,
      named: { path: 'subscriptionOrder/contractCode', value: plan.contractCode, id: null },
    },
    coupon: null,
    pauses: [],
    usageGraceDays: 0,
    today: '2027-01-15',
    ids: [7, 8, 9],
    bills: false,
    ...changes,
  };
}

test('an order with only a plan starts today, with each charge at its standard quantity', (t) => {
  const order = proposeOrder({ contractCode: 'GOLD' }, basisWith());
  t.is(order.id, 7);
  t.deepEqual(
    order.lines.map((line) => [line.id, line.charge.priceCode, line.nextPeriodIndex]),
    [
      [8, 'SETUP', 0],
      [9, 'FEE', 0],
    ],
  );
  t.deepEqual(
    [order.startDate, order.termStart, order.termFirstEnd],
    ['2027-01-15', '2027-01-15', null],
  );
  t.deepEqual(order.dates, {
    status: 'Active',
    endDate: null,
    nextBillableDate: '2027-01-15',
    billOn: '2027-01-16',
    transitionOn: null,
    priceChangeOn: null,
  });
});

test('a future order is Provisioning, and its next action is on its startDate', (t) => {
  const { dates } = proposeOrder({ startDate: '2027-02-01' }, basisWith());
  t.deepEqual(dates, {
    status: 'Provisioning',
    endDate: null,
    nextBillableDate: '2027-02-01',
    billOn: '2027-02-01',
    transitionOn: '2027-02-01',
    priceChangeOn: null,
  });
});

test('an order that began long ago keeps its first term, and its end is that of the present term', (t) => {
  const input = { startDate: '2026-01-01', endDate: '2026-01-31' };
  const order = proposeOrder(input, basisWith());
  t.deepEqual([order.termStart, order.termFirstEnd], ['2026-01-01', '2026-01-31']);
  t.is(order.dates.endDate, '2027-01-31');
  t.is(order.dates.transitionOn, '2027-02-01');
});

test('an order of an aligned plan begins with the stub before its anchor', (t) => {
  const plan = planWith({ billingAlignment: 'DayOfMonth', alignmentDay: 1 });
  const order = proposeOrder({}, basisWith({}, plan));
  t.is(order.anchor, '2027-02-01');
  t.deepEqual(
    order.lines.map((line) => line.nextPeriodIndex),
    [-1],
  );
});

test('a pause of the customer and a Draft bill nothing', (t) => {
  const paused = basisWith({ pauses: [{ suspendedOn: '2027-01-10', resumedOn: null }] });
  t.is(proposeOrder({}, paused).dates.billOn, null);
  t.is(proposeOrder({ orderStatus: 'Draft' }, basisWith()).dates.billOn, null);
});

test('an order uses one id, and at most one for each sent line and each charge', (t) => {
  t.is(idsWanted({}, gold), 3);
  t.is(idsWanted({ orderLineItems: [{ priceCode: 'FEE' }] }, gold), 4);
});

const suspended = basisWith({
  customer: { id: 3, status: 'Suspended1', currency: 'USD' },
  bills: true,
});
const retired = { ...basisWith().offer, isNewest: false };

const refusals: readonly [
  string,
  OrderInput,
  ProposalBasis,
  DomainErrorCode,
  string | undefined,
][] = [
  [
    'a retired plan, before its terms',
    { endDate: '2027-01-01' },
    basisWith({ offer: retired }),
    'plan.retired',
    'subscriptionOrder/contractCode',
  ],
  [
    'an end before the start, before its lines',
    { endDate: '2027-01-14', orderLineItems: [{ priceCode: 'NONE' }] },
    basisWith(),
    'field.invalid',
    'subscriptionOrder/endDate',
  ],
  [
    'a status that no order begins with',
    { orderStatus: 'Suspended' },
    basisWith(),
    'field.invalid',
    'subscriptionOrder/orderStatus',
  ],
  [
    'a charge that the plan does not have',
    { orderLineItems: [{ priceCode: 'NONE' }] },
    suspended,
    'priceCode.unknown',
    'subscriptionOrder/orderLineItems/orderLineItem[1]/priceCode',
  ],
  ['an invoice of a suspended customer', {}, suspended, 'order.notBillable', undefined],
  [
    'more elapsed periods than are billed at once',
    { startDate: '1930-01-01' },
    basisWith(),
    'order.tooManyPeriods',
    'subscriptionOrder/startDate',
  ],
];

for (const [name, input, basis, code, path] of refusals) {
  test(`refused: ${name}`, (t) => {
    const error = t.throws(() => proposeOrder(input, basis), { instanceOf: DomainError });
    t.is(error?.code, code);
    t.is(error?.path ?? undefined, path);
  });
}
