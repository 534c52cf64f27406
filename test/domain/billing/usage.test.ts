/** What usage windows cost, worked out by hand: examples for `docs/rules/usage.md`. */
import test from 'ava';
import {
  countCharges,
  priceWindow,
  type PricedWindow,
} from '../../../domain/billing/rate/usage.ts';
import type { Charge, PricingTier } from '../../../domain/plans/plan.ts';
import type { QuantitySum, UsageSums } from '../../../domain/standing/line.ts';
import { compare, formatDecimal, sum } from '../../../domain/money/money.ts';
import { correctionAmount } from '../../../domain/usage/shares.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';
import { fc } from '../../support/random.ts';

function usage(changes: Partial<Charge>): Charge {
  return chargeWith({ chargeType: 'UsageCharge', standardQuantity: '0', ...changes });
}

const minutes = usage({
  pricingType: 'TieredPricing',
  tiers: tiersOf([
    ['0', '100', '0.10'],
    ['100', '1000', '0.08'],
    ['1000', null, '0.05'],
  ]),
});
const fixed = usage({ tiers: tiersOf([['0', null, '0.40']]), standardQuantity: '25' });
const volume = usage({
  pricingType: 'VolumePricing',
  tiers: tiersOf([
    ['0', '50', '1.20'],
    ['50', null, '0.90'],
  ]),
});
const bulk = usage({
  pricingType: 'BulkPricing',
  tiers: tiersOf([
    ['0', '50', '20.00'],
    ['50', null, '30.00'],
  ]),
});
const agreed = usage({ pricingType: 'UserEnteredPricing', tiers: [] });

function percentTiers(...steps: readonly (readonly [string, string | null, string])[]) {
  return steps.map(([unitsFrom, unitsTo, percent], index): PricingTier => {
    const [tier] = tiersOf([[unitsFrom, unitsTo, null]]);
    if (tier === undefined) throw new Error('a tier is made');
    return { ...tier, id: index + 1, percent };
  });
}
const percent = usage({ tiers: percentTiers(['0', null, '2.5']) });

const none: UsageSums = { quantities: [], supplied: null, corrections: [] };
const used = (...quantities: readonly string[]): UsageSums => ({
  ...none,
  quantities: quantities.map((quantity) => ({ unitPrice: null, quantity })),
});
/** `quantity at unitPrice`; without the price the line's. */
const usedAt = (...texts: readonly string[]): UsageSums => ({
  ...none,
  quantities: texts.map((text): QuantitySum => {
    const [quantity = '', unitPrice = null] = text.split(' at ');
    return { unitPrice, quantity };
  }),
});
const supplied = (quantity: string, amount: string): UsageSums => ({
  ...none,
  supplied: { quantity, amount },
});
const correction = (quantity: string, amount: string, at: string | null = null) =>
  ({ of: 0, quantity, amount, percent: at }) as const;

function priced(charge: Charge, sums: UsageSums, unitPrice: string | null = null) {
  const line = lineWith({ charge, unitPrice });
  const days = {
    periodIndex: 0,
    ofPeriod: 0,
    from: '2027-01-01',
    to: '2027-01-31',
    dueOn: '2027-02-01',
  };
  return priceWindow({ line, ...days }, sums, 'USD');
}

/** `quantity x price = amount (tier)` of each charge, the subtotal after them. */
function shown(window: PricedWindow | null): string[] {
  if (window === null) return [];
  const charges = window.charges.map(({ quantity, unitPrice, isPercent, amount, tierId }) => {
    const price = unitPrice === null ? '-' : `${unitPrice}${isPercent ? '%' : ''}`;
    return `${quantity} x ${price} = ${amount} (${tierId ?? '-'})`;
  });
  return [...charges, `${window.subTotal.quantity} = ${window.subTotal.amount}`];
}

type Case = readonly [Charge, UsageSums, readonly string[]];

test('each form prices the sum of a window’s quantities', (t) => {
  const cases: readonly Case[] = [
    [fixed, used('60'), ['35 x 0.40 = 14.00 (1)', '60 = 14.00']],
    [minutes, used('70', '110'), ['100 x 0.10 = 10.00 (1)', '80 x 0.08 = 6.40 (2)', '180 = 16.40']],
    [minutes, used('100'), ['100 x 0.10 = 10.00 (1)', '100 = 10.00']],
    [volume, used('40', '35'), ['75 x 0.90 = 67.50 (2)', '75 = 67.50']],
    [bulk, used('75'), ['1 x 30.00 = 30.00 (2)', '75 = 30.00']],
    [bulk, used('0.000001'), ['1 x 20.00 = 20.00 (1)', '0.000001 = 20.00']],
    [
      agreed,
      usedAt('4 at 2.50', '3 at 3.00'),
      ['4 x 2.5 = 10.00 (-)', '3 x 3 = 9.00 (-)', '7 = 19.00'],
    ],
    // Beside a change order from 16 February, whose order starts at 0 units.
    [minutes, used('120'), ['100 x 0.10 = 10.00 (1)', '20 x 0.08 = 1.60 (2)', '120 = 11.60']],
    [minutes, used('50'), ['50 x 0.10 = 5.00 (1)', '50 = 5.00']],
    // Each charge is rounded once: 0.5 cents of each of three records would be 0.03.
    [
      fixed,
      used('25', '0.0125', '0.0125', '0.0125'),
      ['0.0375 x 0.40 = 0.02 (1)', '25.0375 = 0.02'],
    ],
  ];
  for (const [charge, sums, charges] of cases) t.deepEqual(shown(priced(charge, sums)), charges);
});

test('a percent tier takes its percentage of the amounts, and the whole quantity chooses it', (t) => {
  const steps = percentTiers(['0', '10', '5'], ['10', '20', '2.5']);
  const mixed = [...tiersOf([['0', '10', '0.10']]), ...steps.slice(1)];
  const cases: readonly Case[] = [
    [percent, supplied('2', '200.00'), ['2 x 2.5% = 5.00 (1)', '2 = 5.00']],
    [usage({ tiers: steps }), supplied('10', '200.00'), ['10 x 5% = 10.00 (1)', '10 = 10.00']],
    [usage({ tiers: steps }), supplied('11', '200.00'), ['11 x 2.5% = 5.00 (2)', '11 = 5.00']],
    // Above a closed last tier, its percentage holds.
    [usage({ tiers: steps }), supplied('21', '200.00'), ['21 x 2.5% = 5.00 (2)', '21 = 5.00']],
    // The included units do not reduce amounts.
    [
      { ...percent, standardQuantity: '5' },
      supplied('2', '200.00'),
      ['2 x 2.5% = 5.00 (1)', '2 = 5.00'],
    ],
    [usage({ tiers: mixed }), supplied('10', '200.00'), ['10 x - = 200.00 (-)', '10 = 200.00']],
    [usage({ tiers: mixed }), supplied('11', '200.00'), ['11 x 2.5% = 5.00 (2)', '11 = 5.00']],
  ];
  for (const [charge, sums, charges] of cases) t.deepEqual(shown(priced(charge, sums)), charges);
});

test('supplied amounts are one charge of their sum, after what is priced', (t) => {
  const both = { ...used('100'), supplied: { quantity: '5', amount: '7.00' } };
  const cases: readonly Case[] = [
    [minutes, both, ['100 x 0.10 = 10.00 (1)', '5 x - = 7.00 (-)', '105 = 17.00']],
    [minutes, supplied('5', '7'), ['5 x - = 7.00 (-)', '5 = 7.00']],
    [minutes, supplied('5.50', '7'), ['5.5 x - = 7.00 (-)', '5.5 = 7.00']],
    [agreed, supplied('5', '7'), ['5 x - = 7.00 (-)', '5 = 7.00']],
    [minutes, supplied('-1', '-3.5'), ['-1 x - = -3.50 (-)', '-1 = -3.50']],
  ];
  for (const [charge, sums, charges] of cases) t.deepEqual(shown(priced(charge, sums)), charges);
});

test('records within the included units cost 0.00, in each form', (t) => {
  const included = { standardQuantity: '25' };
  const cases: readonly Case[] = [
    [fixed, used('20'), ['0 x 0.40 = 0.00 (1)', '20 = 0.00']],
    [fixed, used('25'), ['0 x 0.40 = 0.00 (1)', '25 = 0.00']],
    [{ ...minutes, ...included }, used('20'), ['0 x 0.10 = 0.00 (1)', '20 = 0.00']],
    [{ ...volume, ...included }, used('20'), ['0 x 1.20 = 0.00 (1)', '20 = 0.00']],
    [{ ...bulk, ...included }, used('20'), ['0 x 20.00 = 0.00 (1)', '20 = 0.00']],
    [{ ...agreed, ...included }, usedAt('20 at 2'), ['0 x 2 = 0.00 (-)', '20 = 0.00']],
    // The rest enters the tiers from 0.
    [{ ...minutes, ...included }, used('125'), ['100 x 0.10 = 10.00 (1)', '125 = 10.00']],
    [{ ...bulk, ...included }, used('75'), ['1 x 20.00 = 20.00 (1)', '75 = 20.00']],
    [minutes, used('0'), ['0 x 0.10 = 0.00 (1)', '0 = 0.00']],
  ];
  for (const [charge, sums, charges] of cases) t.deepEqual(shown(priced(charge, sums)), charges);
});

test('a unit price is the record’s, else the line’s, and the lowest takes the included units first', (t) => {
  const cases = [
    [
      '0',
      usedAt('3 at 3.00', '4 at 2.50'),
      ['4 x 2.5 = 10.00 (-)', '3 x 3 = 9.00 (-)', '7 = 19.00'],
    ],
    ['5', usedAt('3 at 3.00', '4 at 2.50'), ['0 x 2.5 = 0.00 (-)', '2 x 3 = 6.00 (-)', '7 = 6.00']],
    ['1', usedAt('3', '4 at 2.5'), ['3 x 2.5 = 7.50 (-)', '3 x 10 = 30.00 (-)', '7 = 37.50']],
    // The line's own price, and the same one of a record.
    ['0', usedAt('3', '2 at 10', '1 at 10.00'), ['6 x 10 = 60.00 (-)', '6 = 60.00']],
  ] as const;
  for (const [standardQuantity, sums, charges] of cases) {
    t.deepEqual(shown(priced({ ...agreed, standardQuantity }, sums, '10.00')), [...charges]);
  }
  t.throws(() => priced(agreed, used('3')), { code: 'order.unitPriceMissing' });
  // Elsewhere a record's price is ignored.
  t.deepEqual(shown(priced(volume, usedAt('40 at 5', '35'))), [
    '75 x 0.90 = 67.50 (2)',
    '75 = 67.50',
  ]);
});

test('above a closed last tier its price holds', (t) => {
  const closed = tiersOf([
    ['0', '10', '10.00'],
    ['10', '50', '8.00'],
  ]);
  const cases = [
    ['TieredPricing', ['10 x 10.00 = 100.00 (1)', '50 x 8.00 = 400.00 (2)', '60 = 500.00']],
    ['VolumePricing', ['60 x 8.00 = 480.00 (2)', '60 = 480.00']],
    ['BulkPricing', ['1 x 8.00 = 8.00 (2)', '60 = 8.00']],
  ] as const;
  for (const [pricingType, charges] of cases) {
    const charge = usage({ pricingType, tiers: closed });
    t.deepEqual(shown(priced(charge, used('60'))), [...charges]);
  }
});

test('isOverage only marks a tier', (t) => {
  const tiers = minutes.tiers.map((tier) => ({ ...tier, isOverage: true }));
  t.deepEqual(
    shown(priced({ ...minutes, tiers }, used('180'))),
    shown(priced(minutes, used('180'))),
  );
});

test('a correction of an unbilled record nets with it, one of a billed record gives its amount back', (t) => {
  const amount = correctionAmount('-20', { quantity: '50', amount: '5.00', currency: 'USD' });
  const corrections = [correction('-20', amount)];
  const cases: readonly Case[] = [
    [minutes, used('50', '-20'), ['30 x 0.10 = 3.00 (1)', '30 = 3.00']],
    [minutes, used('50', '-50'), ['0 x 0.10 = 0.00 (1)', '0 = 0.00']],
    [bulk, used('50', '-50'), ['0 x 20.00 = 0.00 (1)', '0 = 0.00']],
    [
      minutes,
      { ...used('30'), corrections },
      ['-20 x - = -2.00 (-)', '30 x 0.10 = 3.00 (1)', '10 = 1.00'],
    ],
    [minutes, { ...none, corrections }, ['-20 x - = -2.00 (-)', '-20 = -2.00']],
    [
      minutes,
      { ...none, corrections: [...corrections, correction('-5', '-1.5')] },
      ['-25 x - = -3.50 (-)', '-25 = -3.50'],
    ],
    // What was billed as a percentage comes back as the same percentage.
    [
      percent,
      { ...supplied('1', '80.00'), corrections: [correction('-1', '-120.00', '2.5')] },
      ['-1 x 2.5% = -3.00 (-)', '1 x 2.5% = 2.00 (1)', '0 = -1.00'],
    ],
    [
      percent,
      { ...none, corrections: [correction('-1', '-10', '5'), correction('-1', '-10', '2.5')] },
      ['-1 x 2.5% = -0.25 (-)', '-1 x 5% = -0.50 (-)', '-2 = -0.75'],
    ],
    // What was billed whole comes before any percentage.
    [
      percent,
      { ...none, corrections: [correction('-1', '-10', '0.5'), correction('-1', '-10')] },
      ['-1 x - = -10.00 (-)', '-1 x 0.5% = -0.05 (-)', '-2 = -10.05'],
    ],
    [
      percent,
      { ...none, corrections: [correction('-1', '-10'), correction('-1', '-10', '0.5')] },
      ['-1 x - = -10.00 (-)', '-1 x 0.5% = -0.05 (-)', '-2 = -10.05'],
    ],
  ];
  for (const [charge, sums, charges] of cases) t.deepEqual(shown(priced(charge, sums)), charges);
  t.throws(() => priced(minutes, used('10', '-20')), { message: /corrections exceed/ });
});

test('a window without records has no charge', (t) => {
  for (const charge of [fixed, minutes, volume, bulk, agreed, percent]) {
    t.is(priced(charge, none), null);
  }
});

test('the records without an amount share what is priced by quantity', (t) => {
  const sums: UsageSums = {
    ...used('70', '110'),
    supplied: { quantity: '5', amount: '7.00' },
    corrections: [correction('-20', '-2.00')],
  };
  t.deepEqual(priced(minutes, sums)?.subTotal.shared, {
    quantity: '180',
    amount: '16.40',
    currency: 'USD',
  });
  t.is(priced(percent, supplied('2', '200.00'))?.subTotal.shared, null);
});

test('the subtotal knows the percentage of the amounts that were supplied', (t) => {
  t.is(priced(percent, supplied('2', '200.00'))?.subTotal.percent, '2.5');
  t.is(priced(minutes, supplied('2', '200.00'))?.subTotal.percent, null);
  t.is(priced(minutes, used('2'))?.subTotal.percent, null);
});

test('the charges of a window are counted without pricing it', (t) => {
  const days = { periodIndex: 0, ofPeriod: 0, from: '', to: '', dueOn: '' };
  const count = (charge: Charge, sums: UsageSums | null) =>
    countCharges({ window: { line: lineWith({ charge }), ...days }, sums });
  const corrections = [correction('-1', '-1.00'), correction('-2', '-1.00')];
  // Each with the subtotal.
  t.is(countCharges(null), 1);
  t.is(count(minutes, null), 1);
  t.is(count(minutes, none), 1);
  t.is(count(fixed, used('1', '2')), 2);
  t.is(count(volume, used('1', '2')), 2);
  t.is(count(minutes, used('1', '2')), 4);
  t.is(count(agreed, usedAt('1 at 2', '1 at 3')), 3);
  t.is(count(fixed, supplied('1', '2.00')), 2);
  t.is(count(fixed, { ...used('1'), ...supplied('1', '2.00'), corrections }), 4);
  t.is(count(fixed, { ...used('1'), supplied: { quantity: '1', amount: '2.00' }, corrections }), 5);
});

test('a price in the order’s currency is needed', (t) => {
  const tiers = tiersOf([['0', null, '5']], 'EUR');
  t.throws(() => priced(usage({ tiers }), used('1')), { code: 'order.priceMissing' });
});

/** A record, and the correction of a part of it; or the correction of a billed one. */
interface RandomRecord {
  /** In millionths. */
  readonly quantity: number;
  readonly correctedPercent: number;
  readonly unitPrice: string | null;
  /** In cents. */
  readonly amount: number | null;
  readonly isOfBilled: boolean;
}

const records: fc.Arbitrary<RandomRecord[]> = fc.array(
  fc.record({
    quantity: fc.nat(400_000_000),
    correctedPercent: fc.nat(100),
    unitPrice: fc.option(fc.constantFrom('2.5', '2.50', '3')),
    amount: fc.option(fc.nat(100_000)),
    isOfBilled: fc.boolean(),
  }),
  { maxLength: 12 },
);

function sumsOf(record: RandomRecord): UsageSums[] {
  const { quantity, correctedPercent, unitPrice, amount, isOfBilled } = record;
  const whole = formatDecimal(BigInt(quantity));
  const corrected = formatDecimal((-BigInt(quantity) * BigInt(correctedPercent)) / 100n);
  if (amount === null) {
    return [whole, corrected].map((each) => ({
      ...none,
      quantities: [{ unitPrice, quantity: each }],
    }));
  }
  const cents = formatDecimal(BigInt(amount) * 10_000n);
  if (!isOfBilled) return [supplied(whole, cents)];
  return [{ ...none, corrections: [correction(`-${whole}`, `-${cents}`, unitPrice)] }];
}

function added(all: readonly UsageSums[]): UsageSums {
  const given = all.flatMap((each) => (each.supplied === null ? [] : [each.supplied]));
  return {
    quantities: all.flatMap(({ quantities }) => quantities),
    supplied:
      given.length === 0
        ? null
        : {
            quantity: sum(given.map(({ quantity }) => quantity)),
            amount: sum(given.map(({ amount }) => amount)),
          },
    corrections: all.flatMap(({ corrections }) => corrections),
  };
}

/** The same with one entry for each unit price and percentage, as SQL groups them. */
function grouped(sums: UsageSums): UsageSums {
  const byPrice = Map.groupBy(sums.quantities, ({ unitPrice }) => unitPrice);
  const quantities = [...byPrice].map(([unitPrice, together]) => ({
    unitPrice,
    quantity: sum(together.map(({ quantity }) => quantity)),
  }));
  return { ...sums, quantities };
}

test('the charges of a window do not depend on how its records are split or in which order', (t) => {
  const charges = fc.constantFrom(
    fixed,
    minutes,
    volume,
    bulk,
    { ...agreed, standardQuantity: '100' },
    usage({ tiers: percentTiers(['0', '10', '5'], ['10', null, '2.5']) }),
  );
  const ranks = fc.array(fc.nat(), { minLength: 24, maxLength: 24 });
  const property = fc.property(
    charges,
    records,
    ranks,
    fc.integer({ min: 1, max: 6 }),
    (charge, list, order, size) => {
      // Only amounts have a percentage.
      const isPercent = charge.tiers.some((tier) => tier.percent !== null);
      const kept = isPercent ? list.filter(({ amount }) => amount !== null) : list;
      const sums = kept.flatMap(sumsOf);
      const shuffled = sums
        .map((each, index) => ({ each, rank: order[index] ?? 0 }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ each }) => each);
      const batches: UsageSums[] = [];
      for (let at = 0; at < shuffled.length; at += size) {
        batches.push(grouped(added(shuffled.slice(at, at + size))));
      }
      const whole = priced(charge, grouped(added(sums)), '2.50');
      t.deepEqual(priced(charge, added(batches), '2.50'), whole);
      t.is(whole === null, kept.length === 0);
      if (whole === null) return;
      // The subtotal repeats the sum of the charges.
      t.is(compare(sum(whole.charges.map(({ amount }) => amount)), whole.subTotal.amount), 0);
    },
  );
  fc.assert(property, { numRuns: 100 });
});
