/** How the running orders of a plan version take the prices of another, and which charges go on. */
import type { IsoDate } from '../calendar/calendar.ts';
import type { Charge, Plan, PricingTier } from './plan.ts';

/** Whether running orders take the prices of a newer version, and when: the key of a plan. */
export const existingOrders = ['keep', 'nextPeriod', 'nextTerm'] as const;
export type ExistingOrders = (typeof existingOrders)[number];

/** How the running orders of a plan version take the prices of the newest one. */
export interface PriceMove {
  readonly planId: number;
  readonly by: Exclude<ExistingOrders, 'keep'>;
  /** No prices begin before this day. */
  readonly from: IsoDate;
}

/** The version that an order had for what begins before a day. */
export interface EarlierPrices {
  readonly planId: number;
  readonly until: IsoDate;
}

/** A charge of an earlier version, for what begins before a day. */
export interface EarlierCharge {
  readonly until: IsoDate;
  readonly charge: Charge;
}

/**
 * The charges that a line had before it took other prices, the oldest first.
 *
 * @example earlierCharges([{ planId: 17, until: '2027-02-15' }], fee, plans)
 *   // [{ until: '2027-02-15', charge: feeOfVersion1 }]
 */
export function earlierCharges(
  earlier: readonly EarlierPrices[],
  charge: Charge,
  plans: ReadonlyMap<number, Plan>,
): readonly EarlierCharge[] {
  return earlier.flatMap(({ planId, until }) => {
    const plan = plans.get(planId);
    const own = plan && chargesByCode(plan).get(charge.priceCode);
    return own && isAlike(own, charge) ? [{ until, charge: own }] : [];
  });
}

const codes = new WeakMap<Plan, ReadonlyMap<string, Charge>>();

/** @example chargesByCode(gold).get('GOLD-FEE') */
export function chargesByCode(plan: Plan): ReadonlyMap<string, Charge> {
  const known = codes.get(plan);
  if (known !== undefined) return known;
  const made = new Map(plan.charges.map((charge) => [charge.priceCode, charge]));
  codes.set(plan, made);
  return made;
}

/** What of a charge decides whether a line may go on with another one. */
export type MovedCharge = Pick<
  Charge,
  'priceCode' | 'chargeType' | 'pricingType' | 'isPrepaid' | 'isTax' | 'isPenalty' | 'unitOfMeasure'
>;
/** What of a version decides whether its orders may go on with another one. */
export type MovedPlan = Pick<Plan, 'billingPeriod' | 'billingAlignment' | 'alignmentDay'>;

const kept = ['chargeType', 'isPrepaid', 'isTax', 'isPenalty', 'unitOfMeasure'] as const;

/** Whether a line may have either charge. @example isAlike(fee, feeOfVersion2) // true */
export function isAlike(own: MovedCharge, next: MovedCharge): boolean {
  return kept.every((field) => own[field] === next[field]) && isAgreed(own) === isAgreed(next);
}

/**
 * Why no order of a version can take the prices of another; null if it can.
 *
 * @example whyPlansDiffer(monthly, yearly) // 'another billingPeriod'
 */
export function whyPlansDiffer(own: MovedPlan, next: MovedPlan): string | null {
  const fields = ['billingPeriod', 'billingAlignment', 'alignmentDay'] as const;
  const other = fields.find((field) => own[field] !== next[field]);
  return other === undefined ? null : `another ${other}`;
}

/**
 * Why a line that bills cannot go on with the charge that has its priceCode; null if it can.
 *
 * @example whyChargesDiffer(fee, undefined, 'EUR') // 'no GOLD-FEE'
 */
export function whyChargesDiffer(
  own: MovedCharge,
  next: (MovedCharge & { readonly tiers: readonly Pick<PricingTier, 'currency'>[] }) | undefined,
  currency: string,
): string | null {
  const { priceCode } = own;
  if (next === undefined) return `no ${priceCode}`;
  const other = kept.find((field) => own[field] !== next[field]);
  if (other !== undefined) return `another ${other} of ${priceCode}`;
  // An agreed price stays: the new charge would not ask for it, or would miss it.
  if (isAgreed(own) !== isAgreed(next)) return `another pricingType of ${priceCode}`;
  if (isAgreed(own) || next.tiers.some((tier) => tier.currency === currency)) return null;
  return `no price of ${priceCode} in ${currency}`;
}

/** @example noTierText('SEAT') // 'no tier of SEAT for the quantity' */
export function noTierText(priceCode: string): string {
  return `no tier of ${priceCode} for the quantity`;
}

const isAgreed = ({ pricingType }: MovedCharge): boolean => pricingType === 'UserEnteredPricing';
