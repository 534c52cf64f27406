/** The charges of an invoice by kind: what each one refers to. Rating makes them, stage by stage. */
import assert from 'node:assert';
import type { DueCharge, UsageWindow } from './due/due-charges.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Decimal } from '../money/money.ts';
import type { Charge } from '../plans/plan.ts';
import type { ChargedRate } from '../tax/rates.ts';
import type { SharedUsage } from '../usage/shares.ts';

/**
 * One tier's part, or all, of what an order line owes for a period, its start, or the customer's
 * age. A `tax` one is a charge with isTax that has a price.
 */
export interface PeriodCharge {
  readonly kind: 'period' | 'oneTime' | 'penalty' | 'tax';
  /** The tiers of one period of one order line share it. */
  readonly due: DueCharge;
  readonly tierId: number | null;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly amount: Decimal;
}

/**
 * A percentage of other charges that its order has on the invoice: a `percent` charge of a plan, or
 * a `tax` one, which is a charge with isTax.
 */
export interface PercentCharge<Kind extends 'percent' | 'tax' = 'percent' | 'tax'> {
  readonly kind: Kind;
  readonly due: DueCharge;
  readonly tierId: number | null;
  readonly quantity: Decimal;
  readonly percent: Decimal;
  /** The charges of which it is the percentage; the periods of one percentage share them out. */
  readonly base: readonly InvoiceCharge[];
  readonly amount: Decimal;
}

/** A percentage whose base is not known yet. */
export type OpenPercentage<Kind extends 'percent' | 'tax' = 'percent' | 'tax'> = Omit<
  PercentCharge<Kind>,
  'base' | 'amount'
>;

/** One tier's part, or all, of the activity in a window, or the sum of amounts that it has. */
export interface UsageCharge {
  readonly kind: 'usage';
  readonly window: UsageWindow;
  readonly tierId: number | null;
  /** `unitPrice` is a percentage of the amounts of the activity. */
  readonly isPercent: boolean;
  readonly quantity: Decimal;
  /** Null for a sum of amounts. */
  readonly unitPrice: Decimal | null;
  readonly amount: Decimal;
  /** What it gives back of usage that was billed before: then it is in no base. */
  readonly corrects?: readonly Corrected[];
}

/** What corrections give back of a stored charge, with the sign of the charge. */
export interface Corrected {
  readonly chargeId: number;
  readonly amount: Decimal;
  /** Of a percentage: what goes back of the amounts of which it is one, below zero. */
  readonly supplied: Decimal;
}

/** What a window costs in all; it is in no sum. */
export interface UsageSubTotal {
  readonly kind: 'usageSubTotal';
  readonly window: UsageWindow;
  readonly quantity: Decimal;
  readonly amount: Decimal;
  /** The percentage of the amounts that were supplied; null if they were billed whole. */
  readonly percent: Decimal | null;
  /** What its records without an amount share by quantity; null if there are none. */
  readonly shared: SharedUsage | null;
}

/** What one coupon takes off an order line's period or window, its tiers together. */
export interface DiscountCharge {
  readonly kind: 'discount';
  readonly coupon: { readonly id: number; readonly code: string; readonly percent: Decimal | null };
  readonly discounts: DueCharge | UsageWindow;
  /** The order's period whose coupon it uses: a one-time charge belongs to the first. */
  readonly periodIndex: number;
  /** Negative. */
  readonly amount: Decimal;
}

/**
 * What goes back of a billed charge for days that a change leaves unused, of one that depends on
 * usage which is corrected, or by a credit note.
 */
export interface CreditCharge {
  readonly kind: 'credit';
  readonly credits: {
    readonly chargeId: number;
    readonly orderLineId: number | null;
    readonly priceCode: string | null;
    readonly accountingCode: string | null;
    readonly invoiceText: string | null;
    /** Of a discount: its coupon, and the period that it discounted. */
    readonly discount: { readonly couponId: number; readonly periodIndex: number } | null;
    /** @see taxCodeOf */
    readonly taxCode: string | null;
    readonly isTax: boolean;
  };
  /** The unused days, or those of the corrected usage; of a credit note those of the charge, if it has any. */
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  readonly amount: Decimal;
  /** The usage charge whose records are corrected; absent for unused days. */
  readonly corrects?: Charge;
  /** Of a credit note: the price and quantity that it repeats; absent for others. */
  readonly note?: CountedBack;
}

/** All null unless a credit note gives a charge back by its quantity, or whole at once. */
export interface CountedBack {
  readonly isPercent: boolean;
  readonly unitPrice: Decimal | null;
  /** Negative. */
  readonly quantity: Decimal | null;
  readonly unitOfMeasure: string | null;
}

/** A tax of the tenant's table, or of a tax provider, on some charges of one invoice line. */
export interface RateTaxCharge {
  readonly kind: 'tax';
  /** As it is on the invoice date. */
  readonly rate: ChargedRate;
  readonly base: readonly InvoiceCharge[];
  readonly amount: Decimal;
}

/** A charge that a caller wrote. */
export interface ManualCharge {
  readonly kind: 'manual';
  readonly priceCode: string | null;
  readonly invoiceText: string | null;
  readonly isPercent: boolean;
  readonly unitPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly amount: Decimal;
  /** By which it is taxed; none if its invoice is not. */
  readonly taxCodes: readonly string[];
}

export type InvoiceCharge =
  | PeriodCharge
  | PercentCharge
  | UsageCharge
  | UsageSubTotal
  | DiscountCharge
  | CreditCharge
  | RateTaxCharge
  | ManualCharge;

/** A charge between the stages of rating. */
export type RatedCharge = InvoiceCharge | OpenPercentage;

/** Whether rating has found its amount. @example isPriced(support) // false before `adjust` */
export function isPriced(charge: RatedCharge): charge is InvoiceCharge {
  return 'amount' in charge;
}

/** The day on which it was due, for the percentages that see it. @example dueOnOf(fee) // '2027-01-01' */
export function dueOnOf(charge: InvoiceCharge): IsoDate {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
      return charge.due.dueOn;
    case 'usage':
    case 'usageSubTotal':
      return charge.window.dueOn;
    case 'discount':
      return charge.discounts.dueOn;
    case 'credit':
    case 'tax':
    case 'manual':
      assert.fail(`no percentage sees a charge of kind ${charge.kind}`);
  }
}

/**
 * The charge of the plan that it bills, discounts or corrects; null for what is of no plan. @example planChargeOf(fee)?.priceCode // 'GOLD-FEE'
 */
export function planChargeOf(charge: RatedCharge): Charge | null {
  switch (charge.kind) {
    case 'period':
    case 'oneTime':
    case 'penalty':
    case 'percent':
    case 'tax':
      return 'due' in charge ? charge.due.line.charge : null;
    case 'usage':
    case 'usageSubTotal':
      return charge.window.line.charge;
    case 'discount':
      return charge.discounts.line.charge;
    case 'credit':
      return charge.corrects ?? null;
    case 'manual':
      return null;
  }
}

/**
 * Whether a charge gives back of earlier invoices. It carries the discounts and taxes of then, so no
 * discount, percentage or tax of its own invoice sees it.
 *
 * @example givesBack(fee) // false
 */
export function givesBack(charge: RatedCharge): boolean {
  if (charge.kind === 'usage') return (charge.corrects ?? []).length > 0;
  return charge.kind === 'credit';
}

/**
 * The codes by which rates tax a charge: those of what it bills or discounts, or its own if it was
 * made by hand. Taxes have none.
 *
 * @example taxCodesOf(fee) // ['STANDARD']
 */
export function taxCodesOf(charge: InvoiceCharge): readonly string[] {
  if (charge.kind === 'manual') return charge.taxCodes;
  const plan = planChargeOf(charge);
  return plan === null || plan.isTax ? [] : plan.taxCodes;
}

/**
 * The code by which a tax provider is told of a charge: of a tax by rate its own, else the first of
 * its codes. Null without one.
 *
 * @example taxCodeOf(fee) // 'STANDARD'
 */
export function taxCodeOf(charge: InvoiceCharge): string | null {
  if ('rate' in charge) return charge.rate.taxCode;
  return taxCodesOf(charge)[0] ?? null;
}
