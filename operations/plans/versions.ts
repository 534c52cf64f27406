/** Plan versions for rating: immutable once made, so a process reads each of them once. */
import type { Charge, Decimal, IsoDate, Plan, PricingTier, Terms } from '../../domain/model.ts';
import { termsOf } from '../../domain/calendar/terms.ts';
import type { Tx } from '../../db/connection/tenancy.ts';
import { versionsById } from '../context/versions-by-id.ts';

/** The plan versions of these ids, as created: a later retirement does not show here. */
export const planVersions = versionsById(readPlans);

interface PlanRow {
  readonly id: number;
  readonly contract_code: string;
  readonly version: number;
  readonly name: string;
  readonly start_date: IsoDate | null;
  readonly end_date: IsoDate | null;
  readonly billing_period: Plan['billingPeriod'];
  readonly billing_alignment: Plan['billingAlignment'];
  readonly alignment_day: number | null;
  readonly due_date_value: number | null;
  readonly due_date_units: Terms['units'] | null;
  readonly is_auto_renew: boolean | null;
  readonly invoice_text: string | null;
}

interface ChargeRow {
  readonly id: number;
  readonly plan_id: number;
  readonly position: number;
  readonly price_code: string;
  readonly invoice_text: string | null;
  readonly accounting_code: string | null;
  readonly charge_type: Charge['chargeType'];
  readonly pricing_type: Charge['pricingType'];
  readonly is_prepaid: boolean;
  readonly is_prorated: boolean;
  readonly is_mandatory: boolean;
  readonly is_penalty: boolean;
  readonly is_tax: boolean;
  readonly is_separate_invoice: boolean;
  readonly tax_codes: readonly string[];
  readonly unit_of_measure: string | null;
  readonly standard_quantity: Decimal;
  readonly min_quantity: Decimal | null;
  readonly max_quantity: Decimal | null;
}

interface TierRow {
  readonly id: number;
  readonly charge_id: number;
  readonly units_from: Decimal;
  readonly units_to: Decimal | null;
  readonly price: Decimal | null;
  readonly percent: Decimal | null;
  readonly is_overage: boolean;
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
  const tiersOf = Map.groupBy(tiers, (tier) => tier.charge_id);
  const chargesOf = Map.groupBy(charges, (charge) => charge.plan_id);
  return plans.map((plan) => ({
    id: plan.id,
    contractCode: plan.contract_code,
    version: plan.version,
    name: plan.name,
    startDate: plan.start_date,
    endDate: plan.end_date,
    billingPeriod: plan.billing_period,
    billingAlignment: plan.billing_alignment,
    alignmentDay: plan.alignment_day,
    dueTerms: termsOf(plan.due_date_value, plan.due_date_units),
    isAutoRenew: plan.is_auto_renew,
    invoiceText: plan.invoice_text,
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
    priceCode: row.price_code,
    invoiceText: row.invoice_text,
    accountingCode: row.accounting_code,
    chargeType: row.charge_type,
    pricingType: row.pricing_type,
    isPrepaid: row.is_prepaid,
    isProrated: row.is_prorated,
    isMandatory: row.is_mandatory,
    isPenalty: row.is_penalty,
    isTax: row.is_tax,
    isSeparateInvoice: row.is_separate_invoice,
    taxCodes: row.tax_codes,
    unitOfMeasure: row.unit_of_measure,
    standardQuantity: row.standard_quantity,
    minQuantity: row.min_quantity,
    maxQuantity: row.max_quantity,
    tiers,
  };
}

function toTier(row: TierRow): PricingTier {
  return {
    id: row.id,
    unitsFrom: row.units_from,
    unitsTo: row.units_to,
    price: row.price,
    percent: row.percent,
    isOverage: row.is_overage,
    currency: row.currency,
  };
}
