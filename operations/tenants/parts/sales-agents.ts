/** The sales agents of a tenant. */
import { z } from 'zod';
import { itemChanges } from '../file/changes.ts';
import { checkReference, checkUnique } from '../file/checks.ts';
import type { Loose } from '../file/loose.ts';
import type { Report } from '../file/mistakes.ts';
import * as kind from '../file/scalars.ts';
import { address } from './address.ts';
import type { CommissionPlan } from './commission-plans.ts';

const salesAgent = z.strictObject({
  code: kind.text().describe('Unique.'),
  firstName: kind.text().optional(),
  lastName: kind.text().optional(),
  companyName: kind.text().optional(),
  email: kind.email().optional(),
  workPhone: kind.text().optional(),
  cellPhone: kind.text().optional(),
  referenceNumber: kind.text().optional(),
  commissionPlan: kind.text().optional().describe('`commissionCode` of a plan in this file.'),
  address: address.optional(),
});

type SalesAgent = z.output<typeof salesAgent>;
type LooseAgents = Loose<{
  readonly salesAgents: readonly SalesAgent[];
  readonly commissionPlans: readonly CommissionPlan[];
}>;

export const salesAgents = {
  schema: z.array(salesAgent).default([]),
  check: (file: LooseAgents, report: Report): void => {
    checkUnique(file.salesAgents, 'code', ['salesAgents'], report);
    const known = new Set(file.commissionPlans?.map((each) => each?.commissionCode));
    file.salesAgents?.forEach((agent, index) => {
      const path = ['salesAgents', index, 'commissionPlan'];
      checkReference(agent?.commissionPlan, known, 'a commission plan', path, report);
    });
  },
  changes: itemChanges<SalesAgent>('salesAgent', ({ code }) => code),
  notInForce: [{ key: 'salesAgents', missing: 'no agent is linked to an order' }],
};
