/** The credits for unused days of discounted and taxed charges, by worked examples. */
import test from 'ava';
import type { DiscountCharge, InvoiceCharge } from '../../../domain/billing/charges.ts';
import { percentOf } from '../../../domain/billing/rate/percent.ts';
import { rate } from '../../../domain/billing/rate/rate.ts';
import { draftCharge } from '../../../domain/billing/rate/total.ts';
import type { InvoicedLine } from '../../../domain/billing/credit/dependents.ts';
import { type UnusedView, unusedCredits } from '../../../domain/billing/credit/unused.ts';
import type { DueCharge } from '../../../domain/billing/due/due-charges.ts';
import type { IsoDate } from '../../../domain/calendar/calendar.ts';
import type { Charge } from '../../../domain/plans/plan.ts';
import { type Decimal, negate, sum } from '../../../domain/money/money.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';
import { dueWith, percentage } from './rated.ts';
import { invoicedLine } from '../../../domain/billing/forecast.ts';

const start = '2027-01-15';
const schedule = { billingPeriod: 'Monthly', anchor: start, alignmentDay: null } as const;

/** The period from the start on, 31 days, of a line with this charge. */
function due(id: number, charge: Charge, changes: Partial<DueCharge> = {}): DueCharge {
  const line = lineWith({ id, position: id, charge });
  return dueWith({ line, from: start, to: '2027-02-14', dueOn: start, ...changes });
}

const costing = (price: Decimal, changes: Partial<Charge> = {}) =>
  chargeWith({ tiers: tiersOf([['0', null, price]]), ...changes });
const oneTime = { chargeType: 'OneTimeCharge' } as const;

/** The charges of one period, each of a line of its own, as they are rated. */
function priced(id: number, charge: Charge, changes: Partial<DueCharge> = {}): InvoiceCharge {
  const [rated] = rate([due(id, charge, changes)], 'USD');
  if (rated === undefined || !('amount' in rated)) throw new Error('a percentage has no price');
  return rated;
}

function support(id: number, percent: Decimal, base: readonly InvoiceCharge[]): InvoiceCharge {
  const of = due(id, percentage(percent));
  const amount = percentOf(percent, totalOf(base), 'USD');
  return { kind: 'percent', due: of, tierId: 1, quantity: '1', percent, base, amount };
}

/** A discount of a fixed amount, or in percent, of one line's period. */
function discount(of: InvoiceCharge, by: { amount: Decimal } | { percent: Decimal }) {
  if (!('due' in of)) throw new Error('not of a period');
  const percent = 'percent' in by ? by.percent : null;
  const amount = 'amount' in by ? by.amount : percentOf(by.percent, negate(of.amount), 'USD');
  const coupon = { id: 9, code: 'WELCOME', percent };
  const periodIndex = of.due.periodIndex;
  return {
    kind: 'discount',
    coupon,
    discounts: of.due,
    periodIndex,
    amount,
  } satisfies DiscountCharge;
}

function tax(percent: Decimal, base: readonly InvoiceCharge[]): InvoiceCharge {
  const named = {
    name: 'Tax',
    taxCode: 'STANDARD',
    jurisdiction: 'US',
    exemptionReason: null,
  } as const;
  const amount = percentOf(percent, totalOf(base), 'USD');
  return { kind: 'tax', rate: { ...named, percent, category: 'S' }, base, amount };
}

const totalOf = (charges: readonly InvoiceCharge[]): Decimal =>
  sum(charges.map(({ amount }) => amount));

const lineOf = (...charges: readonly InvoiceCharge[]): InvoicedLine => lineBy(false, charges);

function lineBy(isProvided: boolean, charges: readonly InvoiceCharge[]): InvoicedLine {
  const drafts = charges.map((charge, index) => draftCharge(charge, index + 1, start));
  return invoicedLine(drafts, { invoicedOn: start, isProvided });
}

const viewOf = (unusedFrom: IsoDate): UnusedView => ({
  unusedFrom,
  schedule,
  pauses: [],
  currency: 'USD',
});

/** `position amount` of the credits for the days from a day on. */
const given = (line: InvoicedLine, unusedFrom: IsoDate): string[] =>
  unusedCredits(line, viewOf(unusedFrom)).map(({ chargeId, amount }) => `${chargeId} ${amount}`);

test('a discount in percent and a tax are what the used days alone would have cost', (t) => {
  const fee = priced(1, costing('29.95'));
  const less = discount(fee, { percent: '10' });
  const vat = tax('8.875', [fee, less]);
  t.deepEqual([less.amount, vat.amount], ['-3.00', '2.39']);
  // 17 of 31 days are used: 16.42, -1.64, and 8.875 percent of 14.78 is 1.31.
  t.deepEqual(unusedCredits(lineOf(fee, less, vat), viewOf('2027-02-01')), [
    { chargeId: 1, unusedTo: '2027-02-14', amount: '13.53' },
    { chargeId: 2, unusedTo: '2027-02-14', amount: '-1.36' },
    { chargeId: 3, unusedTo: null, amount: '1.08' },
  ]);
});

test('a discount of a fixed amount goes by days, and stays with a one-time charge', (t) => {
  const setup = priced(1, costing('49.00', oneTime), { to: start });
  const fee = priced(2, costing('29.95'));
  const line = lineOf(
    setup,
    discount(setup, { amount: '-3.10' }),
    fee,
    discount(fee, { amount: '-1.90' }),
  );
  // 1.90 x 17/31 = 1.04.
  t.deepEqual(given(line, '2027-02-01'), ['3 13.53', '4 -0.86']);
});

test('a tax is reduced by what goes back of its own base alone', (t) => {
  const setup = priced(1, costing('49.00', oneTime), { to: start });
  const fee = priced(2, costing('31.00'));
  const less = discount(fee, { percent: '10' });
  // Of 49.00; of 31.00 - 3.10; of 76.90.
  const taxes = [tax('5', [setup]), tax('8', [fee, less]), tax('10', [setup, fee, less])];
  t.deepEqual(
    taxes.map(({ amount }) => amount),
    ['2.45', '2.23', '7.69'],
  );
  // 10.00 and -1.00 of 10 days stand: 8 percent of 9.00 is 0.72, 10 percent of 58.00 is 5.80.
  t.deepEqual(given(lineOf(setup, fee, less, ...taxes), '2027-01-25'), [
    '2 21.00',
    '3 -2.10',
    '5 1.51',
    '6 1.89',
  ]);
});

test('a tax of a provider goes back in proportion to its base, whatever its rate says', (t) => {
  const setup = priced(1, costing('49.00', oneTime), { to: start });
  const fee = priced(2, costing('31.00'));
  const less = discount(fee, { percent: '10' });
  const named = (percent: Decimal, amount: Decimal, base: readonly InvoiceCharge[]) => ({
    ...tax(percent, base),
    amount,
  });
  const taxes = [
    // 80 percent of 76.90 and of 27.90 is taxable; a fee for each delivery; a tax of the setup alone.
    named('10', '6.15', [setup, fee, less]),
    named('8', '1.79', [fee, less]),
    named('0', '0.29', [fee, less]),
    named('5', '2.45', [setup]),
  ];
  const line = lineBy(true, [setup, fee, less, ...taxes]);
  // 21.00 and -2.10 of 21 of 31 days go back: 18.90 of 76.90, and of 27.90.
  t.deepEqual(given(line, '2027-01-25'), ['2 21.00', '3 -2.10', '4 1.51', '5 1.21', '6 0.20']);
  t.deepEqual(
    unusedCredits(line, { ...viewOf(start), isWhole: true }).map(({ amount }) => amount),
    // 6.15 x 27.90 / 76.90
    ['31.00', '-3.10', '2.23', '1.79', '0.29'],
  );
});

test('a tax of a provider on what a discount takes whole goes by the sizes of both', (t) => {
  const fee = priced(1, costing('31.00'));
  const less = discount(fee, { percent: '100' });
  const flat = { ...tax('0', [fee, less]), amount: '0.31' };
  const line = lineBy(true, [fee, less, flat]);
  t.deepEqual(given(line, '2027-01-25'), ['1 21.00', '2 -21.00', '3 0.21']);
});

test('of a provider’s tax on a net credit, as of one above zero, at most the tax goes back', (t) => {
  const fee = priced(1, costing('10.00'));
  const rebate = priced(2, costing('-31.00'));
  const vat = { ...tax('10', [fee, rebate]), amount: '-1.68' };
  const [a, b, c] = [fee, rebate, vat];
  // Of 10.00, -31.00 and -1.68 6.77, -21.00 and -1.14 go back.
  t.deepEqual(given(lineBy(true, [a, b, c]), '2027-01-25'), ['1 6.77', '2 -21.00', '3 -1.14']);
  const once = priced(2, costing('-30.00', oneTime), { to: start });
  const high = priced(1, costing('31.00'));
  const low = { ...tax('10', [high, once]), amount: '2.00' };
  // 21.00 of a base of 1.00 go back.
  t.deepEqual(given(lineBy(true, [high, once, low]), '2027-01-25'), ['1 21.00', '3 2.00']);
});

test('a percentage does not see discounts, and has one of its own', (t) => {
  const fee = priced(1, costing('100.00'));
  const care = support(2, '10', [fee]);
  const [less, fewer] = [discount(fee, { percent: '10' }), discount(care, { percent: '10' })];
  const all = [fee, less, care, fewer];
  const vat = tax('20', all);
  t.deepEqual([care.amount, fewer.amount, vat.amount], ['10.00', '-1.00', '19.80']);
  // 10 of 31 days: 32.26, -3.23, 3.23, -0.32; 20 percent of 31.94 is 6.39.
  t.deepEqual(given(lineOf(...all, vat), '2027-01-25'), [
    '1 67.74',
    '2 -6.77',
    '3 6.77',
    '4 -0.68',
    '5 13.41',
  ]);
});

test('the discount of the tiers of a period is of all that stands of them together', (t) => {
  const tiers = tiersOf([
    ['0', '10', '10.00'],
    ['10', null, '8.05'],
  ]);
  const seats = due(1, chargeWith({ pricingType: 'TieredPricing', tiers }));
  const [ten, eleventh] = rate([{ ...seats, line: { ...seats.line, quantity: '11' } }], 'USD');
  if (!ten || !eleventh || !('amount' in ten) || !('amount' in eleventh)) return t.fail();
  const coupon = { id: 9, code: 'WELCOME', percent: '10' };
  const discounts = 'due' in ten ? ten.due : seats;
  // 10 percent of 108.05.
  const what = { discounts, periodIndex: 0 };
  const less: InvoiceCharge = { kind: 'discount', coupon, ...what, amount: '-10.81' };
  // 10 of 31 days: 32.26 and 2.60, of which 10 percent are 3.49.
  t.deepEqual(given(lineOf(ten, eleventh, less), '2027-01-25'), ['1 67.74', '2 5.45', '3 -7.32']);
});

test('of charges below zero nothing is discounted, and their credit changes no discount', (t) => {
  const fee = priced(1, costing('31.00'));
  const rebate = priced(2, costing('-9.30'));
  const less = discount(fee, { percent: '10' });
  const vat = tax('10', [fee, rebate, less]);
  t.is(vat.amount, '1.86');
  // 10.00, -3.00, -1.00 stand: 10 percent of 6.00.
  t.deepEqual(given(lineOf(fee, rebate, less, vat), '2027-01-25'), [
    '1 21.00',
    '2 -6.30',
    '3 -2.10',
    '4 1.26',
  ]);
});

test('charges that are not prorated keep their discount and their tax', (t) => {
  const fee = priced(1, costing('31.00', { isProrated: false }));
  const care = support(2, '10', [fee]);
  const line = [fee, discount(fee, { amount: '-4.55' }), care, discount(care, { amount: '-0.45' })];
  t.deepEqual(given(lineOf(...line, tax('20', line)), '2027-01-25'), []);
});

test('of one cent no more discount stands than of its charge', (t) => {
  const fee = priced(1, costing('0.04'), {
    share: { numerator: 5, denominator: 31 },
    to: '2027-01-19',
  });
  t.is(fee.amount, '0.01');
  // 3 of the 5 days are used. By days 0.01 of the discount would stand, but nothing of the fee does.
  t.deepEqual(given(lineOf(fee, discount(fee, { amount: '-0.01' })), '2027-01-18'), [
    '1 0.01',
    '2 -0.01',
  ]);
});

test('periods of a percentage from before bases were stored are reduced together, the newest first', (t) => {
  const before = { from: '2026-12-15', to: '2027-01-14', periodIndex: -1 };
  const fees = [priced(1, costing('31.00'), before), priced(1, costing('31.00'))];
  const line = lineOf(...fees, support(2, '10', fees));
  const [older, newer, care] = line.charges;
  if (!older || !newer || !care?.billed) return t.fail();
  const half = { ...care, basePositions: null, amount: '3.10' };
  const charges = [
    older,
    newer,
    { ...half, id: 3, billed: { ...care.billed, ...before } },
    { ...half, id: 4 },
  ];
  // 10 percent of 31.00 + 10.00 is 4.10.
  t.deepEqual(given({ ...line, charges }, '2027-01-25'), ['2 21.00', '4 2.10']);
});
