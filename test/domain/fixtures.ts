/** Ordinary plans, charges and orders; a test changes the fields that it needs. */
import type { Coupon } from '../../domain/discounts/coupon.ts';
import type { BillableOrder } from '../../domain/billing/order-to-rate.ts';
import type { Charge, Plan, PricingTier } from '../../domain/plans/plan.ts';
import type { BillableLine } from '../../domain/standing/line.ts';

type Tier = readonly [from: string, to: string | null, price: string | null];

export function tiersOf(tiers: readonly Tier[], currency = 'USD'): PricingTier[] {
  return tiers.map(([unitsFrom, unitsTo, price], index) => ({
    id: index + 1,
    unitsFrom,
    unitsTo,
    price,
    percent: price === null ? '10' : null,
    isOverage: false,
    currency,
  }));
}

/** A recurring charge of 31.00 a period, prepaid and prorated. */
export function chargeWith(changes: Partial<Charge> = {}): Charge {
  return {
    id: 100,
    position: 1,
    priceCode: 'FEE',
    invoiceText: 'Fee',
    accountingCode: '4020',
    chargeType: 'RecurringCharge',
    pricingType: 'FixedPricing',
    isPrepaid: true,
    isProrated: true,
    isMandatory: false,
    isPenalty: false,
    isTax: false,
    isSeparateInvoice: false,
    followsQuantity: true,
    decimals: false,
    taxCodes: [],
    unitOfMeasure: null,
    standardQuantity: '1',
    minQuantity: null,
    maxQuantity: null,
    tiers: tiersOf([['0', null, '31.00']]),
    ...changes,
  };
}

export function planWith(changes: Partial<Plan> = {}): Plan {
  return {
    id: 10,
    contractCode: 'GOLD',
    version: 1,
    name: 'Gold',
    startDate: null,
    endDate: null,
    billingPeriod: 'Monthly',
    billingAlignment: 'StartDate',
    alignmentDay: null,
    dueTerms: null,
    isAutoRenew: null,
    trial: null,
    invoiceText: null,
    charges: [chargeWith()],
    ...changes,
  };
}

/** A coupon of all plans, without an end; a test gives it a percentage or an amount. */
export function couponWith(changes: Partial<Coupon>): Coupon {
  return {
    id: 9,
    code: 'WELCOME',
    percent: null,
    amount: null,
    currency: null,
    isOnce: false,
    periods: null,
    plans: null,
    startDate: null,
    endDate: null,
    maxRedemptions: null,
    oncePerCustomer: false,
    ...changes,
  };
}

export function lineWith(changes: Partial<BillableLine> = {}): BillableLine {
  return {
    id: 1,
    position: 1,
    charge: chargeWith(),
    quantity: '1',
    unitPrice: null,
    invoiceText: null,
    isActive: true,
    startsOn: null,
    endsOn: null,
    nextPeriodIndex: 0,
    billed: [],
    ...changes,
  };
}

/** An Active monthly order from 2027-01-01, without an end. */
export function orderWith(changes: Partial<BillableOrder> = {}): BillableOrder {
  return {
    id: 7,
    status: 'Active',
    currency: 'USD',
    schedule: { billingPeriod: 'Monthly', anchor: '2027-01-01', alignmentDay: null },
    trialEndDate: null,
    startDate: '2027-01-01',
    endDate: null,
    isAutoRenew: true,
    endedOn: null,
    changeOn: null,
    awaitsChange: false,
    creditFrom: null,
    billsNothingMore: false,
    pauses: [],
    customerSuspended: false,
    usageGraceDays: 0,
    lines: [lineWith()],
    ...changes,
  };
}
