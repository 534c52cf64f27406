/** What a charge of an invoice is; rollback, crediting and the audit of the books go by it. */
import type { Charge } from '../model.ts';

/**
 * `period`, `oneTime` and `penalty` are priced by quantity; `percent` is a share of the others;
 * `tax` is what a charge with isTax comes to. `manual` is a charge of an invoice made by hand, a
 * percentage or not.
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

/** The kind that a charge of a plan has on an invoice. @example kindOf(goldFee) // 'period' */
export function kindOf(charge: Charge): ChargeKind {
  if (charge.isPenalty) return 'penalty';
  if (charge.isTax) return 'tax';
  if (isPercentage(charge)) return 'percent';
  if (charge.chargeType === 'UsageCharge') return 'usage';
  return charge.chargeType === 'OneTimeCharge' ? 'oneTime' : 'period';
}

/**
 * Whether a charge is a percentage of its order's other charges on an invoice. A percentage of
 * usage is one of the activity's own amount. @example isPercentage(goldFee) // false
 */
export function isPercentage({ chargeType, tiers }: Charge): boolean {
  return chargeType !== 'UsageCharge' && tiers.some((tier) => tier.percent !== null);
}

/**
 * Whether the periods of its order, or its start, make a charge due. Usage is billed by what was
 * used; penalties come with the ageing of their customer. @example isDueBySchedule(goldFee) // true
 */
export function isDueBySchedule({ chargeType, isPenalty }: Charge): boolean {
  return chargeType !== 'UsageCharge' && !isPenalty;
}
