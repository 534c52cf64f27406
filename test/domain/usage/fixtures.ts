/** A usage line of an order, and an empty record, for tests of uploads. */
import type { Charge } from '../../../domain/plans/plan.ts';
import type { UsageLine, UsageOrder } from '../../../domain/usage/lines.ts';
import type { UsageRecord } from '../../../domain/usage/records.ts';

/** 0-100 at 0.10, then 0.08. */
export const minutes: Charge = {
  id: 7,
  position: 2,
  priceCode: 'MINUTES',
  invoiceText: 'Calls',
  accountingCode: null,
  chargeType: 'UsageCharge',
  pricingType: 'TieredPricing',
  isPrepaid: false,
  isProrated: false,
  isMandatory: false,
  isPenalty: false,
  isTax: false,
  isSeparateInvoice: false,
  followsQuantity: true,
  decimals: false,
  taxCodes: [],
  unitOfMeasure: 'minute',
  standardQuantity: '0',
  minQuantity: null,
  maxQuantity: null,
  tiers: [tier('0', '100', '0.10'), tier('100', null, '0.08')],
};

function tier(unitsFrom: string, unitsTo: string | null, price: string): Charge['tiers'][number] {
  return { id: 1, unitsFrom, unitsTo, price, percent: null, isOverage: false, currency: 'USD' };
}

/** Active from 2027-01-01 on, in calendar months. */
export function orderOf(more: Partial<UsageOrder> = {}): UsageOrder {
  return {
    id: 10,
    number: '1001',
    status: 'Active',
    currency: 'USD',
    schedule: { billingPeriod: 'Monthly', anchor: '2027-01-01', alignmentDay: 1 },
    startDate: '2027-01-01',
    trialEndDate: null,
    endDate: null,
    isAutoRenew: false,
    endedOn: null,
    billsNothingMore: false,
    nextBillableDate: '2027-02-01',
    customerId: 9,
    extCustomerRef: 'C-1',
    customerSuspended: false,
    ...more,
  };
}

export function lineOfOrder(order: UsageOrder, more: Partial<UsageLine> = {}): UsageLine {
  return {
    id: 1,
    charge: minutes,
    unitPrice: null,
    isActive: true,
    startsOn: null,
    endsOn: null,
    nextPeriodIndex: 0,
    closed: new Set(),
    ...more,
    order,
  };
}

export const noRecord: UsageRecord = {
  extRefId: null,
  extCustomerRef: null,
  customerId: null,
  orderNumber: null,
  orderId: null,
  lineId: null,
  priceCode: null,
  quantity: null,
  amount: null,
  unitPrice: null,
  chargeDate: null,
  chargeEndDate: null,
  invoiceText: null,
  correctsExtRefId: null,
};
