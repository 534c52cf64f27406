/** Changes and disables payment plans. */
import { DomainError } from '../../domain/errors.ts';
import { nextInstallmentDay } from '../../domain/payment-plans/schedule.ts';
import { changedTerms, movesDays, type PlanInput } from '../../domain/payment-plans/terms.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import { changeAttempts, insertInstallments } from '../../db/queries/collection/attempts.ts';
import { lockPaymentPlan, type CustomerAddress } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { resumeAutopay } from '../collection/installments.ts';
import { claimDue, loadPaymentPlan, markPlan, termColumns, termsOf } from './aggregate.ts';

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
  const plan = await loadPaymentPlan(context, id);
  const before = termsOf(plan);
  const { countedInstallments: counted, currency, customerId } = plan;
  const terms = changedTerms(before, input, { today: time.today, currency, counted });
  Object.assign(plan, termColumns(terms), { updatedAt: time.now });
  // The claim reads the terms of the row.
  await tx.flush();
  const next = await nextOf(context, id);
  if (counted === terms.totalNumberOfInstallments) {
    endAttempts(context, id, { name: 'end-next-installment', where: isNext });
  } else if (next.dueOn === null || movesDays(before, terms)) {
    const { after } = next;
    const dueOn = nextInstallmentDay(terms, { after, from: time.today });
    moveNext(context, { planId: id, customerId, installment: counted + 1, dueOn });
  }
  await claimDue(context, plan);
  await markPlan(context, plan, null);
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
  const plan = await loadPaymentPlan(context, id);
  plan.isEnabled = false;
  plan.endedOn = context.time.today;
  endAttempts(context, id, { name: 'end-installments', where: 'a.payment_plan_id = $8' });
  await markPlan(context, plan, null);
  await resumeAutopay(context, [plan.customerId]);
}

interface Next {
  /** The day of the installment to come; null if none is. */
  readonly dueOn: IsoDate | null;
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
  return next ?? { dueOn: null, after: null };
}

/** The next installment, not the retries of those before it. */
const isNext = 'a.payment_plan_id = $8 and a.attempt = 1';

interface EndedAttempts {
  readonly name: string;
  readonly where: string;
}

function endAttempts({ tx, time }: OperationContext, planId: number, ended: EndedAttempts): void {
  const choice = { ...ended, values: [planId] };
  changeAttempts(tx, { happened: 'ended', outcome: 'planEnded' }, choice, time);
}

interface MovedInstallment {
  readonly planId: number;
  readonly customerId: number;
  readonly installment: number;
  readonly dueOn: IsoDate;
}

/** Moves what is due, or inserts it. */
function moveNext({ tx, time }: OperationContext, moved: MovedInstallment): void {
  const { planId, customerId, installment, dueOn } = moved;
  const choice = { name: 'move-installment', where: isNext, values: [planId] };
  changeAttempts(tx, { happened: 'moved', dueOn }, choice, time);
  const row = { customerId, paymentPlanId: planId, installment, attempt: 1 };
  insertInstallments(tx, [{ ...row, dueOn, declinedOn: null }], time);
}
