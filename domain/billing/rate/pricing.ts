/** Prices a quantity of a charge: one rounded amount for each tier that it reaches. */
import { DomainError } from '../../errors.ts';
import type { Charge, PricingTier } from '../../plans/plan.ts';
import {
  type Decimal,
  type Rating,
  add,
  compare,
  formatAmount,
  formatDecimal,
  negate,
  parseDecimal,
  roundedAmount,
  signOf,
} from '../../money/money.ts';
import type { PartsBefore } from '../due/due-charges.ts';
import assert from 'node:assert';
import type { BilledDays, BilledPart } from '../../standing/line.ts';

/** One priced part of a due charge: a tier's part, or all of it. */
export interface PricedPart {
  readonly tierId: number | null;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  /** Rounded to the currency's minor unit, once, with the parts of its period before it. */
  readonly amount: Decimal;
}

export interface Pricing {
  readonly charge: Charge;
  readonly quantity: Decimal;
  /** The agreed price, for UserEnteredPricing. */
  readonly unitPrice: Decimal | null;
  readonly currency: string;
  /** The days billed, of the days of the whole period. */
  readonly numerator: number;
  readonly denominator: number;
  /** If they are a further part of a period. */
  readonly before?: PartsBefore | undefined;
}

/** A tier with a price, not a percentage. */
type PriceTier = PricingTier & { readonly price: Decimal };
type PercentTier = PricingTier & { readonly percent: Decimal };

/** The end of a closed last tier, which quantities may not exceed; null if there is none. */
export function highestPricedQuantity(
  charge: Pick<Charge, 'chargeType' | 'tiers'>,
  currency: string,
): Decimal | null {
  // The last tier prices usage beyond it.
  if (charge.chargeType === 'UsageCharge') return null;
  let highest: Decimal | null = null;
  for (const tier of charge.tiers) {
    if (tier.currency !== currency) continue;
    if (tier.unitsTo === null) return null;
    if (highest === null || compare(tier.unitsTo, highest) > 0) highest = tier.unitsTo;
  }
  return highest;
}

/**
 * Prices a quantity of a charge, or its share for some days of the period. A quantity of 0 also
 * gives one part, so that the invoice shows it.
 *
 * @example // 25 units, the first 10 at 10.00 and those above at 8.00:
 *   priceQuantity(pricing) // TieredPricing: 10 x 10.00 and 15 x 8.00; VolumePricing: 25 x 8.00
 */
export function priceQuantity(pricing: Pricing): readonly PricedPart[] {
  switch (pricing.charge.pricingType) {
    case 'FixedPricing':
      return [tierPart(pricing, pricedTiers(pricing)[0], pricing.quantity)];
    case 'TieredPricing':
      return graduatedParts(pricing);
    case 'VolumePricing':
      return [tierPart(pricing, tierContaining(pricing), pricing.quantity)];
    case 'BulkPricing':
      return [tierPart(pricing, tierContaining(pricing), '1')];
    case 'UserEnteredPricing':
      return [agreedPart(pricing)];
  }
}

/** How many parts `priceQuantity` makes, without pricing them. */
export function countParts(charge: Charge, quantity: Decimal, currency: string): number {
  if (charge.pricingType !== 'TieredPricing') return 1;
  const pricing = { charge, quantity, unitPrice: null, currency, numerator: 1, denominator: 1 };
  return pricedTiers(pricing).indexOf(tierContaining(pricing)) + 1;
}

function graduatedParts(pricing: Pricing): readonly PricedPart[] {
  const last = tierContaining(pricing);
  const quantity = parseDecimal(pricing.quantity);
  const parts: PricedPart[] = [];
  let below = 0n;
  for (const tier of pricedTiers(pricing)) {
    if (tier === last) break;
    // A tier begins where the one before it ends, whatever its own lower bound says.
    const upTo = parseDecimal(tier.unitsTo ?? pricing.quantity);
    parts.push(tierPart(pricing, tier, formatDecimal(upTo - below)));
    below = upTo;
  }
  parts.push(tierPart(pricing, last, formatDecimal(quantity - below)));
  return parts;
}

/** The tier that contains the whole quantity: above its lower bound, up to its upper bound. */
function tierContaining(pricing: Pricing): PriceTier {
  return containing(pricedTiers(pricing), pricing.charge, pricing.quantity);
}

/**
 * The percentage of a charge: that of the tier that contains the whole quantity. The quantity
 * multiplies nothing.
 *
 * @example percentTier(support, '1', 'USD').percent // '10'
 */
export function percentTier(charge: Charge, quantity: Decimal, currency: string): PercentTier {
  const isPercent = (tier: PricingTier): tier is PercentTier => tier.percent !== null;
  return containing(tiersIn(charge, currency, isPercent), charge, quantity);
}

/**
 * The tier of a usage charge that contains the whole quantity, whether it has a price or a
 * percentage; null if the charge has none.
 *
 * @example tierOfUsage(minutes, '180', 'USD')?.price // '0.08'
 */
export function tierOfUsage(
  charge: Charge,
  quantity: Decimal,
  currency: string,
): PricingTier | null {
  if (charge.pricingType === 'UserEnteredPricing') return null;
  const isAny = (_tier: PricingTier): _tier is PricingTier => true;
  return containing(tiersIn(charge, currency, isAny), charge, quantity);
}

function containing<Tier extends PricingTier>(
  tiers: readonly [Tier, ...Tier[]],
  { priceCode, chargeType }: Charge,
  quantity: Decimal,
): Tier {
  for (const tier of tiers) {
    if (tier.unitsTo === null || compare(quantity, tier.unitsTo) <= 0) return tier;
  }
  // The last tier prices usage beyond it.
  if (chargeType === 'UsageCharge') return tiers.at(-1) ?? tiers[0];
  throw new DomainError(
    'quantity.outOfRange',
    `${priceCode} has no price for ${quantity} units, only up to ${tiers.at(-1)?.unitsTo}`,
    { value: quantity },
  );
}

function pricedTiers({ charge, currency }: Pricing): readonly [PriceTier, ...PriceTier[]] {
  return tiersIn(charge, currency, (tier): tier is PriceTier => tier.price !== null);
}

/** The tiers in the order's currency, lowest first; at least one. */
function tiersIn<Tier extends PricingTier>(
  charge: Charge,
  currency: string,
  isWanted: (tier: PricingTier) => tier is Tier,
): readonly [Tier, ...Tier[]] {
  const tiers = charge.tiers.filter((tier) => tier.currency === currency).filter(isWanted);
  if (tiers.length > 1) tiers.sort((a, b) => compare(a.unitsFrom, b.unitsFrom));
  const [first, ...others] = tiers;
  if (first !== undefined) return [first, ...others];
  throw new DomainError('order.priceMissing', `${charge.priceCode} has no price in ${currency}`, {
    value: currency,
  });
}

function agreedPart(pricing: Pricing): PricedPart {
  const { charge, unitPrice, quantity } = pricing;
  if (unitPrice !== null) return ratedPart(pricing, { tierId: null, unitPrice, quantity });
  throw new DomainError(
    'order.unitPriceMissing',
    `${charge.priceCode} needs a unitPrice on the order line item`,
  );
}

function tierPart(pricing: Pricing, tier: PriceTier, quantity: Decimal): PricedPart {
  return ratedPart(pricing, { tierId: tier.id, unitPrice: tier.price, quantity });
}

function ratedPart(pricing: Pricing, part: Omit<PricedPart, 'amount'>): PricedPart {
  const { numerator, denominator, currency, before } = pricing;
  const share = { numerator, denominator, currency };
  return { ...part, amount: partAmount(part, share, before) };
}

/** The bounds of a tier as they are written. */
export interface TierBounds {
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
}

/** A fault of one tier, counted from 0. */
export interface TierProblem {
  readonly index: number;
  readonly problem: string;
}

/**
 * Makes each tier begin where the one before it ends (0-10, 11-50 becomes 0-10, 10-50), and reports
 * tiers that are not contiguous from 0. The input is the tiers of one currency, in order.
 *
 * @example normalizeTiers([{ unitsFrom: '0', unitsTo: '10' }, { unitsFrom: '12', unitsTo: null }])
 *   .problems // [{ index: 1, problem: 'begins at 12, which leaves a gap after 10' }]
 */
export function normalizeTiers<Tier extends TierBounds>(
  tiers: readonly Tier[],
): { readonly tiers: readonly Tier[]; readonly problems: readonly TierProblem[] } {
  const problems: TierProblem[] = [];
  let lower: Decimal | null = '0';
  const normalized = tiers.map((tier, index) => {
    const problem = lower === null ? 'follows an open tier' : boundsProblem(tier, lower, index);
    if (problem !== null) problems.push({ index, problem });
    const unitsFrom = lower ?? tier.unitsFrom;
    lower = tier.unitsTo;
    return { ...tier, unitsFrom };
  });
  return { tiers: normalized, problems };
}

function boundsProblem(tier: TierBounds, lower: Decimal, index: number): string | null {
  const { unitsFrom, unitsTo } = tier;
  const isNextUnit = index > 0 && compare(unitsFrom, add(lower, '1')) === 0;
  const distance = isNextUnit ? 0 : compare(unitsFrom, lower);
  if (index === 0 && distance !== 0) return `begins at ${unitsFrom} instead of 0`;
  if (distance > 0) return `begins at ${unitsFrom}, which leaves a gap after ${lower}`;
  if (distance < 0) return `begins at ${unitsFrom}, which overlaps the tier up to ${lower}`;
  return unitsTo !== null && compare(unitsTo, lower) <= 0 ? `ends at ${unitsTo}, too early` : null;
}

/* Prices the parts of a period: together they cost what all their days cost at once. */

/** What decides whether parts belong together: days at another price or quantity stand for themselves. */
type PartPrice = Omit<BilledPart, 'amount'>;

/** What some days of a period were billed for at one price. */
export interface StandingDays {
  readonly days: number;
  readonly amount: Decimal;
}

/**
 * What was billed for days of a period at a price.
 *
 * @example // 6 and 10 of the 28 days of 29.95
 *   standingAt(fee, billed) // { days: 16, amount: '17.11' }
 */
export function standingAt(price: PartPrice, billed: readonly BilledDays[]): StandingDays {
  let days = 0;
  let amount: Decimal = '0';
  for (const { cost } of billed) {
    assert(cost, 'what was billed of a period is read with what it cost');
    const same = cost.parts.filter((part) => isSamePrice(part, price));
    if (same.length > 0) days += cost.days;
    for (const part of same) amount = add(amount, part.amount);
  }
  return { days, amount };
}

/**
 * What a part of a period costs: the share of all its billed days, the part's included, less what was
 * billed for the days before; never less than nothing. Hence what rounding left to earlier parts
 * comes to the later ones, and the parts sum up to the price of their days.
 *
 * @example // the last 5 of 28 days of 29.95, after 24.60 for 23 days
 *   partAmount(fee, { numerator: 5, denominator: 28, currency: 'USD' }, before) // '5.35'
 */
function partAmount(
  price: PartPrice,
  share: Pick<Rating, 'numerator' | 'denominator' | 'currency'>,
  before?: PartsBefore,
): Decimal {
  const { unitPrice, quantity } = price;
  const costOf = (numerator: number): Decimal =>
    roundedAmount({ price: unitPrice, quantity, ...share, numerator });
  if (before === undefined) return costOf(share.numerator);
  const stands = standingAt(price, before.billed);
  const daysBefore = stands.days + before.dueDays;
  // The first part that is due together with others makes up for what earlier invoices rounded.
  const sign = signOf(unitPrice);
  const taken =
    before.dueDays === 0 ? stands.amount : furthest(stands.amount, costOf(daysBefore), sign);
  const left = add(costOf(daysBefore + share.numerator), negate(taken));
  return formatAmount(share.currency, signOf(left) === sign ? left : '0');
}

/** The one that is further from zero, of two amounts of one sign. */
function furthest(left: Decimal, right: Decimal, sign: -1 | 0 | 1): Decimal {
  return compare(left, right) === sign ? left : right;
}

function isSamePrice(left: PartPrice, right: PartPrice): boolean {
  return (
    left.tierId === right.tierId &&
    compare(left.unitPrice, right.unitPrice) === 0 &&
    compare(left.quantity, right.quantity) === 0
  );
}
