/** Applies the plans of a tenant file: a changed plan is a new version. */
import { addDays } from '../../../../domain/calendar/calendar.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import { type Change, isSame } from '../../file/changes.ts';
import type { ApplyTime } from '../../file/part.ts';
import { type ChargeContent, contentOf, type PlanContent } from './content.ts';
import { readNewestPlans } from './rows.ts';
import type { FilePlan } from './schema.ts';

interface PlansToApply extends ApplyTime {
  readonly file: { readonly plans: readonly FilePlan[]; readonly currency: string };
}

export async function applyPlans(tx: Tx, wanted: PlansToApply): Promise<Change[]> {
  const newest = await readNewestPlans(tx);
  const changes: Change[] = [];
  for (const plan of wanted.file.plans) {
    const content = contentOf(plan, wanted.file.currency);
    const stored = newest.get(plan.contractCode);
    newest.delete(plan.contractCode);
    if (stored && isSame(stored.content, content)) continue;
    const version = (stored?.version ?? 0) + 1;
    if (stored) {
      await tx.query('update plan set is_newest = false where id = $1', [stored.id]);
    }
    await insertPlan(tx, { content, version, now: wanted.now });
    changes.push({ subject: `plan ${plan.contractCode}`, change: `version ${version}` });
  }
  const yesterday = addDays(wanted.today, -1);
  for (const { id, content } of newest.values()) {
    if (content.endDate !== null && content.endDate <= yesterday) continue;
    await tx.query('update plan set end_date = $2, updated_at = $3 where id = $1', [
      id,
      yesterday,
      wanted.now,
    ]);
    changes.push({
      subject: `plan ${content.contractCode}`,
      change: `retired, endDate ${yesterday}`,
    });
  }
  return changes;
}

interface NewPlan {
  readonly content: PlanContent;
  readonly version: number;
  readonly now: Date;
}

async function insertPlan(tx: Tx, { content, version, now }: NewPlan): Promise<void> {
  const [row] = await tx.query<{ id: number }>(
    `insert into plan (tenant_id, contract_code, version, is_newest, name, product_offering_id,
       start_date, end_date, billing_period, billing_alignment, alignment_day, due_date_value,
       due_date_units, is_auto_renew, invoice_text, notes, created_at, updated_at)
     values ($1, $2, $3, true, $4, (select id from product_offering where sku = $5),
       $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
     returning id`,
    [
      tx.tenantId,
      content.contractCode,
      version,
      content.name,
      content.productOffering,
      content.startDate,
      content.endDate,
      content.billingPeriod,
      content.billingAlignment,
      content.alignmentDay,
      content.dueDateValue,
      content.dueDateUnits,
      content.isAutoRenew,
      content.invoiceText,
      content.notes,
      now,
    ],
  );
  if (!row) throw new Error('an insert returned no row');
  await insertCharges(tx, { planId: row.id, charges: content.charges, now });
}

interface NewCharges {
  readonly planId: number;
  readonly charges: readonly ChargeContent[];
  readonly now: Date;
}

async function insertCharges(tx: Tx, { planId, charges, now }: NewCharges): Promise<void> {
  const positioned = charges.map((charge, index) => ({ ...charge, position: index + 1 }));
  const rows = await tx.query<{ id: number; position: number }>(
    `insert into plan_charge (tenant_id, plan_id, position, price_code, invoice_text,
       accounting_code, charge_type, pricing_type, is_prepaid, is_penalty, penalty_status,
       is_prorated, is_tax, is_mandatory, is_separate_invoice, unit_of_measure,
       standard_quantity, min_quantity, max_quantity, tax_codes, notes, created_at, updated_at)
     select $1, $2, position, "priceCode", "invoiceText", "accountingCode", "chargeType",
       "pricingType", "isPrepaid", "isPenalty", "penaltyStatus", "isProrated", "isTax",
       "isMandatory", "isSeparateInvoice", "unitOfMeasure", "standardQuantity", "minQuantity",
       "maxQuantity", "taxCodes", notes, $4, $4
     from json_to_recordset($3) as c(position int, "priceCode" text, "invoiceText" text,
       "accountingCode" text, "chargeType" text, "pricingType" text, "isPrepaid" boolean,
       "isPenalty" boolean, "penaltyStatus" text, "isProrated" boolean, "isTax" boolean,
       "isMandatory" boolean, "isSeparateInvoice" boolean, "unitOfMeasure" text,
       "standardQuantity" numeric, "minQuantity" numeric, "maxQuantity" numeric,
       "taxCodes" text[], notes text)
     returning id, position`,
    [tx.tenantId, planId, JSON.stringify(positioned), now],
  );
  const ids = new Map(rows.map(({ id, position }) => [position, id]));
  const tiers = positioned.flatMap((charge) =>
    charge.tiers.map((tier, index) => ({
      ...tier,
      chargeId: ids.get(charge.position),
      position: index + 1,
    })),
  );
  await tx.query(
    `insert into pricing_tier (tenant_id, charge_id, position, units_from, units_to, price,
       percent, is_overage, currency, created_at, updated_at)
     select $1, "chargeId", position, "unitsFrom", "unitsTo", price, percent, "isOverage",
       currency, $3, $3
     from json_to_recordset($2) as t("chargeId" bigint, position int, "unitsFrom" numeric,
       "unitsTo" numeric, price numeric, percent numeric, "isOverage" boolean, currency text)`,
    [tx.tenantId, JSON.stringify(tiers), now],
  );
}
