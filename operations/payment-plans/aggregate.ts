/**
 * A payment plan that a person changes: its head as an entity. Its attempts are rows of SQL, since
 * runs claim them by the thousand; the head alone says what the person wants.
 */
import { planAfter } from '../../domain/payment-plans/schedule.ts';
import type { PlanTerms } from '../../domain/payment-plans/terms.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { PaymentPlan } from '../../db/entities/collection.ts';
import { claimOfPlan } from '../collection/claim-attempts.ts';
import { concludeMarks, readOpenAttempts } from '../collection/mark-plans.ts';
import type { OperationContext } from '../context/context.ts';

/** This transaction must have locked the customer. */
export function loadPaymentPlan({ tx }: OperationContext, id: number): Promise<PaymentPlan> {
  const { tenantId } = tx;
  return tx.em.findOneOrFail(PaymentPlan, { tenantId, id }, { refresh: true });
}

/** The terms of a plan as properties of its entity, and back. */
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

/** Claims what is due of a plan that is stored as it is now. */
export async function claimDue(context: OperationContext, plan: PaymentPlan): Promise<void> {
  const marks = await claimOfPlan(context, plan.id);
  if (marks.length === 0) return;
  const counted = marks.find(({ countedOn }) => countedOn !== null);
  await markPlan(context, plan, counted?.countedOn ?? null);
}

/**
 * Writes the plan after something happened to its attempts, as a new version: it counts an
 * installment that has had its turn, and ends the plan if nothing of it is left.
 */
export async function markPlan(
  context: OperationContext,
  plan: PaymentPlan,
  countedOn: IsoDate | null,
): Promise<void> {
  const { tx, time } = context;
  const hasOpenAttempts = await readOpenAttempts(context, plan.id);
  const { countedInstallments, isEnabled, endedOn = null } = plan;
  const after = planAfter(
    { ...termsOf(plan), counted: countedInstallments, isEnabled, endedOn },
    { countedOn, hasOpenAttempts, today: time.today },
  );
  plan.countedInstallments = after.counted;
  plan.isEnabled = after.isEnabled;
  plan.endedOn = after.endedOn;
  plan.version += 1;
  plan.updatedAt = time.now;
  // Statements of this transaction read the row.
  await tx.flush();
  await concludeMarks(context, [{ id: plan.id, customerId: plan.customerId, after }]);
}
