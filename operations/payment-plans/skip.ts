/** Skips the next installment of a payment plan. */
import { attemptChange } from '../../domain/payments/attempts.ts';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import { changedAttempts } from '../../db/queries/collection/attempts.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { lockCustomer } from '../context/locks.ts';
import { answeredOnce } from '../context/update-answers.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OperationContext } from '../context/context.ts';
import { carryOut } from '../collection/carry-out.ts';
import { loadPaymentPlan, markPlan } from './aggregate.ts';

export interface SkipRequest {
  readonly planId: number;
  /** Kept with the installment. */
  readonly reason: string;
  /** The same for each repetition of a request, which skips once. */
  readonly requestKey: string;
}

/**
 * The installment counts, charges nothing, and keeps the reason. Returns what was done, in words.
 * Throws paymentPlan.unknown, and update.refused for a plan that has no installment to come.
 */
export async function skipInstallment(
  context: OperationContext,
  request: SkipRequest,
): Promise<string> {
  const { tx } = context;
  const { planId: objectId, requestKey: requestId } = request;
  const [plan] = await tx.query<{ customerId: number }>(
    'select customer_id from payment_plan where id = $1',
    [objectId],
    'customer-of-plan',
  );
  if (!plan) throw new DomainError('paymentPlan.unknown', `there is no payment plan ${objectId}`);
  await lockCustomer(tx, { id: plan.customerId });
  const asked = { kind: 'paymentPlan', objectId, requestId } as const;
  return (await answeredOnce(tx, asked, () => skip(context, request))).did;
}

async function skip(
  context: OperationContext,
  { planId, reason }: SkipRequest,
): Promise<{ readonly did: string }> {
  const { tx, time } = context;
  const choice = {
    name: 'skip-installment',
    where: 'a.payment_plan_id = $8 and a.attempt = 1',
    values: [planId],
    reason: maskCardNumbers(reason),
    returning: 'a.id, a.customer_id, a.installment, a.attempt, a.due_on',
  };
  const [skipped] = await changedAttempts<SkippedRow>(tx, { happened: 'skipped' }, choice, time);
  if (!skipped) throw new DomainError('update.refused', 'the plan has no installment to come');
  const change = attemptChange({ happened: 'skipped' }, time.today);
  const attempts = [{ ...skipped, invoiceId: null, paymentPlanId: planId }];
  await carryOut(context, { attempts, change });
  await markPlan(context, await loadPaymentPlan(context, planId), skipped.dueOn);
  return { did: `skipped installment ${skipped.installment}` };
}

interface SkippedRow {
  readonly id: number;
  readonly customerId: number;
  readonly installment: number;
  readonly attempt: number;
  readonly dueOn: IsoDate;
}
