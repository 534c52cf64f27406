/** The errors that only calls about sales agents and their commissions have. */

export const commissionErrors = {
  'commissionPlan.unknown': { kind: 'notFound', meaning: 'There is no such commission plan.' },
  'salesAgent.unknown': { kind: 'notFound', meaning: 'There is no such sales agent.' },
  'orderAgent.reference': {
    kind: 'invalid',
    meaning:
      "A sales agent or commission plan is unknown, or the agent is gone from the tenant's file.",
  },
  'orderAgent.exists': {
    kind: 'invalid',
    meaning: 'The sales agent is linked to the order already, or named twice.',
  },
  'orderAgent.plan': {
    kind: 'invalid',
    meaning:
      "The commission plan is inactive, gone from the tenant's file, or not for the order's plan.",
  },
} as const;
