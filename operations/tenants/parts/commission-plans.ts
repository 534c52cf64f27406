/** The commission plans of a tenant: what its sales agents earn. */
import { z } from 'zod';
import {
  commissionChargeTypes,
  commissionTypes,
  dateUnits,
} from '../../../domain/commissions/terms.ts';
import { compare } from '../../../domain/money/money.ts';
import { writeCommissionPlans } from '../../../db/queries/commissions/file.ts';
import type { Tx } from '../../../db/connection/tenancy.ts';
import { itemChanges, type Change } from '../file/changes.ts';
import { checkReference, checkRepeats, checkTogether, checkUnique } from '../file/checks.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Path, Report } from '../file/mistakes.ts';
import type { ApplyTime } from '../file/part.ts';
import * as kind from '../file/scalars.ts';
import type { FilePlan } from './plans/schema.ts';

/** Each paid invoice of an agent writes a row for each of them. */
const CHARGES_MAX = 100;

const commissionCharge = z.strictObject({
  code: kind.text().describe('Unique in the commission plan.'),
  commissionText: kind.text().optional(),
  commissionAmount: kind.decimal().describe('A percentage or an amount, by `commissionType`.'),
  commissionType: kind.choice(commissionTypes),
  chargeType: kind.choice(commissionChargeTypes),
  dateToChargeValue: kind
    .whole(0, 1_200)
    .optional()
    .describe(
      'For the date-based types, together with `dateToChargeUnits`, counted from the joiningDate of ' +
        'a link. DateBasedChargeOneTime without it: on the joiningDate; DateBasedCharge needs 1 or more.',
    ),
  dateToChargeUnits: kind.choice(dateUnits).optional(),
  customOptions: kind.longText().optional(),
  notes: kind.longText().optional(),
});

const commissionPlan = z.strictObject({
  planName: kind.text(),
  commissionCode: kind.text().describe('Unique.'),
  accountingCode: kind.text().optional(),
  activate: kind.flag().default(true),
  plans: z.array(kind.text()).default([]).describe('`contractCode` of plans in this file.'),
  charges: z
    .array(commissionCharge)
    .max(CHARGES_MAX, `must have at most ${CHARGES_MAX} charges`)
    .default([]),
});

export type CommissionPlan = z.output<typeof commissionPlan>;
type LooseCommissionPlans = Loose<{
  readonly commissionPlans: readonly CommissionPlan[];
  readonly plans: readonly FilePlan[];
}>;

export const commissionPlans = {
  schema: z
    .array(commissionPlan)
    .default([])
    .describe(
      'The terms of commissions. New terms apply to later commissions. No new link can take a plan removed ' +
        'from the file, but its links continue to earn; a removed charge earns nothing.',
    ),
  check: checkCommissionPlans,
  changes: itemChanges<CommissionPlan>('commissionPlan', ({ commissionCode }) => commissionCode),
  apply: applyCommissionPlans,
};

interface PlansToApply extends ApplyTime {
  readonly file: { readonly commissionPlans: readonly CommissionPlan[] };
}

/** The rows keep their ids; `changes` has named what is new. */
async function applyCommissionPlans(tx: Tx, { file, ...time }: PlansToApply): Promise<Change[]> {
  const plans = file.commissionPlans.map(({ plans: codes, ...given }) => ({
    commissionCode: given.commissionCode,
    name: given.planName,
    accountingCode: given.accountingCode ?? null,
    isActive: given.activate,
    plans: [...codes].toSorted((a, b) => (a < b ? -1 : 1)),
  }));
  const charges = file.commissionPlans.flatMap(({ commissionCode, charges: given }) =>
    given.map((charge, index) => ({ ...charge, commissionCode, position: index + 1 })),
  );
  await writeCommissionPlans(tx, { plans, charges }, time);
  return [];
}

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
  checkDates(charge, path, report);
  const { commissionAmount, commissionType } = charge;
  if (commissionType !== 'Percent' || !commissionAmount) return;
  if (compare(commissionAmount, '100') > 0) {
    report([...path, 'commissionAmount'], 'must be at most 100 for the type Percent');
  }
}

function checkDates(
  charge: Loose<z.output<typeof commissionCharge>>,
  path: Path,
  report: Report,
): void {
  const at = [...path, 'dateToChargeValue'];
  const hasValue = isGiven(charge, 'dateToChargeValue');
  if (charge.chargeType === 'RecurringCharge' && hasValue) {
    report(at, 'is for the date-based types');
  }
  if (charge.chargeType !== 'DateBasedCharge') return;
  if (!hasValue && !isGiven(charge, 'dateToChargeUnits')) {
    report(at, 'is needed for the type DateBasedCharge');
  }
  if (charge.dateToChargeValue === 0) {
    report(at, 'must be 1 or more for the type DateBasedCharge');
  }
}
