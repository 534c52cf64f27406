/** What becomes of a customer's orders on a day: the stored ones, and one that is about to be stored. */
import test from 'ava';
import { carriedOut } from '../../../domain/billing/credit/changes.ts';
import type { RateCustomerInput } from '../../../domain/billing/due/open-orders.ts';
import type { OrderToRate } from '../../../domain/billing/order-to-rate.ts';
import { billedOrders, rateCustomer } from '../../../domain/billing/rate-customer.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { orderToRate, proposeOrder } from '../../../domain/orders/propose.ts';
import { planWith } from '../fixtures.ts';

const gold = planWith();
const today = '2027-01-15';

/** An order of 31.00 a month from today on, before it is stored. */
function newOrder(id: number): OrderToRate {
  const named = { path: 'subscriptionOrder/contractCode', value: 'GOLD', id: null };
  const order = proposeOrder(
    { contractCode: 'GOLD' },
    {
      customer: { id: 3, status: 'Active', currency: 'USD' },
      offer: { plan: gold, isNewest: true, startDate: null, endDate: null, named },
      coupon: null,
      pauses: [],
      usageGraceDays: 0,
      today,
      ids: [id, id + 1],
      bills: true,
    },
  );
  return orderToRate(order);
}

/** The same as it is read later. */
const stored = (id: number): OrderToRate => ({ ...newOrder(id), orderNumber: 1000 + id });

const inputWith = (changes: Partial<RateCustomerInput>): RateCustomerInput => ({
  customer: { id: 3, status: 'Active', paymentTerms: null, purchaseOrder: null },
  rows: [],
  basis: {
    plans: new Map([[gold.id, gold]]),
    coupons: new Map(),
    taxingOf: () => byRates([]),
    successors: new Map(),
    unused: new Map(),
  },
  tenantTerms: { value: 30, units: 'Days' },
  usageGraceDays: 0,
  today,
  atOnce: true,
  ...changes,
});

test('an order that is not stored has no number, no end and no change', (t) => {
  const order = newOrder(7);
  for (const field of ['orderNumber', 'endedOn', 'changeOn', 'creditFrom']) t.false(field in order);
});

test('a new order comes out as one, billed together with those that are stored', (t) => {
  const billing = rateCustomer(inputWith({ rows: [stored(7), newOrder(9)], newOrderId: 9 }));
  t.deepEqual(
    billing.orders.map(({ row }) => row.id),
    [7],
  );
  t.is(billing.newOrder?.row.id, 9);
  t.is(billing.newOrder?.dates.nextBillableDate, '2027-02-15');
  t.deepEqual([...(billing.newOrder?.due.nextPeriodIndex ?? [])], [[10, 1]]);
  t.deepEqual(
    billing.invoices.map(({ currentAmountDue, lines }) => [currentAmountDue, lines.length]),
    [['62.00', 2]],
  );
  t.deepEqual(
    billedOrders(billing).map(({ row }) => row.id),
    [7, 9],
  );
});

test('a new order that is due later is billed at once if it is forced', (t) => {
  const later = { ...newOrder(9), nextBillableDate: '2027-02-15', billOn: '2027-02-15' };
  const lines = later.lines.map((line) => ({ ...line, nextPeriodIndex: 1 }));
  const rows = [{ ...later, lines }];
  const due = (isForced: boolean): number =>
    rateCustomer(inputWith({ rows, newOrderId: 9, isForced })).invoices.length;
  t.is(due(false), 0);
  t.is(due(true), 1);
});

test('a change supersedes the current order on its day, and not before', (t) => {
  const changeOn = '2027-02-01';
  const current = { ...stored(7), changeOn };
  const next = {
    ...newOrder(9),
    status: 'Provisioning',
    startDate: changeOn,
    previousOrderId: 7,
  } as const;
  const on = (day: string) =>
    carriedOut({ current, next }, { plans: new Map([[gold.id, gold]]), today: day });
  t.is(on('2027-01-31'), null);
  const done = on(changeOn);
  t.like(done?.current, { status: 'Superseded', endedOn: '2027-01-31', creditFrom: changeOn });
  t.like(done?.next, { status: 'Active' });
});
