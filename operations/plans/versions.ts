/** Plan versions for rating: immutable once made, so a process reads each of them once. */
import type { IsoDate } from '../../domain/calendar/date.ts';
import type { Decimal } from '../../domain/money/decimal.ts';
import type { Charge, Plan, PricingTier } from '../../domain/plans/plan.ts';
import { termsOf, type Terms } from '../../domain/calendar/terms.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { versionsById } from '../context/versions-by-id.ts';

/** The plan versions of these ids, as created: a later retirement does not show here. */
export const planVersions = versionsById(readPlans);

interface PlanRow {
  readonly id: number;
  readonly contractCode: string;
  readonly version: number;
  readonly name: string;
  readonly startDate: IsoDate | null;
  readonly endDate: IsoDate | null;
  readonly billingPeriod: Plan['billingPeriod'];
  readonly billingAlignment: Plan['billingAlignment'];
  readonly alignmentDay: number | null;
  readonly dueDateValue: number | null;
  readonly dueDateUnits: Terms['units'] | null;
  readonly isAutoRenew: boolean | null;
  readonly invoiceText: string | null;
}

interface ChargeRow {
  readonly id: number;
  readonly planId: number;
  readonly position: number;
  readonly priceCode: string;
  readonly invoiceText: string | null;
  readonly accountingCode: string | null;
  readonly chargeType: Charge['chargeType'];
  readonly pricingType: Charge['pricingType'];
  readonly isPrepaid: boolean;
  readonly isProrated: boolean;
  readonly isMandatory: boolean;
  readonly isPenalty: boolean;
  readonly isTax: boolean;
  readonly isSeparateInvoice: boolean;
  readonly taxCodes: readonly string[];
  readonly unitOfMeasure: string | null;
  readonly standardQuantity: Decimal;
  readonly minQuantity: Decimal | null;
  readonly maxQuantity: Decimal | null;
}

interface TierRow {
  readonly id: number;
  readonly chargeId: number;
  readonly unitsFrom: Decimal;
  readonly unitsTo: Decimal | null;
  readonly price: Decimal | null;
  readonly percent: Decimal | null;
  readonly isOverage: boolean;
  readonly currency: string;
}

async function readPlans(tx: Tx, ids: readonly number[]): Promise<Plan[]> {
  const plans = await tx.query<PlanRow>(
    `select id, contract_code, version, name, start_date, end_date, billing_period, billing_alignment,
            alignment_day, due_date_value, due_date_units, is_auto_renew, invoice_text
     from plan where id = any($1)`,
    [ids],
  );
  const charges = await tx.query<ChargeRow>(
    `select id, plan_id, position, price_code, invoice_text, accounting_code, charge_type,
            pricing_type, is_prepaid, is_prorated, is_mandatory, is_penalty, is_tax,
            is_separate_invoice, tax_codes, unit_of_measure,
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
