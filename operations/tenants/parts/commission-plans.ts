/** The commission plans of a tenant: what its sales agents earn. */
import { z } from 'zod';
import { compare } from '../../../domain/money/money.ts';
import { itemChanges } from '../file/changes.ts';
import { checkReference, checkRepeats, checkTogether, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Path, Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import type { FilePlan } from './plans/schema.ts';

const commissionCharge = z.strictObject({
  code: kind.text().describe('Unique in the commission plan.'),
  commissionText: kind.text().optional(),
  commissionAmount: kind.decimal().describe('A percentage or an amount, by `commissionType`.'),
  commissionType: kind.choice(['Percent', 'Amount']),
  chargeType: kind.choice(['DateBasedChargeOneTime', 'DateBasedCharge', 'RecurringCharge']),
  dateToChargeValue: kind
    .whole(0, 1_200)
    .optional()
    .describe('For the date-based types, together with `dateToChargeUnits`.'),
  dateToChargeUnits: kind.choice(['Months', 'Years']).optional(),
  customOptions: kind.longText().optional(),
  notes: kind.longText().optional(),
});

const commissionPlan = z.strictObject({
  planName: kind.text(),
  commissionCode: kind.text().describe('Unique.'),
  accountingCode: kind.text().optional(),
  activate: kind.flag().default(true),
  plans: z.array(kind.text()).default([]).describe('`contractCode` of plans in this file.'),
  charges: z.array(commissionCharge).default([]),
});

export type CommissionPlan = z.output<typeof commissionPlan>;
type LooseCommissionPlans = Loose<{
  readonly commissionPlans: readonly CommissionPlan[];
  readonly plans: readonly FilePlan[];
}>;

export const commissionPlans = {
  schema: z.array(commissionPlan).default([]),
  check: checkCommissionPlans,
  changes: itemChanges<CommissionPlan>('commissionPlan', ({ commissionCode }) => commissionCode),
  notInForce: [{ key: 'commissionPlans', missing: 'no commission is earned' }],
};

function checkCommissionPlans(file: LooseCommissionPlans, report: Report): void {
  checkUnique(file.commissionPlans, 'commissionCode', ['commissionPlans'], report);
  const known = new Set(file.plans?.map((plan) => plan?.contractCode));
  file.commissionPlans?.forEach((given, index) => {
    const path = ['commissionPlans', index] as const;
    checkRepeats(given?.plans, [...path, 'plans'], report);
    given?.plans?.forEach((code, position) =>
      checkReference(code, known, 'a plan', [...path, 'plans', position], report),
    );
    checkUnique(given?.charges, 'code', [...path, 'charges'], report);
    given?.charges?.forEach((charge, position) => {
      if (charge) checkCharge(charge, [...path, 'charges', position], report);
    });
  });
}

function checkCharge(
  charge: Loose<z.output<typeof commissionCharge>>,
  path: Path,
  report: Report,
): void {
  checkTogether(charge, ['dateToChargeValue', 'dateToChargeUnits'], path, report);
  const { commissionAmount, commissionType } = charge;
  if (commissionType !== 'Percent' || !commissionAmount) return;
  if (compare(commissionAmount, '100') > 0) {
    report([...path, 'commissionAmount'], 'must be at most 100 for the type Percent');
  }
}
