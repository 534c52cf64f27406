/** The coupons of a tenant. */
import { z } from 'zod';
import { compare } from '../../../domain/money/money.ts';
import { itemChanges } from '../file/changes.ts';
import { checkDates, checkReference, checkRepeats, checkUnique } from '../file/checks.ts';
import { isGiven, type Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import type { FilePlan } from './plans/schema.ts';

const coupon = z.strictObject({
  code: kind.text().describe('Unique.'),
  percent: kind.percent().optional().describe('Either this or `amount`; more than 0.'),
  amount: kind.amount().optional(),
  currency: kind.currency().optional().describe("Of the amount; the tenant's by default."),
  once: kind.flag().default(false).describe('On one invoice only.'),
  periods: kind
    .whole(1, 1_200)
    .optional()
    .describe('The number of billing periods; without this and `once`, for ever.'),
  plans: z
    .array(kind.text())
    .optional()
    .describe('`contractCode` of plans in this file; every plan by default.'),
  startDate: kind.date().optional(),
  endDate: kind.date().optional(),
});

type Coupon = z.output<typeof coupon>;
type LooseCoupons = Loose<{
  readonly coupons: readonly Coupon[];
  readonly plans: readonly FilePlan[];
}>;

export const coupons = {
  schema: z.array(coupon).default([]),
  check: checkCoupons,
  changes: itemChanges<Coupon>('coupon', ({ code }) => code),
  notInForce: [{ key: 'coupons', missing: 'no order takes a coupon' }],
};

function checkCoupons(file: LooseCoupons, report: Report): void {
  checkUnique(file.coupons, 'code', ['coupons'], report);
  const known = new Set(file.plans?.map((plan) => plan?.contractCode));
  file.coupons?.forEach((given, index) => {
    if (!given) return;
    const path = ['coupons', index] as const;
    const hasPercent = isGiven(given, 'percent');
    if (hasPercent === isGiven(given, 'amount')) {
      report([...path, 'percent'], 'or else amount must be given, and not both');
    }
    if (given.percent !== undefined && compare(given.percent, '0') === 0) {
      report([...path, 'percent'], 'must be more than 0');
    }
    if (hasPercent && isGiven(given, 'currency')) {
      report([...path, 'currency'], 'is for an amount, not for a percentage');
    }
    if (given.once === true && isGiven(given, 'periods')) {
      report([...path, 'periods'], 'cannot be given together with once');
    }
    checkRepeats(given.plans, [...path, 'plans'], report);
    given.plans?.forEach((code, position) =>
      checkReference(code, known, 'a plan', [...path, 'plans', position], report),
    );
    checkDates(given, path, report);
  });
}
