/** What corrections of billed usage give back, worked out by hand. */
import test from 'ava';
import type { InvoiceCharge, RatedCharge, CreditCharge } from '../../../domain/billing/charges.ts';
import {
  correctedAfter,
  givenBackBy,
  openCorrections,
  type CorrectedLine,
  type CorrectedLines,
  type CorrectedWindow,
  type OpenCorrections,
} from '../../../domain/billing/credit/corrected.ts';
import type { InvoicedCharge } from '../../../domain/billing/credit/dependents.ts';
import { priced } from '../../../domain/billing/rate/draft.ts';
import { rateDue } from '../../../domain/billing/rate/rate.ts';
import { byRates } from '../../../domain/billing/rate/tax.ts';
import { priceWindow } from '../../../domain/billing/rate/usage.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';
import { invoicedOrder } from './invoiced.ts';
import { amountOf, costing, dueWith } from './rated.ts';
import { storedCharge } from './stored.ts';

const minutes = chargeWith({ chargeType: 'UsageCharge', priceCode: 'MINUTES' });
const data = chargeWith({ id: 101, chargeType: 'UsageCharge', tiers: tiersOf([]) });

const usage = (position: number, amount: string, changes: Partial<InvoicedCharge> = {}) =>
  storedCharge({
    id: 10 + position,
    position,
    kind: 'usage',
    isRecurring: false,
    isProrated: false,
    windowId: 7,
    billed: null,
    amount,
    ...changes,
  });
const discount = (position: number, amount: string, percent: string | null) =>
  usage(position, amount, {
    kind: 'discount',
    isPercent: percent !== null,
    unitPrice: percent,
    couponId: 9,
  });
const tax = (position: number, amount: string, percent: string, base: readonly number[]) =>
  usage(position, amount, {
    kind: 'tax',
    isPercent: true,
    unitPrice: percent,
    basePositions: base,
    orderLineId: null,
    windowId: null,
    taxCode: 'STANDARD',
  });

const january: CorrectedWindow = { id: 7, from: '2027-01-01', to: '2027-01-31', supplied: null };
const february: CorrectedWindow = { id: 8, from: '2027-02-01', to: '2027-02-28', supplied: null };

function linesWith(
  charges: readonly InvoicedCharge[],
  windows: readonly CorrectedWindow[] = [january],
): CorrectedLines {
  const line: CorrectedLine = { invoicedOn: '2027-03-01', isProvided: false, charges, windows };
  return new Map(windows.map(({ id }) => [id, line]));
}

/** 180 minutes, 10 percent less, 20 percent of 14.76 more. */
const billed = [
  usage(1, '10.00'),
  usage(2, '6.40'),
  discount(3, '-1.64', '10'),
  tax(4, '2.95', '20', [1, 2, 3]),
];

const correction = (amount: string, percent: string | null = null, of = 7) => ({
  of,
  quantity: '-1',
  amount,
  percent,
});

/** `id amount` of the charges from which a correction is taken. */
function taken(corrections: OpenCorrections, ...what: Parameters<typeof correction>): string[] {
  const { amount, corrects } = corrections.take(correction(...what), minutes);
  return [amount, ...corrects.map((each) => `${each.chargeId} ${each.amount}`)];
}

const shown = (credits: readonly CreditCharge[]) =>
  credits.map(({ credits: { chargeId }, amount }) => `${chargeId} ${amount}`);

test('a correction is taken of the last charges first, and its discount and tax go back', (t) => {
  const corrections = openCorrections(linesWith(billed), 'USD');
  t.deepEqual(taken(corrections, '-8.40'), ['-8.4', '12 6.4', '11 2']);
  // Of 8.00 a discount of 0.80 stands, and of 7.20 a tax of 1.44.
  t.deepEqual(corrections.credits(), [
    {
      kind: 'credit',
      credits: {
        chargeId: 13,
        orderLineId: 1,
        priceCode: 'FEE',
        accountingCode: '4020',
        invoiceText: 'Fee',
        taxCode: null,
        discount: null,
        isTax: false,
      },
      from: '2027-01-01',
      to: '2027-01-31',
      amount: '0.84',
      corrects: minutes,
    },
    {
      kind: 'credit',
      credits: {
        chargeId: 14,
        orderLineId: null,
        priceCode: 'FEE',
        accountingCode: '4020',
        invoiceText: 'Fee',
        taxCode: 'STANDARD',
        discount: null,
        isTax: true,
      },
      from: '2027-01-01',
      to: '2027-01-31',
      amount: '-1.51',
      corrects: minutes,
    },
  ]);
});

test('several corrections give back no more than was paid', (t) => {
  const corrections = openCorrections(linesWith(billed), 'USD');
  t.deepEqual(taken(corrections, '-8.40'), ['-8.4', '12 6.4', '11 2']);
  t.deepEqual(taken(corrections, '-20.00'), ['-8', '11 8']);
  t.deepEqual(taken(corrections, '-1.00'), ['0']);
  t.deepEqual(shown(corrections.credits()), ['13 1.64', '14 -2.95']);
});

test('a correction of exactly one charge is taken of no other', (t) => {
  const corrections = openCorrections(linesWith(billed), 'USD');
  t.deepEqual(corrections.take(correction('-6.40'), minutes), {
    amount: '-6.4',
    corrects: [{ chargeId: 12, amount: '6.4', supplied: '0' }],
  });
});

test('a percentage of the plan on usage goes back with it', (t) => {
  const care = usage(2, '1.00', {
    kind: 'percent',
    isPercent: true,
    unitPrice: '10',
    basePositions: [1],
    windowId: null,
  });
  const corrections = openCorrections(linesWith([usage(1, '10.00'), care]), 'USD');
  t.deepEqual(taken(corrections, '-4.00'), ['-4', '11 4']);
  t.deepEqual(shown(corrections.credits()), ['12 -0.40']);
});

test('the credits of an order’s corrections follow all that it is billed', (t) => {
  const days = { periodIndex: 2, ofPeriod: 2, from: '2027-03-01', to: '2027-03-31' };
  const metered = lineWith({ position: 1, charge: minutes });
  const window = { line: metered, ...days, dueOn: '2027-04-01' };
  const windows = [
    { window, sums: { quantities: [], supplied: null, corrections: [correction('-8.40')] } },
  ];
  const fee = dueWith({ line: lineWith({ id: 2, position: 2 }) });
  const due = { charges: [fee], windows };
  const amounts = (charges: readonly RatedCharge[]) =>
    charges.map((charge) => `${charge.kind} ${amountOf(charge)}`);
  t.deepEqual(amounts(rateDue(due, 'USD', linesWith(billed))), [
    'usage -8.40',
    'usageSubTotal -8.40',
    'period 31.00',
    'credit 0.84',
    'credit -1.51',
  ]);
  // What a change gives back of the usage is not given back again: 4.00 of its 16.40 are left.
  const credit = costing('-12.40', { kind: 'credit' });
  if (credit.kind !== 'credit') return t.fail();
  const credits = [{ ...credit, credits: { ...credit.credits, chargeId: 11 } }];
  const corrected = linesWith([usage(1, '16.40')]);
  const [invoice] = priced([{ order: invoicedOrder({}), due, credits, corrected }], byRates([]));
  t.deepEqual(amounts(invoice?.orders[0]?.charges ?? []), [
    'usage -4.00',
    'usageSubTotal -4.00',
    'period 31.00',
    'credit -12.40',
  ]);
});

test('a fixed discount stands in proportion to its usage', (t) => {
  const corrections = openCorrections(
    linesWith([usage(1, '16.40'), discount(2, '-5.00', null)]),
    'USD',
  );
  t.deepEqual(taken(corrections, '-8.40'), ['-8.4', '11 8.4']);
  // 5.00 x 8.00 / 16.40 is 2.44.
  t.deepEqual(shown(corrections.credits()), ['12 2.56']);
});

test('a percentage of amounts gives back what is no longer its part of them', (t) => {
  const charge = usage(1, '0.04', { isPercent: true, unitPrice: '2.5' });
  const window = { ...january, supplied: '1.50' };
  // A charge of its amounts, which is beside it, is not touched.
  const lines = linesWith([charge, usage(2, '5.00')], [window]);
  const corrections = openCorrections(lines, 'USD');
  // 2.5 percent of 1.50 are 0.0375; of 1.00 0.025; of 0.50 0.0125: the parts come to the whole.
  t.deepEqual(corrections.take(correction('-0.50', '2.5'), data), {
    amount: '-0.01',
    corrects: [{ chargeId: 11, amount: '0.01', supplied: '-0.50' }],
  });
  t.deepEqual(taken(corrections, '-0.50', '2.5'), ['-0.02', '11 0.02']);
  t.deepEqual(taken(corrections, '-0.50', '2.5'), ['-0.01', '11 0.01']);
});

test('usage below zero reduces what is discounted of its window', (t) => {
  // 50 percent of 6.00.
  const charges = [usage(1, '10.00'), usage(2, '-4.00'), discount(3, '-3.00', '50')];
  const corrections = openCorrections(linesWith(charges), 'USD');
  t.deepEqual(taken(corrections, '-2.00'), ['-2', '11 2']);
  t.deepEqual(shown(corrections.credits()), ['13 1.00']);
});

test('corrections of a part of a dollar, and of other windows and kinds, are told apart', (t) => {
  const charges = [
    usage(1, '0.80'),
    usage(2, '0.50', { windowId: 8 }),
    usage(3, '0.20', { kind: 'discount', isPercent: false }),
  ];
  const corrections = openCorrections(linesWith(charges, [january, february]), 'USD');
  t.deepEqual(taken(corrections, '-0.60'), ['-0.6', '11 0.6']);
  t.deepEqual(taken(corrections, '-0.60'), ['-0.2', '11 0.2']);
});

test('the corrections of one rating are taken in the order of their windows', (t) => {
  const charges = [usage(1, '5.00'), usage(2, '6.00', { windowId: 8 })];
  const corrections = openCorrections(linesWith(charges, [january, february]), 'USD');
  const days = { periodIndex: 2, ofPeriod: 2, from: '2027-03-01', to: '2027-03-31' };
  const window = { line: lineWith({ charge: minutes }), ...days, dueOn: '2027-04-01' };
  const of = [correction('-6.00', null, 8), correction('-5.00', null, 7)];
  const sums = { quantities: [], supplied: null, corrections: of };
  const [back] = priceWindow(window, sums, 'USD', corrections)?.charges ?? [];
  t.is(back?.amount, '-11.00');
  t.deepEqual(
    back?.corrects?.map(({ chargeId, amount }) => `${chargeId} ${amount}`),
    ['11 5', '12 6'],
  );
});

test('a correction of a window that is not known gives back its own amount alone', (t) => {
  const corrections = openCorrections(linesWith(billed), 'USD');
  t.deepEqual(taken(corrections, '-3.50', null, 99), ['-3.50']);
  t.deepEqual(taken(corrections, '-10', '5', 99), ['-0.50']);
  t.deepEqual(corrections.credits(), []);
});

test('what depends on two windows of an invoice is of the days of both', (t) => {
  const charges = [
    usage(1, '10.00'),
    usage(2, '6.00', { windowId: 8 }),
    tax(3, '3.20', '20', [1, 2]),
  ];
  for (const order of [
    [7, 8],
    [8, 7],
  ]) {
    const corrections = openCorrections(linesWith(charges, [january, february]), 'USD');
    for (const of of order) corrections.take(correction('-1.00', null, of), minutes);
    t.deepEqual(
      corrections.credits().map(({ from, to, amount }) => `${from}..${to} ${amount}`),
      ['2027-01-01..2027-02-28 -0.40'],
    );
  }
});

test('what charges of the same rating give back stands no more', (t) => {
  const charge = usage(1, '5.00', { isPercent: true, credited: '0.50' });
  const window = { ...january, supplied: '200.00' };
  const other = [usage(2, '6.40', { windowId: 8 }), usage(3, '1.00', { isPercent: true })];
  const lines = linesWith([charge, ...other], [window, february]);
  t.is(correctedAfter(lines, []), lines);
  t.is(correctedAfter(lines, [costing('31.00'), costing('1.00', { kind: 'usage' })]), lines);
  const usageCharge = costing('-1.00', { kind: 'usage' });
  const credit = costing('-2.40', { kind: 'credit' });
  if (usageCharge.kind !== 'usage' || credit.kind !== 'credit') return t.fail();
  const given: InvoiceCharge[] = [
    { ...usageCharge, corrects: [{ chargeId: 11, amount: '1.00', supplied: '-40.00' }] },
    { ...credit, credits: { ...credit.credits, chargeId: 12 } },
  ];
  const after = correctedAfter(lines, given);
  for (const id of [7, 8]) {
    const line = after.get(id);
    t.deepEqual(
      line?.charges.map(({ credited }) => credited),
      ['1.5', '2.4', '0'],
    );
    t.deepEqual(
      line?.windows.map(({ supplied }) => supplied),
      ['160', null],
    );
    // Nothing else of it is another.
    t.like(line, { invoicedOn: '2027-03-01', isProvided: false });
    t.like(line?.charges[0], { ...charge, credited: '1.5' });
    t.like(line?.windows[0], { ...january, supplied: '160' });
  }
  const alone = correctedAfter(linesWith([charge], [window]), given).get(7);
  t.is(alone?.charges[0]?.credited, '1.5');
  t.deepEqual(given.flatMap(givenBackBy), [
    { chargeId: 11, amount: '1.00', supplied: '-40.00' },
    { chargeId: 12, amount: '2.4', supplied: '0' },
  ]);
});
