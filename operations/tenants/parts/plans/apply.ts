/** Applies the plans of a tenant file: a changed plan is a new version. */
import assert from 'node:assert';
import { addDays } from '../../../../domain/calendar/calendar.ts';
import type { Tx } from '../../../../db/connection/tenancy.ts';
import { insertText } from '../../../../db/queries/context/insertion.ts';
import { type Change, isSame } from '../../file/changes.ts';
import type { ApplyTime } from '../../file/part.ts';
import { contentOf, type PlanContent } from './content.ts';
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
  const [plan] = await tx.query<{ id: number }>(insertPlanText, [
    tx.tenantId,
    JSON.stringify([content]),
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
}

const insertPlanText = insertText({
  into: 'plan',
  columns: {
    contractCode: 'text',
    name: 'text',
    productOffering: 'text?',
    startDate: 'date?',
    endDate: 'date?',
    billingPeriod: 'text',
    billingAlignment: 'text',
    alignmentDay: 'int?',
    dueDateValue: 'int?',
    dueDateUnits: 'text?',
    isAutoRenew: 'boolean?',
    invoiceText: 'text?',
    notes: 'text?',
  },
  values: {
    version: '$3',
    isNewest: 'true',
    productOffering: null,
    productOfferingId: '(select id from product_offering where sku = r."productOffering")',
    createdAt: '$4',
    updatedAt: '$4',
  },
  ending: 'returning id',
});

const insertChargesText = insertText({
  into: 'plan_charge',
  columns: {
    position: 'int',
    priceCode: 'text',
    invoiceText: 'text?',
    accountingCode: 'text?',
    chargeType: 'text',
    pricingType: 'text',
    isPrepaid: 'boolean',
    isPenalty: 'boolean',
    penaltyStatus: 'text?',
    isProrated: 'boolean',
    isTax: 'boolean',
    isMandatory: 'boolean',
    isSeparateInvoice: 'boolean',
    unitOfMeasure: 'text?',
    standardQuantity: 'numeric',
    minQuantity: 'numeric?',
    maxQuantity: 'numeric?',
    taxCodes: 'text[]',
    notes: 'text?',
  },
  values: { planId: '$3', createdAt: '$4', updatedAt: '$4' },
  ending: 'returning id, position',
});

const insertTiersText = insertText({
  into: 'pricing_tier',
  columns: {
    chargeId: 'bigint',
    position: 'int',
    unitsFrom: 'numeric',
    unitsTo: 'numeric?',
    price: 'numeric?',
    percent: 'numeric?',
    isOverage: 'boolean',
    currency: 'text',
  },
  values: { createdAt: '$3', updatedAt: '$3' },
});
