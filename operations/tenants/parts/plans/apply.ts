/** Applies the plans of a tenant file: a changed plan is a new version. */
import assert from 'node:assert';
import { addDays } from '../../../../domain/calendar/calendar.ts';
import type { ExistingOrders } from '../../../../domain/plans/price-moves.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import { given, insertText } from '../../../../db/queries/context/insertion.ts';
import { type Change, isSame } from '../../file/changes.ts';
import type { ApplyTime } from '../../file/part.ts';
import { moveOrders } from './moves.ts';
import { contentOf, type PlanContent, type ChargeContent, type TierContent } from './content.ts';
import type { FilePlan } from './schema.ts';
import { Plan, PricingTier, PlanCharge } from '../../../../db/entities/plans.ts';

interface PlansToApply extends ApplyTime {
  readonly file: {
    readonly plans: readonly FilePlan[];
    readonly currency: string;
    readonly notices?: { readonly priceChangeDays?: number };
  };
}

export async function applyPlans(tx: Tx, wanted: PlansToApply): Promise<Change[]> {
  const newest = await readNewestPlans(tx);
  const changes: Change[] = [];
  for (const plan of wanted.file.plans) {
    const content = contentOf(plan, wanted.file.currency);
    const stored = newest.get(plan.contractCode);
    newest.delete(plan.contractCode);
    const { existingOrders, renewalNoticeDays = null } = plan;
    const before = stored?.existingOrders ?? 'keep';
    const isSameVersion = stored !== undefined && isSame(stored.content, content);
    if (isSameVersion && before === existingOrders) continue;
    const added = { content, existingOrders, renewalNoticeDays, now: wanted.now };
    const { change, ...now } = isSameVersion
      ? await setExistingOrders(tx, stored, existingOrders)
      : await addVersion(tx, stored, added);
    changes.push({ subject: `plan ${plan.contractCode}`, change });
    const { today } = wanted;
    const priceChangeDays = wanted.file.notices?.priceChangeDays;
    const moved = { ...now, content, before, existingOrders, today, priceChangeDays };
    changes.push(...(await moveOrders(tx, moved)));
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
  return [...changes, ...(await applyNoticeDays(tx, wanted.file.plans))];
}

const noticeDays = given(Plan, ['contractCode', 'renewalNoticeDays']);

/** They are of no version: orders of older ones are announced as the file says today. */
async function applyNoticeDays(tx: Tx, plans: readonly FilePlan[]): Promise<Change[]> {
  const rows = plans.map(({ contractCode, renewalNoticeDays = null }) => ({
    contractCode,
    renewalNoticeDays,
  }));
  const changed = await tx.query<{ contractCode: string; days: number | null }>(
    `update plan p set renewal_notice_days = r."renewalNoticeDays"
     from ${noticeDays.recordset}
     where p.tenant_id = $1 and p.contract_code = r."contractCode"
       and p.renewal_notice_days is distinct from r."renewalNoticeDays"
     returning p.contract_code, p.renewal_notice_days as days`,
    [tx.tenantId, noticeDays.json(rows)],
  );
  const byCode = new Map(changed.map((row) => [row.contractCode, row]));
  return [...byCode.values()].map(({ contractCode, days }) => ({
    subject: `plan ${contractCode}`,
    change: `renewalNoticeDays ${days ?? 'of the tenant'}`,
  }));
}

interface Newest {
  readonly id: number;
  readonly version: number;
  readonly change: string;
}

async function setExistingOrders(
  tx: Tx,
  { id, version }: StoredPlan,
  existingOrders: ExistingOrders,
): Promise<Newest> {
  await tx.query('update plan set existing_orders = $2 where id = $1', [id, existingOrders]);
  return { id, version, change: `existingOrders ${existingOrders}` };
}

interface NewVersion {
  readonly content: PlanContent;
  readonly existingOrders: ExistingOrders;
  readonly now: Date;
  readonly renewalNoticeDays: number | null;
}

async function addVersion(
  tx: Tx,
  stored: StoredPlan | undefined,
  added: NewVersion,
): Promise<Newest> {
  const version = (stored?.version ?? 0) + 1;
  if (stored) {
    await tx.query('update plan set is_newest = false where id = $1', [stored.id]);
  }
  const id = await insertPlan(tx, { ...added, version });
  return { id, version, change: `version ${version}` };
}

interface NewPlan extends NewVersion {
  readonly version: number;
}

async function insertPlan(
  tx: Tx,
  { content, existingOrders, renewalNoticeDays, version, now }: NewPlan,
): Promise<number> {
  const [plan] = await tx.query<{ id: number }>(insertPlanText, [
    tx.tenantId,
    JSON.stringify([{ ...content, existingOrders, renewalNoticeDays }]),
    version,
    now,
  ]);
  assert(plan, 'an insert returns its row');
  const charges = content.charges.map((charge, index) => ({ ...charge, position: index + 1 }));
  const rows = await tx.query<{ id: number; position: number }>(insertChargesText, [
    tx.tenantId,
    JSON.stringify(charges),
    plan.id,
    now,
  ]);
  const ids = new Map(rows.map(({ id, position }) => [position, id]));
  const tiers = charges.flatMap((charge) =>
    charge.tiers.map((tier, index) => ({
      ...tier,
      chargeId: ids.get(charge.position),
      position: index + 1,
    })),
  );
  await tx.query(insertTiersText, [tx.tenantId, JSON.stringify(tiers), now]);
  return plan.id;
}

const insertPlanText = insertText({
  into: Plan,
  columns: [
    'contractCode',
    'name',
    'startDate',
    'endDate',
    'billingPeriod',
    'billingAlignment',
    'alignmentDay',
    'dueDateValue',
    'dueDateUnits',
    'isAutoRenew',
    'trialValue',
    'trialUnits',
    'trialCard',
    'invoiceText',
    'notes',
    'renewalNoticeDays',
    'existingOrders',
  ],
  besides: { productOffering: 'text?' },
  values: {
    version: '$3',
    isNewest: 'true',
    productOfferingId: '(select id from product_offering where sku = r."productOffering")',
    createdAt: '$4',
    updatedAt: '$4',
  },
  ending: 'returning id',
});

const insertChargesText = insertText({
  into: PlanCharge,
  columns: [
    'position',
    'priceCode',
    'invoiceText',
    'accountingCode',
    'chargeType',
    'pricingType',
    'isPrepaid',
    'isPenalty',
    'penaltyStatus',
    'isProrated',
    'isTax',
    'isMandatory',
    'isSeparateInvoice',
    'followsQuantity',
    'decimals',
    'unitOfMeasure',
    'standardQuantity',
    'minQuantity',
    'maxQuantity',
    'taxCodes',
    'notes',
  ],
  values: { planId: '$3', createdAt: '$4', updatedAt: '$4' },
  ending: 'returning id, position',
});

const insertTiersText = insertText({
  into: PricingTier,
  columns: [
    'chargeId',
    'position',
    'unitsFrom',
    'unitsTo',
    'price',
    'percent',
    'isOverage',
    'currency',
  ],
  values: { createdAt: '$3', updatedAt: '$3' },
});

/* Reads the newest plan versions in the form in which a file's plans are compared with them. */

interface StoredPlan {
  readonly id: number;
  readonly version: number;
  readonly existingOrders: ExistingOrders;
  readonly content: PlanContent;
}

type PlanRow = Omit<PlanContent, 'charges'> & Omit<StoredPlan, 'content'>;
type ChargeRow = Omit<ChargeContent, 'tiers'> & { readonly id: number; readonly planId: number };
type TierRow = TierContent & { readonly chargeId: number };

/** By contractCode. */
export async function readNewestPlans(tx: Tx): Promise<Map<string, StoredPlan>> {
  const plans = await tx.query<PlanRow>(
    `select p.id, p.version, p.existing_orders, p.contract_code, p.name,
            o.sku as product_offering, p.start_date, p.end_date,
            p.billing_period, p.billing_alignment,
            p.alignment_day, p.due_date_value,
            p.due_date_units, p.is_auto_renew,
            p.trial_value, p.trial_units, p.trial_card,
            p.invoice_text, p.notes
     from plan p
     left join product_offering o on o.tenant_id = p.tenant_id and o.id = p.product_offering_id
     where p.is_newest order by p.contract_code`,
  );
  const charges = await readCharges(tx);
  return new Map(
    plans.map(({ id, version, existingOrders, ...plan }) => [
      plan.contractCode,
      { id, version, existingOrders, content: { ...plan, charges: charges.get(id) ?? [] } },
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
            c.follows_quantity, c.decimals,
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
