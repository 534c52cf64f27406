/** Skips the next installment of a payment plan. */
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import type { IsoDate } from '../../domain/model.ts';
import { lockCustomer } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { raiseInstallments } from '../payments/attempts.ts';
import { countInstallments } from '../payments/claim-installments.ts';
import { concludePlans } from '../payments/installments.ts';

export interface SkipRequest {
  readonly planId: number;
  /** Kept with the installment. */
  readonly reason: string;
  /** The same for each repetition of a request, which skips once. */
  readonly requestKey: string;
}

/**
 * The installment counts, charges nothing, and keeps the reason. Returns what was done, in words; a
 * plan that is not enabled, or has no installment to come, has none to skip.
 */
export async function skipInstallment(
  context: OperationContext,
  { planId, reason, requestKey }: SkipRequest,
): Promise<string> {
  const { tx, time } = context;
  const [plan] = await tx.query<{ customer_id: number }>(
    'select customer_id from payment_plan where id = $1',
    [planId],
    'customer-of-plan',
  );
  if (!plan) throw new Error(`there is no payment plan ${planId}`);
  await lockCustomer(tx, { id: plan.customer_id });
  const [before] = await tx.query<{ installment: number }>(
    `select installment from collection_attempt
     where payment_plan_id = $1 and request_key = $2`,
    [planId, requestKey],
    'installment-skipped-before',
  );
  if (before) return `skipped installment ${before.installment}`;
  const [skipped] = await tx.query<SkippedRow & Record<string, unknown>>(
    `update collection_attempt set state = 'done', outcome = 'skipped', reason = $2,
       request_key = $3, concluded_on = $4, updated_at = $5
     where payment_plan_id = $1 and state = 'due' and attempt = 1
     returning id, customer_id, installment, attempt, due_on`,
    [planId, maskCardNumbers(reason), requestKey, time.today, time.now],
    'skip-installment',
  );
  if (!skipped) return 'had no installment to skip';
  raiseInstallments(context, [skipped], 'skipped');
  await countInstallments(context, [{ plan_id: planId, due_on: skipped.due_on }]);
  await concludePlans(context, [planId]);
  return `skipped installment ${skipped.installment}`;
}

interface SkippedRow {
  readonly id: number;
  readonly customer_id: number;
  readonly installment: number;
  readonly attempt: number;
  readonly due_on: IsoDate;
}
