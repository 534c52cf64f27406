/** Monthly recurring revenue: what orders come to, and what moves it, worked out by hand. */
import test from 'ava';
import type { BillingPeriod } from '../../../domain/calendar/calendar.ts';
import type { Coupon } from '../../../domain/discounts/coupon.ts';
import { monthlyOf, mrrSums, type MrrOrder } from '../../../domain/ledger/mrr.ts';
import { add, compare, formatAmount, sum } from '../../../domain/money/money.ts';
import type { Charge, Plan } from '../../../domain/plans/plan.ts';
import { percentage } from '../billing/rated.ts';
import { chargeWith, couponWith, planWith, tiersOf } from '../fixtures.ts';
import { fc } from '../../support/random.ts';

const day = '2027-01-31';

interface Asked {
  readonly charges: readonly Charge[];
  readonly period?: BillingPeriod;
  readonly quantity?: string;
  readonly coupon?: Partial<Coupon>;
  readonly more?: readonly Plan[];
  readonly until?: string;
}

function monthly({ charges, period = 'Monthly', quantity = '1', ...asked }: Asked): string {
  const { coupon, more = [], until } = asked;
  const plan = planWith({ id: 1, billingPeriod: period, charges });
  const coupons = new Map(
    coupon === undefined ? [] : [[5, couponWith({ id: 5, ...coupon })] as const],
  );
  const earlier = until === undefined ? null : more.map(({ id }) => ({ planId: id, until }));
  return monthlyOf(
    {
      planId: 1,
      couponId: coupon === undefined ? null : 5,
      currency: 'USD',
      earlier,
      lines: charges.map(({ id }) => ({ chargeId: id, quantity, unitPrice: null })),
    },
    day,
    { plans: new Map([plan, ...more].map((each) => [each.id, each])), coupons },
  );
}

const fee = (price: string, changes: Partial<Charge> = {}): Charge =>
  chargeWith({
    id: 1,
    chargeType: 'RecurringCharge',
    tiers: tiersOf([['0', null, price]]),
    ...changes,
  });

test('a period counts by the months that it is a part of, rounded once', (t) => {
  const of = (period: BillingPeriod, price: string): string =>
    monthly({ charges: [fee(price)], period });
  t.deepEqual(
    [
      of('Monthly', '29.95'),
      // 7.00 x 52 / 12 = 30.333…
      of('Weekly', '7.00'),
      // 1.00 x 365 / 12 = 30.416…
      of('Daily', '1.00'),
      // 100.00 / 3, / 6 and / 12
      of('Quarterly', '100.00'),
      of('SemiAnnual', '100.00'),
      of('Yearly', '100.00'),
    ],
    ['29.95', '30.33', '30.42', '33.33', '16.67', '8.33'],
  );
  t.is(monthly({ charges: [fee('29.95')], quantity: '2' }), '59.90');
});

test('one-time charges, usage, taxes and penalties do not recur; percentages do', (t) => {
  const others = [
    fee('49.00', { id: 2, priceCode: 'SETUP', chargeType: 'OneTimeCharge' }),
    fee('0.10', { id: 3, priceCode: 'MINUTE', chargeType: 'UsageCharge' }),
    fee('2.00', { id: 4, priceCode: 'TAX', isTax: true }),
    fee('5.00', { id: 5, priceCode: 'LATE', isPenalty: true }),
  ];
  t.is(monthly({ charges: [fee('31.00'), ...others] }), '31.00');
  const support = percentage('10', { id: 6, priceCode: 'SUPPORT', chargeType: 'RecurringCharge' });
  t.is(monthly({ charges: [fee('31.00'), ...others, support] }), '34.10');
});

test('a coupon counts if it lasts for ever', (t) => {
  const charges = [fee('29.95')];
  t.is(monthly({ charges, coupon: { percent: '10' } }), '26.95');
  t.is(monthly({ charges, coupon: { amount: '5', currency: 'USD' } }), '24.95');
  t.is(monthly({ charges, coupon: { amount: '40', currency: 'USD' } }), '0.00');
  t.is(monthly({ charges, coupon: { percent: '10', periods: 3 } }), '29.95');
  t.is(monthly({ charges, coupon: { percent: '10', isOnce: true } }), '29.95');
});

test('an order counts at the prices of the day', (t) => {
  const before = planWith({ id: 9, charges: [fee('31.00', { id: 90 })] });
  const asked = { charges: [fee('33.00')], more: [before] };
  t.is(monthly({ ...asked, until: '2027-02-01' }), '31.00');
  t.is(monthly({ ...asked, until: '2027-01-31' }), '33.00');
});

/* What moves it. */

const order = (changes: Partial<MrrOrder>): MrrOrder => ({
  id: 1,
  previousOrderId: null,
  contractCode: 'GOLD',
  currency: 'USD',
  hasBegun: true,
  start: null,
  end: null,
  ...changes,
});

/** `GOLD 1: 29.95, expansion 29.95, 59.90` */
function told(...customers: readonly (readonly MrrOrder[])[]): string[] {
  const sums = mrrSums();
  for (const own of customers) sums.add(own);
  return sums.rows().map((row) => {
    const { contractCode, orders, mrrStart, mrrEnd, currency } = row;
    const causes = (['new', 'expansion', 'contraction', 'churn', 'moved'] as const)
      .filter((cause) => compare(row[cause], '0') !== 0)
      .map((cause) => `${cause} ${formatAmount(currency, row[cause])}`);
    const amounts = [formatAmount(currency, mrrStart), ...causes, formatAmount(currency, mrrEnd)];
    return `${contractCode} ${orders}: ${amounts.join(', ')}`;
  });
}

test('a chain of changes is one order, and its start moves to its newest plan', (t) => {
  const first = order({ id: 1, start: '29.95' });
  t.deepEqual(told([first, order({ id: 2, previousOrderId: 1, end: '59.90' })]), [
    'GOLD 1: 29.95, expansion 29.95, 59.90',
  ]);
  const silver = { previousOrderId: 1, contractCode: 'SILVER' };
  t.deepEqual(told([first, order({ id: 2, ...silver, end: '9.95' })]), [
    'GOLD 0: 29.95, moved -29.95, 0.00',
    'SILVER 1: 0.00, contraction -20.00, moved 29.95, 9.95',
  ]);
  // Over an order between them that counts on neither day, and to one that has ended.
  const between = order({ id: 2, ...silver });
  t.deepEqual(told([first, between, order({ id: 3, previousOrderId: 2, contractCode: 'TIN' })]), [
    'GOLD 0: 29.95, moved -29.95, 0.00',
    'TIN 0: 0.00, churn -29.95, moved 29.95, 0.00',
  ]);
  t.deepEqual(told([first, order({ id: 2, ...silver, hasBegun: false })]), [
    'GOLD 0: 29.95, churn -29.95, 0.00',
  ]);
});

test('what a customer had decides: new and churn are of customers, not of orders', (t) => {
  const [has, gets] = [order({ id: 1, start: '10', end: '10' }), order({ id: 2, end: '5' })];
  t.deepEqual(told([has, gets]), ['GOLD 2: 10.00, expansion 5.00, 15.00']);
  t.deepEqual(told([gets]), ['GOLD 1: 0.00, new 5.00, 5.00']);
  const loses = order({ id: 3, start: '7' });
  t.deepEqual(told([has, loses]), ['GOLD 1: 17.00, contraction -7.00, 10.00']);
  t.deepEqual(told([loses]), ['GOLD 0: 7.00, churn -7.00, 0.00']);
  // Of another currency it had nothing.
  t.deepEqual(told([has, order({ id: 4, currency: 'EUR', end: '3' })]), [
    'GOLD 1: 0.00, new 3.00, 3.00',
    'GOLD 1: 10.00, 10.00',
  ]);
  // One that costs nothing is none, and no row is of zeros.
  t.deepEqual(told([order({ start: '0.00', end: '0.00' })]), []);
  t.deepEqual(told([order({ start: '0.00', end: '0.00' }), gets]), [
    'GOLD 2: 0.00, new 5.00, 5.00',
  ]);
});

test('whatever customers do, start and what moves it come to the end, and all starts are counted', (t) => {
  const amount = fc.option(fc.integer({ min: 0, max: 9_999 }).map((n) => (n / 100).toFixed(2)));
  const one = fc.record({
    contractCode: fc.constantFrom('GOLD', 'SILVER', 'TIN'),
    currency: fc.constantFrom('USD', 'USD', 'EUR'),
    follows: fc.boolean(),
    hasBegun: fc.boolean(),
    start: amount,
    end: amount,
  });
  const customer = fc.array(one, { maxLength: 6 }).map((all) =>
    // A chain counts with one order on a day.
    all.reduce<MrrOrder[]>((orders, { follows, ...each }, index) => {
      const before = follows ? orders.at(-1) : undefined;
      const chain = before === undefined ? [] : chainTo(orders, before);
      const has = (key: 'start' | 'end'): boolean => chain.some((other) => other[key] !== null);
      const start = has('start') || has('end') ? null : each.start;
      const end = has('end') ? null : each.end;
      const currency = before?.currency ?? each.currency;
      const ids = { id: index + 1, previousOrderId: before?.id ?? null };
      return [...orders, { ...each, ...ids, currency, start, end }];
    }, []),
  );
  const property = fc.property(fc.array(customer, { maxLength: 5 }), (customers) => {
    const sums = mrrSums();
    for (const own of customers) sums.add(own);
    const rows = sums.rows();
    for (const row of rows) {
      const moved = [row.new, row.expansion, row.contraction, row.churn, row.moved];
      t.is(compare(add(row.mrrStart, sum(moved)), row.mrrEnd), 0);
    }
    const orders = customers.flat();
    for (const currency of ['USD', 'EUR']) {
      const own = rows.filter((row) => row.currency === currency);
      const asked = orders.filter((each) => each.currency === currency);
      const total = (key: 'start' | 'end') => sum(asked.map((each) => each[key] ?? '0'));
      t.is(compare(sum(own.map((row) => row.mrrStart)), total('start')), 0);
      t.is(compare(sum(own.map((row) => row.mrrEnd)), total('end')), 0);
      t.is(compare(sum(own.map((row) => row.moved)), '0'), 0);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

function chainTo(orders: readonly MrrOrder[], last: MrrOrder): readonly MrrOrder[] {
  const before = orders.find(({ id }) => id === last.previousOrderId);
  return before === undefined ? [last] : [...chainTo(orders, before), last];
}
