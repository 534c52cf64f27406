/** The credits of an invoice for unused days, by examples; `unused-priced` has the properties. */
import test from 'ava';
import { dueOf } from '../../../domain/billing/due/due.ts';
import type { DraftInvoice } from '../../../domain/billing/rate/total.ts';
import type { InvoicedLine } from '../../../domain/billing/credit/dependents.ts';
import { unusedCredits } from '../../../domain/billing/credit/unused.ts';
import { type IsoDate, addDays } from '../../../domain/calendar/calendar.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { draftInvoices } from '../../../domain/billing/rate/draft.ts';
import type { BillableOrder } from '../../../domain/billing/order-to-rate.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import type { BillableLine } from '../../../domain/standing/line.ts';
import { chargeWith, lineWith, orderWith, tiersOf } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';
import { percentage } from './rated.ts';
import { invoicedLine } from '../../../domain/billing/forecast.ts';

const costing = (price: string, changes: Partial<Charge> = {}) =>
  chargeWith({ tiers: tiersOf([['0', null, price]]), ...changes });
const setup = costing('49.00', { chargeType: 'OneTimeCharge' });

/** One line for each charge, named by its index: 1, 2, ... */
const linesOf = (...charges: readonly Charge[]): BillableLine[] =>
  charges.map((charge, index) => lineWith({ id: index + 1, position: index + 1, charge }));

function invoiceOf(order: BillableOrder, today: IsoDate): DraftInvoice | undefined {
  return draftInvoices({
    customer: { id: 5, paymentTerms: null, purchaseOrder: null },
    tenantTerms: { value: 30, units: 'Days' },
    today,
    orders: [{ order: invoicedOrder(order), due: dueOf(order, today) }],
    taxing: byRates([]),
  })[0];
}

/** The ids of its charges are their positions. */
function lineOf(order: BillableOrder, billedOn: IsoDate): InvoicedLine {
  return invoicedLine(invoiceOf(order, billedOn)?.lines[0]?.charges ?? [], {
    invoicedOn: billedOn,
  });
}

/** `chargeId amount` of the credits when the order ends on a day. */
function given(order: BillableOrder, billedOn: IsoDate, lastDay: IsoDate): string[] {
  const { schedule, pauses, currency } = order;
  const view = { unusedFrom: addDays(lastDay, 1), schedule, pauses, currency };
  return unusedCredits(lineOf(order, billedOn), view).map(
    ({ chargeId, amount }) => `${chargeId} ${amount}`,
  );
}

test('the billed amount is credited, less the rounded cost of the used days', (t) => {
  const order = orderWith({ lines: linesOf(costing('29.95')) });
  // 17 of 31 days cost 16.42, 1 day 0.97.
  t.deepEqual(given(order, '2027-01-01', '2027-01-17'), ['1 13.53']);
  t.deepEqual(given(order, '2027-01-01', '2027-01-01'), ['1 28.98']);
  t.deepEqual(given(order, '2027-01-01', '2026-12-20'), ['1 29.95']);
  t.deepEqual(given(order, '2027-01-01', '2027-01-31'), []);
  const yen = tiersOf([['0', null, '1000']], 'JPY');
  const inYen = orderWith({ currency: 'JPY', lines: linesOf(chargeWith({ tiers: yen })) });
  // 10 of 31 days cost 322.58.
  t.deepEqual(given(inYen, '2027-01-01', '2027-01-10'), ['1 677']);
});

test('each tier is credited for its own share; elapsed periods are not credited', (t) => {
  const seats = chargeWith({
    pricingType: 'TieredPricing',
    tiers: tiersOf([
      ['0', '10', '10.00'],
      ['10', null, '8.00'],
    ]),
  });
  const [line] = linesOf(seats);
  const order = orderWith({ lines: [{ ...(line ?? lineWith()), quantity: '11' }] });
  // For February 14 of 28 days of 100.00 and 8.00 are used.
  t.deepEqual(given(order, '2027-02-02', '2027-02-14'), ['3 50.00', '4 4.00']);
});

test('only recurring, prepaid and prorated charges are credited', (t) => {
  const lines = linesOf(
    setup,
    chargeWith({ isProrated: false }),
    costing('4.00', { isTax: true }),
    costing('62.00', { isPrepaid: false }),
  );
  // For the tax at a fixed price 10 of 31 days are used: 1.29.
  t.deepEqual(given(orderWith({ lines }), '2027-01-01', '2027-01-10'), ['3 2.71']);
});

test('suspended days count as used, unless they were not billed', (t) => {
  const lines = linesOf(chargeWith());
  const after = [{ suspendedOn: '2027-01-05', resumedOn: '2027-01-12' }];
  const billedBefore = lineOf(orderWith({ lines }), '2027-01-01');
  const view = { schedule: orderWith().schedule, currency: 'USD', unusedFrom: '2027-01-21' };
  t.deepEqual(unusedCredits(billedBefore, { ...view, pauses: after }), [
    { chargeId: 1, unusedTo: '2027-01-31', amount: '11.00' },
  ]);
  t.deepEqual(
    unusedCredits(billedBefore, {
      ...view,
      pauses: [{ suspendedOn: '2027-01-05', resumedOn: null }],
    }),
    [{ chargeId: 1, unusedTo: '2027-01-31', amount: '11.00' }],
  );
  // Billed on the day of resumption: 1 January and 20 to 31 January, of which 20 to 25 are used.
  const pauses = [{ suspendedOn: '2027-01-01', resumedOn: '2027-01-20' }];
  const order = orderWith({ lines, pauses });
  t.is(invoiceOf(order, '2027-01-20')?.currentAmountDue, '13.00');
  t.deepEqual(given(order, '2027-01-20', '2027-01-25'), ['1 6.00']);
  // An order that ends within the pause, or before it, has used 1 January.
  t.deepEqual(given(order, '2027-01-20', '2027-01-10'), ['1 12.00']);
  t.deepEqual(given(order, '2027-01-20', '2027-01-01'), ['1 12.00']);
  t.deepEqual(given(order, '2027-01-20', '2026-12-31'), ['1 13.00']);
});

test('a prorated percentage and a tax are reduced to their share of what is left of their base', (t) => {
  const lines = linesOf(
    chargeWith(),
    setup,
    percentage('10'),
    percentage('5', { isProrated: false }),
    percentage('20', { isTax: true, isProrated: false }),
  );
  // Billed: 31.00, 49.00, 8.00 and 4.00 of 80.00, 18.40 of 92.00. Left: 10.00 + 49.00, 5.90 of
  // 59.00, 13.78 of 68.90.
  t.deepEqual(given(orderWith({ lines }), '2027-01-01', '2027-01-10'), [
    '1 21.00',
    '3 2.10',
    '5 4.62',
  ]);
});

test('where nothing of its charges goes back, nothing of a percentage does', (t) => {
  const lines = linesOf(chargeWith({ isProrated: false }), percentage('10'), setup);
  t.deepEqual(given(orderWith({ lines }), '2027-01-01', '2027-01-10'), []);
});

test('if several periods of a percentage are billed, the newest are credited first', (t) => {
  const lines = linesOf(chargeWith(), percentage('10')).map((line) => ({
    ...line,
    nextPeriodIndex: -1,
  }));
  const order = orderWith({ startDate: '2026-12-01', lines });
  // Two months: 31.00 each, 3.10 each; 10 of January's days are used.
  t.deepEqual(given(order, '2027-01-01', '2027-01-10'), ['2 21.00', '4 2.10']);
});
