/** Plan versions with their charges and tiers: immutable, but for a plan's end. */
import { defineEntity, p } from '@mikro-orm/postgresql';
import type {
  BillingAlignment,
  BillingPeriod,
  ChargeType,
  CustomerStatus,
  PricingType,
  TermUnit,
} from '../../domain/model.ts';
import { quantity, stamped, tenanted } from './columns.ts';

const ProductOfferingSchema = defineEntity({
  name: 'ProductOffering',
  tableName: 'product_offering',
  properties: { ...tenanted, sku: p.text(), name: p.text() },
});
export class ProductOffering extends ProductOfferingSchema.class {}
ProductOfferingSchema.setClass(ProductOffering);

const PlanSchema = defineEntity({
  name: 'Plan',
  tableName: 'plan',
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
    invoiceText: p.text().nullable(),
    notes: p.text().nullable(),
    ...stamped,
  },
});
export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan);

const PlanChargeSchema = defineEntity({
  name: 'PlanCharge',
  tableName: 'plan_charge',
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
    unitOfMeasure: p.text().nullable(),
    standardQuantity: quantity(),
    minQuantity: quantity().nullable(),
    maxQuantity: quantity().nullable(),
    taxCodes: p.array(),
    notes: p.text().nullable(),
    ...stamped,
  },
});
export class PlanCharge extends PlanChargeSchema.class {}
PlanChargeSchema.setClass(PlanCharge);

const PricingTierSchema = defineEntity({
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
export class PricingTier extends PricingTierSchema.class {}
PricingTierSchema.setClass(PricingTier);
