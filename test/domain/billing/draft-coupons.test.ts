/** What the invoices of one billing run take of a coupon, one after the other. */
import test from 'ava';
import type { InvoicedOrder } from '../../../domain/billing/rate/group.ts';
import { priced } from '../../../domain/billing/rate/draft.ts';
import { dueOf } from '../../../domain/billing/due/due.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import type { Coupon } from '../../../domain/discounts/coupon.ts';
import { noUses, type CouponUses, type OrderCoupon } from '../../../domain/discounts/uses.ts';
import { chargeWith, couponWith, lineWith, tiersOf } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';

const fee = lineWith({ charge: chargeWith({ tiers: tiersOf([['0', null, '20.00']]) }) });
const router = lineWith({
  id: 2,
  charge: chargeWith({
    isSeparateInvoice: true,
    chargeType: 'OneTimeCharge',
    tiers: tiersOf([['0', null, '30.00']]),
  }),
});
const free = lineWith({ charge: chargeWith({ tiers: tiersOf([['0', null, '0']]) }) });

const ofOrder = (coupon: Partial<Coupon>, changes: Partial<OrderCoupon> = {}): OrderCoupon => ({
  coupon: couponWith(coupon),
  firstPeriod: 0,
  countsFrom: 0,
  sharedBy: 7,
  periodsSharedBy: 7,
  uses: noUses,
  ...changes,
});
const fixed = { amount: '5.00', currency: 'USD' } as const;
const used = (givenBack = '0'): CouponUses => ({ ...noUses, isUsed: true, givenBack });

/** The discounts of each invoice. */
function taken(...orders: readonly InvoicedOrder[]): string[] {
  const dues = orders.map((order) => ({ order, due: dueOf(order, '2027-01-01') }));
  return priced(dues, byRates([])).map((invoice) =>
    invoice.orders
      .flatMap(({ charges }) => charges)
      .flatMap((charge) => (charge.kind === 'discount' ? [charge.amount] : []))
      .join(' '),
  );
}

/** 20.00, and 30.00 on an invoice of its own. */
const both = (coupon: OrderCoupon | null) => invoicedOrder({ lines: [fee, router], coupon });
const one = (id: number, coupon: OrderCoupon, separateInvoice: 0 | 1 = 0) =>
  invoicedOrder({ id, orderNumber: 1000 + id, lines: [fee], separateInvoice, coupon });

test('a fixed amount of a period is taken once, whatever invoices bill it', (t) => {
  t.deepEqual(taken(both(ofOrder(fixed))), ['-5.00', '']);
  t.deepEqual(taken(both(ofOrder({ ...fixed, amount: '22.00' }))), ['-20.00', '-2.00']);
  // 4.00 were taken before.
  const uses = { ...used(), byPeriod: new Map([[0, '4.00']]) };
  t.deepEqual(taken(both(ofOrder(fixed, { uses }))), ['-1.00', '']);
});

test('orders that share the periods of a coupon share its amount, others do not', (t) => {
  const shared = ofOrder(fixed);
  t.deepEqual(taken(one(7, shared), one(8, shared)), ['-5.00']);
  t.deepEqual(taken(one(7, shared, 1), one(8, shared, 1)), ['-5.00', '']);
  const own = ofOrder(fixed, { sharedBy: 8, periodsSharedBy: 8 });
  t.deepEqual(taken(one(7, shared, 1), one(8, own, 1)), ['-5.00', '-5.00']);
  t.deepEqual(taken(both(null)), ['', '']);
});

test('a coupon for one invoice is taken by the first that has something to discount', (t) => {
  const once = ofOrder({ percent: '10', isOnce: true });
  t.deepEqual(taken(both(once)), ['-2.00', '']);
  t.deepEqual(taken(both({ ...once, uses: used() })), ['', '']);
  const nothing = invoicedOrder({ lines: [free, router], coupon: once });
  t.deepEqual(taken(nothing), ['', '-3.00']);
  const own = { ...once, sharedBy: 8, periodsSharedBy: 8 };
  t.deepEqual(taken(one(7, once, 1), one(8, own, 1)), ['-2.00', '-2.00']);
});

test('what a change gives back of a coupon for one invoice is taken by one, the rest lapses', (t) => {
  const once = { percent: '50', isOnce: true };
  // 10.00 of the first, 15.00 of the second.
  const given = (amount: string) => ofOrder(once, { uses: used(amount) });
  t.deepEqual(taken(both(given('6.00'))), ['-6.00', '']);
  t.deepEqual(taken(both(given('12.00'))), ['-10.00', '']);
  t.deepEqual(taken(both(given('0.40'))), ['-0.40', '']);
  // Two orders of one invoice share it.
  t.deepEqual(taken(one(7, given('12.00')), one(8, given('12.00'))), ['-10.00 -2.00']);
  // To an order of which nothing was given back nothing is left, and it takes nothing away.
  t.deepEqual(taken(one(7, given('12.00')), one(8, given('0'))), ['-10.00']);
  t.deepEqual(taken(one(7, given('0')), one(8, given('12.00'))), ['-10.00']);
  const nothing = invoicedOrder({ lines: [free, router], coupon: given('12.00') });
  t.deepEqual(taken(nothing), ['', '-12.00']);
});
