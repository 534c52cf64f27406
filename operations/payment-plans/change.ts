/** Changes and disables payment plans. */
import { DomainError } from '../../domain/errors.ts';
import { nextInstallmentDay } from '../../domain/payment-plans/schedule.ts';
import { changedTerms, movesDays, type PlanInput } from '../../domain/payment-plans/terms.ts';
import type { IsoDate } from '../../domain/model.ts';
import { PaymentPlan } from '../../db/entities/index.ts';
import { lockPaymentPlan, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { claimAttempts } from '../collection/claim-attempts.ts';
import { insertInstallments } from '../collection/claim-installments.ts';
import { concludePlans, resumeAutopay } from '../collection/installments.ts';
import { termColumns, termsOf } from './columns.ts';

/**
 * Changes what is still to come of a customer's plan; with isEnabled false it is disabled. Throws
 * customer.unknown, paymentPlan.unknown, paymentPlan.ended, or an error that names the element.
 */
export async function changePaymentPlan(
  context: OperationContext,
  address: CustomerAddress,
  input: PlanInput,
): Promise<void> {
  const { tx, time } = context;
  const { id, isEnabled } = await lockPaymentPlan(tx, address);
  if (!isEnabled) {
    if (input.isEnabled === false) return;
    throw new DomainError(
      'paymentPlan.ended',
      'the payment plan is no longer enabled; POST makes a new one',
      { path: 'paymentPlan' },
    );
  }
  if (input.isEnabled === false) return disable(context, id);
  const plan = await planOf(context, id);
  const before = termsOf(plan);
  const { countedInstallments: counted, currency } = plan;
  const terms = changedTerms(before, input, { today: time.today, currency, counted });
  Object.assign(plan, termColumns(terms), { updatedAt: time.now });
  await tx.em.flush();
  const next = await nextOf(context, id);
  if (counted === terms.totalNumberOfInstallments) endNext(context, id);
  else if (next.due_on === null || movesDays(before, terms)) {
    const { after } = next;
    const dueOn = nextInstallmentDay(terms, { after, from: time.today });
    moveNext(context, { planId: id, installment: counted + 1, dueOn });
  }
  await claimAttempts(context, { kind: 'installment', planId: id });
  await concludePlans(context, [id]);
}

/**
 * Disables a customer's plan: what is due of it, retries included, is not charged any more. Does
 * nothing to a plan that has ended. Throws customer.unknown or paymentPlan.unknown.
 */
export async function disablePaymentPlan(
  context: OperationContext,
  address: CustomerAddress,
): Promise<void> {
  const { id, isEnabled } = await lockPaymentPlan(context.tx, address);
  if (isEnabled) await disable(context, id);
}

async function disable(context: OperationContext, id: number): Promise<void> {
  const { tx, time } = context;
  const plan = await planOf(context, id);
  Object.assign(plan, { isEnabled: false, endedOn: time.today, updatedAt: time.now });
  await tx.em.flush();
  tx.send(
    `update collection_attempt
     set state = 'ended', outcome = 'planEnded', concluded_on = $2, updated_at = $3
     where payment_plan_id = $1 and state = 'due'`,
    [id, time.today, time.now],
    'end-installments',
  );
  await concludePlans(context, [id]);
  await resumeAutopay(context, [plan.customerId]);
}

function planOf({ tx }: OperationContext, id: number): Promise<PaymentPlan> {
  const { tenantId } = tx;
  return tx.em.findOneOrFail(PaymentPlan, { tenantId, id }, { refresh: true });
}

interface Next {
  /** The day of the installment to come; null if none is. */
  readonly due_on: IsoDate | null;
  /** The day of the last one that had its turn. */
  readonly after: IsoDate | null;
}

async function nextOf({ tx }: OperationContext, planId: number): Promise<Next> {
  const [next] = await tx.query<Next & Record<string, unknown>>(
    `select min(due_on) filter (where state = 'due') as due_on,
            max(due_on) filter (where state in ('claimed', 'done')) as after
     from collection_attempt where payment_plan_id = $1 and attempt = 1`,
    [planId],
    'next-installment',
  );
  return next ?? { due_on: null, after: null };
}

/** No installment is left to come. */
function endNext({ tx, time }: OperationContext, planId: number): void {
  tx.send(
    `update collection_attempt
     set state = 'ended', outcome = 'planEnded', concluded_on = $2, updated_at = $3
     where payment_plan_id = $1 and attempt = 1 and state = 'due'`,
    [planId, time.today, time.now],
    'end-next-installment',
  );
}

interface MovedInstallment {
  readonly planId: number;
  readonly installment: number;
  readonly dueOn: IsoDate;
}

function moveNext({ tx, time }: OperationContext, moved: MovedInstallment): void {
  tx.send(
    `update collection_attempt set due_on = $2, updated_at = $3
     where payment_plan_id = $1 and attempt = 1 and state = 'due'`,
    [moved.planId, moved.dueOn, time.now],
    'move-installment',
  );
  insertInstallments(tx, [moved], time.now);
}
