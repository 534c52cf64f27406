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
import { Plan, PricingTier, PlanCharge } from '../../../../db/entities/plans.ts';

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
    'invoiceText',
    'notes',
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
