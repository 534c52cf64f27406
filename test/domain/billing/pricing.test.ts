/** The price of a quantity by each pricing type, worked out by hand. */
import test from 'ava';
import type { Charge, PricingType } from '../../../domain/plans/plan.ts';
import { formatDecimal, sum } from '../../../domain/money/money.ts';
import {
  highestPricedQuantity,
  normalizeTiers,
  priceQuantity,
} from '../../../domain/billing/rate/pricing.ts';
import { chargeWith, tiersOf } from '../fixtures.ts';
import { fc } from '../../support/random.ts';

const open = [
  ['0', '10', '10.00'],
  ['10', '50', '8.00'],
  ['50', null, '5.00'],
] as const;
const closed = [
  ['0', '10', '10.00'],
  ['10', '50', '8.00'],
] as const;

/** `quantity: quantity x unitPrice = amount (tier)` for each part. */
function priced(pricingType: PricingType, quantity: string, tiers: typeof open | typeof closed) {
  const charge = chargeWith({ pricingType, tiers: tiersOf(tiers) });
  const parts = priceQuantity({ charge, quantity, unitPrice: null, ...whole });
  return parts.map(
    (part) => `${part.quantity} x ${part.unitPrice} = ${part.amount} (${part.tierId})`,
  );
}
const whole = { currency: 'USD', numerator: 1, denominator: 1 } as const;

test('graduated tiers price the units above their lower bound up to their upper bound', (t) => {
  const cases = [
    ['0', ['0 x 10.00 = 0.00 (1)']],
    ['3', ['3 x 10.00 = 30.00 (1)']],
    ['10', ['10 x 10.00 = 100.00 (1)']],
    ['10.5', ['10 x 10.00 = 100.00 (1)', '0.5 x 8.00 = 4.00 (2)']],
    ['50', ['10 x 10.00 = 100.00 (1)', '40 x 8.00 = 320.00 (2)']],
    ['60', ['10 x 10.00 = 100.00 (1)', '40 x 8.00 = 320.00 (2)', '10 x 5.00 = 50.00 (3)']],
  ] as const;
  for (const [quantity, parts] of cases) {
    t.deepEqual(priced('TieredPricing', quantity, open), [...parts]);
  }
});

test('bounds written as 0-10, 11-50 price like 0-10, 10-50', (t) => {
  const tiers = tiersOf([
    ['0', '10', '10.00'],
    ['11', null, '8.00'],
  ]);
  const charge = chargeWith({ pricingType: 'TieredPricing', tiers: tiers.toReversed() });
  const parts = priceQuantity({ charge, quantity: '10.5', unitPrice: null, ...whole });
  t.deepEqual(
    parts.map(({ quantity, amount }) => [quantity, amount]),
    [
      ['10', '100.00'],
      ['0.5', '4.00'],
    ],
  );
});

test('the volume tier that the whole quantity falls in prices all of it', (t) => {
  const cases = [
    ['0', '0 x 10.00 = 0.00 (1)'],
    ['10', '10 x 10.00 = 100.00 (1)'],
    ['10.000001', '10.000001 x 8.00 = 80.00 (2)'],
    ['50', '50 x 8.00 = 400.00 (2)'],
    ['51', '51 x 5.00 = 255.00 (3)'],
  ] as const;
  for (const [quantity, part] of cases) {
    t.deepEqual(priced('VolumePricing', quantity, open), [part]);
  }
});

test('the bulk tier of the quantity costs its price once, also at quantity 0', (t) => {
  const cases = [
    ['0', '1 x 10.00 = 10.00 (1)'],
    ['10', '1 x 10.00 = 10.00 (1)'],
    ['11', '1 x 8.00 = 8.00 (2)'],
    ['1000', '1 x 5.00 = 5.00 (3)'],
  ] as const;
  for (const [quantity, part] of cases) t.deepEqual(priced('BulkPricing', quantity, open), [part]);
});

test('a quantity above a closed last tier has no price', (t) => {
  for (const pricingType of ['TieredPricing', 'VolumePricing', 'BulkPricing'] as const) {
    t.is(priced(pricingType, '50', closed).length > 0, true);
    t.throws(() => priced(pricingType, '50.5', closed), { code: 'quantity.outOfRange' });
  }
  const charge = chargeWith({ pricingType: 'VolumePricing', tiers: tiersOf(closed) });
  t.is(highestPricedQuantity(charge, 'USD'), '50');
  t.is(highestPricedQuantity({ ...charge, chargeType: 'UsageCharge' }, 'USD'), null);
  t.is(highestPricedQuantity({ ...charge, tiers: tiersOf(open) }, 'USD'), null);
  // The tiers come in any order, with those of other currencies.
  const euros = tiersOf([['0', '99', '9.00']], 'EUR');
  const mixed = [...euros, ...tiersOf(closed).toReversed()];
  t.is(highestPricedQuantity({ ...charge, tiers: mixed }, 'USD'), '50');
  t.is(highestPricedQuantity({ ...charge, tiers: [] }, 'USD'), null);
});

test('usage above the closed tiers has the last price, whatever percentages are beside', (t) => {
  const [low, middle, high] = tiersOf([
    ['0', '10', '10.00'],
    ['10', '50', '8.00'],
    ['50', '60', '7.00'],
  ]);
  if (!low || !middle || !high) return t.fail();
  const priceOf = (tiers: Charge['tiers']) => {
    const charge = chargeWith({ chargeType: 'UsageCharge', pricingType: 'VolumePricing', tiers });
    const [part] = priceQuantity({ charge, quantity: '99', unitPrice: null, ...whole });
    return part?.unitPrice;
  };
  t.is(priceOf([low, middle, high]), '7.00');
  // A tier in percent is of amounts, and prices no units.
  t.is(priceOf([low, middle, { ...high, price: null, percent: '5' }]), '8.00');
});

test('a fixed price is quantity x price, an agreed one quantity x unitPrice', (t) => {
  const agreed = chargeWith({ pricingType: 'UserEnteredPricing', tiers: [] });
  t.deepEqual(priceQuantity({ charge: chargeWith(), quantity: '2.5', unitPrice: null, ...whole }), [
    { tierId: 1, quantity: '2.5', unitPrice: '31.00', amount: '77.50' },
  ]);
  t.deepEqual(priceQuantity({ charge: agreed, quantity: '2', unitPrice: '19.99', ...whole }), [
    { tierId: null, quantity: '2', unitPrice: '19.99', amount: '39.98' },
  ]);
  t.throws(() => priceQuantity({ charge: agreed, quantity: '2', unitPrice: null, ...whole }), {
    code: 'order.unitPriceMissing',
  });
});

test('a part of a period costs its share of the amount, not of the unit price', (t) => {
  const charge = chargeWith({ pricingType: 'TieredPricing', tiers: tiersOf(open) });
  const share = { currency: 'USD', numerator: 17, denominator: 31 };
  t.deepEqual(priceQuantity({ charge, quantity: '11', unitPrice: null, ...share }), [
    { tierId: 1, quantity: '10', unitPrice: '10.00', amount: '54.84' }, // 54.838..
    { tierId: 2, quantity: '1', unitPrice: '8.00', amount: '4.39' }, // 4.387..
  ]);
});

test("the tiers in the order's currency price it; without them there is no price", (t) => {
  const tiers = [...tiersOf([['0', null, '31.00']]), ...tiersOf([['0', null, '3500']], 'JPY')];
  const charge = chargeWith({ tiers });
  const priceIn = (currency: string) =>
    priceQuantity({ charge, quantity: '1', unitPrice: null, ...whole, currency });
  t.deepEqual(
    priceIn('JPY').map(({ amount }) => amount),
    ['3500'],
  );
  t.throws(() => priceIn('EUR'), { code: 'order.priceMissing' });
});

test('tiers must be contiguous from 0, and only the last may be open', (t) => {
  const cases = [
    ['0-10 10-50 50-', []],
    ['0-10 11-50 51-', []],
    ['0-1 2-2', []],
    ['0-', []],
    ['1-10', ['0: begins at 1 instead of 0']],
    ['0-10 12-', ['1: begins at 12, which leaves a gap after 10']],
    ['0-10 9-', ['1: begins at 9, which overlaps the tier up to 10']],
    ['0- 10-20', ['1: follows an open tier']],
    ['0-10 10-10', ['1: ends at 10, too early']],
    ['0-0 1-', ['0: ends at 0, too early']],
  ] as const;
  for (const [bounds, problems] of cases) {
    const tiers = bounds.split(' ').map((text) => {
      const [unitsFrom = '', unitsTo] = text.split('-');
      return { unitsFrom, unitsTo: unitsTo === '' ? null : (unitsTo ?? null) };
    });
    const found = normalizeTiers(tiers).problems.map(
      ({ index, problem }) => `${index}: ${problem}`,
    );
    t.deepEqual(found, [...problems], bounds);
  }
  const written = [
    { unitsFrom: '0', unitsTo: '10', price: '1' },
    { unitsFrom: '11', unitsTo: null, price: '2' },
  ];
  t.deepEqual(
    normalizeTiers(written).tiers.map(({ unitsFrom, price }) => [unitsFrom, price]),
    [
      ['0', '1'],
      ['10', '2'],
    ],
  );
});

test('the quantities of graduated tiers sum to the whole quantity', (t) => {
  const quantities = fc.bigInt({ min: 0n, max: 10n ** 8n }).map(formatDecimal);
  const charge = chargeWith({ pricingType: 'TieredPricing', tiers: tiersOf(open) });
  fc.assert(
    fc.property(quantities, (quantity) => {
      const parts = priceQuantity({ charge, quantity, unitPrice: null, ...whole });
      t.is(sum(parts.map((part) => part.quantity)), quantity);
    }),
    { numRuns: 100 },
  );
});
