/** Plans, which the tenant's file declares; read only. */
import { z } from 'zod';
import { planHint } from '../../../operations/orders/plan-choice.ts';
import { type PlanView, listPlans, readPlan } from '../../../operations/plans/read.ts';
import { addressed } from '../../calls/addressed.ts';
import { type Route, route } from '../../calls/route.ts';
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
import { page } from '../../calls/queries.ts';
import { type RouteDependencies, reading } from '../../calls/services.ts';
import { priceText } from '../../../domain/money/money.ts';
import { billingAlignments } from '../../../domain/calendar/calendar.ts';
import { chargeTypes, pricingTypes } from '../../../domain/plans/plan.ts';
import { trialCards, trialUnits } from '../../../domain/plans/trial.ts';
import { compile } from '../../xml/codec.ts';
import { billingPeriod, unitsOfTerms } from '../shared-schema.ts';

export function planRoutes(dependencies: RouteDependencies): Route[] {
  return [
    ...addressed('plan', dependencies).reads({
      summary: 'A plan version with its charges and pricing tiers',
      right: 'read',
      summaryByKey: 'The newest version of a plan by its code',
      response: planCodec,
      find: ({ tenant, address }) =>
        reading(dependencies, tenant, (tx) => readPlan(tx, tenant, address)),
      document: planDocument,
      hint: async ({ tenant, address }) =>
        'contractCode' in address
          ? reading(dependencies, tenant, (tx) => planHint(tx, address.contractCode))
          : '',
    }),
    route({
      method: 'GET',
      path: '/plans',
      summary: 'The newest version of each plan, by ascending id',
      right: 'read',
      query: z.object({ ...page, excludeCharges: boolean().default(false) }),
      response: planList,
      handler: ({ tenant, query }) =>
        reading(dependencies, tenant, async (tx) =>
          (await listPlans(tx, tenant, query)).map(planDocument),
        ),
    }),
  ];
}

function planDocument({ charges, productOfferingId, ...plan }: PlanView): PlanDocument {
  return {
    ...plan,
    productOffering: productOfferingId === null ? null : { id: productOfferingId },
    ...(charges === undefined
      ? {}
      : {
          contractCharges: charges.map((charge) => ({
            ...charge,
            taxCodes: [...charge.taxCodes],
            pricingTiers: charge.pricingTiers.map((tier) => ({
              ...tier,
              price: tier.price === null ? null : priceText(tier.currency, tier.price),
              currency: { id: tier.currency },
              contractCharge: { id: charge.id },
            })),
          })),
        }),
  };
}

/* Plans (`contractOffering`) with their charges and pricing tiers; read only. */

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
  followsQuantity: boolean(),
  decimals: boolean(),
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

const contractOfferingSchema = z.strictObject({
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
  trialValue: integer().nullable(),
  trialUnits: enumeration(trialUnits).nullable(),
  trialCard: enumeration(trialCards).nullable(),
  invoiceText: text().nullable(),
  notes: longText().nullable(),
  productOffering: reference().nullable(),
  contractCharges: listOf('contractCharge', contractCharge).optional(),
  lastUpdated: date(),
  dateCreated: date(),
});
type PlanDocument = z.output<typeof contractOfferingSchema>;

const planCodec = compile(root('contractOffering', contractOfferingSchema));
const planList = compile(root('list', listOf('contractOffering', contractOfferingSchema)));
