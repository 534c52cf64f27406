/** Products, plans with their charges and prices, and coupons. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { BillingAlignment, BillingPeriod } from '../../domain/calendar/calendar.ts';
import type { TermUnit } from '../../domain/calendar/terms.ts';
import type { CustomerStatus } from '../../domain/customers/status.ts';
import type { ExistingOrders, PriceMove } from '../../domain/plans/price-moves.ts';
import type { ChargeType, PricingType } from '../../domain/plans/plan.ts';
import type { TrialCard, TrialUnit } from '../../domain/plans/trial.ts';
import { quantity, stamped, tenanted, texts } from './columns.ts';
import { saysNothingOfCustomers } from './personal.ts';

export const ProductOffering = defineEntity({
  name: 'ProductOffering',
  tableName: 'product_offering',
  uniques: [{ properties: ['tenantId', 'sku'] }],
  properties: {
    ...tenanted,
    sku: p.text(),
    name: p.text(),
  },
});

export const Plan = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  uniques: [{ properties: ['tenantId', 'contractCode', 'version'] }],
  properties: {
    ...tenanted,
    contractCode: p.text(),
    version: p.integer(),
    isNewest: p.boolean(),
    name: p.text(),
    productOfferingId: p.bigint('number').nullable(),
    startDate: p.date().nullable(),
    endDate: p.date().nullable(),
    billingPeriod: p.text().$type<BillingPeriod>(),
    billingAlignment: p.text().$type<BillingAlignment>(),
    alignmentDay: p.integer().nullable(),
    dueDateValue: p.integer().nullable(),
    dueDateUnits: p.text().$type<TermUnit>().nullable(),
    isAutoRenew: p.boolean().nullable(),
    trialValue: p.integer().nullable(),
    trialUnits: p.text().$type<TrialUnit>().nullable(),
    trialCard: p.text().$type<TrialCard>().nullable(),
    invoiceText: p.text().nullable(),
    notes: p.text().nullable(),
    /** Of all versions; null: those of the tenant. */
    renewalNoticeDays: p.integer().nullable(),
    /** Of the newest version: whether orders of older ones take its prices. */
    existingOrders: p.text().$type<ExistingOrders>().default('keep'),
    /** Of the newest version: the day whose run dates the orders of older ones by it. */
    movesDatedOn: p.date().nullable(),
    /** Of an older version: the one whose prices its orders take, and when. */
    movesTo: p.bigint('number').nullable(),
    movesBy: p.text().$type<PriceMove['by']>().nullable(),
    movesFrom: p.date().nullable(),
    ...stamped,
  },
});

export const PlanCharge = defineEntity({
  name: 'PlanCharge',
  tableName: 'plan_charge',
  uniques: [{ properties: ['tenantId', 'planId', 'priceCode'] }],
  properties: {
    ...tenanted,
    planId: p.bigint('number'),
    position: p.integer(),
    priceCode: p.text(),
    invoiceText: p.text().nullable(),
    accountingCode: p.text().nullable(),
    chargeType: p.text().$type<ChargeType>(),
    pricingType: p.text().$type<PricingType>(),
    isPrepaid: p.boolean(),
    isPenalty: p.boolean(),
    penaltyStatus: p.text().$type<CustomerStatus>().nullable(),
    isProrated: p.boolean(),
    isTax: p.boolean(),
    isMandatory: p.boolean(),
    isSeparateInvoice: p.boolean(),
    followsQuantity: p.boolean().default(true),
    decimals: p.boolean().default(false),
    unitOfMeasure: p.text().nullable(),
    standardQuantity: quantity(),
    minQuantity: quantity().nullable(),
    maxQuantity: quantity().nullable(),
    taxCodes: texts(),
    notes: p.text().nullable(),
    ...stamped,
  },
});

export const PricingTier = defineEntity({
  name: 'PricingTier',
  tableName: 'pricing_tier',
  properties: {
    ...tenanted,
    chargeId: p.bigint('number'),
    position: p.integer(),
    unitsFrom: quantity(),
    unitsTo: quantity().nullable(),
    price: quantity().nullable(),
    percent: quantity().nullable(),
    isOverage: p.boolean(),
    currency: p.text(),
    ...stamped,
  },
});

export const Coupon = defineEntity({
  name: 'Coupon',
  tableName: 'coupon',
  uniques: [{ properties: ['tenantId', 'code', 'version'] }],
  properties: {
    ...tenanted,
    code: p.text(),
    version: p.integer(),
    isNewest: p.boolean(),
    percent: quantity().nullable(),
    amount: quantity().nullable(),
    currency: p.text().nullable(),
    isOnce: p.boolean(),
    periods: p.integer().nullable(),
    plans: texts().nullable(),
    startDate: p.date().nullable(),
    endDate: p.date().nullable(),
    maxRedemptions: p.integer().nullable(),
    oncePerCustomer: p.boolean().default(false),
    createdAt: p.datetime(),
  },
});

saysNothingOfCustomers(ProductOffering, Plan, PlanCharge, PricingTier, Coupon);
