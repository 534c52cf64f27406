/** What is no mistake in a plan, and not what its author may expect. */
import type { Report } from '../../file/mistakes.ts';
import type { FilePlan } from './schema.ts';

interface Plans {
  readonly plans: readonly FilePlan[];
}

/** Bounds of usage charges: people use what they use, and the units included are no order. */
export function remarkBounds({ plans }: Plans, remark: Report): void {
  for (const [index, { charges }] of plans.entries()) {
    for (const [position, charge] of charges.entries()) {
      if (charge.chargeType !== 'UsageCharge') continue;
      for (const bound of ['minQuantity', 'maxQuantity'] as const) {
        if (charge[bound] === undefined) continue;
        remark(['plans', index, 'charges', position, bound], 'of a usage charge holds for nothing');
      }
    }
  }
}
