/** The kinds of invoice charges, which rollback, crediting and the audit of the books use. */
import type { Charge } from '../plans/plan.ts';

/**
 * `period`, `oneTime` and `penalty` are priced by quantity; `percent` is a percentage of the
 * others; `tax` is a charge with isTax and a percentage. `manual` is a charge of an invoice made by
 * hand.
 */
export const chargeKinds = [
  'period',
  'oneTime',
  'usage',
  'usageSubTotal',
  'percent',
  'discount',
  'credit',
  'penalty',
  'tax',
  'manual',
] as const;
export type ChargeKind = (typeof chargeKinds)[number];

/** The kinds that charges of plans have. */
export type PlanChargeKind = 'period' | 'oneTime' | 'usage' | 'percent' | 'penalty' | 'tax';

/** The kind that a charge of a plan has on an invoice. @example kindOf(goldFee) // 'period' */
export function kindOf(charge: Charge): PlanChargeKind {
  if (charge.isPenalty) return 'penalty';
  if (charge.isTax) return 'tax';
  if (isPercentage(charge)) return 'percent';
  if (charge.chargeType === 'UsageCharge') return 'usage';
  return charge.chargeType === 'OneTimeCharge' ? 'oneTime' : 'period';
}

/**
 * Whether a charge is a percentage of its order's other charges on an invoice. On a usage charge, a
 * percentage is one of the activity's own amount. @example isPercentage(goldFee) // false
 */
export function isPercentage({ chargeType, tiers }: Charge): boolean {
  return chargeType !== 'UsageCharge' && tiers.some((tier) => tier.percent !== null);
}

/**
 * Whether a charge is a tax in percent of its order's other charges: it follows its base, and has no
 * days of its own. @example isTaxPercentage(goldFee) // false
 */
export function isTaxPercentage(charge: Charge): boolean {
  return charge.isTax && isPercentage(charge);
}

/** Whether a charge bills usage by its windows. @example isUsage(goldFee) // false */
export function isUsage({ chargeType }: Charge): boolean {
  return chargeType === 'UsageCharge';
}

/**
 * Whether a charge is due by its order's periods or start. Usage is billed by activities, and
 * penalties by the customer's ageing. @example isDueBySchedule(goldFee) // true
 */
export function isDueBySchedule({ chargeType, isPenalty }: Charge): boolean {
  return chargeType !== 'UsageCharge' && !isPenalty;
}

/** Whether coupons discount charges of a kind. @example isDiscounted('penalty') // false */
export function isDiscounted(kind: ChargeKind): boolean {
  switch (kind) {
    case 'period':
    case 'oneTime':
    case 'percent':
    case 'usage':
      return true;
    case 'usageSubTotal':
    case 'discount':
    case 'credit':
    case 'penalty':
    case 'tax':
    case 'manual':
      return false;
  }
}
