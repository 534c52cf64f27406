/** Plan versions for rating: immutable once made, so a process reads each of them once. */
import type { Charge, Plan, PricingTier } from '../../domain/plans/plan.ts';
import type { PlanTaxCodes } from '../../domain/invoices/taxes-by-hand.ts';
import { termsOf } from '../../domain/calendar/terms.ts';
import { trialOf } from '../../domain/plans/trial.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { versionsById } from '../context/versions.ts';
import type * as tables from '../../db/entities/plans.ts';
import type { RowOf } from '../../db/entities/rows.ts';

/** The plan versions of these ids, as created: a later retirement does not show here. */
export const planVersions = versionsById(readPlans);

type PlanRow = RowOf<
  typeof tables.Plan,
  | 'id'
  | 'contractCode'
  | 'version'
  | 'name'
  | 'startDate'
  | 'endDate'
  | 'billingPeriod'
  | 'billingAlignment'
  | 'alignmentDay'
  | 'dueDateValue'
  | 'dueDateUnits'
  | 'isAutoRenew'
  | 'trialValue'
  | 'trialUnits'
  | 'trialCard'
  | 'invoiceText'
>;

type ChargeRow = RowOf<
  typeof tables.PlanCharge,
  | 'id'
  | 'planId'
  | 'position'
  | 'priceCode'
  | 'invoiceText'
  | 'accountingCode'
  | 'chargeType'
  | 'pricingType'
  | 'isPrepaid'
  | 'isProrated'
  | 'isMandatory'
  | 'isPenalty'
  | 'isTax'
  | 'isSeparateInvoice'
  | 'followsQuantity'
  | 'decimals'
  | 'taxCodes'
  | 'unitOfMeasure'
  | 'standardQuantity'
  | 'minQuantity'
  | 'maxQuantity'
>;

type TierRow = RowOf<
  typeof tables.PricingTier,
  'id' | 'chargeId' | 'unitsFrom' | 'unitsTo' | 'price' | 'percent' | 'isOverage' | 'currency'
>;

async function readPlans(tx: Pick<Tx, 'query'>, ids: readonly number[]): Promise<Plan[]> {
  const plans = await tx.query<PlanRow>(
    `select id, contract_code, version, name, start_date, end_date, billing_period, billing_alignment,
            alignment_day, due_date_value, due_date_units, is_auto_renew, trial_value, trial_units,
            trial_card, invoice_text
     from plan where id = any($1)`,
    [ids],
  );
  const charges = await tx.query<ChargeRow>(
    `select id, plan_id, position, price_code, invoice_text, accounting_code, charge_type,
            pricing_type, is_prepaid, is_prorated, is_mandatory, is_penalty, is_tax,
            is_separate_invoice, follows_quantity, decimals, tax_codes, unit_of_measure,
            trim_scale(standard_quantity)::text as standard_quantity,
            trim_scale(min_quantity)::text as min_quantity,
            trim_scale(max_quantity)::text as max_quantity
     from plan_charge where plan_id = any($1) order by plan_id, position, id`,
    [ids],
  );
  const tiers = await tx.query<TierRow>(
    `select id, charge_id, trim_scale(units_from)::text as units_from,
            trim_scale(units_to)::text as units_to, trim_scale(price)::text as price,
            trim_scale(percent)::text as percent, is_overage, currency
     from pricing_tier where charge_id = any($1) order by charge_id, position, id`,
    [charges.map((charge) => charge.id)],
  );
  const tiersOf = Map.groupBy(tiers, (tier) => tier.chargeId);
  const chargesOf = Map.groupBy(charges, (charge) => charge.planId);
  return plans.map((plan) => ({
    id: plan.id,
    contractCode: plan.contractCode,
    version: plan.version,
    name: plan.name,
    startDate: plan.startDate,
    endDate: plan.endDate,
    billingPeriod: plan.billingPeriod,
    billingAlignment: plan.billingAlignment,
    alignmentDay: plan.alignmentDay,
    dueTerms: termsOf(plan.dueDateValue, plan.dueDateUnits),
    isAutoRenew: plan.isAutoRenew,
    trial: trialOf(plan.trialValue, plan.trialUnits, plan.trialCard),
    invoiceText: plan.invoiceText,
    charges: (chargesOf.get(plan.id) ?? []).map((charge) =>
      toCharge(charge, (tiersOf.get(charge.id) ?? []).map(toTier)),
    ),
  }));
}

/** Terms from their two columns; null where the row has none. */
function toCharge(row: ChargeRow, tiers: readonly PricingTier[]): Charge {
  return {
    id: row.id,
    position: row.position,
    priceCode: row.priceCode,
    invoiceText: row.invoiceText,
    accountingCode: row.accountingCode,
    chargeType: row.chargeType,
    pricingType: row.pricingType,
    isPrepaid: row.isPrepaid,
    isProrated: row.isProrated,
    isMandatory: row.isMandatory,
    isPenalty: row.isPenalty,
    isTax: row.isTax,
    isSeparateInvoice: row.isSeparateInvoice,
    followsQuantity: row.followsQuantity,
    decimals: row.decimals,
    taxCodes: row.taxCodes,
    unitOfMeasure: row.unitOfMeasure,
    standardQuantity: row.standardQuantity,
    minQuantity: row.minQuantity,
    maxQuantity: row.maxQuantity,
    tiers,
  };
}

function toTier(row: TierRow): PricingTier {
  return {
    id: row.id,
    unitsFrom: row.unitsFrom,
    unitsTo: row.unitsTo,
    price: row.price,
    percent: row.percent,
    isOverage: row.isOverage,
    currency: row.currency,
  };
}

/* The tax codes of charges by their priceCode, for invoices that are made by hand. */

/** Of the newest plans, and of these versions. */
export async function taxCodesOfPlans(
  tx: Tx,
  {
    priceCodes,
    planIds,
  }: { readonly priceCodes: readonly string[]; readonly planIds: readonly number[] },
): Promise<readonly PlanTaxCodes[]> {
  if (priceCodes.length === 0) return [];
  return tx.query<PlanTaxCodes & Record<string, unknown>>(
    `select p.id as plan_id, p.is_newest, c.price_code, c.is_tax, c.tax_codes
     from plan_charge c join plan p on p.tenant_id = c.tenant_id and p.id = c.plan_id
     where c.price_code = any($1) and (p.is_newest or p.id = any($2))
     order by p.id`,
    [[...new Set(priceCodes)], planIds],
    'tax-codes-of-plans',
  );
}
