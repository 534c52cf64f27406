/** What a quantity costs by the tiers of a plan's charge, before days and percentages. */
import type { ShownPlanCharge, ShownTier } from './documents.ts';
import { compared, exact, minus, times, type Exact } from './figures.ts';

/** One charge of an invoice. */
export interface Row {
  readonly tierId: number | null;
  readonly unitPrice: Exact;
  /** Unrounded, of a whole period. */
  readonly price: Exact;
}

interface Priced {
  readonly currency: string;
  readonly quantity: Exact;
  /** The price agreed for the order line, or of a usage record. */
  readonly agreed: string | null;
}

const zero: Exact = { over: 0n, under: 1n };

/**
 * One row for each tier that the quantity reaches; null without a price.
 *
 * @example rowsOf(minutes, { currency: 'USD', quantity: exact('180'), agreed: null })
 * // two rows: 100 x 0.10 and 80 x 0.08
 */
export function rowsOf(charge: ShownPlanCharge, priced: Priced): Row[] | null {
  const { quantity, agreed } = priced;
  const tiers = tiersOf(charge, priced.currency);
  const [first] = tiers;
  if (charge.pricingType === 'UserEnteredPricing') {
    if (agreed === null) return null;
    const unitPrice = exact(agreed);
    return [{ tierId: null, unitPrice, price: times(quantity, unitPrice) }];
  }
  const tier = tierOf(charge, priced);
  if (first === undefined || tier === undefined || tiers.some(({ price }) => price === null)) {
    return null;
  }
  const row = ({ id, price }: ShownTier, units: Exact): Row => {
    const unitPrice = exact(price ?? '0');
    return { tierId: id, unitPrice, price: times(units, unitPrice) };
  };
  switch (charge.pricingType) {
    case 'FixedPricing':
      return [row(first, quantity)];
    case 'VolumePricing':
      return [row(tier, quantity)];
    case 'BulkPricing':
      return [row(tier, exact('1'))];
    case 'TieredPricing':
      return tieredRows(tiers, quantity).map(([each, units]) => row(each, units));
    default:
      return null;
  }
}

function tieredRows(tiers: readonly ShownTier[], quantity: Exact): [ShownTier, Exact][] {
  const rows = tiers.flatMap((tier, index): [ShownTier, Exact][] => {
    const from = lowerBound(tiers, index);
    const isOpen = tier.unitsTo === null || index === tiers.length - 1;
    const above = isOpen ? quantity : least(quantity, exact(tier.unitsTo ?? '0'));
    const units = minus(above, from);
    return units.over > 0n ? [[tier, units]] : [];
  });
  const [first] = tiers;
  return rows.length > 0 || first === undefined ? rows : [[first, zero]];
}

/** Bounds written 0-10, 11-50 mean the same as 0-10, 10-50. */
function lowerBound(tiers: readonly ShownTier[], index: number): Exact {
  const before = tiers[index - 1];
  return before?.unitsTo == null ? zero : exact(before.unitsTo);
}

const least = (one: Exact, other: Exact): Exact => (compared(one, other) < 0n ? one : other);

/**
 * The tier in which the whole quantity lies: above its lower bound, up to its upper one.
 *
 * @example tierOf(seats, { currency: 'USD', quantity: exact('50') })?.unitsTo // '50'
 */
export function tierOf(
  charge: ShownPlanCharge,
  { currency, quantity }: Pick<Priced, 'currency' | 'quantity'>,
): ShownTier | undefined {
  const tiers = tiersOf(charge, currency);
  const within = tiers.find(
    ({ unitsTo }) => unitsTo === null || compared(quantity, exact(unitsTo)) <= 0n,
  );
  return within ?? tiers.at(-1);
}

function tiersOf(charge: ShownPlanCharge, currency: string): readonly ShownTier[] {
  return charge.pricingTiers.filter((tier) => tier.currency === currency);
}
