/** Reads the newest plan versions in the form in which a file's plans are compared with them. */
import type { Tx } from '../../../../db/connection/tenancy.ts';
import type { ChargeContent, PlanContent, TierContent } from './content.ts';

export interface StoredPlan {
  readonly id: number;
  readonly version: number;
  readonly content: PlanContent;
}

type PlanRow = Omit<PlanContent, 'charges'> & { readonly id: number; readonly version: number };
type ChargeRow = Omit<ChargeContent, 'tiers'> & { readonly id: number; readonly planId: number };
type TierRow = TierContent & { readonly chargeId: number };

/** By contractCode. */
export async function readNewestPlans(tx: Tx): Promise<Map<string, StoredPlan>> {
  const plans = await tx.query<PlanRow>(
    `select p.id, p.version, p.contract_code as "contractCode", p.name,
            o.sku as "productOffering", p.start_date as "startDate", p.end_date as "endDate",
            p.billing_period as "billingPeriod", p.billing_alignment as "billingAlignment",
            p.alignment_day as "alignmentDay", p.due_date_value as "dueDateValue",
            p.due_date_units as "dueDateUnits", p.is_auto_renew as "isAutoRenew",
            p.invoice_text as "invoiceText", p.notes
     from plan p
     left join product_offering o on o.tenant_id = p.tenant_id and o.id = p.product_offering_id
     where p.is_newest order by p.contract_code`,
  );
  const charges = await readCharges(tx);
  return new Map(
    plans.map(({ id, version, ...plan }) => [
      plan.contractCode,
      { id, version, content: { ...plan, charges: charges.get(id) ?? [] } },
    ]),
  );
}

async function readCharges(tx: Tx): Promise<Map<number, ChargeContent[]>> {
  const rows = await tx.query<ChargeRow>(
    `select c.id, c.plan_id as "planId", c.price_code as "priceCode",
            c.invoice_text as "invoiceText", c.accounting_code as "accountingCode",
            c.charge_type as "chargeType", c.pricing_type as "pricingType",
            c.is_prepaid as "isPrepaid", c.is_penalty as "isPenalty",
            c.penalty_status as "penaltyStatus", c.is_prorated as "isProrated",
            c.is_tax as "isTax", c.is_mandatory as "isMandatory",
            c.is_separate_invoice as "isSeparateInvoice",
            c.unit_of_measure as "unitOfMeasure",
            trim_scale(c.standard_quantity)::text as "standardQuantity",
            trim_scale(c.min_quantity)::text as "minQuantity",
            trim_scale(c.max_quantity)::text as "maxQuantity",
            c.tax_codes as "taxCodes", c.notes
     from plan_charge c join plan p on p.tenant_id = c.tenant_id and p.id = c.plan_id
     where p.is_newest order by c.plan_id, c.position`,
  );
  const tiers = await tx.query<TierRow>(
    `select t.charge_id as "chargeId", trim_scale(t.units_from)::text as "unitsFrom",
            trim_scale(t.units_to)::text as "unitsTo", trim_scale(t.price)::text as price,
            trim_scale(t.percent)::text as percent, t.is_overage as "isOverage", t.currency
     from pricing_tier t
     join plan_charge c on c.tenant_id = t.tenant_id and c.id = t.charge_id
     join plan p on p.tenant_id = c.tenant_id and p.id = c.plan_id
     where p.is_newest order by t.charge_id, t.position`,
  );
  const tiersOf = Map.groupBy(tiers, ({ chargeId }) => chargeId);
  const charges = new Map<number, ChargeContent[]>();
  for (const { id, planId, ...charge } of rows) {
    const content = (tiersOf.get(id) ?? []).map(({ chargeId: _chargeId, ...tier }) => tier);
    const list = charges.get(planId) ?? [];
    list.push({ ...charge, tiers: content });
    charges.set(planId, list);
  }
  return charges;
}
