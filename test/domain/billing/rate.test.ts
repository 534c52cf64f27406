/** The kind and the own price of each due charge. */
import test from 'ava';
import { kindOf } from '../../../domain/billing/kinds.ts';
import { countRated, rate, rateDue } from '../../../domain/billing/rate/rate.ts';
import { chargeWith, lineWith, tiersOf } from '../fixtures.ts';
import { dueWith, percentage } from './rated.ts';

test('a charge has its kind', (t) => {
  const kinds = [
    chargeWith(),
    chargeWith({ chargeType: 'OneTimeCharge' }),
    chargeWith({ chargeType: 'UsageCharge' }),
    percentage('10'),
    percentage('10', { chargeType: 'OneTimeCharge' }),
    // A percentage of the usage charge's own amount.
    percentage('10', { chargeType: 'UsageCharge' }),
    chargeWith({ isTax: true }),
    percentage('10', { isTax: true }),
    chargeWith({ isPenalty: true }),
    percentage('10', { isPenalty: true, isTax: true }),
  ].map(kindOf);
  t.deepEqual(kinds, [
    'period',
    'oneTime',
    'usage',
    'percent',
    'percent',
    'usage',
    'tax',
    'tax',
    'penalty',
    'penalty',
  ]);
});

test('a due charge costs its share of the period, one rated charge for each tier', (t) => {
  const seats = chargeWith({
    pricingType: 'TieredPricing',
    tiers: tiersOf([
      ['0', '10', '10.00'],
      ['10', null, '8.00'],
    ]),
  });
  const due = dueWith({
    line: lineWith({ charge: seats, quantity: '11' }),
    share: { numerator: 16, denominator: 31 },
  });
  t.deepEqual(
    rate([due], 'USD').map((charge) => {
      if (charge.kind !== 'period') throw new Error(charge.kind);
      const { kind, tierId, quantity, unitPrice, amount } = charge;
      return [kind, tierId, quantity, unitPrice, amount].join(' ');
    }),
    ['period 1 10 10.00 51.61', 'period 2 1 8.00 4.13'],
  );
});

test('an order’s charges and windows come in the order of its lines, each window with its sum', (t) => {
  const days = { periodIndex: 0, ofPeriod: 0, from: '2027-01-01', to: '2027-01-31' };
  const window = (id: number, position: number) => ({
    line: lineWith({ id, position, charge: chargeWith({ chargeType: 'UsageCharge' }) }),
    ...days,
    dueOn: '2027-02-01',
  });
  const sums = {
    quantities: [{ unitPrice: null, quantity: '2' }],
    supplied: null,
    corrections: [],
  };
  const fee = dueWith({ line: lineWith({ id: 5, position: 2 }) });
  const windows = [
    { window: window(3, 3), sums },
    { window: window(1, 1), sums },
    // Without records, and with none that costs something.
    { window: window(4, 4), sums: null },
    { window: window(6, 6), sums: { ...sums, quantities: [] } },
  ];
  t.deepEqual(
    rateDue({ charges: [fee], windows }, 'USD').map((charge) =>
      'window' in charge ? `${charge.kind} ${charge.window.line.id}` : charge.kind,
    ),
    ['usage 1', 'usageSubTotal 1', 'period', 'usage 3', 'usageSubTotal 3'],
  );
  t.is(rateDue({ charges: [fee] }, 'USD').length, 1);
});

test('a tier prices all units of a volume, graduated ones their own, and a percentage is one charge', (t) => {
  const tiers = tiersOf([
    ['0', '10', '3.00'],
    ['10', null, '2.00'],
  ]);
  const percent = tiers.map((tier) => ({ ...tier, price: null, percent: '5' }));
  const counts = [
    chargeWith({ pricingType: 'VolumePricing', tiers }),
    chargeWith({ pricingType: 'TieredPricing', tiers }),
    chargeWith({ pricingType: 'TieredPricing', tiers: percent }),
  ].map((charge) => countRated(lineWith({ charge, quantity: '20' }), 'USD'));
  t.deepEqual(counts, [1, 2, 1]);
});

test('a percentage gets its tier by the whole quantity, but no amount yet', (t) => {
  const tiers = tiersOf([
    ['0', '10', null],
    ['10', null, null],
  ]).map((tier, index) => ({ ...tier, percent: index === 0 ? '5' : '4' }));
  for (const pricingType of ['TieredPricing', 'VolumePricing', 'BulkPricing'] as const) {
    const line = lineWith({ charge: chargeWith({ pricingType, tiers }), quantity: '11' });
    const due = dueWith({ line, share: { numerator: 16, denominator: 31 } });
    t.deepEqual(rate([due], 'USD'), [
      {
        kind: 'percent',
        due,
        tierId: 2,
        quantity: '11',
        percent: '4',
      },
    ]);
  }
  const line = lineWith({ charge: percentage('7.5'), quantity: '3' });
  t.like(rate([dueWith({ line })], 'USD')[0], { percent: '7.5', quantity: '3' });
  t.throws(() => rate([dueWith({ line })], 'EUR'), { code: 'order.priceMissing' });
});
