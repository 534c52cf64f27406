/** The terms of a commission charge: how much an agent earns, and when. */
import type { Decimal } from '../money/money.ts';

export const commissionTypes = ['Percent', 'Amount'] as const;
export type CommissionType = (typeof commissionTypes)[number];

export const commissionChargeTypes = [
  'DateBasedChargeOneTime',
  'DateBasedCharge',
  'RecurringCharge',
] as const;
export type CommissionChargeType = (typeof commissionChargeTypes)[number];

export const dateUnits = ['Months', 'Years'] as const;
export type DateUnit = (typeof dateUnits)[number];

/** How much: a percentage of a base, or an amount in the tenant's currency. */
export interface CommissionRate {
  readonly type: CommissionType;
  readonly rate: Decimal;
}

/** When a charge falls due, counted from the joiningDate of a link. */
export interface DateTerms {
  readonly chargeType: CommissionChargeType;
  /** Null only for what is earned once, on the joiningDate itself. */
  readonly value: number | null;
  readonly units: DateUnit | null;
}

/* How a secret of a sales agent is shown: by its last four characters. */

const SHOWN_LENGTH = 4;
const MASK = '*****';

/** What may be stored beside a sealed secret. @example lastFourOf('123456789') // '6789' */
export function lastFourOf(clear: string): string {
  return clear.slice(-SHOWN_LENGTH);
}

/** @example maskedText('6789') // '*****6789' */
export function maskedText(lastFour: string): string {
  return `${MASK}${lastFour}`;
}
