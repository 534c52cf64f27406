/** The terms of a plan as columns of its row, and back. */
import type { PlanTerms } from '../../domain/payment-plans/terms.ts';
import type { PaymentPlan } from '../../db/entities/index.ts';

export function termColumns({ totalNumberOfInstallments, ...terms }: PlanTerms) {
  return { ...terms, totalInstallments: totalNumberOfInstallments };
}

export function termsOf(plan: PaymentPlan): PlanTerms {
  return {
    startDate: plan.startDate,
    frequencyValue: plan.frequencyValue,
    frequencyUnits: plan.frequencyUnits,
    chargeAmount: plan.chargeAmount,
    chargeOnlyIfBalanceOwed: plan.chargeOnlyIfBalanceOwed,
    totalNumberOfInstallments: plan.totalInstallments,
  };
}
