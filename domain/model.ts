/** The types of the billing rules: plain values without database, clock or tenant. */

/** A calendar date `YYYY-MM-DD`. */
export type IsoDate = string;

/** A decimal as text, at most 6 decimals: `29.95`, `-0.5`. Never a binary floating-point number. */
export type Decimal = string;

export const billingPeriods = [
  'Daily',
  'Weekly',
  'Monthly',
  'Quarterly',
  'SemiAnnual',
  'Yearly',
] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const billingAlignments = ['StartDate', 'DayOfMonth'] as const;
export type BillingAlignment = (typeof billingAlignments)[number];

export const termUnits = ['Days', 'Months'] as const;
export type TermUnit = (typeof termUnits)[number];

/** Due terms or payment terms: `{ value: 30, units: 'Days' }`. */
export interface Terms {
  readonly value: number;
  readonly units: TermUnit;
}

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

export const orderStatuses = [
  'Draft',
  'Provisioning',
  'Active',
  'Suspended',
  'Complete',
  'Superseded',
  'Canceled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const customerStatuses = [
  'Active',
  'Overdue1',
  'Overdue2',
  'Overdue3',
  'Suspended1',
  'Suspended2',
  'Suspended3',
  'InActive1',
  'InActive2',
] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

export const invoiceStatuses = ['Outstanding', 'Paid', 'Cancelled', 'CarriedOver'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

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
  readonly invoiceText: string | null;
  readonly charges: readonly Charge[];
}

/**
 * The schedule of an order's billing periods: period n starts n periods after the anchor. With
 * `alignmentDay` the anchor is the first alignment day at or after the order's start, and the stub
 * before it is (the end of) period -1.
 */
export interface Schedule {
  readonly billingPeriod: BillingPeriod;
  readonly anchor: IsoDate;
  readonly alignmentDay: number | null;
}

/** Days of period `periodIndex` that a line was billed for, inclusive. */
export interface BilledDays {
  readonly periodIndex: number;
  readonly from: IsoDate;
  readonly to: IsoDate;
  /** What further days of the period are priced by; absent where nothing is priced. */
  readonly cost?: BilledCost;
}

/** What some days of a period were billed for, whether that was paid or cancelled since. */
export interface BilledCost {
  /** Without those of pauses that were known when they were billed. */
  readonly days: number;
  /** One for each tier; none of a percentage. */
  readonly parts: readonly BilledPart[];
}

export interface BilledPart {
  readonly tierId: number | null;
  readonly unitPrice: Decimal;
  readonly quantity: Decimal;
  readonly amount: Decimal;
}

/**
 * A pause of service. The day of suspension and the day of resumption are served, the days between
 * are not. `resumedOn` is null while it lasts.
 */
export interface ServicePause {
  readonly suspendedOn: IsoDate;
  readonly resumedOn: IsoDate | null;
}

export interface BillableLine {
  readonly id: number;
  readonly position: number;
  readonly charge: Charge;
  readonly quantity: Decimal;
  /** The agreed price, for UserEnteredPricing. */
  readonly unitPrice: Decimal | null;
  readonly invoiceText: string | null;
  readonly isActive: boolean;
  /** Its first and last day; null: its order's. Outside of them it bills nothing. */
  readonly startsOn: IsoDate | null;
  readonly endsOn: IsoDate | null;
  /**
   * The lowest period that may still have something to bill. Period 0 stands for the only billing
   * of a one-time charge, 1 for "was billed".
   */
  readonly nextPeriodIndex: number;
  /**
   * Of a penalty: the day since which the customer stands at or past its status by ageing; null
   * if it does not, or once a one-time penalty is billed. Absent on other charges.
   */
  readonly penaltySince?: IsoDate | null;
  /** Days billed and not rolled back, in periods from `nextPeriodIndex` on. */
  readonly billed: readonly BilledDays[];
  /** Of a usage line: its stored windows from `nextPeriodIndex` on. Absent on other charges. */
  readonly windows?: readonly LineWindow[];
}

/** What the records of a usage window come to. */
export interface UsageSums {
  /** Of the records without an amount, and of corrections of them. */
  readonly quantities: readonly QuantitySum[];
  /** Of the records with an amount, and of corrections while they are unbilled; null without any. */
  readonly supplied: AmountSum | null;
  /** Of the corrections of records that were billed before. */
  readonly corrections: readonly CorrectionSum[];
}

export interface QuantitySum {
  /** The records' own, for UserEnteredPricing, null if they have none; elsewhere without a meaning. */
  readonly unitPrice: Decimal | null;
  /** Not negative: a record's corrections come to its quantity at most, and have its unit price. */
  readonly quantity: Decimal;
}

export interface AmountSum {
  readonly quantity: Decimal;
  readonly amount: Decimal;
}

/** Its amount is negative; of a correction without one it is a part of its record's. */
export interface CorrectionSum extends AmountSum {
  /** The id of the window that billed the records. */
  readonly of: number;
  /** The percentage at which the corrected records were billed; null if they were billed at none. */
  readonly percent: Decimal | null;
}

/** A stored usage window of an order line. */
export interface LineWindow {
  readonly periodIndex: number;
  /** It was billed, or passed without records. */
  readonly isClosed: boolean;
  /** Null without records, and if they were not read. */
  readonly sums: UsageSums | null;
}
