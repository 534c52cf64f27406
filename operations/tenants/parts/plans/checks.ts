/** Checks the plans of a tenant file, so that each of their orders can be billed. */
import { compare } from '../../../../domain/money/money.ts';
import { normalizeTiers } from '../../../../domain/billing/rate/pricing.ts';
import { checkDates, checkReference, checkTogether, checkUnique } from '../../file/checks.ts';
import { isGiven, type Loose } from '../../file/loose.ts';
import type { Path, Report } from '../../file/mistakes.ts';
import { TRIAL_VALUE_MAX } from '../../../../domain/plans/trial.ts';
import type { ProductOffering } from '../product-offerings.ts';
import type { FileCharge, FilePlan, FileTier } from './schema.ts';
import { standardQuantityOf } from './content.ts';

type LoosePlans = Loose<{
  readonly plans: readonly FilePlan[];
  readonly productOfferings: readonly ProductOffering[];
  readonly currency: string;
}>;

type LooseCharge = Loose<FileCharge>;
type LooseTier = Loose<FileTier>;

export function checkPlans(file: LoosePlans, report: Report): void {
  checkUnique(file.plans, 'contractCode', ['plans'], report);
  const offerings = new Set(file.productOfferings?.map((offering) => offering?.sku));
  file.plans?.forEach((plan, index) => {
    if (!plan) return;
    const path = ['plans', index] as const;
    const offeringPath = [...path, 'productOffering'];
    checkReference(plan.productOffering, offerings, 'a product offering', offeringPath, report);
    checkDates(plan, path, report);
    checkTogether(plan, ['dueDateValue', 'dueDateUnits'], path, report);
    checkAlignment(plan, path, report);
    checkTrial(plan, path, report);
    checkUnique(plan.charges, 'priceCode', [...path, 'charges'], report);
    plan.charges?.forEach((charge, position) => {
      if (charge) checkCharge(charge, [...path, 'charges', position], file.currency, report);
    });
  });
}

function checkTrial({ trial }: Loose<FilePlan>, path: Path, report: Report): void {
  if (trial?.value === undefined || trial.units === undefined) return;
  const { value, units } = trial;
  const most = TRIAL_VALUE_MAX[units];
  if (value > most) report([...path, 'trial', 'value'], `is at most ${most} ${units}`);
}

function checkAlignment(plan: Loose<FilePlan>, path: Path, report: Report): void {
  if (plan.billingAlignment === 'StartDate' && isGiven(plan, 'alignmentDay')) {
    report([...path, 'alignmentDay'], 'is for the billingAlignment DayOfMonth');
  }
  if (plan.billingAlignment !== 'DayOfMonth') return;
  if (!isGiven(plan, 'alignmentDay')) {
    report([...path, 'alignmentDay'], 'is needed for the billingAlignment DayOfMonth');
  }
  if (plan.billingPeriod === 'Daily' || plan.billingPeriod === 'Weekly') {
    report([...path, 'billingAlignment'], 'DayOfMonth is for Monthly and longer periods only');
  }
}

function checkCharge(
  charge: LooseCharge,
  path: Path,
  currency: string | undefined,
  report: Report,
): void {
  checkWhichPrice(charge, path, report);
  charge.tiers?.forEach((tier, index) => {
    if (tier) checkTier(tier, charge, [...path, 'tiers', index], report);
  });
  checkMixedTiers(charge, path, report);
  for (const tiers of tiersByCurrency(charge, currency)) {
    checkBounds(tiers, charge, path, report);
  }
  checkQuantities(charge, currency, path, report);
  const isOther = charge.chargeType !== undefined && charge.chargeType !== 'RecurringCharge';
  if (charge.followsQuantity === false && isOther) {
    report([...path, 'followsQuantity'], 'can be false on a RecurringCharge only');
  }
  if (charge.isPenalty === false && isGiven(charge, 'penaltyStatus')) {
    report([...path, 'penaltyStatus'], 'is for charges with isPenalty');
  }
}

function checkWhichPrice(charge: LooseCharge, path: Path, report: Report): void {
  const hasPrice = isGiven(charge, 'price');
  const hasTiers = isGiven(charge, 'tiers');
  switch (charge.pricingType) {
    case undefined:
      return;
    case 'FixedPricing':
      if (!hasPrice && !hasTiers) report([...path, 'price'], 'is needed for FixedPricing');
      if (hasPrice && hasTiers) report([...path, 'tiers'], 'cannot be given together with price');
      return;
    case 'UserEnteredPricing':
      for (const key of ['price', 'tiers'] as const) {
        if (!isGiven(charge, key)) continue;
        report([...path, key], 'cannot be given: the price of UserEnteredPricing is on the order');
      }
      return;
    default:
      if (!hasTiers) report([...path, 'tiers'], `are needed for ${charge.pricingType}`);
      if (hasPrice) report([...path, 'price'], `is for FixedPricing, not ${charge.pricingType}`);
  }
}

function checkTier(tier: LooseTier, charge: LooseCharge, path: Path, report: Report): void {
  const hasPrice = isGiven(tier, 'price');
  if (hasPrice === isGiven(tier, 'percent')) {
    report([...path, hasPrice ? 'percent' : 'price'], 'a tier has either a price or a percent');
  }
  if (tier.isOverage === true && charge.chargeType && charge.chargeType !== 'UsageCharge') {
    report([...path, 'isOverage'], 'is for usage charges');
  }
}

/**
 * A charge has either prices or percentages, because a percentage bills a share of other charges.
 */
function checkMixedTiers(charge: LooseCharge, path: Path, report: Report): void {
  if (!charge.chargeType || charge.chargeType === 'UsageCharge') return;
  const sorts = charge.tiers?.map((tier) => tier && isGiven(tier, 'percent')) ?? [];
  const odd = sorts.findIndex((sort) => sort !== undefined && sort !== sorts[0]);
  if (odd > 0 && sorts[0] !== undefined) {
    report([...path, 'tiers', odd], 'tiers with a price and tiers with a percent do not mix');
  }
}

interface BoundTier {
  readonly index: number;
  readonly unitsFrom: string;
  readonly unitsTo: string | null;
}

/** Each currency's tiers, those of whose tiers all can be read. */
function tiersByCurrency(
  charge: LooseCharge,
  currency: string | undefined,
): readonly (readonly BoundTier[])[] {
  const tiers = (charge.tiers ?? []).map((tier, index) => ({ tier, index }));
  if (tiers.some(({ tier }) => !tier || !isReadable(tier))) return [];
  const groups = Map.groupBy(tiers, ({ tier }) => tier?.currency ?? currency);
  return [...groups.values()].map((group) =>
    group.map(({ tier, index }) => ({
      index,
      unitsFrom: tier?.unitsFrom ?? '0',
      unitsTo: tier?.unitsTo ?? null,
    })),
  );
}

function isReadable(tier: LooseTier): boolean {
  const isUnreadable = (key: 'unitsTo' | 'currency') =>
    isGiven(tier, key) && tier[key] === undefined;
  return tier.unitsFrom !== undefined && !isUnreadable('unitsTo') && !isUnreadable('currency');
}

function checkBounds(
  tiers: readonly BoundTier[],
  charge: LooseCharge,
  path: Path,
  report: Report,
): void {
  if (charge.pricingType === 'FixedPricing') {
    for (const tier of tiers.slice(1)) {
      report([...path, 'tiers', tier.index], 'FixedPricing has one tier for each currency');
    }
    const [first] = tiers;
    if (first && first.unitsTo !== null) {
      report([...path, 'tiers', first.index, 'unitsTo'], 'the tier of FixedPricing is open');
    }
  }
  const checked = charge.pricingType === 'FixedPricing' ? tiers.slice(0, 1) : tiers;
  for (const { index, problem } of normalizeTiers(checked).problems) {
    const tier = checked[index];
    if (!tier) continue;
    const isEnd = tier.unitsTo !== null && compare(tier.unitsTo, tier.unitsFrom) <= 0;
    report([...path, 'tiers', tier.index, isEnd ? 'unitsTo' : 'unitsFrom'], problem);
  }
}

function checkQuantities(
  charge: LooseCharge,
  currency: string | undefined,
  path: Path,
  report: Report,
): void {
  const { minQuantity: min, maxQuantity: max } = charge;
  if (min !== undefined && max !== undefined && compare(min, max) > 0) {
    report([...path, 'maxQuantity'], `is less than the minQuantity ${min}`);
  }
  // The standard quantity of a usage charge is the quantity that is free.
  if (!charge.chargeType || charge.chargeType === 'UsageCharge') return;
  if (isGiven(charge, 'standardQuantity') && charge.standardQuantity === undefined) return;
  const standard = standardQuantityOf(charge);
  const said = isGiven(charge, 'standardQuantity') ? standard : `${standard} (when left out)`;
  const at = [...path, 'standardQuantity'];
  if (min !== undefined && compare(standard, min) < 0) {
    report(at, `${said} is less than the minQuantity ${min}`);
  }
  if (max !== undefined && compare(standard, max) > 0) {
    report(at, `${said} is more than the maxQuantity ${max}`);
  }
  for (const tiers of tiersByCurrency(charge, currency)) {
    const end = tiers.at(-1)?.unitsTo ?? null;
    if (end !== null && charge.pricingType !== 'FixedPricing' && compare(standard, end) > 0) {
      report(at, `${said} is more than the last tier prices: ${end}`);
    }
  }
}
