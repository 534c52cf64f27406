/** Plans (`contractOffering`) with their charges and pricing tiers; read only. */
import { z } from 'zod';
import { billingAlignments } from '../../../domain/calendar/calendar.ts';
import { chargeTypes, pricingTypes } from '../../../domain/plans/plan.ts';
import { compile } from '../../xml/codec.ts';
import {
  boolean,
  currency,
  date,
  decimal,
  enumeration,
  id,
  integer,
  listOf,
  longText,
  reference,
  root,
  text,
} from '../../xml/types.ts';
import { billingPeriod, unitsOfTerms } from '../shared-schema.ts';

const pricingTier = z.strictObject({
  id: id(),
  unitsFrom: decimal(),
  unitsTo: decimal().nullable(),
  price: decimal().nullable(),
  percent: decimal().nullable(),
  isOverage: boolean(),
  currency: currency(),
  contractCharge: reference(),
  lastUpdated: date(),
  dateCreated: date(),
});

const contractCharge = z.strictObject({
  id: id(),
  accountingCode: text().nullable(),
  position: integer(),
  priceCode: text(),
  invoiceText: text().nullable(),
  chargeType: enumeration(chargeTypes),
  pricingType: enumeration(pricingTypes),
  isPrepaid: boolean(),
  isPenalty: boolean(),
  isProrated: boolean(),
  isTax: boolean(),
  isMandatory: boolean(),
  isSeparateInvoice: boolean(),
  unitOfMeasure: text().nullable(),
  standardQuantity: decimal(),
  minQuantity: decimal().nullable(),
  maxQuantity: decimal().nullable(),
  taxCodes: listOf('taxCode', z.string()),
  notes: longText().nullable(),
  pricingTiers: listOf('pricingTier', pricingTier),
  lastUpdated: date(),
  dateCreated: date(),
});

export const contractOfferingSchema = z.strictObject({
  id: id(),
  contractCode: text(),
  name: text(),
  startDate: date().nullable(),
  endDate: date().nullable(),
  billingPeriod: billingPeriod(),
  billingAlignment: enumeration(billingAlignments),
  alignmentDay: integer(1, 31).nullable(),
  dueDateValue: integer().nullable(),
  dueDateUnits: unitsOfTerms().nullable(),
  isAutoRenew: boolean().nullable(),
  invoiceText: text().nullable(),
  notes: longText().nullable(),
  productOffering: reference().nullable(),
  contractCharges: listOf('contractCharge', contractCharge).optional(),
  lastUpdated: date(),
  dateCreated: date(),
});
export type PlanDocument = z.output<typeof contractOfferingSchema>;

export const planCodec = compile(root('contractOffering', contractOfferingSchema));
export const planList = compile(root('list', listOf('contractOffering', contractOfferingSchema)));
