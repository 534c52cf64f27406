/** Plans with their charges and prices. */
import type { IsoDate, BillingPeriod, BillingAlignment } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { Terms } from '../calendar/terms.ts';
import type { Trial } from './trial.ts';

export const chargeTypes = ['RecurringCharge', 'OneTimeCharge', 'UsageCharge'] as const;
export type ChargeType = (typeof chargeTypes)[number];

export const pricingTypes = [
  'FixedPricing',
  'TieredPricing',
  'VolumePricing',
  'BulkPricing',
  'UserEnteredPricing',
] as const;
export type PricingType = (typeof pricingTypes)[number];

/**
 * One step of a price: the units above `unitsFrom` up to `unitsTo` (null: open) at `price` each.
 */
export interface PricingTier {
  readonly id: number;
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
  /** Null if the tier has a `percent` instead. */
  readonly price: Decimal | null;
  readonly percent: Decimal | null;
  readonly isOverage: boolean;
  readonly currency: string;
}

/** A charge of a plan version; immutable once made. */
export interface Charge {
  readonly id: number;
  readonly position: number;
  readonly priceCode: string;
  readonly invoiceText: string | null;
  readonly accountingCode: string | null;
  readonly chargeType: ChargeType;
  readonly pricingType: PricingType;
  readonly isPrepaid: boolean;
  readonly isProrated: boolean;
  readonly isMandatory: boolean;
  /** Billed to overdue customers only. */
  readonly isPenalty: boolean;
  /** Percentages and taxes are not taken of it. */
  readonly isTax: boolean;
  /** On an invoice of its own, with the other such charges of its order. */
  readonly isSeparateInvoice: boolean;
  /** The quantity of a quote or a page multiplies it, if it is recurring. */
  readonly followsQuantity: boolean;
  /** Its units may be parts of one on pages. */
  readonly decimals: boolean;
  /** The rates of the tenant's tax that apply to it. */
  readonly taxCodes: readonly string[];
  readonly unitOfMeasure: string | null;
  readonly standardQuantity: Decimal;
  readonly minQuantity: Decimal | null;
  readonly maxQuantity: Decimal | null;
  /** All currencies' tiers; a FixedPricing price is one tier from 0, a UserEnteredPricing none. */
  readonly tiers: readonly PricingTier[];
}

/** A plan version; immutable once made, except for its `endDate`. */
export interface Plan {
  readonly id: number;
  readonly contractCode: string;
  /** Counts the versions of its code from 1. */
  readonly version: number;
  readonly name: string;
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly billingPeriod: BillingPeriod;
  readonly billingAlignment: BillingAlignment;
  /** 1 to 31; null unless `billingAlignment` is DayOfMonth. */
  readonly alignmentDay: number | null;
  readonly dueTerms: Terms | null;
  readonly isAutoRenew: boolean | null;
  /** Null: its orders have none. */
  readonly trial: Trial | null;
  readonly invoiceText: string | null;
  readonly charges: readonly Charge[];
}
