/** Credits for unused days of what the stages of rating price: coupons, percentages, rates. */
import test from 'ava';
import { dueOf } from '../../../domain/billing/due/due.ts';
import { draftInvoices } from '../../../domain/billing/rate/draft.ts';
import type { DraftCharge } from '../../../domain/billing/rate/total.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { unusedCredits } from '../../../domain/billing/credit/unused.ts';
import {
  type IsoDate,
  addDays,
  firstIndex,
  scheduleOf,
} from '../../../domain/calendar/calendar.ts';
import type { Coupon } from '../../../domain/discounts/coupon.ts';
import { noUses } from '../../../domain/discounts/uses.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { add, compare, negate, sum } from '../../../domain/money/money.ts';
import type { TaxRate } from '../../../domain/tax/rates.ts';
import { chargeWith, couponWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';
import { fc } from '../../support/random.ts';
import { invoicedOrder } from './invoiced.ts';
import { percentage } from './rated.ts';
import { invoicedLine } from '../../../domain/billing/forecast.ts';

const rateOf = (percent: string, taxCode: string): TaxRate => ({
  country: 'US',
  state: null,
  percent,
  taxCode,
  name: `${taxCode} ${percent}`,
  category: 'S',
  exemptionReason: null,
});

interface Priced {
  readonly coupon: Coupon | null;
  readonly rates: readonly TaxRate[];
}

/** What the order is billed on its first day. */
function billed(
  order: BillableOrder,
  { coupon, rates }: Priced,
  today: IsoDate,
): readonly DraftCharge[] {
  const firstPeriod = firstIndex(order.schedule, order.startDate);
  const [invoice] = draftInvoices({
    customer: { id: 5, paymentTerms: null, purchaseOrder: null },
    tenantTerms: { value: 30, units: 'Days' },
    today,
    taxing: byRates(rates),
    orders: [
      {
        order: invoicedOrder({
          ...order,
          coupon: coupon && {
            coupon,
            firstPeriod,
            countsFrom: firstPeriod,
            sharedBy: order.id,
            periodsSharedBy: order.id,
            uses: noUses,
          },
        }),
        due: dueOf(order, today),
      },
    ],
  });
  return invoice?.lines[0]?.charges ?? [];
}

const price = fc.integer({ min: 0, max: 99_999_999 }).map((units) => `${units / 10_000}`);
const percent = fc.integer({ min: 1, max: 10_000 }).map((units) => `${units / 100}`);
const taxCodes = fc.subarray(['STANDARD', 'CITY']);
const tiered = fc.tuple(price, price).map(([low, high]): Partial<Charge> => {
  return {
    pricingType: 'TieredPricing',
    tiers: tiersOf([
      ['0', '2', low],
      ['2', null, high],
    ]),
  };
});
const plans = fc.oneof(
  fc.record({
    billingPeriod: fc.constantFrom('Weekly', 'Monthly', 'Yearly'),
    billingAlignment: fc.constant('StartDate'),
    alignmentDay: fc.constant(null),
  }),
  fc.record({
    billingPeriod: fc.constantFrom('Monthly', 'Quarterly'),
    billingAlignment: fc.constant('DayOfMonth'),
    alignmentDay: fc.constantFrom(1, 15, 31),
  }),
);
const fee = fc.record({
  cost: fc.oneof(
    price.map((each) => ({ tiers: tiersOf([['0', null, each]]) })),
    tiered,
  ),
  taxCodes,
});

/** An order whose recurring charges are all prepaid by days, with an installation or without. */
const orders = fc
  .record({
    plan: plans,
    fees: fc.array(fee, { minLength: 1, maxLength: 3 }),
    care: fc.array(fc.record({ percent, taxCodes }), { maxLength: 2 }),
    ownTaxes: fc.array(percent, { maxLength: 2 }),
    setup: fc.option(fee),
    quantity: fc.constantFrom('1', '2.5', '7'),
    start: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ plan, fees, care, ownTaxes, setup, quantity, start }) => {
    const startDate = addDays('2027-01-01', start);
    const schedule = scheduleOf(plan, startDate);
    const charges = [
      ...fees.map(({ cost, taxCodes: codes }) => chargeWith({ ...cost, taxCodes: codes })),
      ...care.map((each) => percentage(each.percent, { taxCodes: each.taxCodes })),
      ...ownTaxes.map((each) => percentage(each, { isTax: true })),
    ];
    if (setup !== null) {
      const once = { ...setup.cost, taxCodes: setup.taxCodes };
      charges.push(chargeWith({ ...once, chargeType: 'OneTimeCharge' }));
    }
    const first = firstIndex(schedule, startDate);
    const lines = charges.map((charge, index): BillableLine => {
      const nextPeriodIndex = charge.chargeType === 'OneTimeCharge' ? 0 : first;
      return lineWith({ id: index + 1, position: index + 1, charge, quantity, nextPeriodIndex });
    });
    return orderWith({ schedule, startDate, lines });
  });
const rates = fc.array(
  fc.tuple(percent, fc.constantFrom('STANDARD', 'CITY')).map((each) => rateOf(...each)),
  { maxLength: 3 },
);
const inPercent = percent.map((each) => couponWith({ percent: each }));
const fixed = fc
  .integer({ min: 1, max: 9_999_999 })
  .map((units) => couponWith({ amount: `${units / 100}`, currency: 'USD' }));
const days = fc.integer({ min: 0, max: 400 });

const totalOf = (charges: readonly { readonly amount: string }[]) =>
  sum(charges.map(({ amount }) => amount));

test('what was billed less the credit is the price of an order with that end, to the cent', (t) => {
  let discounts = 0;
  const property = fc.property(
    orders,
    fc.option(inPercent),
    rates,
    days,
    (order, coupon, held, used) => {
      const { schedule, startDate } = order;
      const lastDay = addDays(startDate, used);
      const charges = billed(order, { coupon, rates: held }, startDate);
      const view = { schedule, pauses: [], currency: 'USD', unusedFrom: addDays(lastDay, 1) };
      const credits = unusedCredits(invoicedLine(charges, { invoicedOn: startDate }), view);
      const short = { ...order, endDate: lastDay, isAutoRenew: false };
      const kept = add(totalOf(charges), negate(totalOf(credits)));
      t.is(kept, totalOf(billed(short, { coupon, rates: held }, startDate)));
      discounts += credits.filter(({ amount }) => compare(amount, '0') < 0).length;
    },
  );
  fc.assert(property, { numRuns: 300 });
  t.true(discounts > 100, `${discounts} discounts were reduced`);
});

test('with any coupon a credit is at most its charge, and no more discount stands than cost', (t) => {
  const coupons = fc.oneof(inPercent, fixed);
  const property = fc.property(orders, coupons, rates, days, (order, coupon, held, used) => {
    const { schedule, startDate } = order;
    const charges = billed(order, { coupon, rates: held }, startDate);
    const view = { schedule, pauses: [], currency: 'USD', unusedFrom: addDays(startDate, used) };
    const line = invoicedLine(charges, { invoicedOn: startDate });
    const credits = unusedCredits(line, view);
    const creditOf = new Map(credits.map(({ chargeId, amount }) => [chargeId, amount]));
    const stands = new Map<number, string>();
    for (const { id, amount, kind, billed: of } of line.charges) {
      const credit = creditOf.get(id) ?? '0';
      const left = add(amount, negate(credit));
      const sign = compare(amount, '0');
      t.true([0, sign].includes(compare(credit, '0')), `the sign of ${credit} of ${amount}`);
      t.true([0, sign].includes(compare(left, '0')), `${credit} of ${amount}`);
      if (of && kind !== 'tax') {
        stands.set(of.periodId, add(stands.get(of.periodId) ?? '0', left));
      }
    }
    for (const net of stands.values()) t.true(compare(net, '0') >= 0, net);
    // The whole of what has no installation goes back before the first day.
    if (used === 0 && !line.charges.some(({ kind }) => kind === 'oneTime')) {
      t.is(compare(totalOf(credits), totalOf(line.charges)), 0);
    }
  });
  fc.assert(property, { numRuns: 300 });
});
