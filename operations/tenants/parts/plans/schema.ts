/** The part of the format that says what is sold: plans, charges, tiers. */
import { z } from 'zod';
import { billingAlignments, billingPeriods } from '../../../../domain/calendar/calendar.ts';
import { termUnits } from '../../../../domain/calendar/terms.ts';
import { NOTICE_DAYS_MAX } from '../../../../domain/events/notices.ts';
import { customerStatuses } from '../../../../domain/customers/status.ts';
import { existingOrders } from '../../../../domain/plans/price-moves.ts';
import { chargeTypes, pricingTypes } from '../../../../domain/plans/plan.ts';
import { TRIAL_VALUE_MAX, trialCards, trialUnits } from '../../../../domain/plans/trial.ts';
import * as kind from '../../file/scalars.ts';

const tier = z.strictObject({
  unitsFrom: kind
    .decimal()
    .describe(
      '0 in the first tier, else the end of the previous one (`11` after `10` means `10`).',
    ),
  unitsTo: kind.decimal().optional().describe('Only the last tier may omit it: it is open.'),
  price: kind.decimal().optional().describe('For each unit.'),
  percent: kind
    .percent()
    .optional()
    .describe(
      "Instead of a price: of the activity's amount on a usage charge, else of the order's other " +
        'charges on the invoice, without taxes and other percentages. The whole quantity selects ' +
        'the tier and multiplies nothing.',
    ),
  isOverage: kind
    .flag()
    .default(false)
    .describe('Prices units of usage beyond the `standardQuantity`.'),
  currency: kind
    .currency()
    .optional()
    .describe("The tenant's currency by default. Each currency has its own contiguous tiers."),
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
      'A partial period costs its share of the price. A percentage is never prorated by itself; ' +
        'if it is also `isPrepaid`, cancelling credits it for unused days with its charges.',
    ),
  isMandatory: kind.flag().default(false).describe('Added to an order that omits it.'),
  isTax: kind
    .flag()
    .default(false)
    .describe(
      "The tenant's taxes and percentages are not taken of this charge. With a `percent` it is " +
        "itself a tax: of all the order's charges on the invoice that are not taxes.",
    ),
  isPenalty: kind.flag().default(false).describe('For overdue customers only.'),
  penaltyStatus: kind
    .choice(customerStatuses.filter((status) => status.startsWith('Overdue')))
    .optional()
    .describe('The status from which a penalty is billed: Overdue3 by default.'),
  isSeparateInvoice: kind
    .flag()
    .default(false)
    .describe(
      'Not on the invoice of the other charges: with those of the order that have it too and are ' +
        'due at the same time.',
    ),
  followsQuantity: kind
    .flag()
    .default(true)
    .describe(
      'The quantity of a quote, or of a page, multiplies a recurring charge; `false` for a base ' +
        'fee, whatever the number of seats.',
    ),
  decimals: kind
    .flag()
    .default(false)
    .describe('Pages take parts of a unit, if all charges that follow the quantity have it.'),
  unitOfMeasure: kind.text().optional(),
  standardQuantity: kind
    .decimal()
    .optional()
    .describe('1 by default; on a usage charge the units included free of charge, 0 by default.'),
  minQuantity: kind
    .decimal()
    .optional()
    .describe('The least quantity of an order line; it has no effect on a usage charge.'),
  maxQuantity: kind.decimal().optional().describe('The greatest one, alike.'),
  taxCodes: z.array(kind.text()).default([]).describe('Which of the tax rates apply.'),
  notes: kind.longText().optional(),
});

const trial = z.strictObject({
  value: kind.whole(1, TRIAL_VALUE_MAX.Days).describe('Up to 365 Days, 52 Weeks or 12 Months.'),
  units: kind.choice(trialUnits),
  card: kind
    .choice(trialCards)
    .default('optional')
    .describe('`required`: pages demand a method of payment before the trial; calls never do.'),
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
  alignmentDay: kind.whole(1, 31).optional().describe('For DayOfMonth, which requires it.'),
  dueDateValue: kind.whole(0, 3_650).optional().describe('Together with `dueDateUnits`.'),
  dueDateUnits: kind.choice(termUnits).optional(),
  isAutoRenew: kind.flag().optional().describe('The default of new orders: true.'),
  trial: trial
    .optional()
    .describe('Free days from the startDate of an order on; billing begins on the day after them.'),
  invoiceText: kind.text().optional(),
  notes: kind.longText().optional(),
  renewalNoticeDays: kind
    .whole(0, NOTICE_DAYS_MAX)
    .optional()
    .describe(
      'Before the first day of the next term; the `notices` of the tenant by default, 0: none. For ' +
        'all versions, and without a new one.',
    ),
  existingOrders: kind
    .choice(existingOrders)
    .default('keep')
    .describe(
      'Whether running orders of older versions take the prices of the newest one: never, with ' +
        'their next period, or with their next term.',
    ),
  charges: z.array(charge).min(1, 'must have at least one charge'),
});
export type FilePlan = z.output<typeof plan>;
export type FileCharge = z.output<typeof charge>;
export type FileTier = z.output<typeof tier>;
