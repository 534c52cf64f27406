/** The plans of a tenant: what it sells. */
import { z } from 'zod';
import { applyPlans } from './apply.ts';
import { checkPlans } from './checks.ts';
import { plan, type FilePlan } from './schema.ts';
import type { Report } from '../../file/mistakes.ts';

/* What is no mistake in a plan, and not what its author may expect. */

interface Plans {
  readonly plans: readonly FilePlan[];
}

/** Bounds of usage charges: people use what they use, and the units included are no order. */
function remarkBounds({ plans }: Plans, remark: Report): void {
  for (const [index, { charges }] of plans.entries()) {
    for (const [position, charge] of charges.entries()) {
      if (charge.chargeType !== 'UsageCharge') continue;
      for (const bound of ['minQuantity', 'maxQuantity'] as const) {
        if (charge[bound] === undefined) continue;
        remark(['plans', index, 'charges', position, bound], 'has no effect on a usage charge');
      }
    }
  }
}

export const plans = {
  schema: z
    .array(plan)
    .default([])
    .describe(
      'A changed plan becomes a new version; running orders keep theirs, unless `existingOrders` ' +
        'says when they take its prices. A plan removed from ' +
        'the file is retired: it takes no new order.',
    ),
  check: checkPlans,
  remarks: remarkBounds,
  // Applying compares them with their rows.
  changes: () => [],
  apply: applyPlans,
};
