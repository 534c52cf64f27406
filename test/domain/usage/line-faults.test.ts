/** The bounds of what one usage record may cost, worked out by hand: 16 digits before the point. */
import test from 'ava';
import { costOf } from '../../../domain/billing/rate/usage.ts';
import type { Charge, PricingTier } from '../../../domain/plans/plan.ts';
import type { UsageSums } from '../../../domain/standing/line.ts';
import { faultsOn } from '../../../domain/usage/placing.ts';
import { windowsOfLine } from '../../../domain/usage/line-windows.ts';
import type { UsageLine } from '../../../domain/usage/lines.ts';
import type { UsageRecord } from '../../../domain/usage/records.ts';
import { lineOfOrder, minutes, noRecord, orderOf } from './fixtures.ts';

const tier = (changes: Partial<PricingTier>): PricingTier => ({
  id: 1,
  unitsFrom: '0',
  unitsTo: null,
  price: null,
  percent: null,
  isOverage: false,
  currency: 'USD',
  ...changes,
});

function faultsOf(line: Partial<UsageLine>, record: Partial<UsageRecord>): string[] {
  const own = lineOfOrder(orderOf(), line);
  const on = {
    day: '2027-01-06',
    corrected: null,
    windows: windowsOfLine(own, 0),
    costOf: (of: UsageLine, sums: UsageSums) => costOf(of, sums, 'USD'),
  };
  return faultsOn(own, { ...on, record: { ...noRecord, ...record } }).map(
    ({ code, element }) => `${code} ${element}`,
  );
}

const charge = (changes: Partial<Charge>): Partial<UsageLine> => ({
  charge: { ...minutes, ...changes },
});
const atPrice = (price: string, changes: Partial<Charge> = {}) =>
  charge({ pricingType: 'FixedPricing', tiers: [tier({ price })], ...changes });
const agreed = charge({ pricingType: 'UserEnteredPricing', tiers: [] });

test('a quantity times its price must be an amount that the books hold', (t) => {
  // 500,000,000,000 x 20,000.00 has 17 digits.
  t.deepEqual(faultsOf(atPrice('20000'), { quantity: '500000000000' }), ['field.invalid quantity']);
  t.deepEqual(faultsOf(atPrice('20000'), { quantity: '499999999999.999999' }), []);
  t.deepEqual(faultsOf(atPrice('999999999999'), { quantity: '10000.01' }), [
    'field.invalid quantity',
  ]);
  t.deepEqual(faultsOf(atPrice('999999999999'), { quantity: '10000' }), []);
  // Included units cost nothing.
  const included = atPrice('20000', { standardQuantity: '1' });
  t.deepEqual(faultsOf(included, { quantity: '500000000000' }), []);
});

test('the tiers of a record count together, and a volume by its tier', (t) => {
  const tiers = [
    tier({ unitsTo: '400000000000', price: '20000' }),
    tier({ unitsFrom: '400000000000', price: '10000' }),
  ];
  const tiered = charge({ pricingType: 'TieredPricing', tiers });
  // 8,000,000,000,000,000.00 and 2,000,000,000,000,000.00.
  t.deepEqual(faultsOf(tiered, { quantity: '600000000000' }), ['field.invalid quantity']);
  t.deepEqual(faultsOf(tiered, { quantity: '599999999999' }), []);
  const volume = charge({ pricingType: 'VolumePricing', tiers });
  t.deepEqual(faultsOf(volume, { quantity: '600000000000' }), []);
});

test('a unit price of the record, or else of the line, counts', (t) => {
  const quantity = '100000000';
  t.deepEqual(faultsOf(agreed, { quantity, unitPrice: quantity }), ['field.invalid quantity']);
  t.deepEqual(faultsOf(agreed, { quantity, unitPrice: '99999999.99' }), []);
  t.deepEqual(faultsOf({ ...agreed, unitPrice: quantity }, { quantity }), [
    'field.invalid quantity',
  ]);
});

test('a supplied amount fits, but a percentage of it may not', (t) => {
  const amount = '999999999999.99';
  t.deepEqual(faultsOf(atPrice('20000'), { amount }), []);
  const percents = (percent: string) =>
    charge({ pricingType: 'TieredPricing', tiers: [tier({ percent })] });
  t.deepEqual(faultsOf(percents('1000000'), { amount }), []);
  t.deepEqual(faultsOf(percents('1000001'), { amount }), ['field.invalid amount']);
});
