/** Credits of charges as older invoices have them, and of whole invoices, by worked examples. */
import test from 'ava';
import type { InvoicedCharge } from '../../../domain/billing/credit/dependents.ts';
import { unusedCredits, type UnusedView } from '../../../domain/billing/credit/unused.ts';
import { storedCharge } from './stored.ts';

const view: UnusedView = {
  unusedFrom: '2027-01-25',
  schedule: { billingPeriod: 'Monthly', anchor: '2027-01-15', alignmentDay: null },
  pauses: [],
  currency: 'USD',
};
/** `id amount` of the credits, and their last unused day. */
const given = (
  charges: readonly InvoicedCharge[],
  changes: Partial<UnusedView> = {},
  isProvided = false,
) =>
  unusedCredits({ invoicedOn: '2027-01-15', isProvided, charges }, { ...view, ...changes }).map(
    ({ chargeId, amount, unusedTo }) => `${chargeId} ${amount} ${unusedTo ?? '-'}`,
  );

const january = { from: '2027-01-15', to: '2027-02-14', periodId: 2, periodIndex: 0 };
const december = { from: '2026-12-15', to: '2027-01-14', periodId: 1, periodIndex: -1 };

/** 31.00 each for December and January. */
const fees = [
  storedCharge({ id: 1, position: 1, billed: december }),
  storedCharge({ id: 2, position: 2, billed: january }),
];
/** A percentage of the order, of before bases were stored. */
const old = (id: number, amount: string, changes: Partial<InvoicedCharge> = {}) =>
  storedCharge({
    id,
    position: id,
    kind: 'percent',
    isPercent: true,
    orderLineId: 3,
    unitPrice: '10',
    amount,
    ...changes,
  });

test('of old percentages the newest goes back first, and never one whose days were used', (t) => {
  // 10 percent of 31.00 + 10.00 are 4.10.
  const halves = [old(3, '3.10', { billed: december }), old(4, '3.10', { billed: january })];
  t.deepEqual(given([...fees, ...halves]), ['2 21.00 2027-02-14', '4 2.10 2027-02-14']);
  const turned = [old(3, '3.10', { billed: january }), old(4, '3.10', { billed: december })];
  t.deepEqual(given([...fees, ...turned]), ['2 21.00 2027-02-14', '3 2.10 2027-02-14']);
  // All of January goes back: 3.10, of which January's has 1.20. December's was used.
  const uneven = [old(3, '5.00', { billed: december }), old(4, '1.20', { billed: january })];
  t.deepEqual(given([...fees, ...uneven], { unusedFrom: '2027-01-15' }), [
    '2 31.00 2027-02-14',
    '4 1.20 2027-02-14',
  ]);
});

test('a part of a dollar of an old percentage goes back', (t) => {
  const small = storedCharge({ id: 2, amount: '3.10', unitPrice: '3.10' });
  // 10 percent of 1.00.
  t.deepEqual(given([small, old(4, '0.31')]), ['2 2.10 2027-02-14', '4 0.21 2027-02-14']);
});

test('old taxes follow their base, though their days were used', (t) => {
  const taxes = [
    old(3, '6.20', { kind: 'tax', unitPrice: '20', billed: december }),
    old(4, '6.20', { kind: 'tax', unitPrice: '20', billed: january }),
  ];
  // 20 percent of 41.00; of 10.00, whose days are those from 25 December on.
  t.deepEqual(given([...fees, ...taxes]), ['2 21.00 2027-02-14', '4 4.20 2027-02-14']);
  t.deepEqual(given([...fees, ...taxes], { unusedFrom: '2026-12-25' }), [
    '1 21.00 2027-01-14',
    '2 31.00 2027-02-14',
    '3 4.20 2027-01-14',
    '4 6.20 2027-02-14',
  ]);
  // More than the newest one: the older gives the rest, and names no unused day.
  const uneven = [
    { ...taxes[0], amount: '11.20' } as InvoicedCharge,
    old(4, '1.20', { kind: 'tax', unitPrice: '20' }),
  ];
  t.deepEqual(given([...fees, ...uneven]), ['2 21.00 2027-02-14', '3 3.00 -', '4 1.20 2027-02-14']);
  t.deepEqual(given([...fees, ...uneven.toReversed()]), [
    '2 21.00 2027-02-14',
    '4 1.20 2027-02-14',
    '3 3.00 -',
  ]);
  // Nothing goes back of the base.
  t.deepEqual(given([...fees, ...taxes], { unusedFrom: '2027-02-15' }), []);
});

test('a tax with a price is credited by its days, like a fee', (t) => {
  const stamp = storedCharge({
    id: 3,
    position: 3,
    kind: 'tax',
    unitPrice: '6.20',
    amount: '6.20',
  });
  t.deepEqual(given([storedCharge({ id: 1 }), stamp]), ['1 21.00 2027-02-14', '3 4.20 2027-02-14']);
});

test('a percentage whose days were used keeps its amount, whatever becomes of its base', (t) => {
  const used = old(3, '6.20', { basePositions: [1, 2], billed: december });
  t.deepEqual(given([...fees, used]), ['2 21.00 2027-02-14']);
});

test('of the last unused day alone its share goes back', (t) => {
  t.deepEqual(given([storedCharge({ id: 1 })], { unusedFrom: '2027-02-14' }), [
    '1 1.00 2027-02-14',
  ]);
});

test('of an order whose days are all unused, recurring charges and percentages go back whole', (t) => {
  const setup = storedCharge({ id: 1, kind: 'oneTime', isRecurring: false, amount: '49.00' });
  const flat = storedCharge({ id: 2, position: 2, isProrated: false });
  const care = old(3, '8.00', { basePositions: [1, 2] });
  const vat = old(4, '17.60', {
    kind: 'tax',
    unitPrice: '20',
    isRecurring: false,
    basePositions: [1, 2, 3],
    billed: null,
  });
  // 20 percent of the installation's 49.00 stand.
  t.deepEqual(given([setup, flat, care, vat], { unusedFrom: '2027-01-15', isWhole: true }), [
    '2 31.00 2027-02-14',
    '3 8.00 2027-02-14',
    '4 7.80 -',
  ]);
  t.deepEqual(given([setup, flat, care, vat], { unusedFrom: '2027-01-15' }), []);
});

test('a part of a period goes back whole, whatever rounding left to it', (t) => {
  // 16 of 31 days of 31.00 were billed for 15.99, and the part for what was left.
  const part = storedCharge({
    id: 1,
    amount: '15.01',
    before: { days: 16, amount: '15.99' },
    billed: { ...january, from: '2027-01-31' },
  });
  t.deepEqual(given([part], { unusedFrom: '2027-01-31' }), ['1 15.01 2027-02-14']);
  // Of 5 used days 21.00 - 15.99 stand.
  t.deepEqual(given([part], { unusedFrom: '2027-02-05' }), ['1 10.00 2027-02-14']);
});

test('a tax of the plan is its percentage of what stands, also where a provider taxes', (t) => {
  const fee = storedCharge({ id: 1 });
  const tax = old(2, '0.03', { kind: 'tax', unitPrice: '0.1', basePositions: [1] });
  // 15 days of 31 are used: 0.1 percent of 15.00 is 0.02. In proportion, 0.02 of 0.03 would go back.
  const unusedFrom = '2027-01-30';
  t.deepEqual(given([fee, tax], { unusedFrom }, true), ['1 16.00 2027-02-14', '2 0.01 2027-02-14']);
  const ofProvider = { ...tax, orderLineId: null, billed: null };
  t.deepEqual(given([fee, ofProvider], { unusedFrom }, true), ['1 16.00 2027-02-14', '2 0.02 -']);
});

test('a discount is of the tiers above zero, and follows one of which less stands', (t) => {
  const less = (amount: string) =>
    storedCharge({
      id: 3,
      position: 3,
      kind: 'discount',
      isPercent: true,
      isRecurring: false,
      couponId: 9,
      unitPrice: '10',
      amount,
    });
  // 10 of 31 days of -3.10 are -1.00, of which nothing is discounted.
  const below = storedCharge({ id: 2, position: 2, unitPrice: '-3.10', amount: '-3.10' });
  t.deepEqual(given([storedCharge({ id: 1 }), below, less('-3.10')]), [
    '1 21.00 2027-02-14',
    '2 -2.10 2027-02-14',
    '3 -2.10 2027-02-14',
  ]);
  // 30 of 31 days of 0.01 still cost a cent: 10 percent of 30.01 stand.
  const cent = storedCharge({ id: 2, position: 2, unitPrice: '0.01', amount: '0.01' });
  t.deepEqual(given([storedCharge({ id: 1 }), cent, less('-3.10')], { unusedFrom: '2027-02-14' }), [
    '1 1.00 2027-02-14',
    '3 -0.10 2027-02-14',
  ]);
});
