/** The plans of a tenant: what it sells. */
import { z } from 'zod';
import { applyPlans } from './apply.ts';
import { checkPlans } from './checks.ts';
import { remarkBounds } from './remarks.ts';
import { plan } from './schema.ts';

export const plans = {
  schema: z
    .array(plan)
    .default([])
    .describe(
      'A changed plan becomes a new version; existing orders keep theirs. A plan removed from ' +
        'the file is retired: it takes no new order.',
    ),
  check: checkPlans,
  remarks: remarkBounds,
  // Applying compares them with their rows.
  changes: () => [],
  apply: applyPlans,
};
