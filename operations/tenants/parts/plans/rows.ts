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
    `select p.id, p.version, p.contract_code, p.name,
            o.sku as product_offering, p.start_date, p.end_date,
            p.billing_period, p.billing_alignment,
            p.alignment_day, p.due_date_value,
            p.due_date_units, p.is_auto_renew,
            p.invoice_text, p.notes
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
    `select c.id, c.plan_id, c.price_code,
            c.invoice_text, c.accounting_code,
            c.charge_type, c.pricing_type,
            c.is_prepaid, c.is_penalty,
            c.penalty_status, c.is_prorated,
            c.is_tax, c.is_mandatory,
            c.is_separate_invoice,
            c.unit_of_measure,
            trim_scale(c.standard_quantity)::text as standard_quantity,
            trim_scale(c.min_quantity)::text as min_quantity,
            trim_scale(c.max_quantity)::text as max_quantity,
            c.tax_codes, c.notes
     from plan_charge c join plan p on p.tenant_id = c.tenant_id and p.id = c.plan_id
     where p.is_newest order by c.plan_id, c.position`,
  );
  const tiers = await tx.query<TierRow>(
    `select t.charge_id, trim_scale(t.units_from)::text as units_from,
            trim_scale(t.units_to)::text as units_to, trim_scale(t.price)::text as price,
            trim_scale(t.percent)::text as percent, t.is_overage, t.currency
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
