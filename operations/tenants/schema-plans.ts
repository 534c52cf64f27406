/** The part of the format that says what is sold: plans, charges, tiers, coupons, commissions. */
import { z } from 'zod';
import {
  billingAlignments,
  billingPeriods,
  chargeTypes,
  customerStatuses,
  pricingTypes,
  termUnits,
} from '../../domain/model.ts';
import * as kind from './scalars.ts';

const tier = z.strictObject({
  unitsFrom: kind
    .decimal()
    .describe('0 in the first tier, then where the tier before ends (`11` after `10` means `10`).'),
  unitsTo: kind.decimal().optional().describe('Left out, the tier is open: only in the last one.'),
  price: kind.decimal().optional().describe('For each unit.'),
  percent: kind
    .percent()
    .optional()
    .describe(
      "Instead of a price: of the activity's amount on a usage charge, else of the order's other " +
        'charges on the invoice, taxes and other percentages apart. The tier is that of the whole ' +
        'quantity, which multiplies nothing.',
    ),
  isOverage: kind
    .flag()
    .default(false)
    .describe('Prices units of usage beyond the `standardQuantity`.'),
  currency: kind
    .currency()
    .optional()
    .describe("The tenant's when left out. Each currency has contiguous tiers of its own."),
});

const charge = z.strictObject({
  priceCode: kind.text().describe('Unique in the plan.'),
  invoiceText: kind.text().optional(),
  accountingCode: kind.text().optional(),
  chargeType: kind.choice(chargeTypes),
  pricingType: kind.choice(pricingTypes),
  price: kind
    .decimal()
    .optional()
    .describe("For FixedPricing, in the tenant's currency; prices in several go into `tiers`."),
  tiers: z
    .array(tier)
    .min(1, 'must have at least one tier')
    .optional()
    .describe(
      'For TieredPricing, VolumePricing and BulkPricing; for FixedPricing one tier from 0 for ' +
        'each currency.',
    ),
  isPrepaid: kind.flag().default(false).describe('Billed at the start of the period it covers.'),
  isProrated: kind
    .flag()
    .default(false)
    .describe(
      'Part of a period costs part of the price. A percentage is never prorated by itself; with ' +
        '`isPrepaid` this says that it is credited for unused days along with its charges.',
    ),
  isMandatory: kind.flag().default(false).describe('Added to an order that leaves it out.'),
  isTax: kind
    .flag()
    .default(false)
    .describe(
      "Left out of what the tenant's taxes and percentages are taken of. With a `percent` it is a " +
        "tax of its own: of all the order's charges on the invoice that are no tax.",
    ),
  isPenalty: kind.flag().default(false).describe('Not billed yet: for overdue customers only.'),
  penaltyStatus: kind
    .choice(customerStatuses.filter((status) => status.startsWith('Overdue')))
    .optional()
    .describe('From which status on a penalty is billed: Overdue3 when left out.'),
  isSeparateInvoice: kind.flag().default(false),
  unitOfMeasure: kind.text().optional(),
  standardQuantity: kind
    .decimal()
    .optional()
    .describe('1 when left out; on usage charges 0: the units included free of charge.'),
  minQuantity: kind.decimal().optional(),
  maxQuantity: kind.decimal().optional(),
  taxCodes: z.array(kind.text()).default([]).describe('Which of the tax rates apply.'),
  notes: kind.longText().optional(),
});

export const plan = z.strictObject({
  contractCode: kind.text().describe('Unique.'),
  name: kind.text(),
  productOffering: kind.text().optional().describe('`sku` of a product offering in this file.'),
  startDate: kind.date().optional().describe('The first day on which an order may start.'),
  endDate: kind.date().optional().describe('The last day on which an order may start.'),
  billingPeriod: kind.choice(billingPeriods),
  billingAlignment: kind
    .choice(billingAlignments)
    .default('StartDate')
    .describe('DayOfMonth only for Monthly and longer periods.'),
  alignmentDay: kind.whole(1, 31).optional().describe('For DayOfMonth, and needed there.'),
  dueDateValue: kind.whole(0, 3_650).optional().describe('Together with `dueDateUnits`.'),
  dueDateUnits: kind.choice(termUnits).optional(),
  isAutoRenew: kind.flag().optional().describe('Of new orders that do not say: true.'),
  invoiceText: kind.text().optional(),
  notes: kind.longText().optional(),
  charges: z.array(charge).min(1, 'must have at least one charge'),
});
export type FilePlan = z.output<typeof plan>;
export type FileCharge = z.output<typeof charge>;
export type FileTier = z.output<typeof tier>;

export const coupon = z.strictObject({
  code: kind.text().describe('Unique.'),
  percent: kind.percent().optional().describe('Either this or `amount`; more than 0.'),
  amount: kind.amount().optional(),
  currency: kind.currency().optional().describe("Of the amount; the tenant's when left out."),
  once: kind.flag().default(false).describe('On one invoice only.'),
  periods: kind
    .whole(1, 1_200)
    .optional()
    .describe('For so many billing periods; neither this nor `once`: for ever.'),
  plans: z
    .array(kind.text())
    .optional()
    .describe('`contractCode` of plans in this file; every plan when left out.'),
  startDate: kind.date().optional(),
  endDate: kind.date().optional(),
});

const commissionCharge = z.strictObject({
  code: kind.text().describe('Unique in the commission plan.'),
  commissionText: kind.text().optional(),
  commissionAmount: kind.decimal().describe('A percentage or an amount, by `commissionType`.'),
  commissionType: kind.choice(['Percent', 'Amount']),
  chargeType: kind.choice(['DateBasedChargeOneTime', 'DateBasedCharge', 'RecurringCharge']),
  dateToChargeValue: kind
    .whole(0, 1_200)
    .optional()
    .describe('For the date-based types, together with `dateToChargeUnits`.'),
  dateToChargeUnits: kind.choice(['Months', 'Years']).optional(),
  customOptions: kind.longText().optional(),
  notes: kind.longText().optional(),
});

export const commissionPlan = z.strictObject({
  planName: kind.text(),
  commissionCode: kind.text().describe('Unique.'),
  accountingCode: kind.text().optional(),
  activate: kind.flag().default(true),
  plans: z.array(kind.text()).default([]).describe('`contractCode` of plans in this file.'),
  charges: z.array(commissionCharge).default([]),
});
