/** Changes and disables payment plans. */
import { writeUpdate } from '../access/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import { nextInstallmentDay } from '../../domain/payment-plans/schedule.ts';
import {
  type PlanInput,
  changedTerms,
  movesDays,
  newTerms,
} from '../../domain/payment-plans/terms.ts';
import type { IsoDate } from '../../domain/calendar/calendar.ts';
import {
  changeAttempts,
  changedAttempts,
  insertInstallments,
} from '../../db/queries/collection/attempts.ts';
import { type CustomerAddress, lockCustomer, lockPaymentPlan } from '../context/locks.ts';
import type { OperationContext } from '../context/context.ts';
import { resumeAutopay } from '../collection/installments.ts';
import { claimDue, loadPaymentPlan, markPlan, termColumns, termsOf } from './aggregate.ts';
import { PaymentPlan } from '../../db/entities/collection.ts';
import { takeIds } from '../../db/queries/billing/write.ts';
import { wakeWaiting } from '../../db/queries/collection/waiting.ts';
import { enqueue, idPrefixOf } from '../outbox/enqueue.ts';
import { endRetries } from '../collection/attempts.ts';
import { reviewRetries } from '../ageing/dunning.ts';
import { attemptChange } from '../../domain/payments/attempts.ts';
import { maskCardNumbers } from '../../domain/payments/card-masking.ts';
import { answeredOnce } from '../context/update-answers.ts';
import { carryOut } from '../collection/carry-out.ts';

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

/* Makes payment plans. */

/**
 * Makes the plan of a customer, in the customer's currency. Retries that have not had their turn
 * end, and with them a dunning without an overdue invoice. An installment of today is charged at
 * once. Throws customer.unknown, paymentPlan.exists, or an error that names the element.
 */
export async function createPaymentPlan(
  context: OperationContext,
  address: CustomerAddress,
  input: PlanInput,
): Promise<void> {
  const { tx, time } = context;
  const { id: customerId, currency } = await lockCustomer(tx, address);
  const terms = newTerms(input, { today: time.today, currency });
  await refuseSecond(context, customerId);
  const [id = 0] = await takeIds(tx, 1);
  const plan = tx.em.create(PaymentPlan, {
    ...termColumns(terms),
    tenantId: tx.tenantId,
    id,
    customerId,
    currency,
    createdAt: time.now,
    updatedAt: time.now,
  });
  await tx.flush();
  endRetries(context, customerId);
  wakeWaiting(tx, {
    idPrefix: idPrefixOf(context.tenant, 'payment'),
    customerIds: [customerId],
  });
  await reviewRetries(context, [customerId]);
  const { startDate } = terms;
  const first = { customerId, paymentPlanId: id, installment: 1, attempt: 1 };
  insertInstallments(tx, [{ ...first, dueOn: startDate, declinedOn: null }], time);
  enqueue(context, [{ kind: 'paymentPlan', objectId: id }]);
  if (startDate === time.today) await claimDue(context, plan);
}

async function refuseSecond({ tx }: OperationContext, customerId: number): Promise<void> {
  const enabled = await tx.query(
    'select 1 from payment_plan where customer_id = $1 and is_enabled',
    [customerId],
    'enabled-payment-plan',
  );
  if (enabled.length === 0) return;
  throw new DomainError(
    'paymentPlan.exists',
    'paymentPlan cannot be created: the customer has an enabled one, which PUT changes',
    { path: 'paymentPlan' },
  );
}

/* Skips the next installment of a payment plan. */

export interface SkipRequest {
  readonly planId: number;
  /** Kept with the installment. */
  readonly reason: string;
  /** Who asks for it. */
  readonly by?: string | undefined;
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
  { planId, reason, by }: SkipRequest,
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
  writeUpdate(tx, { by, update: 'skipInstallment', object: { type: 'paymentPlan', id: planId } });
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
